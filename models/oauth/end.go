package oauth

import (
	"context"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm/clause"
)

// endBatch is how many people's grants of a deleted app end in one transaction.
const endBatch = 100

// RevokeConnectedApp takes back all that the caller allowed an app: its tokens
// stop and codes that are under way are refused, at once. Session only; not_found.
func (s *Service) RevokeConnectedApp(ctx context.Context, appID models.ID) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		var grants []Grant
		err := tx.Where("user_id = ? AND app_id = ? AND revoked_at IS NULL", actor.UserID, appID).
			Clauses(clause.Locking{Strength: "UPDATE"}).Find(&grants).Error
		if err == nil && len(grants) == 0 {
			err = models.NotFound("Connected app")
		}
		if err != nil {
			return err
		}
		return s.end(tx, grants)
	})
}

// DeleteApp deletes one of the caller's own apps: no token of it is accepted
// from then on. What it leaves with each person ends in the same transaction for
// the first hundred people, and for the others in further ones, which Sweep
// takes up where the process stopped. Session only; not_found.
func (s *Service) DeleteApp(ctx context.Context, id models.ID) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	more := false
	err := s.DB.Write(ctx, func(tx *models.Tx) (err error) {
		if _, err := lockApp(tx, actor.UserID, id); err != nil {
			return err
		}
		if err := s.Accounts.StillValid(tx.Context()); err != nil {
			return err
		}
		more, err = s.deleteApp(tx, id)
		return err
	})
	for err == nil && more && !models.InTransaction(ctx) {
		more, err = s.endMore(ctx, id)
	}
	return err
}

// deleteApp deletes an app that is held and ends the first of its grants; more
// tells whether some are left.
func (s *Service) deleteApp(tx *models.Tx, id models.ID) (more bool, err error) {
	err = tx.Model(&App{}).Where("id = ?", id).Updates(map[string]any{
		"deleted_at": tx.Now, "updated_at": tx.Now, "secret_hash": nil, "allowed_origins": models.Strings{}, "ending": true,
	}).Error
	if err != nil {
		return false, err
	}
	return s.endSome(tx, id)
}

// endMore ends more grants of a deleted app.
func (s *Service) endMore(ctx context.Context, id models.ID) (more bool, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) (err error) {
		more, err = s.endSome(tx, id)
		return err
	})
	return more, err
}

func (s *Service) endSome(tx *models.Tx, id models.ID) (more bool, err error) {
	var grants []Grant
	err = tx.Where("app_id = ? AND revoked_at IS NULL", id).Order("id").Limit(endBatch).
		Clauses(clause.Locking{Strength: "UPDATE"}).Find(&grants).Error
	if err == nil {
		err = s.end(tx, grants)
	}
	if err != nil || len(grants) == endBatch {
		return true, err
	}
	return false, tx.Model(&App{}).Where("id = ?", id).Update("ending", false).Error
}

// end ends grants that are held, their tokens, and what else goes with them.
func (s *Service) end(tx *models.Tx, grants []Grant) error {
	if len(grants) == 0 {
		return nil
	}
	ids := make([]models.ID, len(grants))
	for i, grant := range grants {
		ids[i] = grant.ID
	}
	err := tx.Model(&Grant{}).Where("id IN ?", ids).Updates(map[string]any{"revoked_at": tx.Now, "updated_at": tx.Now}).Error
	if err != nil {
		return err
	}
	if err := tx.Model(&Token{}).Where("grant_id IN ? AND revoked_at IS NULL", ids).Update("revoked_at", tx.Now).Error; err != nil {
		return err
	}
	for _, grant := range grants {
		tx.Notify(models.RightsTopic(grant.UserID))
		for _, hook := range s.hooks.ended {
			if err := hook.Do(tx, grant.AppID, grant.UserID); err != nil {
				return hook.Failed(err)
			}
		}
	}
	return nil
}

// EndAll takes back all that a person allowed apps.
func (s *Service) EndAll(tx *models.Tx, userID models.ID) error {
	var grants []Grant
	err := tx.Where("user_id = ? AND revoked_at IS NULL", userID).Order("id").Clauses(clause.Locking{Strength: "UPDATE"}).Find(&grants).Error
	if err != nil {
		return err
	}
	return s.end(tx, grants)
}

// endAppsOf deletes the apps that a person registered, with their account.
func (s *Service) endAppsOf(tx *models.Tx, user *account.User) error {
	var apps []App
	err := own(tx.DB, user.ID).Order("id").Clauses(clause.Locking{Strength: "UPDATE"}).Find(&apps).Error
	for _, app := range apps {
		if err == nil {
			_, err = s.deleteApp(tx, app.ID)
		}
	}
	return err
}
