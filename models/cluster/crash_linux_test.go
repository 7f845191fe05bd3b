package cluster

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const ownerVariable = "CLUSTER_TEST_OWNER_OF"

// TestMain lets the test program play a second process that owns a cluster
// until it is killed.
func TestMain(m *testing.M) {
	dir := os.Getenv(ownerVariable)
	if dir == "" {
		os.Exit(m.Run())
	}
	c, err := Start(context.Background(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(c.URL())
	<-c.Done()
}

// ownElsewhere starts a process that owns the cluster of dir and returns its URL.
func ownElsewhere(t *testing.T, dir string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), ownerVariable+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, strings.TrimSpace(line)
}

func TestAKilledProcessLeavesNothingInTheWay(t *testing.T) {
	dir := t.TempDir()
	cmd, url := ownElsewhere(t, dir)
	run(t, url, "CREATE TABLE kept AS SELECT 'committed' AS word")
	if _, err := Start(t.Context(), dir, quiet); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("by process %d", cmd.Process.Pid)) {
		t.Errorf("a start beside it: %v", err)
	}
	left, _ := os.Readlink(filepath.Join(dir, runLink))
	cmd.Process.Kill()
	cmd.Wait()
	c := start(t, dir)
	if got := value(t, c.URL(), "SELECT word FROM kept"); got != "committed" {
		t.Errorf("word = %q", got)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", left, err)
	}
}

func TestTheServerEndsWithItsKilledOwner(t *testing.T) {
	dir := t.TempDir()
	cmd, _ := ownElsewhere(t, dir)
	home := filepath.Join(dir, "postgres")
	if len(processesIn(home)) == 0 {
		t.Fatal("no server process found")
	}
	left, _ := os.Readlink(filepath.Join(dir, runLink))
	t.Cleanup(func() { os.RemoveAll(left) })
	cmd.Process.Kill()
	cmd.Wait()
	if !waitUntilGone(t.Context(), home, 20*time.Second) {
		t.Errorf("still at work: %v", processesIn(home))
	}
}

// The server itself dies as well, its backends linger, and its process id is
// another program's by the time of the next start.
func TestAKilledServerAndAReusedProcessID(t *testing.T) {
	dir := t.TempDir()
	cmd, url := ownElsewhere(t, dir)
	run(t, url, "CREATE TABLE kept AS SELECT 'committed' AS word")
	home := filepath.Join(dir, "postgres")
	stopped := serverPID(home)
	syscall.Kill(stopped, syscall.SIGKILL)
	cmd.Process.Kill()
	cmd.Wait()
	waitUntilGone(t.Context(), home, 20*time.Second)
	file := filepath.Join(home, "postmaster.pid")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := exec.Command("sleep", "60")
	if info, err := os.Stat(home); err == nil {
		stat := info.Sys().(*syscall.Stat_t)
		if os.Geteuid() == 0 {
			other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stat.Uid, Gid: stat.Gid}}
		}
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { other.Process.Kill(); other.Wait() }()
	_, rest, _ := strings.Cut(string(text), "\n")
	if err := os.WriteFile(file, fmt.Appendf(nil, "%d\n%s", other.Process.Pid, rest), 0o600); err != nil {
		t.Fatal(err)
	}
	c := start(t, dir)
	if got := value(t, c.URL(), "SELECT word FROM kept"); got != "committed" {
		t.Errorf("word = %q", got)
	}
	if err := other.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the innocent program was ended: %v", err)
	}
}

// Without the kernel's help the server outlives its owner; the next start ends it.
func TestAnOrphanIsStopped(t *testing.T) {
	dir := t.TempDir()
	c := start(t, dir)
	run(t, c.URL(), "CREATE TABLE kept AS SELECT 'committed' AS word")
	c.lock.Release() // as if the owner were gone while its server stayed
	next := start(t, dir)
	select {
	case <-c.Done():
	case <-time.After(time.Second):
		t.Error("the earlier server is still there")
	}
	if got := value(t, next.URL(), "SELECT word FROM kept"); got != "committed" {
		t.Errorf("word = %q", got)
	}
	stop(t, next)
}

// Root steps down to an account that reaches DATA_DIR or does not; both work,
// and no directory above is opened for it. An ordinary account needs neither.
func TestReachableAndUnreachableDirectories(t *testing.T) {
	for name, mode := range map[string]os.FileMode{"reachable": 0o755, "unreachable": 0o700} {
		t.Run(name, func(t *testing.T) {
			parent, err := os.MkdirTemp("", "cluster-")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(parent) })
			if err := os.Chmod(parent, mode); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(parent, "data")
			stop(t, start(t, dir))
			c := start(t, dir)
			args, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", c.server.process.Pid))
			if err != nil {
				t.Fatal(err)
			}
			handedOver := strings.Contains(string(args), "/proc/self/fd/3")
			if want := os.Geteuid() == 0 && mode == 0o700; handedOver != want {
				t.Errorf("handed over: %v, arguments %q", handedOver, args)
			}
			if uid, _, _ := ownerOf(c.path()); uid == 0 {
				t.Error("the data directory belongs to root")
			}
			info, err := os.Stat(parent)
			if err != nil || info.Mode().Perm() != mode {
				t.Errorf("the directory above was changed: %v %v", info.Mode(), err)
			}
		})
	}
}
