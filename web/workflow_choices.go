package web

import (
	"net/http"
	"slices"

	"atelier/web/query"
)

// workflowChoices are the newest workflows of the space, but the one of the address, which cannot run itself.
func (c *Console) workflowChoices(r *http.Request) ([]query.WorkflowChoice, error) {
	res, err := query.WorkflowChoices(r.Context(), c.client)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(res.Workflows.Nodes, func(w query.WorkflowChoice) bool { return w.Id == pathID(r) }), nil
}
