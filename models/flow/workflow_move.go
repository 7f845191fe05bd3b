package flow

import (
	"context"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/space"
)

// move is another project for a workflow; nil stays.
type move struct {
	project *space.Project
	space   *space.Viewer
	// closed is why the target's personal space takes nothing, or nil.
	closed  error
	between bool // to another space
}

// planMove finds the project that a workflow shall go to: Project not found
// for one that the caller cannot reach.
func (s *Service) planMove(tx *models.Tx, w *Workflow, projectID *models.ID) (*move, error) {
	if projectID == nil || *projectID == w.ProjectID {
		return nil, nil
	}
	if err := space.HoldOfProject(tx, *projectID); err != nil {
		return nil, err
	}
	p, viewer, err := s.Spaces.ReachProject(tx.Context(), tx.Clauses(clause.Locking{Strength: "SHARE"}), *projectID)
	if err != nil {
		return nil, err
	}
	m := &move{project: p, space: viewer, between: !w.sharesSpaceWith(p)}
	if m.between {
		m.closed = viewer.CheckOpen(true)
	}
	return m, nil
}

// sharesSpaceWith tells whether a project lies in the workflow's workspace, or
// in the same person's personal space.
func (w *Workflow) sharesSpaceWith(p *space.Project) bool {
	if w.WorkspaceID == nil || p.WorkspaceID == nil {
		return w.WorkspaceID == nil && p.UserID != nil && *p.UserID == w.OwnerID
	}
	return *w.WorkspaceID == *p.WorkspaceID
}

// leaves tells whether the workflow goes to another space.
func (m *move) leaves() bool { return m != nil && m.between }

// authorize refuses taking another person's work out of a space: only those who
// manage it may, and into a personal space the creator alone. The target must
// take creates: workspace_archived is 409 there.
func (m *move) authorize(w *Workflow, from *space.Viewer) error {
	if !m.leaves() {
		return nil
	}
	if err := mayManage(from, w); err != nil && !isArchived(err) {
		return err
	}
	if m.space.Workspace == nil && w.Access != space.IsCreator {
		return models.InsufficientRole("Only its creator may move a workflow into the personal space")
	}
	return m.closed
}

// apply places the workflow in the project.
func (m *move) apply(w *Workflow) {
	if m == nil {
		return
	}
	w.ProjectID = m.project.ID
	if !m.between {
		return
	}
	w.WorkspaceID, w.OrganizationID = nil, nil
	if m.space.Workspace == nil {
		w.Visibility = space.Private
		return
	}
	w.WorkspaceID, w.OrganizationID = &m.space.Workspace.ID, &m.space.Workspace.OrganizationID
}

// finish takes the workflow's app along, and works out the caller's access again.
func (m *move) finish(tx *models.Tx, w *Workflow) error {
	if !m.leaves() {
		return nil
	}
	err := tx.Model(&App{}).Where("workflow_id = ? AND deleted_at IS NULL", w.ID).
		UpdateColumns(map[string]any{"workspace_id": w.WorkspaceID, "updated_at": tx.Now}).Error
	if err != nil {
		return err
	}
	return fill(m.space, w)
}

// DeleteWorkflow removes a workflow with its saved graphs, what was granted on it, what starts it by itself, and the app that it is
// published as; runs that are under way end by themselves, and history stays.
func (s *Service) DeleteWorkflow(ctx context.Context, id models.ID) error {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		w, viewer, err := s.LockWorkflow(tx, id)
		if err != nil {
			return err
		}
		if err := mayManage(viewer, w); err != nil {
			return err
		}
		w.DeletedAt = &tx.Now
		if err := tx.Model(w).Select("deleted_at").Updates(w).Error; err != nil {
			return err
		}
		if err := tx.Where("workflow_id = ?", w.ID).Delete(&Collaborator{}).Error; err != nil {
			return err
		}
		if err := s.workflowDeleted(tx, w.ID); err != nil {
			return err
		}
		err = tx.Model(&App{}).Where("workflow_id = ? AND deleted_at IS NULL", w.ID).
			UpdateColumns(map[string]any{"deleted_at": tx.Now, "updated_at": tx.Now}).Error
		if err != nil {
			return err
		}
		if err := tx.Where("workflow_id = ?", w.ID).Delete(&Version{}).Error; err != nil {
			return err
		}
		if err := s.workflowChanged(tx, w.ID); err != nil {
			return err
		}
		if err := tx.Where("workflow_id = ?", w.ID).Delete(&credentialNode{}).Error; err != nil {
			return err
		}
		if err := dropSnapshots(tx, "app_id IN (SELECT id FROM apps WHERE workflow_id = ?)", w.ID); err != nil {
			return err
		}
		return AuditWorkflow(tx, w, "workflow.deleted", models.Fields{"name": {From: w.Name}})
	})
}
