package run

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"time"

	"atelier/models"
	"atelier/models/lane"
	"atelier/nodes/kit"
)

// unpaidMedia bounds the seconds for which media programs work for an account in an hour
// without being paid: on what is free, on what fails, and on what is cancelled meanwhile.
// Beyond it the account's media work fails until the hour is over. An install without credits
// has no such bound, for nothing is paid there.
var unpaidMedia = models.Limit{Name: "media.unpaid", Max: 60 * 60, Per: time.Hour}

// checkUnpaid refuses to begin media work of an account that has had its unpaid time:
// rate_limit_exceeded.
func (s *Service) checkUnpaid(tx *models.Tx, w *work) error {
	if s.Free || w.lease.Kind != Pools[kit.Media].Kind.Name || w.job.StartedAt != nil {
		return nil
	}
	err := s.DB.CheckLimit(tx.Context(), unpaidMedia, w.exec.AccountID.String())
	exceeded, known := models.AsError(err)
	if !known || exceeded.Code != models.CodeRateLimitExceeded {
		return err
	}
	refusal := models.Err(models.CodeRateLimitExceeded,
		"Media work of this account that cost nothing, or failed, has taken %d minutes in this hour. Run it again in %s.",
		unpaidMedia.Max/60, models.Several(int(math.Ceil(exceeded.RetryAfter.Minutes())), "minute"))
	refusal.RetryAfter = exceeded.RetryAfter
	return refusal
}

// countUnpaid counts how long media work took for which nothing was charged. called is how
// the node ended, ended how that was written.
func (s *Service) countUnpaid(ctx context.Context, w *work, took time.Duration, called, ended error) {
	if s.Free || w.lease.Kind != Pools[kit.Media].Kind.Name || took < time.Second {
		return
	}
	var pause *kit.Pause
	switch {
	case errors.Is(ended, lane.ErrLost): // it was cancelled
	case ended != nil:
		return // it is taken up again
	case errors.As(called, &pause):
		if w.job.Cost > 0 {
			return
		}
	case called == nil && models.Deref(w.job.CreditsCharged) > 0:
		return
	}
	err := s.DB.CountCalls(context.WithoutCancel(ctx), unpaidMedia, w.exec.AccountID.String(), int(took.Seconds()))
	if err != nil && !models.HasCode(err, models.CodeRateLimitExceeded) {
		slog.WarnContext(ctx, "unpaid media work was not counted", "account", w.exec.AccountID, "error", err)
	}
}

// FreeRuns bounds the runs of an account that cost nothing, by whatever way they are started.
// Those of schedules are bounded by how many schedules there may be.
var FreeRuns = models.Limit{Name: "runs.free", Max: 300, Per: time.Minute}

type countedFreeKey struct{}

// countedFree is how a run was counted before, as one that costs nothing.
type countedFree struct{ refusal error }

// countFreeRun counts a new run that costs nothing, unless it was counted before; the one
// beyond the bound is rate_limit_exceeded.
func (s *Service) countFreeRun(tx *models.Tx, exec *Execution) error {
	if !s.countsAsFree(exec) {
		return nil
	}
	if before, ok := tx.Context().Value(countedFreeKey{}).(*countedFree); ok {
		return before.refusal
	}
	return s.DB.CountCall(tx.Context(), s.FreeRuns, exec.AccountID.String())
}

// countsAsFree tells whether a new run is one of those that are bounded since they cost nothing.
func (s *Service) countsAsFree(exec *Execution) bool {
	return s.FreeRuns.Max > 0 && exec.Hold == 0 && exec.Trigger != "schedule"
}
