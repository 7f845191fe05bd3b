package rest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
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
	v := newVisitors(2)
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
	if most.Load() > 2 || done.Load() != 100 || len(v.places) != 0 || v.waiting != 0 {
		t.Errorf("%d at once, %d in all; %d places are taken and %d wait", most.Load(), done.Load(), len(v.places), v.waiting)
	}
}

// TestVisitorsWaitingAreBounded has the place taken and the line full.
func TestVisitorsWaitingAreBounded(t *testing.T) {
	v := newVisitors(1)
	first, err := v.enter(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	v.waiting = VisitorsWaiting
	_, err = v.enter(t.Context(), "b")
	if refusal, _ := models.AsError(err); err == nil || refusal.Code != models.CodeServiceUnavailable || refusal.RetryAfter == 0 {
		t.Errorf("beyond the line: %v", err)
	}
	v.waiting = 0
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

// TestVisitorRate admits the burst of an address and goes on at its rate; other
// addresses have their own.
func TestVisitorRate(t *testing.T) {
	v, now := newVisitors(1), time.Now()
	for range VisitorBurst {
		if !v.withinRate("a", now) {
			t.Fatal("refused within the burst")
		}
	}
	if v.withinRate("a", now) || !v.withinRate("b", now) {
		t.Error("the burst of one address is not its own")
	}
	now = now.Add(time.Second)
	for range VisitorRate {
		if !v.withinRate("a", now) {
			t.Fatal("refused within the rate")
		}
	}
	if v.withinRate("a", now) {
		t.Error("admitted beyond the rate")
	}
}

// TestPlaceIsNotHeldForABody lets a second visitor in while the first one's body arrives.
func TestPlaceIsNotHeldForABody(t *testing.T) {
	v := newVisitors(1)
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
	if len(v.places) != 0 {
		t.Error("the place is still taken")
	}
}
