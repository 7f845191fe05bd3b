package flow

import (
	"context"

	"atelier/models"
	"atelier/models/space"
)

// Update changes the role of a person whom a workflow is shared
// with: the one who may share it. The creator and oneself are validation_error,
// a person without a grant not_found.
func (s Collaborators) Update(ctx context.Context, workflowID, userID models.ID, in UpdateCollaboratorInput) (*Collaborator, error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	if err := checkCollaboratorRole(in.Role); err != nil {
		return nil, err
	}
	var c *Collaborator
	err := s.flow.DB.Write(ctx, func(tx *models.Tx) error {
		w, viewer, err := s.flow.lockShared(tx, workflowID)
		if err != nil {
			return err
		}
		if err := checkGrantee(tx.Actor, w, userID); err != nil {
			return err
		}
		if c, err = findCollaborator(tx.DB, w.ID, userID); err != nil {
			return err
		}
		if in.Role != c.Role {
			if err := s.flow.checkBoundFor(tx, w, in.Role); err != nil {
				return err
			}
		}
		if err := c.setRole(tx, w, in.Role); err != nil {
			return err
		}
		return s.flow.addStandings(tx.Context(), viewer, w, []*Collaborator{c})
	})
	return c, err
}

// setRole stores another role.
func (c *Collaborator) setRole(tx *models.Tx, w *Workflow, role CollaboratorRole) error {
	if role == c.Role {
		return nil
	}
	change := models.Change{From: c.Role, To: role}
	c.Role, c.UpdatedAt = role, tx.Now
	err := tx.Model(&Collaborator{}).Where("workflow_id = ? AND user_id = ?", c.WorkflowID, c.UserID).
		Select("role", "updated_at").Updates(c).Error
	if err != nil {
		return err
	}
	return auditCollaborator(tx, w, "collaborator.role_changed", c, change)
}

// Remove ends a grant at once: the one who may share the workflow, and
// everyone their own.
func (s Collaborators) Remove(ctx context.Context, workflowID, userID models.ID) error {
	actor := models.ActorFrom(ctx)
	if err := space.RequireWorkflows(actor); err != nil {
		return err
	}
	return s.flow.DB.Write(ctx, func(tx *models.Tx) error {
		w, viewer, err := s.flow.LockWorkflow(tx, workflowID)
		if err != nil {
			return err
		}
		if userID != actor.UserID {
			if err := mayShare(viewer, w); err != nil {
				return err
			}
		}
		c, err := findCollaborator(tx.DB, w.ID, userID)
		if err != nil {
			return err
		}
		if err := viewer.CheckOpen(false); err != nil {
			return err
		}
		if err := tx.Where("workflow_id = ? AND user_id = ?", w.ID, userID).Delete(&Collaborator{}).Error; err != nil {
			return err
		}
		return auditCollaborator(tx, w, "collaborator.removed", c, models.Change{From: c.Role})
	})
}
