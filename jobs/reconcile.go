package jobs

import (
	"context"
	"log/slog"

	"atelier/models"
	"atelier/models/credit"
)

// Accounts is an area whose counters follow from the ledger.
type Accounts interface {
	// Differences are the counters that do not; the context is in a snapshot.
	Differences(ctx context.Context) ([]credit.Difference, error)
}

// Books are all that is compared with the ledger, at one moment.
type Books struct {
	DB      *models.DB
	Credits *credit.Service
	// Others have counters besides those of pools, budgets and wallets.
	Others []Accounts
	// Rollups are sums of the ledger that can be made again; with repair they are.
	Rollups func(ctx context.Context, repair bool) ([]credit.Difference, error)
}

// Compare is how many lines the ledger has, and all that is not what they add
// up to. Rollups are looked at afterwards, for they may be repaired.
func (b Books) Compare(ctx context.Context, repair bool) (entries int64, differences []credit.Difference, err error) {
	err = b.DB.Snapshot(ctx, func(ctx context.Context) error {
		if entries, err = b.Credits.CountEntries(ctx); err != nil {
			return err
		}
		for _, area := range append([]Accounts{b.Credits}, b.Others...) {
			more, err := area.Differences(ctx)
			if err != nil {
				return err
			}
			differences = append(differences, more...)
		}
		return nil
	})
	if err == nil && b.Rollups != nil {
		var more []credit.Difference
		more, err = b.Rollups(models.ForWork(ctx), repair)
		differences = append(differences, more...)
	}
	return entries, differences, err
}

// reconcileNightly compares the books and notes what came of it, which all
// processes show. It repairs nothing of money, for a difference is a fault that a person
// must look at (docs/deployment.md, "Comparing the books").
func reconcileNightly(ctx context.Context, config Config) error {
	entries, differences, err := config.Books.Compare(ctx, false)
	if err != nil {
		return err
	}
	if len(differences) > 0 {
		slog.ErrorContext(ctx, "a counter differs from the ledger", "differences", len(differences), "first", differences[0].String())
	} else {
		slog.InfoContext(ctx, "credits reconciled: every counter is what the ledger adds up to", "lines", entries)
	}
	// What differed is noted before anything is repaired.
	if err := config.Books.Credits.NoteComparison(models.ForWork(ctx), entries, differences); err != nil {
		return err
	}
	wrong, err := config.Books.Credits.RebuildSpending(models.ForWork(ctx))
	if wrong > 0 {
		slog.WarnContext(ctx, "hours of spending were not what the ledger adds up to, and are now", "hours", wrong)
	}
	return err
}
