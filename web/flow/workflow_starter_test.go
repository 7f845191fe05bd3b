package flow

import "testing"

func TestStartersAreGraphs(t *testing.T) {
	for _, s := range starters {
		if _, err := readGraph(s.Graph); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}
