package event

import (
	"sync"
	"time"
)

// batcher has what comes at about the same time done together: at once where it
// is quiet, and under load up to most at a time, none of it waiting longer than
// wait for others.
type batcher[T any] struct {
	most int
	wait time.Duration
	do   func([]T)

	mu      sync.Mutex
	queue   []T
	running int
	began   time.Time // of what runs
	ended   time.Time // of what ran last
	full    chan struct{}
}

// How many batches run at once at most, and after how long one that is held up
// lets another pass.
const (
	batchesAtOnce = 2
	maxStall      = 50 * time.Millisecond
)

func newBatcher[T any](most int, wait time.Duration, do func([]T)) *batcher[T] {
	return &batcher[T]{most: most, wait: wait, do: do, full: make(chan struct{}, 1)}
}

func (g *batcher[T]) add(one T) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.queue = append(g.queue, one)
	full := len(g.queue) >= g.most
	if full {
		select {
		case g.full <- struct{}{}:
		default:
		}
	}
	if g.running == 0 || g.running < batchesAtOnce && (full || time.Since(g.began) > maxStall) {
		g.running++
		go g.run()
	}
}

// run does batches until nothing is left.
func (g *batcher[T]) run() {
	for {
		batch := g.take()
		if batch == nil {
			return
		}
		g.do(batch)
		g.mu.Lock()
		g.ended = time.Now()
		g.mu.Unlock()
	}
}

// take waits for more where one batch follows upon another.
func (g *batcher[T]) take() []T {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.queue) > 0 && len(g.queue) < g.most && time.Since(g.ended) < g.wait {
		g.mu.Unlock()
		timer := time.NewTimer(g.wait)
		select {
		case <-g.full:
		case <-timer.C:
		}
		timer.Stop()
		g.mu.Lock()
	}
	if len(g.queue) == 0 {
		g.running--
		return nil
	}
	n := min(len(g.queue), g.most)
	batch := g.queue[:n:n]
	g.queue = g.queue[n:]
	g.began = time.Now()
	return batch
}
