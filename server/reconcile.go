package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"atelier/config"
	"atelier/jobs"
	"atelier/models"
	"atelier/models/credit"
)

// books are all that follows from the ledger.
func (s *Server) books() jobs.Books {
	return jobs.Books{DB: s.DB, Credits: s.Credits, Others: []jobs.Accounts{s.Payments, s.Runs}, Rollups: s.rollups}
}

// rollups are the sums of usage reports that differ; repaired ones are told in
// the log and differ no more.
func (s *Server) rollups(ctx context.Context, repair bool) (differences []credit.Difference, err error) {
	found, err := s.Usage.Reconcile(ctx, repair)
	if repair && err == nil && len(found) > 0 {
		slog.WarnContext(ctx, "sums of usage reports differed from the ledger and were computed again", "sums", len(found))
		return nil, nil
	}
	for _, d := range found {
		differences = append(differences, credit.Difference{
			Counter: d.Table, What: d.What + " " + d.StartsAt.UTC().Format(time.RFC3339), Stored: d.Stored, Ledger: d.Ledger,
		})
	}
	return differences, err
}

// Reconcile compares every counter of money with the ledger and prints what
// differs; then it fails. It repairs nothing of money: with --repair it makes
// the sums of usage reports and the hours of spending again, which are no money.
// A running service is not disturbed.
func Reconcile(ctx context.Context, c config.Config, args []string, out io.Writer) error {
	repair := slices.Equal(args, []string{"--repair"})
	if len(args) > 0 && !repair {
		return errors.New("reconcile takes nothing, or --repair")
	}
	return withInstall(ctx, c, beside, out, func(i *install) error {
		s, err := i.build(ctx)
		if err != nil {
			return err
		}
		began := time.Now()
		entries, differences, err := s.books().Compare(ctx, repair)
		if err != nil {
			return err
		}
		if repair {
			wrong, err := s.Credits.RebuildSpending(models.ForWork(ctx))
			if err != nil {
				return err
			}
			if wrong > 0 {
				slog.WarnContext(ctx, "hours of spending were not what the ledger adds up to, and are now", "hours", wrong)
			}
		}
		if err := s.Credits.NoteComparison(models.ForWork(ctx), entries, differences); err != nil {
			slog.WarnContext(ctx, "the comparison could not be noted", "error", err)
		}
		return printComparison(out, entries, differences, time.Since(began))
	})
}

// printComparison writes a table of differences, or that there is none.
func printComparison(out io.Writer, entries int64, differences []credit.Difference, took time.Duration) error {
	if len(differences) == 0 {
		fmt.Fprintf(out, "Every counter is what the ledger adds up to: %d lines in %s.\n", entries, took.Round(time.Millisecond))
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "COUNTER\tOF\tMEMBER\tSTORED\tLEDGER\tLINE")
	for _, d := range differences {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", d.Counter, d.Of(), orNothing(d.UserID), d.Stored, d.Ledger, orNothing(d.Entry))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return fmt.Errorf("%d counters differ from the %d lines of the ledger; the first is %s", len(differences), entries, differences[0])
}

func orNothing(id *models.ID) string {
	if id == nil {
		return "-"
	}
	return id.String()
}

// ledgerMetrics say what the last comparison of any process came to.
func (s *Server) ledgerMetrics() []prometheus.Collector {
	last := func(figure func(*credit.Comparison) float64) func() float64 {
		return func() float64 {
			ctx, cancel := context.WithTimeout(models.FromReserve(context.Background()), time.Second)
			defer cancel()
			c, err := s.Credits.LastComparison(ctx)
			if err != nil || c == nil {
				return -1
			}
			return figure(c)
		}
	}
	return []prometheus.Collector{
		gauge("atelier_ledger_differences", "Counters of money that differed from the ledger when they were compared last; -1 when it is not known.",
			last(func(c *credit.Comparison) float64 { return float64(c.Differences) })),
		gauge("atelier_ledger_compared_seconds", "When the counters of money were compared with the ledger last, in seconds since 1970; -1 when it is not known.",
			last(func(c *credit.Comparison) float64 { return float64(c.CreatedAt.Unix()) })),
		gauge("atelier_ledger_lines", "Lines of the ledger that the counters of money were compared with last; -1 when it is not known.",
			last(func(c *credit.Comparison) float64 { return float64(c.Entries) })),
	}
}
