package run

import (
	"context"
	"time"

	"atelier/models"
)

// pollInterval is how often anyone who watches looks without being woken.
const pollInterval = time.Second

// Await waits until the execution has ended, at most for most, and
// returns it as it then is. While it waits it holds neither a worker nor a
// database connection.
func (s Executions) Await(ctx context.Context, id models.ID, most time.Duration) (*Execution, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes, err := s.run.watch(ctx, id)
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
					return last, context.Cause(ctx)
				}
				return s.run.executionInReach(ctx, id)
			}
			last = exec
			if exec.Finished() {
				return exec, nil
			}
		case <-timer.C:
			return s.run.executionInReach(ctx, id)
		}
	}
}

// Watch sends the execution at once and after each change, and closes
// when it has ended, when the actor may not see it any more, or with the
// context. Access is checked again for each event.
func (s Executions) Watch(ctx context.Context, id models.ID) (<-chan *Execution, error) {
	if err := models.ActorFrom(ctx).RequireAccount(models.ScopeJobsRead); err != nil {
		return nil, err
	}
	return s.run.watch(ctx, id)
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
		ticker := time.NewTicker(pollInterval)
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

// Watch sends one of the caller's own runs of an app at once and after each
// change, and closes like Executions.Watch. A draft is looked at each second until it is started.
func (s AppRuns) Watch(ctx context.Context, slug string, id models.ID) (<-chan *AppRun, error) {
	run, err := s.Find(ctx, slug, id)
	if err != nil {
		return nil, err
	}
	changes := make(chan *AppRun)
	go func() {
		defer close(changes)
		if !sendRun(ctx, changes, run) || run.Finished() {
			return
		}
		if run = s.run.startedRun(ctx, slug, run); run == nil {
			return
		}
		executions, err := s.run.watch(ctx, *run.ExecutionID)
		for err == nil {
			if _, open := <-executions; !open {
				return
			}
			if run, err = s.Find(ctx, slug, id); err == nil && !sendRun(ctx, changes, run) {
				return
			}
		}
	}()
	return changes, nil
}

func sendRun(ctx context.Context, changes chan<- *AppRun, run *AppRun) bool {
	select {
	case changes <- run:
		return true
	case <-ctx.Done():
		return false
	}
}

// startedRun waits until the run is no draft any more; nil when it cannot be seen any more.
func (s *Service) startedRun(ctx context.Context, slug string, run *AppRun) *AppRun {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for run.ExecutionID == nil {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
		found, err := s.AppRuns().Find(ctx, slug, run.ID)
		if _, known := models.AsError(err); known {
			return nil
		}
		if err == nil {
			run = found
		}
	}
	return run
}

// Await waits until a run of an app has ended, at most for most, and returns
// it as it then is; a draft at once.
func (s AppRuns) Await(ctx context.Context, slug string, id models.ID, most time.Duration) (*AppRun, error) {
	run, err := s.Find(ctx, slug, id)
	if err != nil || run.ExecutionID == nil || run.Finished() {
		return run, err
	}
	if _, err := s.run.Executions().Await(ctx, *run.ExecutionID, most); err != nil {
		return nil, err
	}
	return s.Find(ctx, slug, id)
}
