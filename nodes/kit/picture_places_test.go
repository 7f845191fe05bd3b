package kit

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"atelier/models"
)

// waitFor waits until as many wait as said.
func waitFor(t *testing.T, p *places, n int) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		p.mu.Lock()
		waiting := p.turns.Len()
		p.mu.Unlock()
		if waiting == n {
			return
		}
	}
	t.Fatalf("never did %d wait", n)
}

func TestPlacesOfPicturesAreFair(t *testing.T) {
	p := &places{free: 2, most: 2}
	ctx := context.Background()
	first, err := p.take(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	second, err := p.take(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	order := make(chan string, 20)
	var all sync.WaitGroup
	come := func(from string) {
		defer all.Done()
		release, err := p.take(ctx, from)
		if err != nil {
			t.Error(err)
			return
		}
		order <- from
		release()
	}
	for i := range maxPicturesWaiting {
		all.Add(1)
		go come("a")
		waitFor(t, p, i+1)
	}
	if _, err := p.take(ctx, "a"); !models.HasCode(err, models.CodeRateLimitExceeded) {
		t.Fatalf("beyond those that wait: %v", err)
	}
	all.Add(1)
	go come("b")
	waitFor(t, p, maxPicturesWaiting+1)
	first()
	if next := <-order; next != "b" {
		t.Error("the one who holds the other place came first")
	}
	second()
	for range maxPicturesWaiting {
		<-order
	}
	all.Wait()
	if p.free != 2 || len(p.held) != 0 {
		t.Errorf("%d places are free, held %v", p.free, p.held)
	}
}

func TestWhoHasGoneWaitsNoLonger(t *testing.T) {
	p := &places{free: 1, most: 1}
	release, err := p.take(context.Background(), "a")
	if err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(context.Background())
	left := make(chan error)
	go func() {
		_, err := p.take(gone, "b")
		left <- err
	}()
	waitFor(t, p, 1)
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	release()
	if p.free != 1 || p.turns.Len() != 0 {
		t.Errorf("%d free, %d wait", p.free, p.turns.Len())
	}
}
