package lane

import (
	"context"
	"log/slog"
	"slices"
	"time"
)

// beat renews the leases of all that flies, at every beat and when something
// was cancelled.
func (d *Dispatcher) beat(ctx context.Context) {
	cancelled, unsubscribe := d.DB.Bus.Subscribe(cancelTopic(d.Kind.Name))
	defer unsubscribe()
	interval := d.Beat
	if interval == 0 {
		interval = d.Kind.lease() / 4
	}
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		onTime := false
		select {
		case <-ctx.Done():
			return
		case <-cancelled:
		case <-ticker.C:
			onTime = true
		}
		d.renew(ctx, interval, onTime)
	}
}

// renew ends the contexts of handlers whose lease is lost, and of those whose
// lease could not be renewed for so long that it may be.
func (d *Dispatcher) renew(ctx context.Context, interval time.Duration, onTime bool) {
	d.mu.Lock()
	leases := make([]Lease, 0, len(d.inFlight))
	for _, f := range d.inFlight {
		leases = append(leases, f.lease)
	}
	d.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, interval)
	defer cancel()
	held, err := Renew(limited, d.DB, d.Kind, leases)
	if err != nil && ctx.Err() == nil {
		slog.WarnContext(ctx, "renewing leases failed", "kind", d.Kind.Name, "error", err)
	}

	d.mu.Lock()
	defer d.mu.Unlock()
	for _, lease := range leases {
		f := d.inFlight[lease.ID]
		if f == nil || f.lease.Fence != lease.Fence {
			continue
		}
		switch {
		case err == nil && slices.ContainsFunc(held, func(l Lease) bool { return l.ID == lease.ID }):
			f.missed = 0
		case err == nil:
			f.cancel(ErrLost)
		case onTime:
			if f.missed++; time.Duration(f.missed)*interval >= d.Kind.lease() {
				f.cancel(ErrLost)
			}
		}
	}
}
