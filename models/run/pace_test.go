package run

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models"
)

func TestPaced(t *testing.T) {
	for _, c := range []struct {
		what           string
		rate, accepted float64
		late           time.Duration
		waiting        int
		want           float64
	}{
		{"nothing is late", 0, 200, 0, 0, 0},
		{"a little late", 0, 200, 900 * time.Millisecond, 0, 0},
		{"late", 0, 200, 1100 * time.Millisecond, 0, 160},
		{"late still", 150, 150, 3 * time.Second, 40, 120},
		{"never below", 5, 5, 30 * time.Second, 40, 5},
		{"nothing was accepted", 0, 0, 5 * time.Second, 0, 5},
		{"neither late nor calm", 100, 100, 700 * time.Millisecond, 10, 105},
		{"calm, and some wait", 100, 100, 100 * time.Millisecond, 10, 125},
		{"calm, and nobody comes near", 100, 10, 100 * time.Millisecond, 0, 0},
	} {
		if got := paced(c.rate, c.accepted, c.late, c.waiting); got != c.want {
			t.Errorf("%s: %v a second, want %v", c.what, got, c.want)
		}
	}
}

// While events are late, runs wait for their turn, are refused with a time to
// come again, and are accepted freely when it is over.
func TestRunsAreSlowedWhileEventsAreLate(t *testing.T) {
	late := atomic.Int64{}
	late.Store(int64(3 * time.Second))
	p := &Pace{Late: func(context.Context) (time.Duration, error) { return time.Duration(late.Load()), nil }}
	ctx := models.WithActor(t.Context(), models.Actor{Kind: models.BySession, UserID: models.NewID(time.Now())})
	p.rate, p.filled, p.adjusted = 100, time.Now(), time.Now()
	ended := make(chan error, 600)
	for range cap(ended) {
		go func() { ended <- p.Admit(ctx) }()
	}
	accepted, refused := 0, 0
	for range cap(ended) {
		err := <-ended
		if err == nil {
			accepted++
			continue
		}
		refused++
		if refusal, _ := models.AsError(err); refusal.HTTPStatus() != 503 || refusal.RetryAfter != paceWait {
			t.Fatalf("refused with %v", err)
		}
	}
	if refused < 300 || accepted < 20 {
		t.Errorf("%d accepted and %d refused", accepted, refused)
	}
	late.Store(0)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if err := p.Admit(ctx); err != nil {
			continue
		}
		p.mu.Lock()
		free := p.rate == 0 || p.rate > 1000
		p.mu.Unlock()
		if free {
			return
		}
	}
	t.Error("runs are slowed although nothing is late any more")
}

// No one waits within a transaction, nor without a pace.
func TestPaceIsForThoseOutside(t *testing.T) {
	if err := (*Pace)(nil).Admit(t.Context()); err != nil {
		t.Error(err)
	}
}

// What was let through while nothing was late is no debt once something is.
func TestQuietTimesLeaveNoDebt(t *testing.T) {
	p := &Pace{Late: func(context.Context) (time.Duration, error) { return 0, nil }}
	p.adjusted = time.Now().Add(time.Hour) // the rate stays as the test sets it
	for range 10_000 {
		if err := p.Admit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	p.mu.Lock()
	p.rate = 100
	p.mu.Unlock()
	if err := p.Admit(t.Context()); err != nil {
		t.Errorf("the first run that has a pace: %v", err)
	}
}
