package models

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fakePool is a pool whose connections are opened in 20 ms.
type fakePool struct {
	*growth
	mu              sync.Mutex
	free, all, most int
}

func newFakePool(most int) *fakePool {
	p := &fakePool{most: most}
	p.growth = &growth{stat: func() (int, int, int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.free, p.all, p.most
	}}
	return p
}

// use takes a connection, works and gives it back; it tells for what it was let in.
func (p *fakePool) use(ctx context.Context, work time.Duration) (admission, error) {
	a, err := p.enter(ctx)
	if err != nil {
		return a, err
	}
	p.mu.Lock()
	opens := p.free == 0
	if opens {
		p.all++
	} else {
		p.free--
	}
	p.mu.Unlock()
	held := a
	if a == toReuse {
		p.end(a)
		held = toQueue
	}
	back := p.held(held)
	if opens {
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(work)
	p.mu.Lock()
	p.free++
	p.mu.Unlock()
	back()
	return a, nil
}

// A burst of short requests is done by turns on few connections; long ones have the pool grow, a few at a time, to what it may have.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		requests    int
		work        time.Duration
		least, most int // connections
		took        time.Duration
	}{
		{1, time.Millisecond, 1, 1, 21 * time.Millisecond},
		{2, time.Millisecond, 2, 2, 21 * time.Millisecond},
		{30, time.Millisecond, 2, 8, 60 * time.Millisecond}, // some have waited for growAfter
		{4, time.Second, 4, 4, 1120 * time.Millisecond},     // two of them after firstUse
		{16, time.Second, 16, 16, 1270 * time.Millisecond},  // twelve after growthWait
	} {
		synctest.Test(t, func(t *testing.T) {
			p := newFakePool(16)
			began := time.Now()
			var all sync.WaitGroup
			for range c.requests {
				all.Go(func() {
					if _, err := p.use(t.Context(), c.work); err != nil {
						t.Error(err)
					}
				})
			}
			if all.Wait(); p.all < c.least || p.all > c.most || time.Since(began) > c.took {
				t.Errorf("%d requests of %v took %v and %d connections", c.requests, c.work, time.Since(began), p.all)
			}
			if p.promised != 0 || p.growing != 0 || len(p.waiting) != 0 {
				t.Errorf("left are %d promised, %d growing, %d waiting", p.promised, p.growing, len(p.waiting))
			}
		})
	}
}

// A caller opens a connection after growAfter, unless one comes back before; one that leaves keeps nothing.
func TestGrowthWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newFakePool(16)
		var all sync.WaitGroup
		for _, after := range []time.Duration{0, 0} { // opened and used once
			all.Go(func() { _, _ = p.use(t.Context(), after) })
		}
		all.Wait()
		for _, c := range []struct {
			work time.Duration // of those who hold the two
			want admission
			wait time.Duration
		}{
			{25 * time.Millisecond, toReuse, 25 * time.Millisecond},
			{time.Second, toGrow, growAfter},
		} {
			for range 2 {
				all.Go(func() { _, _ = p.use(t.Context(), c.work) })
			}
			synctest.Wait()
			began := time.Now()
			a, err := p.enter(t.Context())
			if a != c.want || err != nil || time.Since(began) != c.wait {
				t.Errorf("let in for %d, %v after %v", a, err, time.Since(began))
			}
			p.end(a)
			all.Wait()
		}
		for range 2 {
			all.Go(func() { _, _ = p.use(t.Context(), time.Second) })
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if _, err := p.enter(ctx); err != context.DeadlineExceeded {
			t.Errorf("who leaves has %v", err)
		}
		if all.Wait(); p.promised != 0 || p.growing != 0 || len(p.waiting) != 0 || p.free != 2 || p.all != 2 {
			t.Errorf("left are %d promised, %d growing, %d waiting, %d of %d free", p.promised, p.growing, len(p.waiting), p.free, p.all)
		}
	})
}
