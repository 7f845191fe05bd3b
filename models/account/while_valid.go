package account

import (
	"context"
	"time"

	"atelier/models"
)

// lookAgain is after how long the credentials of something that stays open are
// looked at without a wake-up.
const lookAgain = 15 * time.Second

// WhileValid is a context that ends with ctx, and as soon as the credentials of
// its actor stop counting: the session ended, the token was revoked, the
// account banned or deleted, on whatever replica; its cause is unauthorized then.
// Streams and held answers run in it. Of more than Hold allows it has ended
// already, and its cause is rate_limit_exceeded.
func (s *Service) WhileValid(ctx context.Context) context.Context {
	actor := models.ActorFrom(ctx)
	if !actor.SignedIn() {
		return ctx
	}
	ctx, err := s.Hold(ctx)
	valid, end := context.WithCancelCause(ctx)
	if err != nil {
		end(err)
		return valid
	}
	woken, stop := s.DB.Bus.Subscribe(models.RightsTopic(actor.UserID))
	go func() {
		defer end(errUnauthorized)
		defer stop()
		again := time.NewTicker(lookAgain)
		defer again.Stop()
		for !models.HasCode(s.StillValid(valid), models.CodeUnauthorized) {
			select {
			case <-valid.Done():
				return
			case <-woken:
			case <-again.C:
			}
		}
	}()
	return valid
}

// StillValid refuses an actor whose credentials stopped counting since the
// request began: unauthorized. Long requests ask before they change something.
func (s *Service) StillValid(ctx context.Context) error {
	actor := models.ActorFrom(ctx)
	query := s.DB.Read(ctx).Model(&User{}).Where("users.id = ? AND users.deleted_at IS NULL AND users.banned_at IS NULL", actor.UserID)
	switch actor.Kind {
	case models.BySession:
		query = query.Where("EXISTS (SELECT FROM sessions WHERE id = ? AND user_id = users.id AND revoked_at IS NULL AND expires_at > ?)",
			actor.SessionID, s.DB.Clock.Now())
	case models.ByToken:
		query = query.Where("EXISTS (SELECT FROM api_tokens WHERE id = ? AND user_id = users.id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?))",
			actor.TokenID, s.DB.Clock.Now())
	}
	if _, err := models.First[User](query.Select("users.id"), errUnauthorized); err != nil || actor.Kind != models.ByOAuth {
		return err
	}
	if s.appTokens == nil {
		return errUnauthorized
	}
	valid, err := s.appTokens.StillValid(ctx, actor)
	if err == nil && !valid {
		err = errUnauthorized
	}
	return err
}
