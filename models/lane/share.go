package lane

import (
	"context"
	"time"
)

// shareFor is how long a worked out share holds: workers come and go seldom.
const shareFor = 10 * time.Second

// kind is the dispatcher's kind with the share that a lane may hold just now.
func (d *Dispatcher) kind() Kind {
	kind, share := d.Kind, int(d.share.Load())
	if share > 0 && (kind.PerLane == 0 || share < kind.PerLane) {
		kind.PerLane = share
	}
	return kind
}

// findShare works out how much of the slots of all workers a lane may hold. Workers have as
// many slots as this one, as far as it knows.
func (d *Dispatcher) findShare(ctx context.Context) error {
	if !d.Half || time.Since(d.shared) < shareFor {
		return nil
	}
	var workers int
	err := d.DB.Background(ctx).QueryRow(ctx, `SELECT count(*) FROM workers WHERE seen_at > $1`, d.DB.Clock.Now().Add(-goneAfter)).Scan(&workers)
	if err != nil {
		return err
	}
	d.share.Store(int64(half(d.Slots * max(1, workers))))
	d.shared = time.Now()
	return nil
}

// half is what one lane may hold of some slots.
func half(slots int) int { return max(1, slots/2) }
