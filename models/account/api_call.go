package account

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"atelier/models"

	"gorm.io/gorm/clause"
)

// APICall is a call that a personal token made, as the token's owner sees it.
type APICall struct {
	TokenID  models.ID
	ID       models.ID
	CalledAt time.Time
	Method   string
	// Path is the address without its query.
	Path       string
	Status     int
	DurationUs int64 // in microseconds, until the answer ended
	IP         string
}

func (APICall) TableName() string { return "token_calls" }

// DurationMs is how long the answer took, in milliseconds.
func (c *APICall) DurationMs() float64 { return float64(c.DurationUs) / 1000 }

const (
	// keptCalls is how many calls of a token are kept, callsKept for how long.
	keptCalls = 100
	callsKept = 30 * 24 * time.Hour
	// maxCallPath is how much of an address is kept, in bytes.
	maxCallPath = 200
	// noteCallsEvery is how long calls wait in memory for others, so that many are written by one statement.
	noteCallsEvery = time.Second
	// maxWaitingCalls bounds the memory that they take meanwhile; calls beyond it are not kept.
	maxWaitingCalls = 5000
)

// callLog are the calls that are not written yet. A process that dies loses those of its last second: they are there
// to look for mistakes in programs, and count for nothing.
type callLog struct {
	mu      sync.Mutex
	waiting []APICall
	timed   bool
}

// NoteCall keeps a call of a personal token for its owner to look at.
func (s APITokens) NoteCall(call APICall) {
	call.ID = models.NewID(call.CalledAt)
	if len(call.Path) > maxCallPath {
		call.Path = call.Path[:maxCallPath]
	}
	call.Path = strings.ToValidUTF8(strings.ReplaceAll(call.Path, "\x00", ""), "")
	s.account.calls.mu.Lock()
	defer s.account.calls.mu.Unlock()
	if len(s.account.calls.waiting) >= maxWaitingCalls {
		return
	}
	s.account.calls.waiting = append(s.account.calls.waiting, call)
	if !s.account.calls.timed {
		s.account.calls.timed = true
		time.AfterFunc(noteCallsEvery, func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			if err := s.WriteCalls(ctx); err != nil {
				slog.WarnContext(ctx, "calls of tokens were not kept", "error", err)
			}
		})
	}
}

// WriteCalls writes the calls that wait in memory; a process does it before it ends.
func (s APITokens) WriteCalls(ctx context.Context) error {
	s.account.calls.mu.Lock()
	calls := s.account.calls.waiting
	s.account.calls.waiting, s.account.calls.timed = nil, false
	s.account.calls.mu.Unlock()
	if len(calls) == 0 {
		return nil
	}
	tokens := models.IDs{}
	for _, call := range calls {
		tokens = append(tokens, call.TokenID)
	}
	slices.SortFunc(tokens, func(a, b models.ID) int { return bytes.Compare(a[:], b[:]) })
	tokens = slices.Compact(tokens)
	return s.account.DB.Write(ctx, func(tx *models.Tx) error {
		if err := tx.Exec("SET LOCAL synchronous_commit = off").Error; err != nil {
			return err
		}
		// What was revoked meanwhile has no calls that could still be looked at.
		var live models.IDs
		err := tx.Model(&APIToken{}).Where("id = ANY(?) AND revoked_at IS NULL", tokens).Order("id").
			Clauses(clause.Locking{Strength: "KEY SHARE"}).Pluck("id", &live).Error
		if err != nil || len(live) == 0 {
			return err
		}
		if err := tx.CreateInBatches(newestOf(calls, live), 500).Error; err != nil {
			return err
		}
		return tx.Exec(`DELETE FROM token_calls c USING (
				SELECT t.id, (SELECT o.id FROM token_calls o WHERE o.token_id = t.id ORDER BY o.id DESC OFFSET ? LIMIT 1) AS newest
				FROM unnest(?::uuid[]) t (id)) over
			WHERE c.token_id = over.id AND c.id <= over.newest`, keptCalls, live).Error
	})
}

// newestOf are the calls of those tokens, at most as many of each as are kept.
func newestOf(calls []APICall, tokens models.IDs) []APICall {
	left := map[models.ID]int{}
	for _, id := range tokens {
		left[id] = keptCalls
	}
	out := []APICall{}
	for _, call := range slices.Backward(calls) {
		if left[call.TokenID] > 0 {
			left[call.TokenID]--
			out = append(out, call)
		}
	}
	return out
}

// ListCalls lists the last calls of one of the caller's tokens, newest first, at most a hundred of the last 30 days.
// Session only.
func (s APITokens) ListCalls(ctx context.Context, tokenID models.ID) ([]*APICall, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	if _, err := models.First[APIToken](s.account.DB.Read(ctx).Where("id = ? AND user_id = ? AND revoked_at IS NULL", tokenID, actor.UserID),
		models.NotFound("Token")); err != nil {
		return nil, err
	}
	calls := []*APICall{}
	err := s.account.DB.Read(ctx).Where("token_id = ? AND called_at > ?", tokenID, s.account.DB.Clock.Now().Add(-callsKept)).
		Order("id DESC").Limit(keptCalls).Find(&calls).Error
	return calls, err
}

// forgetCalls removes the calls of tokens that are about to be revoked: all of an account, or one.
func forgetCalls(tx *models.Tx, userID models.ID, tokenID *models.ID) error {
	query := tx.Model(&APIToken{}).Select("id").Where("user_id = ? AND revoked_at IS NULL", userID)
	if tokenID != nil {
		query = query.Where("id = ?", *tokenID)
	}
	return tx.Where("token_id IN (?)", query).Delete(&APICall{}).Error
}
