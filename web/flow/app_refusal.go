package flow

import (
	"context"
	"errors"
	"strings"

	"atelier/web/frame"
	"atelier/web/nodeform"
)

// inputRefusal puts a refusal of an input at the field of the form that it is about. The service names it
// "inputs.<id>", or "inputOverrides.<node>.<field>".
func inputRefusal(ctx context.Context, err error, controls []nodeform.Control) error {
	var e *frame.Error
	if !errors.As(err, &e) {
		return err
	}
	for _, c := range controls {
		byID := c.ID != "" && strings.TrimPrefix(e.Field, "inputs.") == c.ID
		byNode := strings.TrimPrefix(e.Field, "inputOverrides.") == c.NodeID+"."+c.Field
		if e.Field != "" && (byID || byNode) {
			out := *e
			out.Field, out.Message = c.Name, frame.AboutField(ctx, c.Label, e)
			return &out
		}
	}
	return err
}

// controlNames are the names of the fields of a form, for its error summary.
func controlNames(parts []formPart) []string {
	var out []string
	for _, c := range controlsOf(parts) {
		out = append(out, c.Name, c.Name+"-file")
	}
	return out
}
