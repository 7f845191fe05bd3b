package account

import (
	"atelier/models"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Fragments for the statements of other areas: they join accounts as u, of
// which u.id, u.display_name, u.email, u.address, u.time_zone, u.search and
// u.deleted_at may be named.

// Join joins the accounts whose ids a column holds, deleted ones too.
func Join(column string) string { return "JOIN users u ON u.id = " + column }

// LeftJoin joins the account whose id a column may hold, deleted ones too.
func LeftJoin(column string) string { return "LEFT " + Join(column) }

// JoinUndeleted joins those that are not deleted.
func JoinUndeleted(column string) string { return Join(column) + " AND u.deleted_at IS NULL" }

// Usable is the condition that an account that was joined may act: it is neither
// banned nor deleted.
const Usable = "u.deleted_at IS NULL AND u.banned_at IS NULL"

// OwnerUsable is the condition that the person whose id a column holds is not banned; of
// no id it holds.
func OwnerUsable(column string) string {
	return "NOT EXISTS (SELECT FROM users o WHERE o.id = " + column + " AND (o.banned_at IS NOT NULL OR o.deleted_at IS NOT NULL))"
}

// IsUsable tells whether an account may act: it is neither banned nor deleted.
func IsUsable(db *gorm.DB, id models.ID) (usable bool, err error) {
	var count int64
	err = db.Model(&User{}).Where("id = ? AND deleted_at IS NULL AND banned_at IS NULL", id).Count(&count).Error
	return count == 1, err
}

// JoinThese joins the accounts whose ids are its one value.
const JoinThese = "JOIN users u ON u.id IN ?"

// Guarded is the condition that the account whose id an expression says has a
// second factor, or signs in through a provider alone, which sees to that: where
// there is a password beside it, the password lets in.
func Guarded(user string) string {
	return `EXISTS (SELECT FROM users gu WHERE gu.id = ` + user + ` AND (gu.second_factor_at IS NOT NULL
		OR gu.password_hash IS NULL AND EXISTS (SELECT FROM external_identities gi WHERE gi.user_id = gu.id)))`
}

// LockUser keeps other transactions that lock the account waiting until this one
// ends: what is counted for an account is counted behind it.
func LockUser(tx *models.Tx, id models.ID) error {
	var locked []models.ID
	return tx.Model(&User{}).Where("id = ?", id).Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Pluck("id", &locked).Error
}

// FindExisting is an account that is not deleted.
func FindExisting(db *gorm.DB, id models.ID) (*User, error) {
	return models.First[User](db.Where("deleted_at IS NULL AND id = ?", id), models.NotFound("Account"))
}

// FindByConfirmedAddress is the account with an address that was confirmed: one
// that no one confirmed is no one's.
func FindByConfirmedAddress(db *gorm.DB, email string) (*User, error) {
	return models.First[User](db.Where("deleted_at IS NULL AND email = ? AND email_verified_at IS NOT NULL", email), models.NotFound("Account"))
}

// FindAddress is the address of an account.
func FindAddress(db *gorm.DB, id models.ID) (address string, err error) {
	err = db.Model(&User{}).Where("id = ?", id).Pluck("address", &address).Error
	return address, err
}
