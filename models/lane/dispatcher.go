package lane

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"atelier/models"
)

// ErrDraining is the cause of a handler's ended context when the dispatcher
// ends: the handler should give its item back and return.
var ErrDraining = errors.New("lane: the dispatcher ends")

// Dispatcher claims the items of one kind and has them handled, up to Slots at
// a time. Any number of dispatchers, in any number of processes, share a kind.
type Dispatcher struct {
	DB   *models.DB
	Kind Kind
	// Worker names the process in the leases, for the one who looks into the table.
	Worker string
	Slots  int
	// Reserve is how many of the slots are kept for lanes that answer.
	Reserve int
	// Half has a lane hold at most half of the slots of all workers, one at least, whether
	// others wait or not: work is not taken back once it has begun, so the account that comes next
	// finds the other half.
	Half bool
	// Handle does the item's work and ends the lease with Finish, Retry or
	// Release, in the transaction that writes the result. Its context ends with
	// the cause ErrLost when the lease is lost, ErrDraining when time is up. An
	// item whose handler returns an error or panics comes back when its lease
	// ends, as if the worker had died.
	Handle func(ctx context.Context, lease Lease) error
	// Begin, where there is one, readies the leases of one claim together and
	// returns what handles them; Handle is not asked then.
	Begin func(ctx context.Context, leases []Lease) (handle func(ctx context.Context, lease Lease) error)
	// Gather is how long claims are apart at least, so that under load each takes
	// more; one that follows upon quiet does not wait.
	Gather time.Duration
	// Backoff is how long to leave others the machine before the next claim; nil is never.
	Backoff func() time.Duration
	// Observe is told of each piece of work that ended or was let go; nil counts none.
	Observe func(ctx context.Context, did Did)
	// Looked is told once Run has looked at the lanes for the first time; nil is not.
	Looked func()
	// Drain is how long handlers may go on once Run's context has ended; 0 ends them at once.
	Drain time.Duration
	// Beat is the time between renewals; 0 is a quarter of the lease.
	Beat time.Duration

	share    atomic.Int64 // see Half; 0 is no bound
	shared   time.Time    // when share was worked out
	lag      atomic.Int64 // how long the last look at the lanes took
	mu       sync.Mutex
	inFlight map[models.ID]*inFlightItem
	ended    map[models.ID]bool // owners of items that ended since the last claim
	freed    chan struct{}
	// full says that due work may be left for want of slots.
	full bool
	// taking says that Run takes work; lent are slots that Spare gave away.
	taking bool
	lent   int
	all    sync.WaitGroup
}

// Did is what a dispatcher did with a lease.
type Did struct {
	Kind string
	// Outcome is one of those below.
	Outcome string
	// Attempt is 1 for the first.
	Attempt int
	// Waited is how long the item was due before it was taken, Took how long it was worked on.
	Waited, Took time.Duration
}

// What became of a lease.
const (
	Done       = "done"       // finished, or given back by its handler
	Unfinished = "unfinished" // it failed, and comes back when its lease ends
	Lost       = "lost"       // another has it, or it was cancelled
	GivenBack  = "given_back" // the process ends
)

type inFlightItem struct {
	lease  Lease
	ctx    context.Context
	cancel context.CancelCauseFunc
	missed int // beats in a row that could not renew
	waited time.Duration
}

const (
	maxSleep = time.Second
	minSleep = 10 * time.Millisecond
	// abandonTimeout is how long Run waits for handlers whose context has ended.
	abandonTimeout = 5 * time.Second
)

// Run works until the context ends, and then until the handlers have returned
// or Drain is over.
func (d *Dispatcher) Run(ctx context.Context) {
	d.inFlight, d.ended, d.freed = map[models.ID]*inFlightItem{}, map[models.ID]bool{}, make(chan struct{}, 1)
	wake, unsubscribe := d.DB.Bus.Subscribe(Topic(d.Kind.Name))
	defer unsubscribe()
	d.take(true)

	beating, stopBeating := context.WithCancel(context.WithoutCancel(ctx))
	var beats sync.WaitGroup
	beats.Go(func() { d.beat(beating) })
	defer beats.Wait()
	defer stopBeating()

	looked := d.Looked
	for ctx.Err() == nil {
		began := time.Now()
		timer := time.NewTimer(d.step(ctx))
		d.lag.Store(int64(time.Since(began)))
		if looked != nil {
			looked()
			looked = nil
		}
		select {
		case <-ctx.Done():
		case <-wake:
		case <-d.freed:
		case <-timer.C:
		}
		timer.Stop()
		rest := d.Gather - time.Since(began)
		if d.Backoff != nil {
			rest = max(rest, d.Backoff())
		}
		if rest > 0 && ctx.Err() == nil {
			time.Sleep(rest)
		}
	}
	d.take(false)
	d.drain()
}

func (d *Dispatcher) take(taking bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.taking = taking
}

// Lag is how long the last look at the lanes took: so long what is due waits for
// a claim.
func (d *Dispatcher) Lag() time.Duration { return time.Duration(d.lag.Load()) }

// Spare lends a slot for a moment of work that has no item: while Run takes
// work, a slot is free, and none of the due work is known to wait for one. done
// gives it back.
func (d *Dispatcher) Spare() (done func(), ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.taking || d.full || len(d.inFlight)+d.lent >= d.Slots {
		return nil, false
	}
	d.lent++
	return func() {
		d.mu.Lock()
		d.lent--
		wanted := d.full
		d.mu.Unlock()
		if wanted {
			d.free()
		}
	}, true
}

// step claims what there are slots for, and says how long to sleep.
func (d *Dispatcher) step(ctx context.Context) time.Duration {
	sleep, err := d.claimAll(ctx)
	if err != nil && ctx.Err() == nil {
		slog.WarnContext(ctx, "claiming work failed", "kind", d.Kind.Name, "error", err)
		return maxSleep
	}
	return sleep
}

func (d *Dispatcher) claimAll(ctx context.Context) (time.Duration, error) {
	if err := d.findShare(ctx); err != nil {
		return 0, err
	}
	if err := d.freeLanes(ctx); err != nil {
		return 0, err
	}
	for {
		free := d.freeSlots()
		if free <= 0 {
			return maxSleep, nil
		}
		r := request{kind: d.kind(), worker: d.Worker, n: free, now: d.DB.Clock.Now()}
		if d.Reserve > 0 && free <= d.Reserve {
			r.answering = true
		} else if d.Reserve > 0 {
			r.n = free - d.Reserve
		}
		leases, next, err := claim(ctx, d.DB, r)
		d.start(ctx, leases)
		if err != nil {
			return 0, err
		}
		if r.filled(leases) {
			if _, err := settleLanes(ctx, d.DB, r, leases); err != nil {
				return 0, err
			}
			continue
		}
		if len(leases) == 0 && next != nil && !next.After(r.now) {
			// Lanes that are due and yet give nothing: empty, full, or resting. Those
			// that gave something are looked at again first, and most give more.
			next, err = settleLanes(ctx, d.DB, r, nil)
		}
		if err != nil || next == nil {
			return maxSleep, err
		}
		return min(max(next.Sub(d.DB.Clock.Now()), minSleep), maxSleep), nil
	}
}

// freeSlots is how many items may be taken now. While few are left, an item
// that ends makes room for one that waits; else there is none that waits.
func (d *Dispatcher) freeSlots() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	free := d.Slots - len(d.inFlight) - d.lent
	d.full = free <= d.Reserve
	return free
}

// freeLanes has the lanes looked at whose owners' items have ended.
func (d *Dispatcher) freeLanes(ctx context.Context) error {
	d.mu.Lock()
	owners := make([]models.ID, 0, len(d.ended))
	for owner := range d.ended {
		owners = append(owners, owner)
	}
	clear(d.ended)
	d.mu.Unlock()
	if len(owners) == 0 || !d.kind().capped() {
		return nil
	}
	return freeLanes(ctx, d.DB, d.kind(), owners)
}

// start handles the leases of one claim, each in a goroutine of its own.
func (d *Dispatcher) start(ctx context.Context, leases []Lease) {
	if len(leases) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx)
	flights, now := make([]*inFlightItem, len(leases)), d.DB.Clock.Now()
	d.mu.Lock()
	for i, lease := range leases {
		f := &inFlightItem{lease: lease, waited: max(0, now.Sub(lease.DueAt))}
		f.ctx, f.cancel = context.WithCancelCause(models.WithLog(ctx, slog.String("work", lease.Kind), slog.Any("item", lease.ID)))
		if earlier := d.inFlight[lease.ID]; earlier != nil {
			earlier.cancel(ErrLost) // its lease ended, and this same process took the item again
		}
		d.inFlight[lease.ID], flights[i] = f, f
	}
	d.mu.Unlock()
	d.all.Go(func() {
		handle := d.begin(ctx, leases)
		for _, f := range flights[1:] {
			d.all.Go(func() { d.fly(f, handle) })
		}
		d.fly(flights[0], handle)
	})
}

// begin readies leases; where that panics, their handlers fail.
func (d *Dispatcher) begin(ctx context.Context, leases []Lease) (handle func(context.Context, Lease) error) {
	if d.Begin == nil {
		return d.Handle
	}
	defer func() {
		if p := recover(); p != nil {
			err := fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			handle = func(context.Context, Lease) error { return err }
		}
	}()
	return d.Begin(ctx, leases)
}

func (d *Dispatcher) fly(f *inFlightItem, handle func(context.Context, Lease) error) {
	defer d.end(f)
	began := time.Now()
	err := safely(f.ctx, f.lease, handle)
	outcome := outcomeOf(f.ctx, err)
	if outcome == Unfinished {
		slog.WarnContext(f.ctx, "work was left unfinished", "attempt", f.lease.Attempt, "error", err)
	}
	if d.Observe != nil {
		d.Observe(f.ctx, Did{f.lease.Kind, outcome, f.lease.Attempt, f.waited, time.Since(began)})
	}
}

// outcomeOf tells what became of a lease whose handler returned an error, or none.
func outcomeOf(ctx context.Context, err error) string {
	switch {
	case err == nil:
		return Done
	case errors.Is(err, ErrLost), errors.Is(context.Cause(ctx), ErrLost):
		return Lost
	case ctx.Err() != nil:
		return GivenBack
	}
	return Unfinished
}

func safely(ctx context.Context, lease Lease, handle func(context.Context, Lease) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return handle(ctx, lease)
}

func (d *Dispatcher) end(f *inFlightItem) {
	f.cancel(nil)
	d.mu.Lock()
	if d.inFlight[f.lease.ID] == f {
		delete(d.inFlight, f.lease.ID)
	}
	d.ended[f.lease.OwnerID] = true
	wanted := d.full || d.kind().capped()
	d.mu.Unlock()
	if wanted {
		d.free()
	}
}

// free tells Run that a slot is free.
func (d *Dispatcher) free() {
	select {
	case d.freed <- struct{}{}:
	default:
	}
}

// drain lets the handlers finish, then ends them.
func (d *Dispatcher) drain() {
	done := make(chan struct{})
	go func() {
		d.all.Wait()
		close(done)
	}()
	select {
	case <-done:
		return
	case <-time.After(d.Drain):
	}
	d.mu.Lock()
	for _, f := range d.inFlight {
		f.cancel(ErrDraining)
	}
	d.mu.Unlock()
	select {
	case <-done:
	case <-time.After(abandonTimeout):
		slog.Warn("work does not end", "kind", d.Kind.Name)
	}
}
