package org

import (
	"context"
	"time"

	"atelier/models"
)

// watchAgain is after how long a watcher looks without having been woken.
const watchAgain = 15 * time.Second

// Watch sends the workspace now, after each change, and now and then without one, until the
// context ends or the caller may no longer read it, which is asked each time.
func (s Workspaces) Watch(ctx context.Context, id models.ID) (<-chan *Workspace, error) {
	woken, stop := s.org.DB.Bus.Subscribe("workspace:"+id.String(), models.RightsTopic(models.ActorFrom(ctx).UserID))
	w, err := s.Find(ctx, id)
	if err != nil {
		stop()
		return nil, err
	}
	frames := make(chan *Workspace, 1)
	frames <- w
	go func() {
		defer stop()
		defer close(frames)
		again := time.NewTicker(watchAgain)
		defer again.Stop()
		for s.org.watchOnce(ctx, id, woken, again.C, frames) {
		}
	}()
	return frames, nil
}

// watchOnce waits for a wake-up and sends a frame; false ends the watching.
func (s *Service) watchOnce(ctx context.Context, id models.ID, woken <-chan struct{}, again <-chan time.Time, frames chan<- *Workspace) bool {
	select {
	case <-ctx.Done():
		return false
	case <-woken:
	case <-again:
	}
	w, err := s.Workspaces().Find(ctx, id)
	if err != nil {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case frames <- w:
		return true
	}
}
