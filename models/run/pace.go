package run

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"atelier/models"
	"atelier/models/lane"
)

// Pace holds runs back while events are sent late: deliveries come from runs,
// so where both are too much, runs are accepted more slowly. Callers wait in
// turn of their accounts for a short while, and are asked to come again after.
type Pace struct {
	// Late is how long events wait for the service at this moment.
	Late func(ctx context.Context) (time.Duration, error)

	mu       sync.Mutex
	turns    models.FairQueue
	rate     float64 // runs a second; 0 is no bound
	tokens   float64
	filled   time.Time // when tokens were added last
	adjusted time.Time
	admitted int // since then
	calling  bool
}

// NewPace is the pace of a process, by how late all of them say that events are.
func NewPace(db *models.DB) *Pace {
	return &Pace{Late: func(ctx context.Context) (time.Duration, error) { return lane.FindLate(ctx, db) }}
}

const (
	// Events later than slowThreshold slow runs down, until they are below resumeThreshold.
	slowThreshold   = time.Second
	resumeThreshold = 300 * time.Millisecond
	// paceWait is how long a caller waits for a turn; paceWaiting how many may at
	// once, and paceOfOne how many of one account.
	paceWait    = 2 * time.Second
	paceWaiting = 1_000
	paceOfOne   = 200
	// paceStep is how often the rate is looked at, minPace what is always accepted
	// of runs a second.
	paceStep = 500 * time.Millisecond
	minPace  = 5
)

// Admit waits for a turn. Who is in a transaction does not wait: they hold what
// others wait for.
func (p *Pace) Admit(ctx context.Context) error {
	if p == nil || models.InTransaction(ctx) {
		return nil
	}
	p.mu.Lock()
	p.look(time.Now())
	if p.rate == 0 || p.turns.Len() == 0 && p.tokens >= 1 {
		p.count()
		p.mu.Unlock()
		return nil
	}
	from := models.ActorFrom(ctx).UserID.String()
	if p.turns.Len() >= paceWaiting || p.turns.LenOf(from) >= paceOfOne {
		p.mu.Unlock()
		return models.Unavailable(paceWait)
	}
	if !p.calling {
		p.calling = true
		go p.call()
	}
	_, err := p.turns.Wait(ctx, &p.mu, from, paceWait, models.Unavailable(paceWait))
	return err
}

// call calls those who wait, at the rate.
func (p *Pace) call() {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for now := range ticker.C {
		p.mu.Lock()
		p.look(now)
		for (p.rate == 0 || p.tokens >= 1) && p.turns.Next() {
			p.count()
		}
		if p.turns.Len() == 0 {
			p.calling = false
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
	}
}

// count counts a run that is let through. Without a bound it costs no token, for a
// debt from quiet times would stop all runs once there is one.
func (p *Pace) count() {
	p.admitted++
	if p.rate > 0 {
		p.tokens--
	}
}

// look fills tokens up, and has the rate adjusted when it is time.
func (p *Pace) look(now time.Time) {
	if p.rate > 0 {
		p.tokens = min(p.tokens+now.Sub(p.filled).Seconds()*p.rate, max(1, p.rate/10))
	}
	p.filled = now
	if elapsed := now.Sub(p.adjusted); elapsed >= paceStep {
		accepted := float64(p.admitted) / elapsed.Seconds()
		p.adjusted, p.admitted = now, 0
		if p.rate > 0 || accepted > minPace { // few runs make nothing late
			go p.adjust(accepted)
		}
	}
}

// adjust asks how late events are, and sets the rate by it.
func (p *Pace) adjust(accepted float64) {
	ctx, cancel := context.WithTimeout(models.ForDeliveries(context.Background()), paceWait)
	defer cancel()
	late, err := p.Late(ctx)
	if err != nil {
		slog.WarnContext(ctx, "how late events are is not known", "error", err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rate = paced(p.rate, accepted, late, p.turns.Len())
}

// paced is the rate after a look: four fifths of what was accepted while events
// are late, a quarter more when they are not, a little more in between, and no
// bound once no one comes near it.
func paced(rate, accepted float64, late time.Duration, waiting int) float64 {
	switch {
	case late > slowThreshold:
		if rate > 0 {
			accepted = min(accepted, rate)
		}
		return max(minPace, accepted*4/5)
	case rate == 0:
		return 0
	case late > resumeThreshold:
		return rate * 21 / 20
	case waiting == 0 && accepted < rate/2:
		return 0
	}
	return rate * 5 / 4
}
