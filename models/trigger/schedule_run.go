package trigger

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"atelier/models"
)

// FireSchedules fires schedules until the context ends, with so many workers that
// start runs; what they are at they finish. Any number of processes do so.
func (s *Service) FireSchedules(ctx context.Context, workers int) {
	ctx = models.ForWork(ctx)
	taken, done := make(chan fire, firesInHand), make(chan struct{}, 1)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for f := range taken {
				s.startFires(context.WithoutCancel(ctx), withMore(f, taken))
				if len(taken) < firesAtOnce {
					select {
					case done <- struct{}{}:
					default:
					}
				}
			}
		})
	}
	for ctx.Err() == nil {
		more, err := s.takeRound(ctx, cap(taken)-len(taken), func(f fire) { taken <- f })
		if err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "schedules were not looked at", "error", err)
		}
		if err == nil && more {
			continue
		}
		select {
		case <-ctx.Done():
		case <-done: // there is room for what was left
		case <-time.After(untilNextSecond(s.DB.Clock.Now())):
		}
	}
	for { // what no one has begun is left to others
		select {
		case <-taken:
			continue
		default:
		}
		break
	}
	close(taken)
	all.Wait()
}

// withMore adds to a minute what else waits to be started, up to a batch.
func withMore(first fire, taken <-chan fire) []fire {
	all := append(make([]fire, 0, firesPerBatch), first)
	for len(all) < firesPerBatch {
		select {
		case f, open := <-taken:
			if !open {
				return all
			}
			all = append(all, f)
		default:
			return all
		}
	}
	return all
}

// takeRound takes what is due, and what others left, as far as there is room;
// more tells that there may be more to take at once.
func (s *Service) takeRound(ctx context.Context, room int, give func(fire)) (more bool, err error) {
	taken, seen, err := s.takeDue(ctx, room)
	for _, f := range taken {
		give(f)
	}
	if err != nil || seen == firesAtOnce {
		return err == nil, err
	}
	left, err := s.takeLeft(ctx, room-len(taken))
	for _, f := range left {
		give(f)
	}
	return len(left) == firesAtOnce, err
}

// startOne is startFire where no one waits for the error.
func (s *Service) startOne(ctx context.Context, f fire) {
	if err := s.startFire(ctx, f); err != nil {
		slog.ErrorContext(ctx, "a due schedule was left for later", "trigger", f.TriggerID, "minute", f.Minute, "error", err)
	}
}

// FireDueSchedules fires everything that is due now and returns how many minutes it
// settled: for tests, and for the one who keeps the time.
func (s *Service) FireDueSchedules(ctx context.Context) (count int, err error) {
	ctx = models.ForWork(ctx)
	for {
		var round []fire
		more, err := s.takeRound(ctx, firesAtOnce, func(f fire) { round = append(round, f) })
		if err != nil {
			return count, err
		}
		s.startFires(ctx, round)
		count += len(round)
		if !more && len(round) == 0 {
			return count, nil
		}
	}
}

// untilNextSecond is how long to sleep: minutes begin with a second.
func untilNextSecond(now time.Time) time.Duration {
	return now.Truncate(time.Second).Add(time.Second).Sub(now) + time.Millisecond
}

// firedCounts count what this process settled.
type firedCounts struct {
	started, other, late atomic.Int64
	lateness             atomic.Int64 // nanoseconds in all
}

func (c *firedCounts) note(outcome FireOutcome, late time.Duration) {
	if outcome == FireDue {
		return
	}
	if outcome != FireStarted {
		c.other.Add(1)
		return
	}
	c.started.Add(1)
	c.lateness.Add(int64(late))
	if late > time.Second {
		c.late.Add(1)
	}
}

// FiredSchedules are figures of this process: minutes whose run it started, those
// that were skipped, refused or missed, those that started more than a second
// late, and by how much all of them did, in seconds.
func (s *Service) FiredSchedules() (started, other, late int64, lateness float64) {
	return s.fired.started.Load(), s.fired.other.Load(), s.fired.late.Load(), time.Duration(s.fired.lateness.Load()).Seconds()
}
