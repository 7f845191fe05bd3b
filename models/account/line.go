package account

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"atelier/models"
)

// How passwords are hashed at once. A hash takes 19 MiB and some 20 ms of a
// core, so they pass one line per process: a few at work, a bounded number
// waiting, nobody for long.
const (
	mostHashes       = 2   // at work
	mostUsed         = 2   // done, and their memory not yet given back
	mostWaiting      = 200 // visitors
	mostMembers      = 100 // signed-in people, beside those
	mostWaitingOfOne = 64  // of one network, or one account
	longestWait      = 15 * time.Second
	lineRetryAfter   = 2 * time.Second // what a refusal asks for
)

// hashes is the line of this process.
var hashes = newLine()

// line lets a few callers work at once. The others wait, and are called in
// turn of where they are from: whoever comes with many waits behind those who
// come with one, and signed-in people are called every other time.
type line struct {
	mu      sync.Mutex
	free    int
	used    int
	members queue
	guests  queue
	guest   bool // whose turn it is when both wait
}

func newLine() *line { return &line{free: min(mostHashes, runtime.GOMAXPROCS(0))} }

// queue are callers that wait, by where they are from.
type queue struct {
	waiting map[string][]chan struct{}
	order   []string
	n       int
}

// enter waits for a place; leave gives it to the next one. A line that is full
// and a wait that is too long are rate_limit_exceeded. Nothing that others wait
// for, such as a connection of the database, may be held meanwhile.
func (l *line) enter(ctx context.Context) (leave func(), err error) {
	actor := models.ActorFrom(ctx)
	from, q, most := "at "+actor.Network(), &l.guests, mostWaiting
	if actor.SignedIn() {
		from, q, most = "by "+actor.UserID.String(), &l.members, mostMembers
	}
	l.mu.Lock()
	if l.free > 0 {
		l.free--
		l.mu.Unlock()
		return l.leave, nil
	}
	if q.n >= most || len(q.waiting[from]) >= mostWaitingOfOne {
		l.mu.Unlock()
		return nil, errLine()
	}
	called := q.add(from)
	l.mu.Unlock()
	patience := time.NewTimer(longestWait)
	defer patience.Stop()
	select {
	case <-called:
		return l.leave, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-patience.C:
		err = errLine()
	}
	l.mu.Lock()
	waited := q.remove(from, called)
	l.mu.Unlock()
	if !waited { // called in the same moment
		l.leave()
	}
	return nil, err
}

// tidy gives back the memory of hashes that are done, before the next one takes
// its own: the collector by itself lets it grow to twice of what is in use.
func (l *line) tidy() {
	l.mu.Lock()
	l.used++
	full := l.used >= mostUsed
	if full {
		l.used = 0
	}
	l.mu.Unlock()
	if full {
		runtime.GC()
	}
}

// leave calls the next one, or frees the place.
func (l *line) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	first, second := &l.members, &l.guests
	if l.guest {
		first, second = second, first
	}
	l.guest = !l.guest
	if !first.call() && !second.call() {
		l.free++
	}
}

func (q *queue) add(from string) chan struct{} {
	if q.waiting == nil {
		q.waiting = map[string][]chan struct{}{}
	}
	if len(q.waiting[from]) == 0 {
		q.order = append(q.order, from)
	}
	called := make(chan struct{})
	q.waiting[from] = append(q.waiting[from], called)
	q.n++
	return called
}

// call calls the first one of whoever's turn it is; false when nobody waits.
func (q *queue) call() bool {
	if len(q.order) == 0 {
		return false
	}
	from := q.order[0]
	called := q.waiting[from][0]
	q.order = q.order[1:]
	q.waiting[from] = q.waiting[from][1:]
	q.n--
	if len(q.waiting[from]) > 0 {
		q.order = append(q.order, from)
	} else {
		delete(q.waiting, from)
	}
	close(called)
	return true
}

// remove takes out somebody who waits no longer; false when they were called.
func (q *queue) remove(from string, called chan struct{}) bool {
	i := slices.Index(q.waiting[from], called)
	if i < 0 {
		return false
	}
	q.waiting[from] = slices.Delete(q.waiting[from], i, i+1)
	q.n--
	if len(q.waiting[from]) == 0 {
		delete(q.waiting, from)
		q.order = slices.DeleteFunc(q.order, func(s string) bool { return s == from })
	}
	return true
}

func errLine() error {
	refusal := models.Err(models.CodeRateLimitExceeded, "Too many people are signing in at this moment. Try again in %s.",
		models.Several(models.RetrySeconds(lineRetryAfter), "second"))
	refusal.RetryAfter = lineRetryAfter
	return refusal
}
