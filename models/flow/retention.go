package flow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"github.com/jackc/pgx/v5"

	"atelier/models"
	"atelier/models/media"
)

// droppedAtOnce is how many rows one statement removes of what runs left elsewhere.
const droppedAtOnce = 5_000

// dropWait is how long runs may have to wait while a month is taken off, and the month for them; it is tried again later.
const dropWait = 5 * time.Second

var monthName = regexp.MustCompile(`^executions_(\d{6})$`)

// DropMonths removes the runs of all months that are over before a time, with their jobs, results and files: what they cost
// stays in the ledger and in reports. A month in which a run has not ended, or is not settled, stays.
func (s *Service) DropMonths(ctx context.Context, before time.Time) (dropped []string, err error) {
	months, err := s.monthsBefore(ctx, before)
	if err != nil {
		return nil, err
	}
	var failed []error
	for _, month := range months {
		gone, err := s.dropMonth(ctx, month)
		if err != nil {
			failed = append(failed, fmt.Errorf("runs of %s: %w", month.Format("2006-01"), err))
		}
		if gone {
			dropped = append(dropped, month.Format("2006-01"))
		}
	}
	return dropped, errors.Join(failed...)
}

// monthsBefore are those with a partition of their own, oldest first.
func (s *Service) monthsBefore(ctx context.Context, before time.Time) (months []time.Time, err error) {
	rows, err := s.DB.Work.Query(ctx, `SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'executions'::regclass ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for _, name := range names {
		if found := monthName.FindStringSubmatch(name); found != nil {
			month, err := time.Parse("200601", found[1])
			if err == nil && !month.AddDate(0, 1, 0).After(before) {
				months = append(months, month)
			}
		}
	}
	return months, err
}

// stillOpen is whether a run of a month is not at its end.
const stillOpen = `SELECT EXISTS (SELECT FROM executions WHERE id >= first_id($1) AND id < first_id($2) AND (status NOT IN ('completed', 'failed') OR settled_at IS NULL AND hold > 0))`

// leftElsewhere is what runs of a month leave in other tables. Counters of what is kept take over that there is less.
var leftElsewhere = []string{
	`UPDATE kept_outputs SET bytes = 0 WHERE execution_id IN (SELECT execution_id FROM kept_outputs WHERE execution_id >= first_id($1) AND execution_id < first_id($2) AND bytes <> 0 LIMIT $3)`,
	`DELETE FROM results WHERE execution_id IN (SELECT execution_id FROM results WHERE execution_id >= first_id($1) AND execution_id < first_id($2) LIMIT $3)`,
	`DELETE FROM app_runs WHERE execution_id IN (SELECT execution_id FROM app_runs WHERE execution_id >= first_id($1) AND execution_id < first_id($2) LIMIT $3)`,
}

func (s *Service) dropMonth(ctx context.Context, month time.Time) (dropped bool, err error) {
	next := month.AddDate(0, 1, 0)
	var open bool
	if err := s.DB.Work.QueryRow(ctx, stillOpen, month, next).Scan(&open); err != nil || open {
		return false, err
	}
	for _, statement := range leftElsewhere {
		for more := true; more; {
			tag, err := s.DB.Work.Exec(ctx, statement, month, next, droppedAtOnce)
			if err != nil {
				return false, err
			}
			more = tag.RowsAffected() == droppedAtOnce
		}
	}
	if err := media.RemoveOfRuns(ctx, s.DB, month, next); err != nil {
		return false, err
	}
	if err := s.Spaces.CountOutputs(ctx); err != nil {
		return false, err
	}
	if _, err := s.DB.Work.Exec(ctx, `DELETE FROM kept_outputs WHERE execution_id >= first_id($1) AND execution_id < first_id($2) AND bytes = 0 AND counted = 0`, month, next); err != nil {
		return false, err
	}
	err = pgx.BeginFunc(ctx, s.DB.Work, func(tx pgx.Tx) error { return detach(ctx, tx, month, next) })
	if errors.Is(err, errOpen) {
		return false, nil
	}
	return err == nil, err
}

var errOpen = errors.New("a run of the month is open")

// detach takes the partitions of a month off their tables and drops them: those of jobs first, which refer to executions. A
// partition that is dropped where it is would take the reference of all other jobs with it, or be refused because of it.
func detach(ctx context.Context, tx pgx.Tx, month, next time.Time) error {
	if _, err := tx.Exec(ctx, fmt.Sprintf(`SET LOCAL lock_timeout = %d`, dropWait.Milliseconds())); err != nil {
		return err
	}
	// In the order in which runs take them, so that no run and no month wait for each other.
	if _, err := tx.Exec(ctx, `LOCK TABLE executions, jobs IN ACCESS EXCLUSIVE MODE`); err != nil {
		return err
	}
	var open bool
	if err := tx.QueryRow(ctx, stillOpen, month, next).Scan(&open); err != nil {
		return err
	}
	if open {
		return errOpen
	}
	for _, table := range []string{"jobs", "executions"} {
		partition := table + "_" + month.Format("200601")
		var there bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_inherits WHERE inhparent = $1::regclass AND inhrelid = to_regclass($2))`, table, partition).Scan(&there); err != nil {
			return err
		}
		if !there {
			continue
		}
		if _, err := tx.Exec(ctx, fmt.Sprintf(`ALTER TABLE %[1]s DETACH PARTITION %[2]s; DROP TABLE %[2]s`, pgx.Identifier{table}.Sanitize(), pgx.Identifier{partition}.Sanitize())); err != nil {
			return err
		}
	}
	return nil
}

// KeepMonths drops what is older than so many whole months behind the current one; 0 keeps all.
func (s *Service) KeepMonths(ctx context.Context, months int) error {
	if months == 0 {
		return nil
	}
	now := s.DB.Clock.Now().UTC()
	before := time.Date(now.Year(), now.Month()-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	dropped, err := s.DropMonths(models.ForWork(ctx), before)
	if len(dropped) > 0 {
		slog.Info("runs are kept no longer", "months", dropped)
	}
	return err
}
