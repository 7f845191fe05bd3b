package dbtest_test

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"

	"github.com/petermattis/goid"
)

func TestEachTestHasItsOwnDatabase(t *testing.T) {
	one, two := dbtest.New(t), dbtest.New(t)
	if err := one.Write(t.Context(), func(tx *models.Tx) error {
		return tx.Exec(`CREATE TABLE only_here (n int)`).Error
	}); err != nil {
		t.Fatal(err)
	}
	for db, want := range map[*models.DB]bool{one: true, two: false} {
		var exists bool
		if err := db.Read(t.Context()).Raw(`SELECT to_regclass('only_here') IS NOT NULL`).Scan(&exists).Error; err != nil {
			t.Fatal(err)
		}
		if exists != want {
			t.Errorf("table exists: %v, want %v", exists, want)
		}
	}
}

func TestDatabasesAreDropped(t *testing.T) {
	watcher := dbtest.New(t)
	count := func() (n int) {
		t.Helper()
		err := watcher.Read(t.Context()).
			Raw(`SELECT count(*) FROM pg_database WHERE datname LIKE ?`, fmt.Sprintf("atelier_test_%d_%%", os.Getpid())).Scan(&n).Error
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := count()
	t.Run("inner", func(t *testing.T) {
		dbtest.New(t)
		if got := count(); got != before+1 {
			t.Errorf("%d databases during the test, want %d", got, before+1)
		}
	})
	if got := count(); got != before {
		t.Errorf("%d databases after the test, want %d", got, before)
	}
}

func TestReplicasShareADatabase(t *testing.T) {
	url, clock := dbtest.NewURL(t), dbtest.NewClock()
	one, two := dbtest.Open(t, url, clock), dbtest.Open(t, url, clock)
	if err := one.Read(t.Context()).Exec(`CREATE TABLE shared (n int)`).Error; err != nil {
		t.Fatal(err)
	}
	if err := two.Read(t.Context()).Exec(`INSERT INTO shared VALUES (1)`).Error; err != nil {
		t.Fatal(err)
	}
}

func TestClock(t *testing.T) {
	db := dbtest.New(t)
	clock := db.Clock.(*dbtest.Clock)
	if !db.Clock.Now().Equal(dbtest.Start) {
		t.Errorf("starts at %v", db.Clock.Now())
	}
	clock.Advance(90 * time.Second)
	err := db.Write(t.Context(), func(tx *models.Tx) error {
		if want := dbtest.Start.Add(90 * time.Second); !tx.Now.Equal(want) {
			t.Errorf("transaction at %v, want %v", tx.Now, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	clock.Set(dbtest.Start.Add(-time.Hour))
	if got := clock.Now(); !got.Equal(dbtest.Start.Add(-time.Hour)) {
		t.Errorf("set back to %v", got)
	}
}

// The watcher knows goroutines by a number that it reads from where this version of Go keeps it.
func TestGoroutinesAreKnown(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			var text [64]byte
			head := string(text[:runtime.Stack(text[:], false)])
			var number int64
			if _, err := fmt.Sscanf(head, "goroutine %d ", &number); err != nil || number != goid.Get() {
				t.Errorf("%q is goroutine %d, %v", head, goid.Get(), err)
			}
		})
	}
	all.Wait()
}
