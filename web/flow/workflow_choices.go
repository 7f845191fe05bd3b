package flow

import (
	"net/http"
	"slices"

	"atelier/web/frame"
	"atelier/web/query"
)

// workflowChoices are the newest workflows of the space, but the one of the address, which cannot run itself.
func (c Pages) workflowChoices(r *http.Request) ([]query.WorkflowChoice, error) {
	res, err := query.WorkflowChoices(r.Context(), c.Client)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(res.Workflows.Nodes, func(w query.WorkflowChoice) bool { return w.Id == frame.PathID(r) }), nil
}
