package server

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"atelier/migrations"
	"atelier/models"
)

// readiness is what /readyz answers. It looks at the database at most once a
// second, on a connection of the reserve, however often it is asked.
type readiness struct {
	mu    sync.Mutex
	until time.Time
	err   error
}

const lookAgain = time.Second

var errPending = fmt.Errorf("migrations are pending")

func (r *readiness) check(db *models.DB) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Now().Before(r.until) {
		return r.err
	}
	ctx, cancel := context.WithTimeout(models.FromReserve(context.Background()), 3*time.Second)
	defer cancel()
	pending, err := migrations.Pending(ctx, db.SQL)
	if r.err = err; err == nil && pending {
		r.err = errPending
	}
	r.until = time.Now().Add(lookAgain)
	return r.err
}

// ready answers 200 when the database is reachable and migrated, and the process is not stopping.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	if s.closing.Load() || s.readiness.check(s.DB) != nil {
		http.Error(w, "not ready", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}
