package cluster

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// stopOrphans ends the PostgreSQL processes that work in dir: the caller holds
// the lock, so the one who started them is gone. First the server is asked for a
// fast shutdown, then all that is left is ended at once; the next start recovers.
func stopOrphans(ctx context.Context, dir string, log *slog.Logger) error {
	orphans := processesIn(dir)
	if len(orphans) > 0 {
		log.Warn("stopping a PostgreSQL that an earlier process left behind", "processes", len(orphans))
		if pid := serverPID(dir); slices.Contains(orphans, pid) {
			syscall.Kill(pid, syscall.SIGINT)
		}
		if !waitUntilGone(ctx, dir, fastStop) {
			for _, pid := range processesIn(dir) {
				syscall.Kill(pid, syscall.SIGQUIT)
			}
		}
		if !waitUntilGone(ctx, dir, immediateStop) {
			return fmt.Errorf("an earlier PostgreSQL is still at work in %s: processes %v", dir, processesIn(dir))
		}
	}
	return removeStalePID(dir)
}

// removeStalePID removes the lock file of a server that is gone. PostgreSQL does
// so itself, but not when another program has been given the same process id.
func removeStalePID(dir string) error {
	err := os.Remove(filepath.Join(dir, "postmaster.pid"))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

func waitUntilGone(ctx context.Context, dir string, limit time.Duration) bool {
	for deadline := time.Now().Add(limit); len(processesIn(dir)) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) || ctx.Err() != nil {
			return false
		}
	}
	return true
}

// serverPID is the first line of postmaster.pid, 0 without one.
func serverPID(dir string) int {
	text, _ := os.ReadFile(filepath.Join(dir, "postmaster.pid"))
	line, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(strings.TrimSpace(line))
	return pid
}

// processesIn finds the server and its backends by what cannot lie: their name
// and their working directory, which PostgreSQL sets to its data directory.
func processesIn(dir string) []int {
	home, err := os.Stat(dir)
	if err != nil {
		return nil
	}
	names, _ := filepath.Glob("/proc/[0-9]*/comm")
	var list []int
	for _, name := range names {
		proc := filepath.Dir(name)
		if comm, err := os.ReadFile(name); err != nil || strings.TrimSpace(string(comm)) != "postgres" {
			continue
		}
		cwd, err := os.Stat(filepath.Join(proc, "cwd"))
		if err != nil || !os.SameFile(cwd, home) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(proc)); err == nil {
			list = append(list, pid)
		}
	}
	return list
}
