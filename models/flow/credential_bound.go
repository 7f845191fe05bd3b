package flow

import (
	"fmt"
	"strings"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/space"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// maxNamedUnbound is how many nodes a credential_unbound names.
const maxNamedUnbound = 20

// checkBoundFor is checkBound for a grant: viewers cannot run.
func (s *Service) checkBoundFor(tx *models.Tx, w *Workflow, role CollaboratorRole) error {
	if role != Editor {
		return nil
	}
	return s.checkBound(tx, w)
}

// checkBound refuses to let others run a workflow that sends with a credential
// that is not locked to the address, its components and theirs included:
// credential_unbound (contract 2, "Webhook-output node and credentials" 5).
func (s *Service) checkBound(tx *models.Tx, w *Workflow) error {
	graphs, err := sendingGraphs(tx, w)
	if err != nil || len(graphs) == 0 {
		return err
	}
	var ids []models.ID
	for _, g := range graphs {
		for _, s := range g.senders {
			ids = append(ids, s.id)
		}
	}
	var found []*Credential
	if err := tx.Where("id IN ?", ids).Find(&found).Error; err != nil {
		return err
	}
	byID := map[models.ID]*Credential{}
	for _, c := range found {
		byID[c.ID] = c
	}
	var unbound []map[string]any
	for _, g := range graphs {
		for _, s := range g.senders {
			// With a credential that is gone, is another person's, or is not named by the node itself nothing is sent at all.
			c := byID[s.id]
			if c != nil && c.AccountID == g.ownerID && !s.fedID && !c.boundTo(s) {
				unbound = append(unbound, g.describe(tx.Actor, s, c))
			}
		}
	}
	if len(unbound) == 0 {
		return nil
	}
	return errUnbound(unbound)
}

// boundTo tells whether the credential is sent by a node in every run. An address
// that other nodes feed is held to the lock when it is known.
func (c *Credential) boundTo(s *sender) bool {
	if c.Kind != LockedCredential {
		return false
	}
	address, _ := s.node.Data[addressField].(string)
	return s.fed || kit.MatchesLocked(*c.LockedURL, address, c.AllowSubpaths)
}

// sendingGraph is a workflow with its nodes that send with credentials.
type sendingGraph struct {
	workflowID, ownerID models.ID
	name                string
	senders             []*sender
}

// describe names a node for the one who has to mend it.
func (g *sendingGraph) describe(actor models.Actor, s *sender, c *Credential) map[string]any {
	said := map[string]any{"nodeId": s.node.ID, "label": labelOf(s.node), "workflowId": g.workflowID, "workflowName": g.name, "reason": "not_locked"}
	if c.Kind == LockedCredential {
		said["reason"] = "other_address"
	}
	if c.AccountID == actor.UserID {
		said["credentialId"] = c.ID
	}
	return said
}

func labelOf(node *nodegraph.Node) string {
	if label, _ := node.Data["label"].(string); label != "" {
		return label
	}
	if kind, ok := nodes.Find(node.Type); ok {
		return kind.Label
	}
	return node.Type
}

// errUnbound names the nodes, in the refusal and in its sentence.
func errUnbound(unbound []map[string]any) error {
	var names []string
	for _, said := range unbound[:min(len(unbound), 3)] {
		names = append(names, fmt.Sprintf("%q", models.Shortened(said["label"].(string), 60)))
	}
	if more := len(unbound) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	sentence := "The node %s sends with a credential that is not locked to its address"
	if len(unbound) > 1 {
		sentence = "The nodes %s send with credentials that are not locked to their addresses"
	}
	list := strings.Join(names, ", ")
	if i := strings.LastIndex(list, ", "); i >= 0 {
		list = list[:i] + " and" + list[i+1:]
	}
	e := &models.Error{
		Code:    models.CodeCredentialUnbound,
		Message: fmt.Sprintf(sentence, list) + ". Others cannot run this workflow until it is locked, or taken out of the node.",
		Extra:   map[string]any{"nodes": unbound[:min(len(unbound), maxNamedUnbound)]},
	}
	if len(unbound) > 1 {
		e.Message = fmt.Sprintf(sentence, list) + ". Others cannot run this workflow until they are locked, or taken out of the nodes."
	}
	return e
}

// sendingGraphs are the workflow and those that its components run, each once, as
// far as they send with credentials. Beyond what a run may come to, nothing runs.
func sendingGraphs(tx *models.Tx, w *Workflow) (found []*sendingGraph, err error) {
	type row struct {
		Version `gorm:"embedded"`
		OwnerID models.ID
		Name    string
	}
	level := []*row{{Version{WorkflowID: w.ID, Nodes: w.Nodes, Edges: w.Edges}, w.OwnerID, w.Name}}
	seen, count := map[models.ID]bool{w.ID: true}, 0
	for depth := 0; len(level) > 0 && depth <= MaxComponentDepth && count <= MaxInComponents; depth++ {
		var next []models.ID
		for _, r := range level {
			count += len(r.Nodes)
			if senders := sendersOf(r.Nodes, r.Edges); len(senders) > 0 {
				found = append(found, &sendingGraph{r.WorkflowID, r.OwnerID, r.Name, senders})
			}
			for _, node := range r.Nodes {
				if node.Type != nodegraph.ComponentType {
					continue
				}
				if id, _, err := node.NamedWorkflow(); err == nil && !seen[id] {
					seen[id] = true
					next = append(next, id)
				}
			}
		}
		level = nil
		if len(next) == 0 {
			break
		}
		err := tx.Table("workflow_versions v").Select("v.*, w.owner_id, w.name").
			Joins("JOIN workflows w ON w.id = v.workflow_id AND w.version = v.version").
			Where("w.id IN ? AND w.deleted_at IS NULL", next).
			Where("w.owner_id = ? OR (w.visibility = ? AND w.workspace_id = ?)", w.OwnerID, space.WorkspaceShared, w.WorkspaceID).
			Order("w.id").Find(&level).Error
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}
