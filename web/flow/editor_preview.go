package flow

import (
	"context"
	"strings"

	"atelier/web/nodeform"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// preview is what a node of the canvas shows of its result: a file of this install, or the beginning of a text.
func (n nodeRun) preview(ctx context.Context) templ.Attributes {
	r := n.Result
	text := strings.Join(strings.Fields(ui.Short(r.Text, 4*nodeform.MaxPreview)), " ")
	switch {
	case r.Embedded && (r.Kind == "image" || r.Kind == "video" || r.Kind == "audio"):
		return templ.Attributes{"data-result-kind": r.Kind, "data-result-address": r.Address}
	case text != "":
		return templ.Attributes{"data-result-kind": "text", "data-result-text": ui.Said(ctx, ui.Short(text, nodeform.MaxPreview))}
	}
	return nil
}
