package flow

import (
	"context"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

// maxSharedWithMe is the longest list of what is shared with a person
// (contract 3, "Sharing one workflow").
const maxSharedWithMe = 200

// SharedWorkflow is a workflow outside the caller's own workspaces that
// a person shared with the caller.
type SharedWorkflow struct {
	ID          models.ID
	Name        string
	GrantedRole CollaboratorRole
	GrantedBy   models.ID
	CreatedAt   time.Time
	WorkspaceID *models.ID
}

// Access is what the grant comes to: outside a workspace no one does more than view.
func (w *SharedWorkflow) Access() space.Access {
	if w.WorkspaceID != nil {
		return space.CanView
	}
	return w.GrantedRole.access()
}

// SharedWithMe lists what is shared with the caller outside the workspaces that
// the caller belongs to, suspended memberships included, the latest grant
// first; a restricted token sees its own workflows.
func (s *Service) SharedWithMe(ctx context.Context) ([]*SharedWorkflow, error) {
	actor := models.ActorFrom(ctx)
	if err := space.RequireSomeWorkflows(actor); err != nil {
		return nil, err
	}
	q := sharedWith(s.DB.Read(ctx), actor.UserID).Select("w.id, w.name, w.workspace_id, c.role AS granted_role, c.granted_by, c.created_at")
	if actor.Restricted() {
		q = q.Where("w.id IN ?", actor.WorkflowIDs)
	}
	shared := []*SharedWorkflow{}
	return shared, q.Order("c.created_at DESC, c.workflow_id DESC").Limit(maxSharedWithMe).Find(&shared).Error
}

// sharedWith is a query of the workflows, as w, that a person may see by a grant
// alone, as c: those outside the workspaces that they belong to.
func sharedWith(db *gorm.DB, userID models.ID) *gorm.DB {
	q := db.Table("workflow_collaborators c").
		Joins("JOIN workflows w ON w.id = c.workflow_id AND w.deleted_at IS NULL").
		Where("c.user_id = ?", userID)
	return org.Outsiders(q, "w.workspace_id", "w.organization_id", "c.user_id")
}
