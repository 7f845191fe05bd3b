package flow

import (
	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// What the components of a run may come to; what only packing bounds is said there.
const (
	MaxComponentDepth = 5
	MaxInComponents   = 2_000 // nodes of all components of a run
)

// checkComponents refuses that a person lets a component run a workflow that
// is beyond their own reach: components run with the rights of the graph's
// owner, and who may edit the graph may be another. What a graph named before
// stays allowed.
func (s *Service) checkComponents(tx *models.Tx, before nodegraph.Nodes, w *Workflow) error {
	if tx.Actor.UserID == w.OwnerID {
		return nil // runs check what the owner may
	}
	ids, fields, err := newlyNamed(before, w.Nodes)
	if err != nil || len(ids) == 0 {
		return err
	}
	found, err := s.reachAll(tx.Context(), tx.DB, ids)
	if err != nil {
		return err
	}
	for i, id := range ids {
		if found[id] == nil {
			return models.Invalid(fields[i], "names no workflow that you may see")
		}
	}
	return nil
}

// newlyNamed are the workflows that components of a graph name and none did
// before, with the fields that name them.
func newlyNamed(before, after nodegraph.Nodes) (ids []models.ID, fields []string, err error) {
	known := map[string]bool{"": true}
	for _, node := range before {
		if node.Type == nodegraph.ComponentType {
			known[node.RawWorkflowID()] = true
		}
	}
	for _, node := range after {
		if node.Type != nodegraph.ComponentType || known[node.RawWorkflowID()] {
			continue
		}
		id, field, err := node.NamedWorkflow()
		if err != nil {
			return nil, nil, err
		}
		ids, fields = append(ids, id), append(fields, field)
	}
	return ids, fields, nil
}

// OwnedVersion is a version with the owner of its workflow.
type OwnedVersion struct {
	Version     `gorm:"embedded"`
	OwnerID     models.ID
	WorkspaceID *models.ID
}

// VersionForComponent reads the current version of a workflow that a component names: one of
// the author's own, or one that the workspace shares. nil: neither.
func VersionForComponent(q *gorm.DB, id, author models.ID, workspaceID *models.ID) (*OwnedVersion, error) {
	return models.First[OwnedVersion](q.Table("workflow_versions v").Select("v.*, w.owner_id, w.workspace_id").
		Joins("JOIN workflows w ON w.id = v.workflow_id AND w.version = v.version").
		Where("w.id = ? AND w.deleted_at IS NULL", id).
		Where("w.owner_id = ? OR (w.visibility = ? AND w.workspace_id = ?)", author, space.WorkspaceShared, workspaceID), nil)
}
