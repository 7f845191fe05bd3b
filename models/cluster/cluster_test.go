package cluster

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

var quiet = slog.New(slog.DiscardHandler)

func start(t *testing.T, dataDir string) *Cluster {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, err := Start(ctx, dataDir, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Stop() })
	return c
}

func stop(t *testing.T, c *Cluster) {
	t.Helper()
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func run(t *testing.T, url, sql string) {
	t.Helper()
	if _, err := connect(t, url).Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

func value(t *testing.T, url, sql string) (text string) {
	t.Helper()
	if err := connect(t, url).QueryRow(t.Context(), sql).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

func TestStopAndStartKeepsData(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	first := start(t, dir)
	run(t, first.URL(), "CREATE TABLE kept AS SELECT 'still here' AS word")
	if url, ok := Running(dir); !ok || url != first.URL() {
		t.Errorf("Running = %q, %v", url, ok)
	}
	stop(t, first)
	stop(t, first)
	select {
	case <-first.Done():
	default:
		t.Error("the server has stopped and Done is open")
	}
	if _, err := os.Stat(first.runDir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket's directory is still there: %v", err)
	}
	if _, ok := Running(dir); ok {
		t.Error("Running after Stop")
	}
	second := start(t, dir)
	if got := value(t, second.URL(), "SELECT word FROM kept"); got != "still here" {
		t.Errorf("word = %q", got)
	}
}

// The directory is too long to hold a socket itself.
func TestARunningCluster(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("long/", 40))
	c := start(t, dir)
	t.Run("settings", func(t *testing.T) {
		for name, want := range map[string]string{
			"listen_addresses": "", "TimeZone": "UTC", "synchronous_commit": "on", "fsync": "on", "data_checksums": "on",
			"max_connections": "100", "shared_buffers": "128MB", "server_encoding": "UTF8",
		} {
			if got := value(t, c.URL(), "SHOW "+name); got != want {
				t.Errorf("%s = %q, want %q", name, got, want)
			}
		}
		if got := value(t, c.URL(), "SELECT lower('ÄRGER')"); got != "ärger" {
			t.Errorf("lower = %q", got)
		}
	})
	t.Run("strangers are kept out", func(t *testing.T) {
		info, err := os.Stat(c.runDir)
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("run directory: %v %v", info.Mode(), err)
		}
		stranger := strings.Replace(c.URL(), "postgres://atelier@", "postgres://somebody@", 1)
		if conn, err := pgx.Connect(t.Context(), stranger); err == nil {
			conn.Close(t.Context())
			t.Error("another role name was let in")
		}
	})
	t.Run("a second start is refused", func(t *testing.T) {
		_, err := Start(t.Context(), dir, quiet)
		if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), "already in use by process ") {
			t.Errorf("second start: %v", err)
		}
		if got := value(t, c.URL(), "SELECT 'up'"); got != "up" {
			t.Error("the first one suffered")
		}
	})
}

func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	first, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(dir); !errors.Is(err, ErrInUse) {
		t.Errorf("second lock: %v", err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	again.Release()
}

func TestForeignDirectoriesStayUntouched(t *testing.T) {
	cases := []struct{ name, file, text, want string }{
		{"newer version", "PG_VERSION", "99\n", "install the Debian package postgresql-99"},
		{"too old version", "PG_VERSION", "9.6\n", "was made by PostgreSQL 9"},
		{"unreadable version", "PG_VERSION", "soup", "unreadable PG_VERSION"},
		{"something else", "holiday.jpg", "x", "not a PostgreSQL data directory"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "postgres", tc.file)
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
			before, _ := os.Stat(path)
			_, err := Start(t.Context(), dir, quiet)
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "left untouched") {
				t.Errorf("error: %v", err)
			}
			after, statErr := os.Stat(path)
			entries, _ := os.ReadDir(filepath.Dir(path))
			if statErr != nil || !os.SameFile(before, after) || after.ModTime() != before.ModTime() || len(entries) != 1 {
				t.Error("the directory was touched")
			}
		})
	}
}

func TestHalfAnInitdbIsMadeAnew(t *testing.T) {
	dir := t.TempDir()
	draft := filepath.Join(dir, "postgres.initdb")
	if err := os.MkdirAll(filepath.Join(draft, "base"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(draft, "PG_VERSION"), []byte("15\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "postgres"), 0o755); err != nil {
		t.Fatal(err)
	}
	start(t, dir)
	if _, err := os.Stat(draft); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the draft is still there: %v", err)
	}
}

func TestAStartThatFailsSaysWhy(t *testing.T) {
	dir := t.TempDir()
	c := start(t, dir)
	stop(t, c)
	conf, err := os.OpenFile(filepath.Join(c.path(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf.WriteString("shared_buffers = 'plenty'\n")
	conf.Close()
	_, err = Start(t.Context(), dir, quiet)
	if err == nil || !strings.Contains(err.Error(), "shared_buffers") || !strings.Contains(err.Error(), c.logPath()) {
		t.Errorf("error: %v", err)
	}
	lock, err := lockFile(dir, "postgres.lock")
	if err != nil {
		t.Fatalf("a failed start keeps the lock: %v", err)
	}
	lock.Release()
}
