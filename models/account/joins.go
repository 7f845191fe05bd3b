package account

import (
	"atelier/models"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Fragments for the statements of other areas: they join accounts as u, of
// which u.id, u.display_name, u.email, u.address, u.search and u.deleted_at may be
// named.

// Join joins the accounts whose ids a column holds, deleted ones too.
func Join(column string) string { return "JOIN users u ON u.id = " + column }

// JoinUndeleted joins those that are not deleted.
func JoinUndeleted(column string) string { return Join(column) + " AND u.deleted_at IS NULL" }

// Usable is the condition that an account that was joined may act: it is neither
// banned nor deleted.
const Usable = "u.deleted_at IS NULL AND u.banned_at IS NULL"

// JoinThese joins the accounts whose ids are its one value.
const JoinThese = "JOIN users u ON u.id IN ?"

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
// that nobody confirmed is nobody's.
func FindByConfirmedAddress(db *gorm.DB, email string) (*User, error) {
	return models.First[User](db.Where("deleted_at IS NULL AND email = ? AND email_verified_at IS NOT NULL", email), models.NotFound("Account"))
}

// FindAddress is the address of an account.
func FindAddress(db *gorm.DB, id models.ID) (address string, err error) {
	err = db.Model(&User{}).Where("id = ?", id).Pluck("address", &address).Error
	return address, err
}
