// Package jq runs jq expressions. A short expression can build a value that no
// bound inside a process holds (doubling a list forty times, say), so each
// query runs in a child: the same binary, recognized by an environment
// variable before anything else starts, under limits on time and memory.
package jq

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/itchyny/gojq"

	"atelier/nodes/program"
)

const (
	childVariable = "ATELIER_JQ_CHILD"
	timeLimit     = 3 * time.Second
	memoryLimit   = 384 << 20
	maxResults    = 10_000
	maxResultSize = 1 << 20
)

// request is what the child reads, reply what it writes.
type request struct {
	Query string
	Data  any
}

type reply struct {
	Results []any
	Error   string
}

// Error is what is wrong with a query, in words for its author.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

// Check tells whether a query compiles.
func Check(query string) error {
	_, err := compile(query)
	return err
}

// compile gives queries no environment, no modules and no files.
func compile(query string) (*gojq.Code, error) {
	if query == "" {
		query = "."
	}
	parsed, err := gojq.Parse(query)
	if err != nil {
		return nil, err
	}
	return gojq.Compile(parsed, gojq.WithEnvironLoader(func() []string { return nil }))
}

// Run runs a query on data and returns its results. What the author can mend
// is an *Error.
func Run(ctx context.Context, query string, data any) ([]any, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	input, err := json.Marshal(request{query, data})
	if err != nil {
		return nil, err
	}
	out, err := program.Command{
		Name: self, Dir: os.TempDir(), Time: timeLimit, Memory: memoryLimit,
		Env: []string{childVariable + "=1", "GOMAXPROCS=2"}, Stdin: bytes.NewReader(input), Output: 2 * maxResultSize,
	}.Run(ctx)
	var failed *program.Failed
	switch {
	case errors.Is(err, program.ErrTooLong):
		return nil, &Error{fmt.Sprintf("The query took longer than %d seconds", int(timeLimit.Seconds()))}
	case errors.As(err, &failed):
		return nil, &Error{"The query needs too much memory"}
	case err != nil:
		return nil, err
	}
	var r reply
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, fmt.Errorf("reply of a query: %w", err)
	}
	if r.Error != "" {
		return nil, &Error{r.Error}
	}
	return r.Results, nil
}
