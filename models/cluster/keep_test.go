package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// A server whose program is replaced, and one that dies, is started again at the same address with what was in it.
func TestTheServerIsStartedAgain(t *testing.T) {
	c := start(t, t.TempDir())
	run(t, c.URL(), "CREATE TABLE kept AS SELECT 'committed' AS word")
	// The program is a script here, which can be replaced without another package.
	real := c.bin.program("postgres")
	install := func(comment string) {
		draft := filepath.Join(c.bin.dir, "draft")
		if err := os.WriteFile(draft, fmt.Appendf(nil, "#!/bin/sh\n# %s\nexec %q \"$@\"\n", comment, real), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(draft, c.bin.program("postgres")); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp("", "cluster-bin-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	c.bin.dir = dir
	install("the first")
	c.built = c.bin.state()
	c.keep(20 * time.Millisecond)
	if first := c.running(); !stays(first) {
		t.Fatal("a server with nothing the matter was started again")
	}
	for what, harm := range map[string]func(){
		"the program was replaced":  func() { install("an upgrade") },
		"the server was killed":     func() { syscall.Kill(c.running().process.Pid, syscall.SIGKILL) },
		"the server was shut down":  func() { syscall.Kill(c.running().process.Pid, syscall.SIGINT) },
		"its library did not match": func() { c.Unwell("undefined symbol") },
	} {
		before := c.running()
		if what == "its library did not match" {
			c.lastRestart.Store(0)
		}
		harm()
		deadline := time.Now().Add(time.Minute)
		for ; ; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s, and it was not started again", what)
			}
			conn, err := pgx.Connect(t.Context(), c.URL())
			if err != nil || c.running() == before {
				if err == nil {
					conn.Close(t.Context())
				}
				continue
			}
			var word string
			err = conn.QueryRow(t.Context(), "SELECT word FROM kept").Scan(&word)
			conn.Close(t.Context())
			if err == nil && word == "committed" {
				break
			}
		}
	}
	again := c.running()
	c.Unwell("once more within a minute")
	if !stays(again) {
		t.Error("restarts that are asked for follow each other at once")
	}
	stop(t, c)
	select {
	case <-again.done:
	default:
		t.Error("the server runs on after Stop")
	}
}

// stays tells whether the server still runs after some looks at its program.
func stays(s *server) bool {
	select {
	case <-s.done:
		return false
	case <-time.After(200 * time.Millisecond):
		return true
	}
}
