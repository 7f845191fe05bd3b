package account

import (
	"context"
	"time"

	"atelier/models"
)

// maxSessions is how many sessions are listed.
const maxSessions = 100

// OpenSession is a session of the caller as they see it.
type OpenSession struct {
	ID        models.ID
	CreatedAt time.Time
	ExpiresAt time.Time
	// LastSeenAt and LastAddress are its last use, to the minute.
	LastSeenAt  time.Time
	LastAddress string
	// Device is what it is used with, "Chrome on Windows", and Place the network
	// of LastAddress, without the part that says which machine.
	Device, Place string
	// Current marks the session that asks.
	Current bool
}

// List is where the caller is signed in, newest first. Session only.
func (s Sessions) List(ctx context.Context) ([]*OpenSession, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	var rows []Session
	err := s.account.DB.Read(ctx).Where("user_id = ? AND revoked_at IS NULL AND expires_at > ?", actor.UserID, s.account.DB.Clock.Now()).
		Order("id DESC").Limit(maxSessions).Find(&rows).Error
	open := make([]*OpenSession, len(rows))
	for i, row := range rows {
		open[i] = &OpenSession{
			ID: row.ID, CreatedAt: row.CreatedAt, ExpiresAt: row.ExpiresAt, LastSeenAt: row.CreatedAt, LastAddress: row.IP, Current: row.ID == actor.SessionID,
		}
		if row.SeenAt != nil {
			open[i].LastSeenAt, open[i].LastAddress = *row.SeenAt, row.SeenIP
		}
		open[i].Device, open[i].Place = models.Device(row.UserAgent), models.Place(open[i].LastAddress)
	}
	return open, err
}

// End ends one of the caller's sessions at once. Session only; not_found.
func (s Sessions) End(ctx context.Context, id models.ID) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	return s.account.DB.Write(ctx, func(tx *models.Tx) error {
		tx.Notify(models.RightsTopic(actor.UserID))
		ended, err := models.Affected(tx.Model(&Session{}).
			Where("id = ? AND user_id = ? AND revoked_at IS NULL AND expires_at > ?", id, actor.UserID, tx.Now).Update("revoked_at", tx.Now))
		if err == nil && ended == 0 {
			err = models.NotFound("Session")
		}
		return err
	})
}

// EndAll ends every session of the caller, this one too. Session only.
func (s Sessions) EndAll(ctx context.Context) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	return s.account.DB.Write(ctx, func(tx *models.Tx) error { return endSessions(tx, actor.UserID, nil) })
}

// EndOthers ends every session of the caller but the one that asks. Session only.
func (s Sessions) EndOthers(ctx context.Context) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	return s.account.DB.Write(ctx, func(tx *models.Tx) error { return endSessions(tx, actor.UserID, &actor.SessionID) })
}

// endSessions ends the sessions of an account at once, open streams included;
// all but one where there is one to keep.
func endSessions(tx *models.Tx, userID models.ID, keep *models.ID) error {
	tx.Notify(models.RightsTopic(userID))
	query := tx.Model(&Session{}).Where("user_id = ? AND revoked_at IS NULL", userID)
	if keep != nil {
		query = query.Where("id <> ?", *keep)
	}
	return query.Update("revoked_at", tx.Now).Error
}

// revokeTokens revokes the API tokens of an account and takes back what it
// allowed apps, at once, open streams included.
func (s *Service) revokeTokens(tx *models.Tx, userID models.ID) error {
	tx.Notify(models.RightsTopic(userID))
	if s.appTokens != nil {
		if err := s.appTokens.EndAll(tx, userID); err != nil {
			return err
		}
	}
	if err := forgetCalls(tx, userID, nil); err != nil {
		return err
	}
	return tx.Model(&APIToken{}).Where("user_id = ? AND revoked_at IS NULL", userID).
		Updates(map[string]any{"revoked_at": tx.Now, "last_used_ip": ""}).Error
}
