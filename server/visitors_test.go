package server

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models"
)

// TestVisitorsTakeTurns sends many more visitors than there are places: never
// are more worked for at once, and all have their turn.
func TestVisitorsTakeTurns(t *testing.T) {
	v := newVisitors(2, 0)
	var inside, most, done atomic.Int64
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			p, err := v.enter(t.Context(), "203.0.113.1")
			if err != nil {
				t.Error(err)
				return
			}
			defer p.leave()
			if n := inside.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Millisecond)
			inside.Add(-1)
			done.Add(1)
		})
	}
	all.Wait()
	left := func() (free, waiting int) {
		v.mu.Lock()
		defer v.mu.Unlock()
		return v.free, v.turns.Len()
	}
	free, waiting := left()
	for until := time.Now().Add(maxRest + 5*time.Second); free < 2 && time.Now().Before(until); free, waiting = left() {
		time.Sleep(time.Millisecond) // the last place may still rest
	}
	if most.Load() > 2 || done.Load() != 100 || free != 2 || waiting != 0 {
		t.Errorf("%d at once, %d in all; %d places are free and %d wait", most.Load(), done.Load(), free, waiting)
	}
}

// TestVisitorsWaitingAreBounded has the place taken and the line full.
func TestVisitorsWaitingAreBounded(t *testing.T) {
	v := newVisitors(1, 0)
	first, err := v.enter(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	for range visitorsOfOne {
		v.turns.Add("a")
	}
	_, err = v.enter(t.Context(), "a")
	if refusal, _ := models.AsError(err); err == nil || refusal.Code != models.CodeServiceUnavailable || refusal.RetryAfter == 0 {
		t.Errorf("beyond what waits of one network: %v", err)
	}
	for i := v.turns.Len(); i < visitorsWaiting; i++ {
		v.turns.Add(strconv.Itoa(i))
	}
	_, err = v.enter(t.Context(), "b")
	if refusal, _ := models.AsError(err); err == nil || refusal.Code != models.CodeServiceUnavailable || refusal.RetryAfter == 0 {
		t.Errorf("beyond the line: %v", err)
	}
	for v.turns.Next() {
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := v.enter(gone, "b"); err == nil {
		t.Error("a visitor who left was let in")
	}
	first.leave()
	if p, err := v.enter(t.Context(), "b"); err != nil {
		t.Error(err)
	} else {
		p.leave()
	}
}

// TestVisitorsAreCalledInTurn: who comes alone does not wait behind all of a flood.
func TestVisitorsAreCalledInTurn(t *testing.T) {
	v := newVisitors(1, 0)
	first, err := v.enter(t.Context(), "flood")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var called []string
	var all sync.WaitGroup
	join := func(from string, waiting int) {
		all.Go(func() {
			p, err := v.enter(t.Context(), from)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			called = append(called, from)
			mu.Unlock()
			p.leave()
		})
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			v.mu.Lock()
			n := v.turns.Len()
			v.mu.Unlock()
			if n == waiting {
				return
			}
		}
		t.Fatalf("%d do not wait", waiting)
	}
	for i := range 50 {
		join("flood", i+1)
	}
	join("alone", 51)
	first.leave()
	all.Wait()
	if at := slices.Index(called, "alone"); at < 0 || at > 1 {
		t.Errorf("who comes alone is called as number %d of %d", at+1, len(called))
	}
}

// TestVisitorsRest gives a place up while another visitor waits: beside a person who is signed in it rests once enough
// has been worked, and is handed on at once before that, and where there is no one else.
func TestVisitorsRest(t *testing.T) {
	v := newVisitors(1, 0)
	held, err := v.enter(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	waiting := func() int {
		v.mu.Lock()
		defer v.mu.Unlock()
		return v.turns.Len()
	}
	// handsOn tells whether the next visitor is called at once after one who worked for a while.
	handsOn := func(worked time.Duration) bool {
		next := make(chan *place)
		go func() {
			p, err := v.enter(t.Context(), "b")
			if err != nil {
				t.Error(err)
			}
			next <- p
		}()
		for deadline := time.Now().Add(time.Minute); waiting() == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("no one waits")
			}
		}
		v.mu.Lock()
		v.giveUpLocked(worked)
		atOnce := v.turns.Len() == 0
		v.mu.Unlock()
		held = <-next
		return atOnce
	}
	for range 3 {
		if !handsOn(maxRest) {
			t.Error("a place rested where no one is signed in")
		}
	}
	v.signedIn.Store(time.Now().Add(time.Hour).UnixNano())
	for i := range 8 {
		if got, want := handsOn(minRest/2), i%2 == 0; got != want {
			t.Errorf("the visitor behind number %d was called at once: %v", i+1, got)
		}
	}
	if handsOn(maxRest) {
		t.Error("a place that was worked in for long did not rest")
	}
	held.leave()
}

// TestVisitorRate admits the burst of an address and goes on at its rate; other
// addresses have their own.
func TestVisitorRate(t *testing.T) {
	v, now := newVisitors(1, 0), time.Now()
	for range visitorsBurst {
		if !v.withinRate("a", now) {
			t.Fatal("refused within the burst")
		}
	}
	if v.withinRate("a", now) || !v.withinRate("b", now) {
		t.Error("the burst of one address is not its own")
	}
	now = now.Add(time.Second)
	for range visitorsRate {
		if !v.withinRate("a", now) {
			t.Fatal("refused within the rate")
		}
	}
	if v.withinRate("a", now) {
		t.Error("admitted beyond the rate")
	}
	// A request counts for what it works, at least a tenth and at most one.
	for _, c := range []struct {
		worked time.Duration
		more   int
	}{{0, 9}, {time.Second / visitorsRate / 2, 5}, {time.Second, 0}} {
		v.withinRate("b", now)
		v.rates["b"].left = 1e-9
		for range 10 {
			v.workedFor("b", c.worked)
		}
		more := 0
		for v.withinRate("b", now) {
			more++
		}
		if more != c.more {
			t.Errorf("ten requests of %v: %d more", c.worked, more)
		}
	}
}

// TestPlaceIsNotHeldForABody lets a second visitor in while the first one's body arrives.
func TestPlaceIsNotHeldForABody(t *testing.T) {
	v := newVisitors(1, 0)
	r, w := io.Pipe()
	defer w.Close()
	request := httptest.NewRequest(http.MethodPost, "/", r)
	go func() { _, _ = w.Write([]byte(strings.Repeat("x", bodyAhead))) }()
	rest, err := arrive(request)
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.enter(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	rest.place = p
	read := make(chan string)
	go func() {
		text, _ := io.ReadAll(request.Body)
		read <- string(text)
	}()
	other, err := v.enter(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	other.leave()
	_, _ = w.Write([]byte("y"))
	_ = w.Close()
	if text := <-read; len(text) != bodyAhead+1 || !strings.HasSuffix(text, "xy") {
		t.Errorf("%d bytes arrived", len(text))
	}
	p.leave()
	if v.free != 1 {
		t.Error("the place is still taken")
	}
}

// TestArriveWithoutABody: a request that came over no connection has no body at all.
func TestArriveWithoutABody(t *testing.T) {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := arrive(request); err != nil {
		t.Error(err)
	}
}

// While no one is signed in further places are lent; they go back as soon as someone is, and no one waits for ever.
func TestSparePlaces(t *testing.T) {
	v := newVisitors(1, 2)
	enter := func() *place {
		t.Helper()
		p, err := v.enter(t.Context(), "192.0.2.1")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	held := []*place{enter(), enter(), enter()}
	entered := make(chan *place)
	for range 4 {
		go func() {
			p, err := v.enter(t.Context(), "192.0.2.1")
			if err != nil {
				t.Error(err)
			}
			entered <- p
		}()
	}
	for waiting := 0; waiting < 4; time.Sleep(time.Millisecond) {
		v.mu.Lock()
		waiting = v.turns.Len()
		v.mu.Unlock()
	}
	held[0].leave()
	held[0] = <-entered // a place goes on, lent or not
	v.signedIn.Store(time.Now().Add(time.Hour).UnixNano())
	held[0].leave()
	held[1].leave()
	select {
	case <-entered:
		t.Fatal("a place that was lent is given away beside a person who is signed in")
	case <-time.After(50 * time.Millisecond):
	}
	held[2].leave() // the last one is no loan
	for range 3 {
		(<-entered).leave()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.lent != 0 || v.free != 1 {
		t.Errorf("%d places are lent, %d free", v.lent, v.free)
	}
}
