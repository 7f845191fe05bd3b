package event

import (
	"sync"
	"time"
)

// lateness is how long deliveries wait for the service itself, beside the time
// that their receivers take: from their claim until their result is written.
type lateness struct {
	mu     sync.Mutex
	sum    time.Duration
	n      int
	last   time.Duration
	atWork int
}

func (l *lateness) begin(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.atWork += n
}

func (l *lateness) end(own time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sum += own
	l.n++
	l.atWork--
}

// since is the mean since it was asked last; while all are still at work, what
// it was then.
func (l *lateness) since() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.n > 0:
		l.last = l.sum / time.Duration(l.n)
	case l.atWork == 0:
		l.last = 0
	}
	l.sum, l.n = 0, 0
	return l.last
}

// Late is how long deliveries have recently waited for the service itself.
func (d *Deliverer) Late() time.Duration { return d.late.since() }
