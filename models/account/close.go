package account

import (
	"context"

	"atelier/models"

	"gorm.io/gorm/clause"
)

// Closing is what goes with an account when it is deleted.
type Closing struct {
	// Owned are the organizations that stand in the way: their owner cannot leave.
	Owned []OwnedOrganization
	// Organizations are those that the person is taken out of.
	Organizations                           int
	Workflows, Apps, Runs, Endpoints, Files int
	Tokens, Passkeys                        int
	// ConnectedApps are those that act for the person, DeveloperApps those of the person's own.
	ConnectedApps, DeveloperApps int
	Credits                      models.Credits
}

// OwnedOrganization is an organization whose owner the person is.
type OwnedOrganization struct {
	ID   models.ID
	Name string
}

// FindClosing says what goes with the caller's own account; what goes with
// another's, to a platform operator.
func (s *Service) FindClosing(ctx context.Context, id models.ID) (*Closing, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	if actor.UserID != id {
		if err := actor.RequireOperator(); err != nil {
			return nil, err
		}
	}
	c := &Closing{Owned: []OwnedOrganization{}}
	var tokens int64
	if err := s.DB.Read(ctx).Model(&APIToken{}).Where("user_id = ? AND revoked_at IS NULL", id).Count(&tokens).Error; err != nil {
		return nil, err
	}
	c.Tokens = int(tokens)
	if err := s.DB.Read(ctx).Raw(`SELECT count(*) FROM passkeys WHERE user_id = ?`, id).Scan(&c.Passkeys).Error; err != nil {
		return nil, err
	}
	for _, hook := range s.hooks.closing {
		if err := hook.Do(ctx, id, c); err != nil {
			return nil, hook.Failed(err)
		}
	}
	return c, nil
}

// DeleteAccount deletes the caller's own account at once: the one who has a password
// types it, everyone else their address. Session only. A wrong password is a
// validation_error and counts like one at sign-in; the owner of an organization
// is refused: owner_cannot_leave.
func (s *Service) DeleteAccount(ctx context.Context, confirmation string) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	user, err := s.FindUserByID(ctx, actor.UserID)
	if err != nil {
		return err
	}
	if user.HasPassword() {
		if user, err = s.checkCurrentPassword(ctx, actor.UserID, confirmation); models.HasCode(err, models.CodeValidation) {
			return models.Invalid("confirmation", "is not your password")
		}
	} else if models.TypedEmail(confirmation) != user.Email {
		err = models.Invalid("confirmation", "is not your address")
	}
	if err != nil {
		return err
	}
	if s.isPayer(user) {
		return errPayer
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		held, err := lockUser(tx, user.ID)
		if err != nil {
			return err
		}
		if user.HasPassword() && (held.PasswordHash == nil || *held.PasswordHash != *user.PasswordHash) {
			return models.Invalid("confirmation", "is not your password")
		}
		if err := s.StillValid(tx.Context()); err != nil {
			return err
		}
		return s.deleteUser(tx, held)
	})
}

// errPayer protects the account that pays for everyone (contract 3, "Deployment with a billing account" 4).
var errPayer = models.Err(models.CodePayerProtected, "This account pays for everyone here, and can be neither closed nor deleted")

func (s *Service) isPayer(u *User) bool { return s.Payer != "" && u.Email == s.Payer }

// lockUser holds an account that exists until the transaction ends.
func lockUser(tx *models.Tx, id models.ID) (*User, error) {
	return models.First[User](tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ? AND deleted_at IS NULL", id), models.NotFound("Account"))
}

// deleteUser deletes an account that is held: what it has elsewhere, its
// sessions, tokens, second factors and links, its picture, its sign-ins at
// providers and its address, which are free for another account. The name stays
// where it is history: in audit logs and on runs
// of others.
func (s *Service) deleteUser(tx *models.Tx, user *User) error {
	for _, hook := range s.hooks.deleted {
		if err := hook.Do(tx, user); err != nil {
			return hook.Failed(err)
		}
	}
	if err := s.shutOut(tx, user.ID); err != nil {
		return err
	}
	if err := dropPicture(tx, user.ID); err != nil {
		return err
	}
	if err := s.forgetSecondFactor(tx, user.ID); err != nil {
		return err
	}
	if err := tx.Where("user_id = ?", user.ID).Delete(&ExternalIdentity{}).Error; err != nil {
		return err
	}
	nobody := "deleted:" + user.ID.String()
	return tx.Model(&User{}).Where("id = ?", user.ID).UpdateColumns(map[string]any{
		"email": nobody, "address": nobody, "password_hash": nil, "avatar_url": nil, "email_verified_at": nil, "address_proven_at": nil,
		"last_workspace_id": nil, "deleted_at": tx.Now, "updated_at": tx.Now,
	}).Error
}

// shutOut ends everything by which an account is used, at once.
func (s *Service) shutOut(tx *models.Tx, userID models.ID) error {
	if err := endSessions(tx, userID, nil); err != nil {
		return err
	}
	if err := s.revokeTokens(tx, userID); err != nil {
		return err
	}
	if err := tx.Where("user_id = ?", userID).Delete(&SSOToken{}).Error; err != nil {
		return err
	}
	if err := tx.Where("user_id = ?", userID).Delete(&SecondStep{}).Error; err != nil {
		return err
	}
	return useResetTokens(tx, userID)
}
