// Package cluster runs the service's own PostgreSQL under DATA_DIR for installs
// that name no DATABASE_URL. The server belongs to this process: it listens on
// a private socket only, stops with the process, and what a killed process left
// behind is stopped before the next start. An existing data directory is never
// deleted and never initialised again.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	role     = "atelier"
	database = "atelier"
	// port names the socket file; nothing listens on TCP.
	port = "5432"
)

// How long a running server gets for each way of stopping it.
const (
	fastStop      = 30 * time.Second
	immediateStop = 10 * time.Second
)

// Cluster is a running PostgreSQL that this process owns.
type Cluster struct {
	dataDir string
	runDir  string // socket and access rules, gone after Stop
	log     *slog.Logger
	lock    *DirLock
	bin     binaries
	owner   account
	stop    sync.Once
	stopErr error

	mu     sync.Mutex
	server *server // what runs now; Keep puts another in its place
	built  string  // the state of the program's files that it was started from

	endKeeping context.CancelFunc // of Keep, which has returned once kept is closed; nil without it
	kept       chan struct{}
	unwell     chan string // why a restart is asked for

	lastRestart atomic.Int64 // in nanoseconds since 1970
}

// Start brings up the PostgreSQL of dataDir, making it on first use, and
// returns when it answers. A ctx that ends takes the start back; it has no
// hold on a server that has started.
func Start(ctx context.Context, dataDir string, log *slog.Logger) (*Cluster, error) {
	dataDir, err := makeDataDir(dataDir)
	if err != nil {
		return nil, err
	}
	lock, err := lockFile(dataDir, "postgres.lock")
	if err != nil {
		return nil, err
	}
	c := &Cluster{dataDir: dataDir, log: log, lock: lock, unwell: make(chan string, 1)}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context) (err error) {
	if c.bin, err = c.chooseBinaries(); err != nil {
		return err
	}
	if c.owner, err = c.chooseAccount(); err != nil {
		return err
	}
	if err := stopOrphans(ctx, c.path(), c.log); err != nil {
		return err
	}
	if err := c.initialise(ctx, c.bin, c.owner); err != nil {
		return err
	}
	if err := c.makeRunDir(c.owner); err != nil {
		return err
	}
	return c.launch(ctx)
}

// launch starts the server on the data directory and the socket that are there, and waits until it answers.
func (c *Cluster) launch(ctx context.Context) error {
	logFile, err := c.openLog()
	if err != nil {
		return err
	}
	defer logFile.Close()
	built := c.bin.state()
	server, err := startServer(c.bin, c.path(), c.owner, logFile, c.settings())
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.server, c.built = server, built
	c.mu.Unlock()
	return c.waitUntilReady(ctx)
}

// running is the server that runs now, or ran last; nil before the first.
func (c *Cluster) running() *server {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.server
}

// path is PostgreSQL's own data directory.
func (c *Cluster) path() string { return filepath.Join(c.dataDir, "postgres") }

// settings that the service relies on; everything else is left to
// postgresql.conf in the data directory, where an operator may tune it.
func (c *Cluster) settings() []string {
	return []string{
		"listen_addresses=",
		"port=" + port,
		"unix_socket_directories=" + c.runDir,
		"unix_socket_permissions=0700",
		"hba_file=" + filepath.Join(c.runDir, "pg_hba.conf"),
		"ident_file=" + filepath.Join(c.runDir, "pg_ident.conf"),
		"timezone=UTC",
		"log_timezone=UTC",
		"logging_collector=off",
		"log_destination=stderr",
	}
}

// URL connects to the service's database as its owner.
func (c *Cluster) URL() string { return socketURL(c.runDir, database) }

func socketURL(runDir, name string) string {
	u := url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + name,
		RawQuery: url.Values{"host": {runDir}, "port": {port}, "sslmode": {"disable"}}.Encode()}
	return u.String()
}

// Done is closed when the server that runs now has ended, be it by Stop, by itself, or to be started again by Keep.
func (c *Cluster) Done() <-chan struct{} { return c.running().done }

// Stop ends the server in order (open transactions are rolled back, a
// checkpoint is written) and frees the data directory. It may be called twice.
func (c *Cluster) Stop() error {
	c.stop.Do(func() {
		if c.endKeeping != nil {
			c.endKeeping()
			<-c.kept
		}
		if server := c.running(); server != nil {
			c.stopErr = server.stop()
		}
		c.removeRunDir()
		c.lock.Release()
	})
	return c.stopErr
}

// waitUntilReady connects until the server answers, however long recovery takes.
func (c *Cluster) waitUntilReady(ctx context.Context) error {
	started, told, server := time.Now(), time.Now(), c.running()
	for {
		err := c.createDatabase(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-server.done:
			return fmt.Errorf("PostgreSQL did not start (%v); the end of %s says:\n%s",
				server.result, c.logPath(), tail(c.logPath(), 2000))
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL did not answer in time: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
		if time.Since(told) > 5*time.Second {
			told = time.Now()
			c.log.Info("waiting for PostgreSQL", "seconds", int(time.Since(started).Seconds()), "last", err.Error())
		}
	}
}

func (c *Cluster) createDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, socketURL(c.runDir, "postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var exists bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", database).Scan(&exists)
	if err != nil || exists {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE DATABASE "+database)
	return err
}

// makeDataDir creates DATA_DIR where it is missing: others may pass through
// it, which PostgreSQL under an account of its own has to, but not list it.
func makeDataDir(dataDir string) (string, error) {
	dataDir, err := filepath.Abs(dataDir)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dataDir, 0o711); err != nil {
		return "", fmt.Errorf("DATA_DIR cannot be made: %w", err)
	}
	return filepath.EvalSymlinks(dataDir)
}

// ownerOf reports whose a file is.
func ownerOf(path string) (uid, gid uint32, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, err
	}
	stat := info.Sys().(*syscall.Stat_t)
	return stat.Uid, stat.Gid, nil
}
