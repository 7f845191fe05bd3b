package userprogram

import (
	"context"
	"encoding/json"

	"github.com/itchyny/gojq"

	"atelier/jsontext"
)

// The bounds of what a query yields.
const (
	maxResults     = 10_000
	maxResultSize  = 1 << 20
	maxResultDepth = 62 // levels, for it lies under a name and maybe in a list
)

// Query is a jq expression with its data, in the plain types of encoding/json.
type Query struct {
	Query string
	Data  any
}

// CheckQuery tells whether a query compiles.
func CheckQuery(query string) error {
	_, err := compileQuery(query)
	return err
}

// compileQuery gives queries no environment, no modules and no files.
func compileQuery(query string) (*gojq.Code, error) {
	if len(query) > maxProgram {
		return nil, wrong("it is longer than %d characters", maxProgram)
	}
	if query == "" {
		query = "."
	}
	parsed, err := gojq.Parse(query)
	if err != nil {
		return nil, err
	}
	return gojq.Compile(parsed, gojq.WithEnvironLoader(func() []string { return nil }))
}

// Run runs the query and returns its results. What the author can mend is an *Error.
func (q Query) Run(ctx context.Context) (results []any, err error) {
	return results, inChild(ctx, "jq", "query", q, &results)
}

// run collects the results of a query, up to their bounds.
func (q Query) run() ([]json.RawMessage, error) {
	code, err := compileQuery(q.Query)
	if err != nil {
		return nil, wrong("The query is no jq expression: %s", err)
	}
	found, size := []json.RawMessage{}, 0
	for iter := code.Run(q.Data); ; {
		value, more := iter.Next()
		if !more {
			return found, nil
		}
		if err, failed := value.(error); failed {
			return nil, wrong("The query failed: %s", err)
		}
		if jsontext.Depth(value) > maxResultDepth {
			return nil, wrong("The query yields data that is nested more than %d levels deep", maxResultDepth)
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, wrong("The query yields no JSON")
		}
		size += len(raw)
		found = append(found, raw)
		if len(found) > maxResults || size > maxResultSize {
			return nil, wrong("The query yields too much: at most %d results and 1 MiB are kept", maxResults)
		}
	}
}
