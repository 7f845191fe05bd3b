package account

import (
	"context"
	"runtime"
	"sync"
	"time"

	"atelier/models"
)

// How passwords are hashed at once. A hash takes 19 MiB and some 20 ms of a
// core, so they pass one line per process: a few at work, a bounded number
// waiting, no one for long.
const (
	maxHashes       = 2   // at work
	maxUsed         = 2   // done, and their memory not yet given back
	maxWaiting      = 200 // visitors
	maxMembers      = 100 // signed-in people, beside those
	maxWaitingOfOne = 64  // of one network, or one account
	maxWait         = 15 * time.Second
	lineRetryAfter  = 2 * time.Second // what a refusal asks for
)

// hashes is the line of this process.
var hashes = newLine()

// line lets a few callers work at once. The others wait, and are called in
// turn of where they are from: the one who comes with many waits behind those who
// come with one, and signed-in people are called every other time.
type line struct {
	mu      sync.Mutex
	free    int
	used    int
	members models.FairQueue
	guests  models.FairQueue
	guest   bool // whose turn it is when both wait
}

func newLine() *line { return &line{free: min(maxHashes, runtime.GOMAXPROCS(0))} }

// enter waits for a place; leave gives it to the next one. A line that is full
// and a wait that is too long are rate_limit_exceeded. Nothing that others wait
// for, such as a connection of the database, may be held meanwhile.
func (l *line) enter(ctx context.Context) (leave func(), err error) {
	actor := models.ActorFrom(ctx)
	from, q, most := "at "+actor.Network(), &l.guests, maxWaiting
	if actor.SignedIn() {
		from, q, most = "by "+actor.UserID.String(), &l.members, maxMembers
	}
	l.mu.Lock()
	if l.free > 0 {
		l.free--
		l.mu.Unlock()
		return l.leave, nil
	}
	if q.Len() >= most || q.LenOf(from) >= maxWaitingOfOne {
		l.mu.Unlock()
		return nil, errLine()
	}
	called, err := q.Wait(ctx, &l.mu, from, maxWait, errLine())
	if err == nil {
		return l.leave, nil
	}
	if called {
		l.leave()
	}
	return nil, err
}

// tidy gives back the memory of hashes that are done, before the next one takes
// its own: the collector by itself lets it grow to twice of what is in use.
func (l *line) tidy() {
	l.mu.Lock()
	l.used++
	full := l.used >= maxUsed
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
	if !first.Next() && !second.Next() {
		l.free++
	}
}

func errLine() error {
	refusal := models.Err(models.CodeRateLimitExceeded, "Too many people are signing in at this moment. Try again in %s.",
		models.Several(models.RetrySeconds(lineRetryAfter), "second"))
	refusal.RetryAfter = lineRetryAfter
	return refusal
}
