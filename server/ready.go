package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"atelier/migrations"
	"atelier/models"
	"atelier/models/media"
)

// readiness is what /readyz answers. However often it is asked, it looks at most once in lookAgain, on a connection of the
// reserve, and begins a connection of its own at most once in connectAgain.
type readiness struct {
	mu        sync.Mutex
	until     time.Time
	err       error
	connected time.Time
	unlinked  error // why a new connection cannot work; nil when it can
}

const (
	lookAgain = time.Second
	// connectAgain is longer, for a connection costs the database a process.
	connectAgain = 5 * time.Second
	// lookTime is how long one look may take.
	lookTime = 3 * time.Second
)

var (
	errPending   = errors.New("migrations are pending")
	errDiskFull  = errors.New("the disk of DATA_DIR is full")
	errNoFolder  = errors.New("DATA_DIR cannot be looked at")
	errNoProgram = errors.New("the service's own program is gone")
)

// check looks at what the service needs: a database that is migrated and whose functions work, its own program, which it
// starts children from, and room for files.
func (i *install) check(r *readiness) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Now().Before(r.until) {
		return r.err
	}
	ctx, cancel := context.WithTimeout(models.FromReserve(context.Background()), lookTime)
	defer cancel()
	err := i.look(ctx, r)
	if fmt.Sprint(err) != fmt.Sprint(r.err) {
		if err != nil {
			slog.Warn("not ready", "because", err)
		} else {
			slog.Info("ready again")
		}
	}
	r.err, r.until = err, time.Now().Add(lookAgain)
	return err
}

func (i *install) look(ctx context.Context, r *readiness) error {
	pending, err := migrations.Pending(ctx, i.DB.SQL)
	if err != nil {
		return err
	}
	if pending {
		return errPending
	}
	if time.Since(r.connected) >= connectAgain {
		r.unlinked = i.tryFunction(ctx)
		r.connected = time.Now()
	}
	if r.unlinked != nil {
		return r.unlinked
	}
	if i.program != "" {
		if _, err := os.Stat(i.program); err != nil {
			return fmt.Errorf("%w: %w", errNoProgram, err)
		}
	}
	return i.roomOnDisk()
}

// minDisk is how many bytes of the disk of DATA_DIR are free at least: below, the database soon cannot write.
const minDisk = 64 << 20

// roomOnDisk tells whether so much is free.
func (i *install) roomOnDisk() error {
	disk, err := media.DiskOf(i.DataDir)
	if err != nil {
		return fmt.Errorf("%w: %w", errNoFolder, err)
	}
	if disk.Free < minDisk {
		return errDiskFull
	}
	return nil
}

// tryFunction calls a procedure on a connection of its own. Connections that have called one before go on with what they
// loaded then, also when the database's files do not fit each other any more; new ones fail.
func (i *install) tryFunction(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, i.DB.Reserve.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err = conn.Exec(ctx, `DO $$ BEGIN PERFORM 1; END $$`); err == nil {
		return nil
	}
	if mixed(err) && i.unwell != nil {
		i.unwell(err.Error())
	}
	return err
}

// mixed tells whether the database could not load a part of itself, as after an upgrade under its feet.
func mixed(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	for _, sign := range []string{"undefined symbol", "could not load library", "incompatible library", "could not access file"} {
		if strings.Contains(pg.Message, sign) {
			return true
		}
	}
	return false
}

// ready answers 200 when the service has what it needs, and the process is not stopping.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	select {
	case <-s.closing:
		http.Error(w, "not ready: the process stops", http.StatusServiceUnavailable)
		return
	default:
	}
	if err := s.check(&s.readiness); err != nil {
		http.Error(w, "not ready: "+inBrief(err), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}

// inBrief is what anyone may know of why the service is not ready; the log has all of it.
func inBrief(err error) string {
	for _, known := range []error{errPending, errDiskFull, errNoFolder, errNoProgram} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "the database cannot be used"
}
