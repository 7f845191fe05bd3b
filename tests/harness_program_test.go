package tests

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"atelier/models/dbtest"
)

// built is the program as a user runs it, made once for all tests.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "atelier-test-*")
	if err != nil {
		return "", err
	}
	builtIn = dir
	path := filepath.Join(dir, "atelier")
	args := []string{"build", "-ldflags=-s -w", "-o", path} // as scripts/build has it
	if raceEnabled {
		args = append(args, "-race")
	}
	build := exec.Command("go", append(args, ".")...)
	build.Dir = ".." // which the patterns in flags mean
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// builtIn is the folder of the built program, once there is one.
var builtIn string

func TestMain(m *testing.M) {
	if settings := os.Getenv(hammerVariable); settings != "" {
		fmt.Fprintln(os.Stderr, "hammer:", hammer(settings))
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(builtIn)
	os.Exit(code)
}

// operatorCode proves the operator's address in the tests.
const operatorCode = "a code that only tests use"

// program is a running atelier process.
type program struct {
	t    testing.TB
	cmd  *exec.Cmd
	URL  string
	env  []string
	args []string
	log  *logBuffer
	done chan error
}

// logBuffer keeps what a process printed.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// freeAddress is a loopback address that no one listens on. Its port is none of
// those that the system itself hands out, so that no one takes it before the
// program listens, or between its death and its next start.
func freeAddress(t testing.TB) string {
	t.Helper()
	const first, ports = 20_000, 10_000
	for range ports {
		address := fmt.Sprintf("127.0.0.1:%d", first+int(nextPort.Add(1))%ports)
		if listener, err := net.Listen("tcp", address); err == nil {
			listener.Close()
			return address
		}
	}
	t.Fatal("no port is free")
	return ""
}

// nextPort counts on from somewhere, for other tests may run beside these.
var nextPort = func() *atomic.Uint32 {
	n := &atomic.Uint32{}
	n.Store(rand.Uint32N(10_000))
	return n
}()

// startService starts `atelier serve` on a database of its own and waits until it is ready.
func startService(t testing.TB, env ...string) *program {
	t.Helper()
	return startOn(t, dbtest.NewURL(t), t.TempDir(), []string{"serve"}, env...)
}

// startOn starts a command on a database and data directory.
func startOn(t testing.TB, databaseURL, dataDir string, args []string, env ...string) *program {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return startProgram(t, path, databaseURL, dataDir, args, env...)
}

// startProgram is startOn for a program that lies elsewhere.
func startProgram(t testing.TB, path, databaseURL, dataDir string, args []string, env ...string) *program {
	t.Helper()
	address := freeAddress(t)
	p := &program{
		t: t, URL: "http://" + address, args: append([]string{path}, args...),
		env: append([]string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + os.Getenv("TMPDIR"), "GORACE=" + os.Getenv("GORACE"), "GOGC=" + os.Getenv("GOGC"),
			"LISTEN_ADDR=" + address, "PUBLIC_URL=http://" + address, "DATA_DIR=" + dataDir, "DATABASE_URL=" + databaseURL,
			"PLATFORM_OPERATOR_EMAILS=op@example.com", "OPERATOR_CODE=" + operatorCode, "EGRESS_ALLOW_CIDRS=127.0.0.1/32",
		}, env...),
	}
	p.start()
	t.Cleanup(p.stop)
	return p
}

// runCommand runs a command of the program to its end, with these settings and no others.
func runCommand(t testing.TB, args []string, env ...string) (printed string, err error) {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + os.Getenv("TMPDIR"), "GORACE=" + os.Getenv("GORACE")}, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// start runs the process; a service is awaited until it is ready.
func (p *program) start() {
	p.t.Helper()
	p.log = &logBuffer{}
	p.cmd = exec.Command(p.args[0], p.args[1:]...)
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = p.env, p.log, p.log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.done = make(chan error, 1)
	go func() { p.done <- p.cmd.Wait() }()
	if p.args[1] != "serve" {
		return
	}
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		select {
		case err := <-p.done:
			p.done <- err
			p.t.Fatalf("atelier %s ended: %v\n%s", p.args[1], err, p.log)
		default:
		}
		if response, err := http.Get(p.URL + "/readyz"); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.t.Fatalf("atelier %s was not ready in time\n%s", p.args[1], p.log)
}

// kill ends the process as a power cut would.
func (p *program) kill() {
	p.cmd.Process.Kill()
	err := <-p.done
	p.done <- err
}

// stop asks the process to end, and checks that it does so in order.
func (p *program) stop() {
	p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-p.done:
		p.done <- err
	case <-time.After(45 * time.Second):
		p.t.Errorf("atelier did not stop on SIGTERM\n%s", p.log)
		p.cmd.Process.Kill()
	}
	if p.t.Failed() {
		p.t.Logf("log of %s %s:\n%s\nfaults in it:\n%s", p.args[1], p.URL, tail(p.log.String(), 60), faultsIn(p.log.String()))
	}
	if strings.Contains(p.log.String(), "DATA RACE") {
		p.t.Errorf("data race:\n%s", p.log)
	}
	if fault := panicked.FindString(p.log.String()); fault != "" {
		p.t.Errorf("the program panicked, whatever it answered:\n%s", fault)
	}
}

// panicked is a panic in a log; those of nodes are the nodes' failures.
var panicked = regexp.MustCompile(`(?m)^(panic: |goroutine \d+ \[running\]).*$|^.*(msg="?panic|error="panic: |http: panic).*$`)

var faultLine = regexp.MustCompile(`(?m)^.*(?:level=ERROR|status=500).*$`)

// faultsIn are the lines of a log that tell of a fault of the service; that a database is away is none.
func faultsIn(log string) string {
	lines := slices.DeleteFunc(faultLine.FindAllString(log, -1), func(line string) bool { return strings.Contains(line, "connection refused") })
	return tail(strings.Join(lines, "\n"), 60)
}

func tail(text string, lines int) string {
	var all []string
	for scanner := bufio.NewScanner(strings.NewReader(text)); scanner.Scan(); {
		all = append(all, scanner.Text())
	}
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// patience is how long anything that is awaited may take. It says nothing about speed: a machine that tests is busy.
const patience = 5 * time.Minute

// eventually waits until check passes, and fails with its last complaint when patience is over.
func eventually(t testing.TB, check func() error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		err := check()
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("after %s: %v", patience, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// freshMinute waits until much of a minute is left: limits count in fixed ones, and what is to go beyond a limit
// must fall into one.
func freshMinute() {
	if left := time.Until(time.Now().Truncate(time.Minute).Add(time.Minute)); left < 40*time.Second {
		time.Sleep(left + 100*time.Millisecond)
	}
}

func readAll(r io.Reader) []byte {
	body, _ := io.ReadAll(r)
	return body
}
