//go:build !race

package studio

import (
	"bytes"
	"strings"
	"testing"

	"atelier/web/query"
)

// TestOnlyWhatIsMissingIsCalledMissing tells the cut of a film from shots that are made, and from a film that is there.
func TestOnlyWhatIsMissingIsCalledMissing(t *testing.T) {
	for name, c := range map[string]struct {
		status   query.ProductionStatus
		reuse    bool
		credits  float64
		pipeline string
		costs    string
		note     bool
		made     string
	}{
		"a shot is to be made":     {query.ProductionStatusStale, false, 8, "", "About 8 credits to make what is missing", false, "1 shot"},
		"the film is to be cut":    {query.ProductionStatusStale, true, 2, "", "About 2 credits to cut the film", false, "the cut of the film alone"},
		"there is no film yet":     {query.ProductionStatusDraft, true, 2, "", "About 2 credits to cut the film", false, "the cut of the film alone"},
		"the film is up to date":   {query.ProductionStatusReady, true, 2, "", "Nothing is missing", true, "the cut of the film alone"},
		"its own pipeline, named":  {query.ProductionStatusReady, true, 2, "own", "Nothing is missing", true, "the cut of the film alone"},
		"another pipeline":         {query.ProductionStatusReady, true, 2, "other", "Nothing is missing", false, "the cut of the film alone"},
		"everything is made again": {query.ProductionStatusReady, false, 8, "", "About 8 credits to make what is missing", false, "1 shot"},
		"nothing costs anything":   {query.ProductionStatusReady, true, 0, "", "", false, "0 shots"},
	} {
		var p loaded
		p.Status, p.PipelineId, p.ViewerCan.Render = c.status, "own", true
		p.Estimate = &query.EstimateDetail{Credits: c.credits, Shots: []query.ShotPrice{{ShotId: "a", Credits: c.credits, Reuse: c.reuse}}}
		if got := (productionView{loaded: p, Rows: make([]shotView, 1)}).costs(t.Context()); got != c.costs {
			t.Errorf("%s: %q, not %q", name, got, c.costs)
		}
		v := renderView{loaded: p, Pipeline: c.pipeline}
		again, kept := v.parts()
		if got := estimateFacts(t.Context(), v, again, kept)[0].Value; got != c.made {
			t.Errorf("%s: made now is %q, not %q", name, got, c.made)
		}
		var body bytes.Buffer
		if err := estimatePart(v).Render(t.Context(), &body); err != nil {
			t.Fatal(err)
		}
		said := strings.Contains(body.String(), "Cutting the film again costs 2 credits")
		if said != c.note || strings.Contains(body.String(), "Cut the film again") != c.note {
			t.Errorf("%s: said is %t, not %t", name, said, c.note)
		}
	}
}
