package migrations_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"atelier/migrations"
)

// A migration that PostgreSQL ended because it and the running service waited for each other is tried again, and no other is.
func TestMigrationsMeetDeadlocks(t *testing.T) {
	deadlock := fmt.Errorf("a migration: %w", &pgconn.PgError{Code: "40P01"})
	other := &pgconn.PgError{Code: "42P07"}
	for name, c := range map[string]struct {
		errs  []error
		turns int
		want  error
	}{
		"none": {[]error{nil}, 1, nil}, "two": {[]error{deadlock, deadlock, nil}, 3, nil}, "another error": {[]error{deadlock, other, nil}, 2, other},
	} {
		turns := 0
		err := migrations.DespiteDeadlocks(t.Context(), func() error { turns++; return c.errs[turns-1] })
		if !errors.Is(err, c.want) || turns != c.turns {
			t.Errorf("%s: after %d turns %v", name, turns, err)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := migrations.DespiteDeadlocks(stopped, func() error { return deadlock }); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
