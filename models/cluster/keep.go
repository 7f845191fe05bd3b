package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// lookAt is how often Keep looks at the files of the server's program.
	lookAt = 5 * time.Second
	// A server that does not start is tried again after a while that doubles.
	firstPause, maxPause = time.Second, 30 * time.Second
	// restartsApart is how long restarts that Unwell asks for are apart at least.
	restartsApart = time.Minute
)

// Keep has the server started again, on the same data and at the same address, when it ended by itself, when the files of
// its program were replaced - a running server would mix its old self with new libraries, and fail in new connections - and
// when Unwell says so. It ends with Stop, and is called once. Connections are lost in a restart; users of a pool get new ones.
func (c *Cluster) Keep() { c.keep(lookAt) }

func (c *Cluster) keep(every time.Duration) {
	ctx, cancel := context.WithCancel(context.Background())
	c.endKeeping, c.kept = cancel, make(chan struct{})
	go func() {
		defer close(c.kept)
		look := time.NewTicker(every)
		defer look.Stop()
		var seen string
		for {
			why := ""
			select {
			case <-ctx.Done():
				return
			case <-c.running().done:
				why = fmt.Sprintf("it ended by itself (%v)", c.running().result)
			case said := <-c.unwell:
				if time.Since(time.Unix(0, c.lastRestart.Load())) < restartsApart {
					continue
				}
				why = said
			case <-look.C:
				state := c.bin.state()
				// An upgrade replaces file by file: it is over when they stay as they are.
				if state == c.built || state == "" || state != seen {
					seen = state
					continue
				}
				why = "the files of its program were replaced"
			}
			c.lastRestart.Store(time.Now().UnixNano())
			c.restart(ctx, why)
		}
	}()
}

// Unwell says that the server answers as one does that must be started again; a restart follows, at most once a minute.
func (c *Cluster) Unwell(why string) {
	select {
	case c.unwell <- why:
	default:
	}
}

// restart ends the server in order and starts it again, as often as it takes.
func (c *Cluster) restart(ctx context.Context, why string) {
	c.log.Warn("PostgreSQL is started again", "because", why)
	for pause := firstPause; ctx.Err() == nil; pause = min(2*pause, maxPause) {
		err := c.running().stop()
		if err == nil {
			err = stopOrphans(ctx, c.path(), c.log) // its backends may outlive a server that was killed
		}
		if err == nil {
			err = c.launch(ctx)
		}
		if err == nil {
			c.log.Info("PostgreSQL runs again")
			return
		}
		if ctx.Err() == nil {
			c.log.Error("PostgreSQL does not start, trying again", "error", err, "after", pause)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// state tells one installation of the program from the next by its files; empty while one of them is missing.
func (b binaries) state() string {
	var state strings.Builder
	for _, file := range b.files() {
		info, err := os.Stat(file)
		if err != nil {
			return ""
		}
		stat, _ := info.Sys().(*syscall.Stat_t)
		fmt.Fprintln(&state, file, stat.Dev, stat.Ino, info.Size(), info.ModTime().UnixNano())
	}
	return state.String()
}

// files are the program and, where packages put it beside, the library of its procedures.
func (b binaries) files() []string {
	files := []string{b.program("postgres")}
	for _, place := range []string{"../lib", "../lib/postgresql", "."} {
		found, _ := filepath.Glob(filepath.Join(b.dir, place, "plpgsql.so"))
		files = append(files, found...)
	}
	return files
}
