package mcp

import (
	"context"
	"testing"
)

// A client that closes the stream of a call cancels it; a server that stops does not, and ends the connections of all.
func TestWhoCancels(t *testing.T) {
	ended, end := context.WithCancel(context.Background())
	end()
	closed := make(chan struct{})
	close(closed)
	for _, row := range []struct {
		name              string
		closing, unwanted chan struct{}
		want              bool
	}{
		{"its stream was closed", make(chan struct{}), make(chan struct{}), true},
		{"the server stops", closed, make(chan struct{}), false},
		{"its client says so while the server stops", closed, closed, true},
	} {
		c := &call{face: &face{Config: Config{Closing: row.closing}}, in: &incoming{context: ended, modern: true}, unwanted: row.unwanted}
		if got := c.wasCancelled(); got != row.want {
			t.Errorf("%s: cancelled is %t", row.name, got)
		}
	}
}
