package lane_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/lane"
)

// deliveries are capped as contract 2 says.
var deliveries = lane.Kind{Name: "delivery", PerLane: 5, PerOwner: 10}

func write(t testing.TB, db *models.DB, fn func(tx *models.Tx) error) {
	t.Helper()
	if err := db.Write(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

// add makes n items due now and returns their ids.
func add(t testing.TB, db *models.DB, kind lane.Kind, laneID, owner models.ID, n int) []models.ID {
	t.Helper()
	items, ids := make([]lane.Item, n), make([]models.ID, n)
	write(t, db, func(tx *models.Tx) error {
		for i := range items {
			ids[i] = tx.NewID()
			items[i] = lane.Item{ID: ids[i], LaneID: laneID, OwnerID: owner}
		}
		return lane.Add(tx, kind, items...)
	})
	return ids
}

func claim(t testing.TB, db *models.DB, kind lane.Kind, n int) []lane.Lease {
	t.Helper()
	leases, err := lane.Claim(t.Context(), db, kind, "test", n)
	if err != nil {
		t.Fatal(err)
	}
	return leases
}

func claimN(t testing.TB, db *models.DB, kind lane.Kind, n, want int) []lane.Lease {
	t.Helper()
	leases := claim(t, db, kind, n)
	if len(leases) != want {
		t.Fatalf("claimed %d items, want %d", len(leases), want)
	}
	return leases
}

func finish(t testing.TB, db *models.DB, leases ...lane.Lease) {
	t.Helper()
	write(t, db, func(tx *models.Tx) error {
		for _, l := range leases {
			if err := lane.Finish(tx, l); err != nil {
				return err
			}
		}
		return nil
	})
}

func advance(db *models.DB, d time.Duration) { db.Clock.(*dbtest.Clock).Advance(d) }

func count(t testing.TB, db *models.DB, query string, args ...any) (n int) {
	t.Helper()
	if err := db.Pool.QueryRow(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// finishing is a handler that ends its item, after work.
func finishing(db *models.DB, work func(ctx context.Context, l lane.Lease) error) func(context.Context, lane.Lease) error {
	return func(ctx context.Context, l lane.Lease) error {
		if err := work(ctx, l); err != nil {
			return err
		}
		return db.Write(ctx, func(tx *models.Tx) error { return lane.Finish(tx, l) })
	}
}

// run starts dispatchers and returns what ends them.
func run(t testing.TB, dispatchers ...*lane.Dispatcher) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for _, d := range dispatchers {
		all.Go(func() { d.Run(ctx) })
	}
	stop = sync.OnceFunc(func() {
		cancel()
		all.Wait()
	})
	t.Cleanup(stop)
	return stop
}

func eventually(t testing.TB, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

func wantLost(t testing.TB, db *models.DB, what string, fn func(tx *models.Tx) error) {
	t.Helper()
	if err := db.Write(t.Context(), fn); !errors.Is(err, lane.ErrLost) {
		t.Errorf("%s: %v, want ErrLost", what, err)
	}
}

func newID() models.ID { return uuid.New() }

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}
