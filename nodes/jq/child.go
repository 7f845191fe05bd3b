package jq

import (
	"encoding/json"
	"fmt"
	"os"

	"atelier/jsontext"
)

// init makes any binary that holds this package its own query child, the
// program as much as a test, and costs one look at the environment otherwise.
func init() {
	if os.Getenv(childVariable) == "" {
		return
	}
	var r request
	if err := json.NewDecoder(os.Stdin).Decode(&r); err != nil {
		os.Exit(3)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer(r)); err != nil {
		os.Exit(4)
	}
	os.Exit(0)
}

// answer collects the results of a query, up to their bounds.
func answer(r request) reply {
	code, err := compile(r.Query)
	if err != nil {
		return reply{Error: "The query is no jq expression: " + err.Error()}
	}
	found := reply{Results: []any{}}
	size := 0
	for iter := code.Run(r.Data); ; {
		value, more := iter.Next()
		if !more {
			return found
		}
		if err, failed := value.(error); failed {
			return reply{Error: "The query failed: " + err.Error()}
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return reply{Error: "The query yields no JSON"}
		}
		if jsontext.CheckDepth(raw) != nil {
			return reply{Error: fmt.Sprintf("The query yields a value that nests deeper than %d levels", jsontext.MaxDepth)}
		}
		size += len(raw)
		found.Results = append(found.Results, json.RawMessage(raw))
		if len(found.Results) > maxResults || size > maxResultSize {
			return reply{Error: fmt.Sprintf("The query yields too much: at most %d results and 1 MiB are kept", maxResults)}
		}
	}
}
