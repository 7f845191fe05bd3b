package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"atelier/models"
)

// pgxTx is the transaction type of River's client.
type pgxTx = pgx.Tx

// The chores, as River's jobs. Each may run twice, or late, without harm.

// EnsurePartitions makes the coming months' partitions of the growing tables.
type EnsurePartitions struct{}

func (EnsurePartitions) Kind() string { return "ensure_partitions" }

// SweepRows removes rows whose time is over.
type SweepRows struct{}

func (SweepRows) Kind() string { return "sweep_rows" }

// DropMonths removes the runs that are kept no longer: whole months of the install, and what organizations say.
type DropMonths struct{}

func (DropMonths) Kind() string { return "drop_months" }

// SweepMedia removes stored contents that no address leads to.
type SweepMedia struct{}

func (SweepMedia) Kind() string { return "sweep_media" }

// ReconcileCredits compares every counter of money with the ledger.
type ReconcileCredits struct{}

func (ReconcileCredits) Kind() string { return "reconcile_credits" }

// CountOutputs lets the counters of what is kept take over what runs put out.
type CountOutputs struct{}

func (CountOutputs) Kind() string { return "count_outputs" }

// FoldSpending adds up what was spent in hours that are over.
type FoldSpending struct{}

func (FoldSpending) Kind() string { return "fold_spending" }

// RecheckSchedules works out again when schedules fire next, for zones change their rules.
type RecheckSchedules struct{}

func (RecheckSchedules) Kind() string { return "recheck_schedules" }

// TellMonths tells organizations what they spent in the month that is over.
type TellMonths struct{}

func (TellMonths) Kind() string { return "tell_months" }

// TidyLibrary finishes what deletions in the library left for later.
type TidyLibrary struct{}

func (TidyLibrary) Kind() string { return "tidy_library" }

// TidyStudio finishes what deletions in the studio left for later.
type TidyStudio struct{}

func (TidyStudio) Kind() string { return "tidy_studio" }

// RebuildStorage compares every counter of what is kept with the rows, and
// makes right what differs.
type RebuildStorage struct{}

func (RebuildStorage) Kind() string { return "rebuild_storage" }

// choresWait is how long a chore waits once it is due. Most are due when a process begins, which then serves people before it
// sweeps and compares. What waits is a row: if the process ends, the next one does it.
const choresWait = time.Minute

// periodic says when the chores are due. One process of all leads; a chore
// that is due is added once.
func periodic() []*river.PeriodicJob {
	after := func(wait, d time.Duration, args river.JobArgs) *river.PeriodicJob {
		return river.NewPeriodicJob(river.PeriodicInterval(d),
			func() (river.JobArgs, *river.InsertOpts) {
				opts := &river.InsertOpts{MaxAttempts: 5, UniqueOpts: river.UniqueOpts{ByPeriod: d}}
				if wait > 0 {
					opts.ScheduledAt = time.Now().Add(wait)
				}
				return args, opts
			},
			&river.PeriodicJobOpts{ID: args.Kind(), RunOnStart: d > choresWait})
	}
	every := func(d time.Duration, args river.JobArgs) *river.PeriodicJob {
		if d <= choresWait {
			return after(0, d, args)
		}
		return after(choresWait, d, args)
	}
	return []*river.PeriodicJob{
		after(0, 6*time.Hour, EnsurePartitions{}), // what begins may have been down for months
		every(10*time.Minute, SweepRows{}),
		every(24*time.Hour, DropMonths{}),
		every(24*time.Hour, SweepMedia{}),
		every(24*time.Hour, ReconcileCredits{}),
		every(time.Minute, CountOutputs{}),
		every(time.Minute, FoldSpending{}),
		every(time.Hour, TellMonths{}),
		every(time.Minute, TidyLibrary{}),
		every(time.Minute, TidyStudio{}),
		every(24*time.Hour, RebuildStorage{}),
		every(time.Hour, RecheckSchedules{}),
	}
}

// addHousekeeping adds the workers of the chores.
func addHousekeeping(workers *river.Workers, config Config) {
	add(workers, func(ctx context.Context, _ EnsurePartitions) error { return ensurePartitions(ctx, config) })
	add(workers, func(ctx context.Context, _ SweepRows) error { return sweepRows(ctx, config) })
	add(workers, func(ctx context.Context, _ DropMonths) error { return config.Runs.KeepRuns(ctx, config.KeepRuns) })
	add(workers, func(ctx context.Context, _ SweepMedia) error { return config.Runs.SweepMedia(ctx) })
	add(workers, func(ctx context.Context, _ ReconcileCredits) error { return reconcileNightly(ctx, config) })
	add(workers, func(ctx context.Context, _ CountOutputs) error { return config.Spaces.CountOutputs(ctx) })
	add(workers, func(ctx context.Context, _ FoldSpending) error { return config.Books.Credits.FoldSpending(ctx) })
	add(workers, func(ctx context.Context, _ TellMonths) error { return tellMonths(ctx, config) })
	add(workers, func(ctx context.Context, _ TidyLibrary) error { return tidyLibrary(ctx, config) })
	add(workers, func(ctx context.Context, _ TidyStudio) error { return tidyStudio(ctx, config) })
	add(workers, func(ctx context.Context, _ RecheckSchedules) error { return config.Triggers.RecheckSchedules(ctx) })
	add(workers, func(ctx context.Context, _ RebuildStorage) error { return rebuildStorage(ctx, config) })
}

func add[T river.JobArgs](workers *river.Workers, work func(context.Context, T) error) {
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, job *river.Job[T]) error { return work(ctx, job.Args) }))
}

// ensurePartitions looks three months ahead. Two processes at once wait for
// each other.
func ensurePartitions(ctx context.Context, config Config) error {
	return pgx.BeginFunc(ctx, config.DB.Work, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('atelier partitions', 0))`); err != nil {
			return err
		}
		now := config.DB.Clock.Now()
		for _, table := range models.PartitionedTables {
			for month := range 4 {
				first := time.Date(now.Year(), now.Month()+time.Month(month), 1, 0, 0, 0, 0, time.UTC)
				if _, err := tx.Exec(ctx, `SELECT ensure_month($1, $2)`, table, first); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Sweeper is an area that removes its rows whose time is over.
type Sweeper interface {
	Sweep(ctx context.Context) error
}

// sweepRows lets each area sweep; one that fails keeps no other from it.
func sweepRows(ctx context.Context, config Config) error {
	var failed []error
	for _, area := range config.Sweepers {
		failed = append(failed, area.Sweep(ctx))
	}
	return errors.Join(failed...)
}

// rebuildStorage says so when counters had to be made right.
func rebuildStorage(ctx context.Context, config Config) error {
	wrong, err := config.Spaces.RebuildStorage(ctx)
	if wrong > 0 {
		slog.ErrorContext(ctx, "counters of what is kept differed from the rows and were made right", "counters", wrong)
	}
	return err
}

func tellMonths(ctx context.Context, config Config) error {
	if config.Usage == nil {
		return nil
	}
	return config.Usage.TellMonths(ctx)
}

func tidyLibrary(ctx context.Context, config Config) error {
	if config.Library == nil {
		return nil
	}
	return config.Library.Tidy(ctx)
}

func tidyStudio(ctx context.Context, config Config) error {
	if config.Studio == nil {
		return nil
	}
	return config.Studio.Tidy(ctx)
}
