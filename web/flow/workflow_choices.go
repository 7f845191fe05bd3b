package flow

import (
	"net/http"
	"slices"

	"atelier/web/frame"
	"atelier/web/query"
)

// workflowChoices are the newest workflows of the space, but the one of the address, which cannot run itself.
func workflowChoices(r *http.Request, found query.WorkflowChoiceList) []query.WorkflowChoice {
	return slices.DeleteFunc(found.Nodes, func(w query.WorkflowChoice) bool { return w.Id == frame.PathID(r) })
}
