package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
)

// MaxAnswer is the most that is read of an answer, in bytes.
const MaxAnswer = 64 << 20

// Caller sends one request and answers with what came back; an answer of 400 and more is an error. A body is sent as
// JSON unless it is nil. atelier.Client is one.
type Caller interface {
	Call(ctx context.Context, method, path string, query url.Values, body any) (*http.Response, error)
}

// Client has a method for each operation.
type Client struct{ caller Caller }

// New makes a client that sends by the caller.
func New(caller Caller) *Client { return &Client{caller} }

// fill puts values where a path has {names}, in their order.
func fill(path string, values ...string) string {
	for _, value := range values {
		before, rest, _ := strings.Cut(path, "{")
		_, after, _ := strings.Cut(rest, "}")
		path = before + url.PathEscape(value) + after
	}
	return path
}

// answer calls and reads what came back.
func answer[T any](ctx context.Context, c *Client, method, path string, query url.Values, body any) (*T, error) {
	response, err := c.caller.Call(ctx, method, path, query, body)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(io.LimitReader(response.Body, MaxAnswer+1))
	if err != nil {
		return nil, err
	}
	if len(read) > MaxAnswer {
		return nil, fmt.Errorf("%s %s answers with more than %d bytes", method, path, MaxAnswer)
	}
	into := new(T)
	if several, ok := any(into).(interface{ read(int, []byte) error }); ok {
		err = several.read(response.StatusCode, read)
	} else {
		err = json.Unmarshal(read, into)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return into, nil
}

// rows goes from row to row; a page is asked for when its first row is. After an error nothing more comes.
func rows[T any](page func(cursor *string) ([]T, *string, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var cursor *string
		for {
			data, next, err := page(cursor)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, row := range data {
				if !yield(row, nil) {
					return
				}
			}
			if next == nil || *next == "" {
				return
			}
			cursor = next
		}
	}
}
