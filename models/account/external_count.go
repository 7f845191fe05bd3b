package account

import (
	"context"
	"log/slog"
	"time"

	"atelier/models"
)

// countsKept is how long it is known how sign-ins at a provider ended.
const countsKept = 400 * 24 * time.Hour

// ExternalSignIn is how often sign-ins at a provider ended with a code on a
// day; of none of them anything else is kept.
type ExternalSignIn struct {
	Origin, Provider string
	Code             string // ok, or the refusal's
	Day              time.Time
	Count            int64
	LastAt           time.Time
	// ClockOffsetMs is of the last one: the provider's clock less ours, in milliseconds.
	ClockOffsetMs *int64
}

func (ExternalSignIn) TableName() string { return "external_sign_ins" }

// countExternal counts how a sign-in at a provider of the configuration ended:
// refusal is nil for one that did. offset is the provider's clock less ours,
// nil where it is not known. Counting never fails a sign-in.
func (s *Service) countExternal(ctx context.Context, origin, provider string, refusal error, offset *time.Duration) {
	code := "ok"
	if refusal != nil {
		if ctx.Err() != nil {
			return // the one who came has left
		}
		known, _ := models.AsError(refusal)
		code = string(known.Code)
	}
	var millis *int64
	if offset != nil {
		ms := min(max(offset.Milliseconds(), -maxOffset), maxOffset)
		millis = &ms
	}
	now := s.DB.Clock.Now()
	_, err := s.DB.Pool.Exec(context.WithoutCancel(ctx), `
		INSERT INTO external_sign_ins AS e (origin, provider, code, day, count, last_at, clock_offset_ms) VALUES ($1, $2, $3, $4::date, 1, $5, $6)
		ON CONFLICT (origin, provider, code, day) DO UPDATE SET count = e.count + 1, last_at = greatest(e.last_at, EXCLUDED.last_at),
			clock_offset_ms = coalesce(EXCLUDED.clock_offset_ms, e.clock_offset_ms)`,
		origin, provider, code, now.UTC().Format(time.DateOnly), now, millis)
	if err != nil {
		slog.WarnContext(ctx, "a sign-in was not counted", "provider", provider, "error", err)
	}
}

// maxOffset bounds how far clocks are said to differ, in milliseconds: a year.
const maxOffset = 365 * 24 * 60 * 60 * 1000
