package flow

import (
	"atelier/models"
)

// checkComponents refuses that somebody lets a component run a workflow that
// is beyond their own reach: components run with the rights of the graph's
// owner, and who may edit the graph may be another. What a graph named before
// stays allowed.
func (s *Service) checkComponents(tx *models.Tx, before Nodes, w *Workflow) error {
	if tx.Actor.UserID == w.OwnerID {
		return nil // runs check what the owner may
	}
	known := map[any]bool{}
	for _, node := range before {
		if node.Type == componentType {
			known[node.Data["workflowId"]] = true
		}
	}
	for _, node := range w.Nodes {
		text, _ := node.Data["workflowId"].(string)
		if node.Type != componentType || text == "" || known[text] {
			continue
		}
		id, field, err := node.namedWorkflow()
		if err != nil {
			return err
		}
		_, _, err = s.reachWorkflow(tx.Context(), tx.DB, id)
		if models.HasCode(err, models.CodeNotFound) {
			return models.Invalid(field, "names no workflow that you may see")
		}
		if err != nil {
			return err
		}
	}
	return nil
}
