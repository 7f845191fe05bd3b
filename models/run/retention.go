package run

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
	"atelier/models/notice"
	"atelier/models/org"
)

// dropWait is how long dropping a month waits for its locks, while new runs wait behind it; it is tried again later.
const dropWait = 5 * time.Second

var monthName = regexp.MustCompile(`^executions_(\d{6})$`)

// dropMonths removes the runs of all months that are over before a time, with their jobs, results and files: what they cost
// stays in the ledger and in reports. A month in which a run has not ended, or is not settled, stays.
func (s *Service) dropMonths(ctx context.Context, before time.Time) (dropped []string, err error) {
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
const stillOpen = `SELECT EXISTS (SELECT 1 FROM executions WHERE id >= first_id($1) AND id < first_id($2) AND (status NOT IN ('completed', 'failed') OR settled_at IS NULL AND hold > 0))`

// ofMonth are the rows that belong to the runs of a month.
const ofMonth = `execution_id >= first_id($1) AND execution_id < first_id($2)`

// dropMonth removes what the runs of a month left in other tables, then the month itself. Counters of what is kept take over
// that there is less.
func (s *Service) dropMonth(ctx context.Context, month time.Time) (dropped bool, err error) {
	next := month.AddDate(0, 1, 0)
	var open bool
	if err := s.DB.Work.QueryRow(ctx, stillOpen, month, next).Scan(&open); err != nil || open {
		return false, err
	}
	err = s.DB.InBatches(ctx, `UPDATE kept_outputs SET bytes = 0 WHERE execution_id IN (SELECT execution_id FROM kept_outputs WHERE `+ofMonth+` AND bytes <> 0 LIMIT $3)`, month, next)
	if err != nil {
		return false, err
	}
	// Where these lie on other servers, rows are found by their keys alone.
	if err := s.DB.InBatches(ctx, `DELETE FROM results WHERE execution_id IN (SELECT execution_id FROM results WHERE `+ofMonth+` LIMIT $3)`, month, next); err != nil {
		return false, err
	}
	if err := s.DB.SweepRows(ctx, "app_runs", ofMonth, month, next); err != nil {
		return false, err
	}
	if err := s.keepForRetries(ctx, month, next); err != nil {
		return false, err
	}
	if err := media.RemoveOfRuns(ctx, s.DB, month, next); err != nil {
		return false, err
	}
	if err := s.Spaces.CountOutputs(ctx); err != nil {
		return false, err
	}
	if err := s.DB.SweepRows(ctx, "kept_outputs", ofMonth+` AND bytes = 0 AND counted = 0`, month, next); err != nil {
		return false, err
	}
	if err := s.monthsGone(ctx, month, next); err != nil {
		return false, err
	}
	// A run from just before midnight may have jobs behind it, which would hold the month.
	if err := s.DB.InBatches(ctx, `DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE `+ofMonth+` AND id >= first_id($2) LIMIT $3)`, month, next); err != nil {
		return false, err
	}
	if err := notice.ForgetOf(ctx, s.DB, notice.JobHeld, month, next); err != nil {
		return false, err
	}
	// What the index says of rows that all see need not be looked up in the table while runs wait.
	if _, err := s.DB.Work.Exec(ctx, `VACUUM `+pgx.Identifier{models.PartitionName("executions", month)}.Sanitize()); err != nil {
		return false, err
	}
	err = pgx.BeginFunc(ctx, s.DB.Work, func(tx pgx.Tx) error { return detach(ctx, tx, month, next) })
	return err == nil, err
}

// monthsGone tells the areas above that runs that began from a time until another are gone, or will be.
func (s *Service) monthsGone(ctx context.Context, from, until time.Time) error {
	for _, hook := range s.hooks.monthDropped {
		if err := hook.Do(ctx, from, until); err != nil {
			return hook.Failed(err)
		}
	}
	return nil
}

// movedAtOnce is for how many runs one transaction moves files.
const movedAtOnce = 500

// keepForRetries makes the files of a month's runs those of their last retries, which took over what had finished. It begins
// with the first run, for a retry may be of the same month and have a retry of its own.
func (s *Service) keepForRetries(ctx context.Context, month, next time.Time) error {
	for last := models.FirstID(month); ; {
		var retries []struct{ RetryOf, ID, AccountID models.ID }
		err := s.DB.Write(ctx, func(tx *models.Tx) error {
			err := tx.Raw(`SELECT DISTINCT ON (retry_of) retry_of, id, account_id FROM executions
				WHERE retry_of > ? AND retry_of < ? AND erased_at IS NULL ORDER BY retry_of, id DESC LIMIT ?`, last, models.FirstID(next), movedAtOnce).Scan(&retries).Error
			for i := 0; err == nil && i < len(retries); i++ {
				err = media.MoveToExecution(tx, retries[i].AccountID, retries[i].RetryOf, retries[i].ID)
			}
			return err
		})
		if err != nil || len(retries) < movedAtOnce {
			return err
		}
		last = retries[len(retries)-1].RetryOf
	}
}

// detach takes the partitions of a month off their tables and drops them: those of jobs first, which refer to executions. A
// partition that is dropped where it is would take the reference of all other jobs with it, or be refused because of it.
// DETACH CONCURRENTLY is refused for a table with a default partition, so runs wait meanwhile: that none of the month is open
// was found out before, and what has ended for so long does not begin again.
func detach(ctx context.Context, tx pgx.Tx, month, next time.Time) error {
	// To detach runs PostgreSQL looks for jobs that refer to them. Where it follows the two indexes it is done at the end of the
	// month; otherwise it would read all jobs.
	if _, err := tx.Exec(ctx, fmt.Sprintf(`SET LOCAL lock_timeout = %d; SET LOCAL enable_hashjoin = off; SET LOCAL enable_seqscan = off`, dropWait.Milliseconds())); err != nil {
		return err
	}
	// In the order in which runs take them, so that no run and no month wait for each other.
	if _, err := tx.Exec(ctx, `LOCK TABLE executions, jobs IN ACCESS EXCLUSIVE MODE`); err != nil {
		return err
	}
	for _, table := range []string{"jobs", "executions"} {
		partition := models.PartitionName(table, month)
		var there bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_inherits WHERE inhparent = $1::regclass AND inhrelid = to_regclass($2))`, table, partition).Scan(&there); err != nil {
			return err
		}
		if !there {
			continue
		}
		of, name := pgx.Identifier{table}.Sanitize(), pgx.Identifier{partition}.Sanitize()
		if _, err := tx.Exec(ctx, fmt.Sprintf(`ALTER TABLE %s DETACH PARTITION %s`, of, name)); err != nil {
			return err
		}
		if table == "jobs" { // where clocks differ, a job of the next month's first runs may bear the time before
			if _, err := tx.Exec(ctx, fmt.Sprintf(`INSERT INTO %s SELECT * FROM %s WHERE execution_id >= first_id($1)`, of, name), next); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, `DROP TABLE `+name); err != nil {
			return err
		}
	}
	return nil
}

// KeepRuns drops what is older than so many whole months behind the current one, of which 0 keeps all, and erases what
// organizations keep no longer.
func (s *Service) KeepRuns(ctx context.Context, months int) error {
	ctx = models.ForWork(ctx)
	return errors.Join(s.keepMonths(ctx, months), s.eraseUnkept(ctx))
}

func (s *Service) keepMonths(ctx context.Context, months int) error {
	if months == 0 {
		return nil
	}
	dropped, err := s.dropMonths(ctx, models.FirstKept(s.DB.Clock.Now(), months))
	if len(dropped) > 0 {
		slog.InfoContext(ctx, "runs are kept no longer", "months", dropped)
	}
	return err
}

// MaxUnkept is up to how many runs CountUnkept counts; one more stands for all that are more.
const MaxUnkept = 10_000

// CountUnkept is how many runs of an organization would be erased if it kept them for so many months; nil for all but the
// owner, who alone chooses it.
func CountUnkept(ctx context.Context, db *models.DB, o *org.Organization, months int) (*int, error) {
	if err := models.ActorFrom(ctx).RequireUser(models.ScopeWorkspacesRead); err != nil {
		return nil, err
	}
	if months < models.MinRunMonths || months > org.MaxRunMonths {
		return nil, models.Invalid("months", "must be a whole number from %d to %d", models.MinRunMonths, org.MaxRunMonths)
	}
	if o.Authorize(org.DeleteOrganization) != nil {
		return nil, nil
	}
	var after models.ID
	if o.RunsErasedBefore != nil {
		after = models.FirstID(*o.RunsErasedBefore)
	}
	var n int
	err := db.Read(ctx).Raw(`SELECT count(*) FROM (SELECT 1 FROM executions WHERE organization_id = ? AND id >= ? AND id < ? AND erased_at IS NULL LIMIT ?) AS unkept`,
		o.ID, after, models.FirstID(models.FirstKept(db.Clock.Now(), months)), MaxUnkept+1).Scan(&n).Error
	return &n, err
}

// unkeptAtOnce is how many runs one transaction erases.
const unkeptAtOnce = 50

// eraseUnkept erases the runs that organizations keep no longer (org.EraseRuns), as AppRuns.Delete erases one: what they cost stays
// in the ledger and in reports. One that has not ended stays, and is looked at again another day.
func (s *Service) eraseUnkept(ctx context.Context) error {
	return org.EraseRuns(ctx, s.DB, func(all []*org.UnkeptRuns) error {
		from, until := all[0].After, all[0].Before
		for _, u := range all {
			if err := s.eraseRunsOf(ctx, u); err != nil {
				return err
			}
			if u.After.Before(from) {
				from = u.After
			}
			if u.Before.After(until) {
				until = u.Before
			}
		}
		return s.monthsGone(ctx, from, until)
	})
}

func (s *Service) eraseRunsOf(ctx context.Context, u *org.UnkeptRuns) error {
	after, before := models.FirstID(u.After), models.FirstID(u.Before)
	for last := after; ; {
		var ids []models.ID
		err := s.DB.Read(ctx).Raw(`SELECT id FROM executions WHERE organization_id = ? AND id >= ? AND id < ? AND erased_at IS NULL ORDER BY id LIMIT ?`,
			u.OrganizationID, last, before, unkeptAtOnce).Scan(&ids).Error
		if err != nil {
			return err
		}
		if err := s.DB.Write(ctx, func(tx *models.Tx) error { return s.eraseFinished(tx, ids) }); err != nil {
			return err
		}
		if len(ids) < unkeptAtOnce {
			break
		}
		last = ids[len(ids)-1]
	}
	left := true
	err := s.DB.Read(ctx).Raw(`SELECT EXISTS (SELECT 1 FROM executions WHERE organization_id = ? AND id >= ? AND id < ? AND erased_at IS NULL)`,
		u.OrganizationID, after, before).Scan(&left).Error
	u.Done = !left
	return err
}

// eraseFinished erases those of the runs that have ended, with the runs of apps that they were.
func (s *Service) eraseFinished(tx *models.Tx, ids []models.ID) error {
	for _, id := range ids {
		exec, err := lockExecution(tx, id)
		if models.HasCode(err, models.CodeNotFound) { // its account has been deleted in the meantime
			continue
		}
		if err != nil {
			return err
		}
		if !exec.Finished() || exec.ErasedAt != nil {
			continue
		}
		if err := tx.Where("execution_id = ? AND account_id = ?", exec.ID, exec.AccountID).Delete(&AppRun{}).Error; err != nil {
			return err
		}
		if err := s.eraseExecution(tx, exec); err != nil {
			return err
		}
	}
	return nil
}
