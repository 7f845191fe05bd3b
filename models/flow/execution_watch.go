package flow

import (
	"context"
	"time"

	"atelier/models"
)

// lookEvery is how often whoever watches looks without being woken.
const lookEvery = time.Second

// AwaitExecution waits until the execution has ended, at most for most, and
// returns it as it then is. While it waits it holds neither a worker nor a
// database connection.
func (s *Service) AwaitExecution(ctx context.Context, id models.ID, most time.Duration) (*Execution, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes, err := s.watch(ctx, id)
	if err != nil {
		return nil, err
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	var last *Execution
	for {
		select {
		case exec, open := <-changes:
			if !open {
				if last != nil && last.Finished() || ctx.Err() != nil {
					return last, ctx.Err()
				}
				return s.executionInReach(ctx, id)
			}
			last = exec
			if exec.Finished() {
				return exec, nil
			}
		case <-timer.C:
			return s.executionInReach(ctx, id)
		}
	}
}

// WatchExecution sends the execution at once and after each change, and closes
// when it has ended, when the actor may not see it any more, or with the
// context. Access is checked anew for each event.
func (s *Service) WatchExecution(ctx context.Context, id models.ID) (<-chan *Execution, error) {
	if err := models.ActorFrom(ctx).RequireScope(models.ScopeJobsRead); err != nil {
		return nil, err
	}
	return s.watch(ctx, id)
}

func (s *Service) watch(ctx context.Context, id models.ID) (<-chan *Execution, error) {
	wake, unsubscribe := s.DB.Bus.Subscribe((&Execution{ID: id}).topic(), models.RightsTopic(models.ActorFrom(ctx).UserID))
	exec, err := s.executionInReach(ctx, id)
	if err != nil {
		unsubscribe()
		return nil, err
	}
	changes := make(chan *Execution)
	go func() {
		defer close(changes)
		defer unsubscribe()
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		for {
			select {
			case changes <- exec:
			case <-ctx.Done():
				return
			}
			if exec.Finished() {
				return
			}
			next := s.nextRevision(ctx, exec, wake, ticker.C)
			if next == nil {
				return
			}
			exec = next
		}
	}()
	return changes, nil
}

// nextRevision waits for a change; nil ends the watch.
func (s *Service) nextRevision(ctx context.Context, exec *Execution, wake <-chan struct{}, tick <-chan time.Time) *Execution {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-wake:
		case <-tick:
		}
		next, err := s.executionInReach(ctx, exec.ID)
		if err != nil {
			if _, known := models.AsError(err); known {
				return nil
			}
			continue // the database is away; look again
		}
		if next.Revision != exec.Revision {
			return next
		}
	}
}
