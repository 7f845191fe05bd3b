// Package program runs programs as children: without a shell, with an
// empty environment, behind the service for the processor, with limits on time, memory, file size and open files,
// without network where the kernel allows it, and killed as a whole group.
package program

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Command is one run of a program.
type Command struct {
	Name string
	// Package is the Debian package that holds the program.
	Package string
	Args    []string
	// Dir is the working directory and the home of the program; it holds its
	// input and output files.
	Dir string
	// Time bounds the run; 0 is five minutes.
	Time time.Duration
	// Processor bounds the time that all threads of the child compute, in whole
	// seconds; 0 is four times Time.
	Processor time.Duration
	// Memory bounds what the child allocates, in bytes; 0 is two gigabytes.
	Memory uint64
	// Env adds to the few variables that a child gets.
	Env   []string
	Stdin io.Reader
	// Output is how many bytes of standard output are kept; 0 is a mebibyte.
	Output int64
	// Line is called with each line of standard output; without it the output
	// is returned.
	Line func(string)
	// Into takes standard output as it comes, and none is returned; a program
	// whose output it refuses has no one to write to.
	Into io.Writer
}

// The limits of every child, in bytes and counts.
const (
	maxMemory    = 2 << 30
	maxSpace     = 6 << 30 // of addresses, most of which programs only reserve
	maxFile      = 600 << 20
	maxOpenFiles = 128
	maxOutput    = 1 << 20
	maxComplaint = 2 << 10
)

// Missing says that a program is not installed.
type Missing struct{ Name, Package string }

func (m *Missing) Error() string { return m.Name + " is not installed" }

// Failed says that a program ended badly; Complaint is its last line of error
// output, without the names of directories.
type Failed struct{ Name, Complaint string }

func (f *Failed) Error() string { return f.Name + " failed: " + f.Complaint }

// ErrTooLong says that a program was stopped at its time limit.
var ErrTooLong = errors.New("the program took too long")

// Run runs the command. It returns a *Missing, a *Failed, ErrTooLong or the
// context's error when the program did not end well.
func (c Command) Run(ctx context.Context) ([]byte, error) {
	path, err := exec.LookPath(c.Name)
	if err != nil {
		return nil, &Missing{c.Name, c.Package}
	}
	limit := c.Time
	if limit == 0 {
		limit = 5 * time.Minute
	}
	bound, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(bound, path, c.Args...)
	cmd.Dir = c.Dir
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + c.Dir, "TMPDIR=" + c.Dir, "LANG=C.UTF-8"}
	cmd.Env = append(cmd.Env, c.Env...)
	cmd.Stdin = c.Stdin
	complaint := &tail{limit: maxComplaint}
	cmd.Stderr = complaint
	cmd.WaitDelay = 3 * time.Second
	confine(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Name, err)
	}
	processor := cmp.Or(c.Processor, 4*limit+time.Second)
	limitChild(cmd.Process.Pid, processor, cmp.Or(c.Memory, maxMemory))
	kept := c.read(out)
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case bound.Err() != nil, err != nil && outOfTime(cmd.ProcessState, processor):
		return nil, ErrTooLong
	case err != nil:
		return nil, &Failed{c.Name, c.lastLine(complaint.String())}
	}
	return kept, nil
}

// outOfTime tells whether a child ended for the processor time that it took. The
// kernel's count, by which it kills, and the accounts of a busy machine differ:
// one that was killed and had taken half of its time is held to have taken all.
func outOfTime(p *os.ProcessState, processor time.Duration) bool {
	return computed(p) > processor-killSlack || killed(p) && computed(p) > processor/2
}

// killSlack is how much earlier than its accounts say a child may be killed.
const killSlack = 300 * time.Millisecond

// computed is how long the threads of a program that has ended computed.
func computed(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }

// read takes standard output to its end.
func (c Command) read(out io.ReadCloser) []byte {
	if c.Into != nil {
		if _, err := io.Copy(c.Into, out); err != nil {
			out.Close()
		}
		return nil
	}
	if c.Line == nil {
		kept, _ := io.ReadAll(io.LimitReader(out, cmp.Or(c.Output, maxOutput)))
		io.Copy(io.Discard, out)
		return kept
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		c.Line(lines.Text())
	}
	io.Copy(io.Discard, out)
	return nil
}

// lastLine is the last line that says something.
func (c Command) lastLine(text string) string {
	text = strings.ReplaceAll(text, c.Dir+string(os.PathSeparator), "")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.ToValidUTF8(strings.TrimSpace(lines[len(lines)-1]), "")
}

// tail keeps the last bytes that are written to it.
type tail struct {
	bytes.Buffer
	limit int
}

func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	t.Buffer.Write(p)
	if over := t.Len() - t.limit; over > 0 {
		t.Next(over)
	}
	return n, nil
}
