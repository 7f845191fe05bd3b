package flow

import (
	"context"
	"testing"
)

func TestStartersAreGraphs(t *testing.T) {
	for _, s := range starters {
		if _, err := readGraph(context.Background(), s.Graph); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}
