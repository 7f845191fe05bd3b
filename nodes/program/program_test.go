package program

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func sh(t *testing.T, script string) Command {
	t.Helper()
	return Command{Name: "sh", Package: "dash", Args: []string{"-c", script}, Dir: t.TempDir()}
}

func TestRun(t *testing.T) {
	t.Setenv("SECRET", "x")
	out, err := sh(t, `echo "$SECRET$HOME"; ulimit -n`).Run(context.Background())
	lines := strings.Fields(string(out))
	if err != nil || len(lines) != 2 || strings.HasPrefix(lines[0], "x") {
		t.Fatalf("%q, %v", out, err)
	}
	var failed *Failed
	c := sh(t, `echo "$HOME/input1: no good" >&2; exit 3`)
	if _, err = c.Run(context.Background()); !errors.As(err, &failed) || failed.Complaint != "input1: no good" {
		t.Fatal(err)
	}
	var missing *Missing
	if _, err = (Command{Name: "no-such-program", Package: "p"}).Run(context.Background()); !errors.As(err, &missing) {
		t.Fatal(err)
	}
}

func TestTimeLimitKillsTheGroup(t *testing.T) {
	c := sh(t, `(sleep 6; touch late) & sleep 30`)
	c.Time = 300 * time.Millisecond
	start := time.Now()
	if _, err := c.Run(context.Background()); !errors.Is(err, ErrTooLong) {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Fatalf("took %v", took)
	}
	time.Sleep(6200*time.Millisecond - time.Since(start))
	if _, err := os.Stat(filepath.Join(c.Dir, "late")); err == nil {
		t.Fatal("a grandchild lived on")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := sh(t, `sleep 30`).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestFileSizeLimit(t *testing.T) {
	c := sh(t, `sleep 0.1; head -c 700M /dev/zero > big`)
	if _, err := c.Run(context.Background()); err == nil {
		t.Fatal("wrote 700 MB")
	}
	info, err := os.Stat(filepath.Join(c.Dir, "big"))
	if err != nil || info.Size() > maxFile {
		t.Fatalf("%v, %v", info, err)
	}
}
