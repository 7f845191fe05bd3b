package bulk

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		places := make(chan struct{}, 2)
		var at, most atomic.Int64
		var all sync.WaitGroup
		for n := range 20 {
			all.Go(func() {
				got, err := part(t.Context(), places, time.Hour, func(context.Context) (int, error) {
					if now := at.Add(1); now > most.Load() {
						most.Store(now)
					}
					time.Sleep(time.Second)
					at.Add(-1)
					return n, nil
				})
				if got != n || err != nil {
					t.Errorf("part %d is %d, %v", n, got, err)
				}
			})
		}
		began := time.Now()
		all.Wait()
		if took := time.Since(began); most.Load() != 2 || took != 10*time.Second {
			t.Errorf("%d at once, in %v", most.Load(), took)
		}
	})
}

// A place is free again after a failure and after a panic. A caller that gives up takes none, and one that has waited for long enough reads without one.
func TestPartEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		places, failure := make(chan struct{}, 1), errors.New("failed")
		if _, err := part(t.Context(), places, time.Hour, func(context.Context) (int, error) { return 0, failure }); !errors.Is(err, failure) {
			t.Error(err)
		}
		func() {
			defer func() { _ = recover() }()
			_, _ = part(t.Context(), places, time.Hour, func(context.Context) (int, error) { panic("broken") })
		}()
		if len(places) != 0 {
			t.Fatal("the place is still taken")
		}
		places <- struct{}{}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := part(ctx, places, time.Hour, func(context.Context) (int, error) { t.Error("read without a turn"); return 0, nil })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who gives up has %v", err)
		}
		began := time.Now()
		got, err := part(t.Context(), places, time.Minute, func(context.Context) (int, error) { return 7, nil })
		if got != 7 || err != nil || time.Since(began) != time.Minute {
			t.Errorf("%d, %v after %v", got, err, time.Since(began))
		}
		if len(places) != 1 {
			t.Error("it gave up a place that it did not have")
		}
	})
}
