//go:build !race

package flow

import (
	"context"
	"testing"

	"atelier/web/locale"
)

func TestStartersAreGraphs(t *testing.T) {
	german := locale.With(context.Background(), locale.ByCode("de"))
	for _, s := range starters {
		for _, ctx := range []context.Context{context.Background(), german} {
			if _, err := readGraph(ctx, s.graph(ctx)); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
		if s.graph(context.Background()) != s.Graph || (s.graph(german) != s.Graph) != (s.Name == "letter") {
			t.Errorf("%s: %s", s.Name, s.graph(german))
		}
	}
}
