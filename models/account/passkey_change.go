package account

import (
	"context"

	"atelier/models"
)

// Rename renames a passkey of the caller. Session only; not_found.
func (s Passkeys) Rename(ctx context.Context, id models.ID, name string) (*Passkey, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	name, err := models.CleanName("name", name)
	if err != nil {
		return nil, err
	}
	err = s.account.DB.Write(ctx, func(tx *models.Tx) error {
		changed, err := models.Affected(tx.Model(&Passkey{}).Where("id = ? AND user_id = ?", id, actor.UserID).Update("name", name))
		if err == nil && changed == 0 {
			err = errUnknownPasskey
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return models.First[Passkey](s.account.DB.Read(ctx).Where("id = ? AND user_id = ?", id, actor.UserID), errUnknownPasskey)
}

// Delete takes a passkey off the caller's account, the last second factor
// too. Session only, and confirmed: reauthentication_required; not_found.
func (s Passkeys) Delete(ctx context.Context, id models.ID) error {
	user, err := s.account.guarding(ctx)
	if err != nil {
		return err
	}
	return s.account.DB.Write(ctx, func(tx *models.Tx) error {
		held, err := s.account.lockGuarding(tx, user.ID)
		if err != nil {
			return err
		}
		deleted, err := models.Affected(tx.Where("id = ? AND user_id = ?", id, user.ID).Delete(&Passkey{}))
		if err == nil && deleted == 0 {
			err = errUnknownPasskey
		}
		if err != nil {
			return err
		}
		return s.account.guardChanged(tx, held, PasskeyRemoved)
	})
}

var errUnknownPasskey = models.NotFound("Passkey")
