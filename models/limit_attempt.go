package models

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// Attempt is a guess that a limit counts, for one key.
type Attempt struct {
	Limit Limit
	Key   string
}

// GiveBack takes an attempt off the count again: it was none, for it succeeded.
type GiveBack func(context.Context) error

// CountAttempts counts guesses before they are compared, so that no number of
// them at once passes a limit: of all that are under way, Max are compared. It
// counts toward every limit or, refused by one, toward none:
// rate_limit_exceeded. An attempt that succeeds is given back.
func (db *DB) CountAttempts(ctx context.Context, attempts ...Attempt) (GiveBack, error) {
	counted := make([]GiveBack, 0, len(attempts))
	giveBack := func(ctx context.Context) error {
		var errs []error
		for _, back := range counted {
			errs = append(errs, back(ctx))
		}
		return errors.Join(errs...)
	}
	for _, a := range attempts {
		back, err := db.countAttempt(ctx, a)
		if err != nil {
			return nil, errors.Join(err, giveBack(context.WithoutCancel(ctx)))
		}
		counted = append(counted, back)
	}
	return giveBack, nil
}

// countAttempt counts one guess where its window has room.
func (db *DB) countAttempt(ctx context.Context, a Attempt) (GiveBack, error) {
	now := db.Clock.Now()
	start := now.Truncate(a.Limit.Per)
	allowance := Allowance{Limit: a.Limit.Max, Reset: start.Add(a.Limit.Per).Sub(now)}
	var count int
	err := db.Reserve.QueryRow(ctx, `
		INSERT INTO rate_windows AS w (name, key, started_at, ends_at, count) VALUES ($1, $2, $3, $4, 1)
		ON CONFLICT (name, key, started_at) DO UPDATE SET count = w.count + 1 WHERE w.count < $5
		RETURNING count`, a.Limit.Name, a.Key, start, start.Add(a.Limit.Per), a.Limit.Max).Scan(&count)
	if errors.Is(err, pgx.ErrNoRows) {
		RecordAllowance(ctx, allowance)
		return nil, a.Limit.refusal(allowance.Reset)
	}
	if err != nil {
		return nil, err
	}
	allowance.Remaining = a.Limit.Max - count
	RecordAllowance(ctx, allowance)
	return func(ctx context.Context) error {
		_, err := db.Reserve.Exec(ctx, `UPDATE rate_windows SET count = count - 1 WHERE name = $1 AND key = $2 AND started_at = $3 AND count > 0`,
			a.Limit.Name, a.Key, start)
		return err
	}, nil
}
