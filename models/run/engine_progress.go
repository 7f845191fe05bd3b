package run

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"atelier/models"
	"atelier/models/lane"
)

// progressInterval is how often a job's progress is written at most.
const progressInterval = time.Second

// progress takes a node's progress and writes it now and then, as long as the
// lease holds; it never goes back.
func (s *Service) progress(ctx context.Context, w *work) func(int) {
	var mu sync.Mutex
	written, last := w.job.Progress, time.Now()
	return func(percent int) {
		mu.Lock()
		defer mu.Unlock()
		percent = min(max(percent, 0), 99)
		if percent <= written || time.Since(last) < progressInterval || ctx.Err() != nil {
			return
		}
		written, last = percent, time.Now()
		if err := s.writeProgress(ctx, w, percent); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "progress was not written", "job", w.job.ID, "error", err)
		}
	}
}

func (s *Service) writeProgress(ctx context.Context, w *work, percent int) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		exec, err := lockExecution(tx, w.exec.ID)
		if err != nil {
			return err
		}
		if err := lane.Hold(tx, w.lease); err != nil {
			return err
		}
		err = tx.Model(&Job{}).Where(models.FitsID("id", w.job.ID)).Where("account_id = ? AND status = ?", w.job.AccountID, JobProcessing).
			UpdateColumn("progress", percent).Error
		if err != nil {
			return err
		}
		return s.saveExecution(tx, exec)
	})
}
