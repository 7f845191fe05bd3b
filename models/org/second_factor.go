package org

import (
	"context"

	"atelier/models"
	"atelier/models/account"
)

// ErrUnguarded is the refusal of a member whose account lacks the second factor
// that the organization requires, before any role is looked at.
var ErrUnguarded = models.Err(models.CodeSecondFactorSetUp,
	"This organization asks its members for a second factor. Set one up under Account, Security (/account/security), and go on here.")

// unguarded is the condition that an organization, by its name in a statement,
// requires a second factor that the account of a user's id lacks. An account
// that signs in through a provider alone has one there.
func unguarded(organization, user string) string {
	return "(" + organization + ".require_second_factor AND NOT " + account.Guarded(user) + ")"
}

// requireSecondFactor turns the requirement on or off, and notes the change.
func requireSecondFactor(tx *models.Tx, o *Organization, on *bool, changes models.Fields) error {
	if on == nil || *on == o.RequireSecondFactor {
		return nil
	}
	guarded := false
	if err := tx.Raw(`SELECT `+account.Guarded("?"), tx.Actor.UserID).Row().Scan(&guarded); err != nil {
		return err
	}
	if *on && !guarded {
		return models.Err(models.CodeSecondFactorSetUp, "Set up a second factor of your own first, under Account, Security (/account/security): you would lock yourself out")
	}
	changes["settings.require_second_factor"] = models.Change{From: o.RequireSecondFactor, To: *on}
	o.RequireSecondFactor = *on
	return nil
}

// RequiringSecondFactor are the names of the organizations of a user that
// require a second factor, by name, at most 100.
func (s *Service) RequiringSecondFactor(ctx context.Context, userID models.ID) ([]string, error) {
	names := []string{}
	err := s.DB.Read(ctx).Model(&Organization{}).
		Joins("JOIN organization_members m ON m.organization_id = organizations.id AND m.user_id = ?", userID).
		Where("organizations.require_second_factor AND organizations.deleted_at IS NULL").Order("lower(organizations.name)").Limit(100).
		Pluck("organizations.name", &names).Error
	return names, err
}

// CountUnguarded is how many members of an organization have no second factor
// yet, for owner and admins; nil for others.
func (s Members) CountUnguarded(ctx context.Context, o *Organization) (*int, error) {
	if _, err := reader(ctx); err != nil {
		return nil, err
	}
	if o.Authorize(ReadMembers) != nil {
		return nil, nil
	}
	var count int64
	err := s.org.DB.Read(ctx).Model(&OrganizationMember{}).
		Where("organization_id = ? AND NOT "+account.Guarded("organization_members.user_id"), o.ID).Count(&count).Error
	n := int(count)
	return &n, err
}
