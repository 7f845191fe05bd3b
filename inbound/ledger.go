package inbound

import (
	"context"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// The bounds on what all senders have on its way at once, and on one of them: an
// account, or a network of anonymous requests.
const (
	// MaxHeld is how many bytes bodies and their values may take in memory.
	MaxHeld = 192 << 20
	// MaxHeldOfOne is an eighth of it.
	MaxHeldOfOne = 24 << 20
	// LargeBody is the size from which a body counts as large, MaxLarge how many
	// large ones of one sender arrive at once.
	LargeBody = 1 << 20
	MaxLarge  = 4
	// MaxHeavy is how many bodies with much in them are decoded at once, and
	// MaxHeavyOfOne how many of one sender; others wait for HeavyWait.
	MaxHeavy      = 4
	MaxHeavyOfOne = 2
	HeavyWait     = 20 * time.Second
	// heavyBytes and heavyValues are from where a body has much in it; heavyTime is
	// how long it keeps its place when the work on it takes longer.
	heavyBytes  = 256 << 10
	heavyValues = 10_000
	heavyTime   = 5 * time.Second
	// valueBytes is what a decoded value counts for beside its text.
	valueBytes = 64
)

// Ledger knows what is on its way into a process, by sender.
type Ledger struct {
	mu      sync.Mutex
	held    int64
	heavy   int
	shares  map[string]*share
	waiting []*waiter
	// given tells that memory is being given back to the system.
	given bool
}

// share is what one sender has on its way.
type share struct {
	held  int64
	large int
	heavy int
	users int // requests
}

// waiter waits for a place for a body with much in it.
type waiter struct {
	key    string
	called chan struct{}
}

// NewLedger makes an empty one.
func NewLedger() *Ledger { return &Ledger{shares: map[string]*share{}} }

// Held is how many bytes all senders hold.
func (l *Ledger) Held() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held
}

func (l *Ledger) enter(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shares[key]
	if s == nil {
		s = &share{}
		l.shares[key] = s
	}
	s.users++
}

func (l *Ledger) leave(key string, held int64, large bool) {
	l.giveBack(key, held, large)
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shares[key]
	if s.users--; s.users == 0 && s.heavy == 0 {
		delete(l.shares, key)
	}
}

func (l *Ledger) giveBack(key string, held int64, large bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shares[key]
	l.held -= held
	s.held -= held
	if large {
		s.large--
	}
}

// hold reserves memory for a sender, or is a refusal.
func (l *Ledger) hold(key string, n int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shares[key]
	switch {
	case s.held+n > MaxHeldOfOne:
		return busy("Too many large requests of yours are on their way. Try again in a moment.", 2*time.Second)
	case l.held+n > MaxHeld:
		return busy("The service is busy with large requests. Try again in a moment.", 2*time.Second)
	}
	l.held += n
	s.held += n
	return nil
}

// takeLarge counts a large body of a sender.
func (l *Ledger) takeLarge(key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shares[key]
	if s.large >= MaxLarge {
		return busy("Four bodies above 1 MiB may arrive at once. Send this one when another has arrived.", 5*time.Second)
	}
	s.large++
	return nil
}

// takeHeavy waits for a place to decode a body with much in it. The sender with the
// fewest is called first.
func (l *Ledger) takeHeavy(ctx context.Context, key string) error {
	l.mu.Lock()
	if l.heavy < MaxHeavy && l.shares[key].heavy < MaxHeavyOfOne && len(l.waiting) == 0 {
		l.seat(key)
		l.mu.Unlock()
		return nil
	}
	w := &waiter{key, make(chan struct{})}
	l.waiting = append(l.waiting, w)
	l.call()
	l.mu.Unlock()
	timer := time.NewTimer(HeavyWait)
	defer timer.Stop()
	var err error
	select {
	case <-w.called:
		return nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = busy("The service is busy with large requests. Try again in a moment.", 5*time.Second)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.waiting, w)
	if i < 0 { // it was called in the same moment
		return nil
	}
	l.waiting = slices.Delete(l.waiting, i, i+1)
	return err
}

func (l *Ledger) seat(key string) {
	l.heavy++
	l.shares[key].heavy++
}

// call gives free places to those that wait.
func (l *Ledger) call() {
	for l.heavy < MaxHeavy {
		next := -1
		for i, w := range l.waiting {
			of := l.shares[w.key].heavy
			if of < MaxHeavyOfOne && (next < 0 || of < l.shares[l.waiting[next].key].heavy) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		w := l.waiting[next]
		l.waiting = slices.Delete(l.waiting, next, next+1)
		l.seat(w.key)
		close(w.called)
	}
}

func (l *Ledger) giveHeavy(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heavy--
	s := l.shares[key]
	if s.heavy--; s.users == 0 && s.heavy == 0 {
		delete(l.shares, key)
	}
	l.call()
	if l.heavy == 0 && !l.given {
		l.given = true
		time.AfterFunc(restBeforeGiving, l.giveMemory)
	}
}

// restBeforeGiving is how long after the last body with much in it its memory is
// given back to the system, which the runtime does slowly by itself.
const restBeforeGiving = 3 * time.Second

func (l *Ledger) giveMemory() {
	l.mu.Lock()
	l.given = false
	idle := l.heavy == 0
	l.mu.Unlock()
	if idle {
		debug.FreeOSMemory()
	}
}
