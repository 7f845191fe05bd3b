package dbtest

import (
	"sync"
	"sync/atomic"
	"testing"

	"atelier/models"
)

// watchers are those of the databases that are open, by *models.DB.
var watchers sync.Map

// CountStatements counts what is asked of the database from now on, by the mapper and without it; transactions and what a new
// connection is set up with do not count.
func CountStatements(t testing.TB, db *models.DB) *atomic.Int64 {
	t.Helper()
	w, watched := watchers.Load(db)
	if !watched {
		t.Fatal("the database was not opened with WatchConnections")
	}
	n := &atomic.Int64{}
	w.(*watcher).counted.Store(n)
	return n
}
