package server

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"atelier/models"
	"atelier/rest"
)

// Admission control for anonymous requests: each waits for one of
// a few places, so that any number of them leaves the rest of the service to
// those who are. A place is held for work alone: not while a body arrives, and
// not once the answer has begun.
const (
	// visitorsWait is how long a visitor waits for a place, visitorsWaiting how
	// many may, and visitorsOfOne how many of one network address; beyond it is
	// service_unavailable. They are called in turn of their networks.
	visitorsWait    = 30 * time.Second
	visitorsWaiting = 2_000
	visitorsOfOne   = 500
	// visitorsRate is how many requests a second one network address may make for
	// long, visitorsBurst how many at once; beyond it is rate_limit_exceeded. A
	// whole class behind one address stays far below. A request that works for
	// less than its share of a second counts for as much less, down to minCount.
	visitorsRate  = 200
	visitorsBurst = 1_000
	minCount      = 0.1
	// minRest and maxRest are how long a place rests between two visitors: what is shorter adds up
	// first, for timers are no finer than a millisecond.
	minRest, maxRest = 4 * time.Millisecond, 20 * time.Millisecond
	// besideVisitors is for how long after a request of a person who is signed in places rest.
	besideVisitors = time.Second
	// refusalPause holds a refusal back, so that who repeats it at once gains nothing.
	refusalPause = time.Second
	// bodyAhead is how much of a body arrives before a place is asked for.
	bodyAhead = 16 << 10
	// maxAddresses bounds what is remembered of addresses.
	maxAddresses = 50_000
)

// visitors are the places for the work of no one, and the rates of addresses.
type visitors struct {
	mu   sync.Mutex
	free int // places
	// spare are further places, while no one who is signed in asks for anything; lent are those in use.
	spare, lent int
	turns       models.FairQueue
	owed        time.Duration // rest that places did not take yet
	held        int           // refusals that are held back
	// signedIn is when the last request came of a person who is signed in, in nanoseconds.
	signedIn atomic.Int64
	rates    map[string]*visitorRate
}

// visitorRate is what an address has left, as of a moment.
type visitorRate struct {
	left float64
	at   time.Time
}

func newVisitors(places, spare int) *visitors {
	return &visitors{free: places, spare: spare, rates: map[string]*visitorRate{}}
}

// alone tells whether no one who is signed in asked for something within the last second.
func (v *visitors) alone() bool {
	return time.Since(time.Unix(0, v.signedIn.Load())) >= besideVisitors
}

// enter waits for a place; address is the visitor's network.
func (v *visitors) enter(ctx context.Context, address string) (*place, error) {
	if !v.withinRate(address, time.Now()) {
		refusal := models.Err(models.CodeRateLimitExceeded, "Too many requests from your address. Try again in a second.")
		refusal.RetryAfter = time.Second
		return nil, v.refuse(ctx, refusal)
	}
	p := &place{visitors: v, address: address}
	if err := v.take(ctx, address); err != nil {
		return nil, err
	}
	p.held, p.since = true, time.Now()
	return p, nil
}

// take takes a place, or waits until one is given up.
func (v *visitors) take(ctx context.Context, address string) error {
	v.mu.Lock()
	if v.free > 0 {
		v.free--
		v.mu.Unlock()
		return nil
	}
	if v.lent < v.spare && v.alone() {
		v.lent++
		v.mu.Unlock()
		return nil
	}
	if v.turns.Len() >= visitorsWaiting || v.turns.LenOf(address) >= visitorsOfOne {
		v.mu.Unlock()
		return models.Unavailable(visitorsWait)
	}
	called, err := v.turns.Wait(ctx, &v.mu, address, visitorsWait, models.Unavailable(visitorsWait))
	if err != nil && called {
		v.giveUp(0)
	}
	return err
}

// giveUp gives a place to whose turn it is. While visitors wait and people who are
// signed in ask for something, places rest as long as they were worked in, so that a
// flood leaves the processors to others.
func (v *visitors) giveUp(worked time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.giveUpLocked(worked)
}

func (v *visitors) giveUpLocked(worked time.Duration) {
	if v.lent > 0 && !v.alone() {
		v.lent--
		return
	}
	if v.turns.Len() > 0 && worked > 0 && !v.alone() {
		if v.owed += worked; v.owed >= minRest {
			time.AfterFunc(min(v.owed, maxRest), func() { v.giveUp(0) })
			v.owed = 0
			return
		}
	}
	switch {
	case v.turns.Next():
	case v.lent > 0:
		v.lent--
	default:
		v.free++
	}
}

// refuse answers a refusal after a pause, as long as there is room to wait.
func (v *visitors) refuse(ctx context.Context, refusal error) error {
	if !v.holdBack(1) {
		return refusal
	}
	defer v.holdBack(-1)
	select {
	case <-time.After(refusalPause):
	case <-ctx.Done():
	}
	return refusal
}

// holdBack counts refusals that are held back; false when they are too many.
func (v *visitors) holdBack(n int) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.held+n > visitorsWaiting {
		return false
	}
	v.held += n
	return true
}

// withinRate counts a request of an address.
func (v *visitors) withinRate(address string, now time.Time) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	rate := v.rates[address]
	if rate == nil {
		if len(v.rates) >= maxAddresses {
			v.forget(now)
		}
		rate = &visitorRate{visitorsBurst, now}
		v.rates[address] = rate
	}
	rate.left = min(visitorsBurst, rate.left+now.Sub(rate.at).Seconds()*visitorsRate)
	rate.at = now
	if rate.left < 1 {
		return false
	}
	rate.left--
	return true
}

// workedFor takes back what a request of an address counted for too much.
func (v *visitors) workedFor(address string, worked time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if rate := v.rates[address]; rate != nil {
		rate.left += 1 - max(minCount, min(1, worked.Seconds()*visitorsRate))
	}
}

// forget drops the addresses that have all left again; when none has, all.
func (v *visitors) forget(now time.Time) {
	for address, rate := range v.rates {
		if rate.left+now.Sub(rate.at).Seconds()*visitorsRate >= visitorsBurst {
			delete(v.rates, address)
		}
	}
	if len(v.rates) >= maxAddresses {
		clear(v.rates)
	}
}

// place is a visitor's right to be worked for.
type place struct {
	visitors *visitors
	address  string // whose it is
	mu       sync.Mutex
	held     bool
	since    time.Time // it is held
	worked   time.Duration
	left     bool // for good
}

// leave gives the place up for good.
func (p *place) leave() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.giveBack()
	if !p.left {
		p.left = true
		p.visitors.workedFor(p.address, p.worked)
	}
}

func (p *place) giveBack() {
	if p.held {
		p.held = false
		worked := time.Since(p.since)
		p.worked += worked
		p.visitors.giveUp(worked)
	}
}

// outside steps out while something is waited for, and comes back in. Anyone who
// cannot in time goes on without a place, for the work is begun.
func (p *place) outside(ctx context.Context, wait func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.giveBack()
	wait()
	if !p.left {
		p.held = p.visitors.take(ctx, p.address) == nil
		p.since = time.Now()
	}
}

// arrive reads the beginning of a visitor's body, which mostly is the whole. The
// rest is read with the place that it is given. What comes too slowly is refused.
func arrive(r *http.Request) (*visitorBody, error) {
	later := &visitorBody{ReadCloser: r.Body, ctx: r.Context()}
	if r.Body == nil || r.Body == http.NoBody {
		return later, nil
	}
	var ahead bytes.Buffer
	_, err := io.CopyN(&ahead, r.Body, bodyAhead)
	if rest.TooSlow(err) {
		return nil, rest.SlowBody()
	}
	remaining := io.Reader(later)
	if err != nil { // io.EOF at the end
		remaining = broken{err}
	}
	r.Body = &readAhead{io.MultiReader(&ahead, remaining), r.Body}
	return later, nil
}

// readAhead is a body whose beginning has been read.
type readAhead struct {
	io.Reader
	io.Closer
}

// broken ends a body as it ended.
type broken struct{ err error }

// Read ends it.
func (b broken) Read([]byte) (int, error) { return 0, b.err }

// visitorBody is the rest of a visitor's body: while it arrives, others are worked for.
type visitorBody struct {
	io.ReadCloser
	ctx   context.Context
	place *place
}

// Read reads outside of the place what is still to come.
func (b *visitorBody) Read(p []byte) (n int, err error) {
	if b.place == nil {
		return b.ReadCloser.Read(p)
	}
	b.place.outside(b.ctx, func() { n, err = b.ReadCloser.Read(p) })
	return n, err
}
