// Package userprogram runs what users wrote: regular expressions, conditions
// (CEL) and queries (jq). A few characters of these can ask for more time or
// memory than any machine has, and nothing inside a process ends such work for
// certain. So programs are bounded in size before they are compiled, and run in
// a child under limits on time, memory and output, which is killed as a group.
// The child is the same binary, recognized by an environment variable before
// anything else starts. What is known beforehand to be small is done at once in
// the process itself.
//
// Nothing else in the house compiles an expression that a user wrote.
package userprogram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"atelier/nodes/program"
)

// The bounds of a child.
const (
	childVariable = "ATELIER_USER_PROGRAM"
	wallTime      = 12 * time.Second // on a machine that has much else to do
	memoryLimit   = 384 << 20
	maxReply      = 12 << 20 // bytes, of text whose every letter may be escaped
)

// ProcessorTime is how long the threads of a child compute at most, in whole seconds; what never ends is tested with less.
var ProcessorTime = 3 * time.Second

// maxProgram is the longest pattern, condition or query, in bytes.
const maxProgram = 4_000

// maxText is the longest text that comes out, in bytes.
const maxText = 1 << 20

// Error is what is wrong with a program, in words for its author.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func wrong(format string, args ...any) *Error { return &Error{fmt.Sprintf(format, args...)} }

// inChild runs a program of a language in a child and reads its result. name
// is what the program is called in an *Error.
func inChild(ctx context.Context, language, name string, what, result any) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	raw, err := json.Marshal(what)
	if err != nil {
		return err
	}
	input, err := json.Marshal(request{language, raw})
	if err != nil {
		return err
	}
	out, err := program.Command{
		Name: self, Dir: os.TempDir(), Time: wallTime, Processor: ProcessorTime, Memory: memoryLimit,
		Env: []string{childVariable + "=1", "GOMAXPROCS=2"}, Stdin: bytes.NewReader(input), Output: maxReply,
	}.Run(ctx)
	var failed *program.Failed
	switch {
	case errors.Is(err, program.ErrTooLong):
		return wrong("The %s took longer than %d seconds", name, int(ProcessorTime.Seconds()))
	case errors.As(err, &failed):
		return wrong("The %s needs too much memory", name)
	case err != nil:
		return err
	}
	var r reply
	if err := json.Unmarshal(out, &r); err != nil {
		return fmt.Errorf("reply of a %s: %w", name, err)
	}
	if r.Wrong != "" {
		return &Error{r.Wrong}
	}
	return json.Unmarshal(r.Result, result)
}
