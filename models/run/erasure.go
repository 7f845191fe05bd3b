package run

import (
	"context"
	"errors"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/lane"
	"atelier/models/media"
	"atelier/models/notice"
)

// Erasure is an account that was deleted and whose runs are still to be removed.
type Erasure struct {
	UserID    models.ID `gorm:"primaryKey"`
	CreatedAt time.Time
}

func (Erasure) TableName() string { return "account_erasures" }

// eraseSoon has the runs of an account that is deleted removed soon (eraseRuns), for there may be many.
func eraseSoon(tx *models.Tx, user *account.User) error {
	return tx.Create(&Erasure{UserID: user.ID, CreatedAt: tx.Now}).Error
}

// countRuns says what eraseRuns removes.
func (s *Service) countRuns(ctx context.Context, userID models.ID, c *account.Closing) error {
	err := s.DB.Read(ctx).Raw(`SELECT count(*) FROM (SELECT 1 FROM executions WHERE account_id = ? LIMIT 10000) runs`, userID).Row().Scan(&c.Runs)
	if err != nil {
		return err
	}
	c.Files, err = media.CountOfAccount(s.DB.Read(ctx), userID)
	return err
}

// How many runs of deleted accounts one transaction removes, and how many one sweep.
const (
	erasedAtOnce  = 50
	erasedASweep  = 5_000
	erasureRounds = erasedASweep / erasedAtOnce
)

// eraseRuns removes the runs of deleted accounts, those at work once they are
// cancelled: with their jobs, results and files (contract 3, "A deleted member's
// run history is removed"). What they cost stays in the ledger.
func (s *Service) eraseRuns(ctx context.Context) error {
	var waiting []Erasure
	if err := s.DB.Read(ctx).Order("created_at").Limit(20).Find(&waiting).Error; err != nil {
		return err
	}
	var failed []error
	for _, account := range waiting {
		for range erasureRounds {
			left, err := s.eraseSome(ctx, account.UserID)
			if err != nil {
				failed = append(failed, err)
			}
			if err != nil || !left {
				break
			}
		}
	}
	return errors.Join(failed...)
}

// eraseSome removes some runs of an account, and the account from the list
// when there are none any more.
func (s *Service) eraseSome(ctx context.Context, accountID models.ID) (left bool, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		var ids []models.ID
		if err := tx.Raw(`SELECT id FROM executions WHERE account_id = ? ORDER BY id LIMIT ?`, accountID, erasedAtOnce).Scan(&ids).Error; err != nil {
			return err
		}
		if left = len(ids) > 0; !left {
			for _, statement := range []string{
				`DELETE FROM app_runs WHERE account_id = ?`, `DELETE FROM app_daily_runs WHERE user_id = ?`,
				`DELETE FROM account_erasures WHERE user_id = ?`,
			} {
				if err := tx.Exec(statement, accountID).Error; err != nil {
					return err
				}
			}
			return media.RemoveOfAccount(tx, accountID)
		}
		for _, id := range ids {
			if err := s.eraseRun(tx, accountID, id); err != nil {
				return err
			}
		}
		return nil
	})
	return left, err
}

func (s *Service) eraseRun(tx *models.Tx, accountID, id models.ID) error {
	exec, err := lockExecution(tx, id)
	if err != nil {
		return err
	}
	if !exec.Finished() { // the next round finds it ended, and counted
		return s.cancelExecution(tx, exec)
	}
	var jobs []models.ID
	if err := exec.jobs(tx.Model(&Job{})).Where("account_id = ?", accountID).Pluck("id", &jobs).Error; err != nil {
		return err
	}
	if _, err := lane.Cancel(tx, jobs...); err != nil {
		return err
	}
	if err := s.Events.ForgetJobs(tx, accountID, jobs); err != nil {
		return err
	}
	if err := notice.Forget(tx, notice.JobHeld, jobs); err != nil {
		return err
	}
	// The counter of its space takes the rest over (CountOutputs).
	if err := tx.Exec(`UPDATE kept_outputs SET bytes = 0 WHERE execution_id = ?`, id).Error; err != nil {
		return err
	}
	if err := media.RemoveOfExecution(tx, accountID, id); err != nil {
		return err
	}
	if err := tx.Exec(`DELETE FROM app_runs WHERE execution_id = ? AND account_id = ?`, id, accountID).Error; err != nil {
		return err
	}
	for _, statement := range []string{
		`DELETE FROM results WHERE execution_id = ? AND account_id = ? AND shard_fits_space(shard, ?)`,
		`DELETE FROM jobs WHERE execution_id = ? AND account_id = ? AND shard_fits_space(shard, ?)`,
		`DELETE FROM executions WHERE id = ? AND account_id = ? AND shard_fits_space(shard, ?)`,
	} {
		if err := tx.Exec(statement, id, accountID, exec.space()).Error; err != nil {
			return err
		}
	}
	return nil
}
