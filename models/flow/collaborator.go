package flow

import (
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/space"
)

// CollaboratorRole is what a person is granted on one workflow.
type CollaboratorRole string

const (
	Viewer CollaboratorRole = "viewer"
	Editor CollaboratorRole = "editor"
)

// access is what the role gives a member of the space; without one nothing.
func (r *CollaboratorRole) access() space.Access {
	switch {
	case r == nil:
		return ""
	case *r == Editor:
		return space.CanEdit
	}
	return space.CanView
}

func checkCollaboratorRole(r CollaboratorRole) error {
	if r != Viewer && r != Editor {
		return models.Invalid("role", "must be viewer or editor")
	}
	return nil
}

// Collaborator is a grant on one workflow (contract 3, "Sharing one workflow").
// It stays when the workflow moves, and ends when the workflow is deleted.
type Collaborator struct {
	WorkflowID models.ID `gorm:"primaryKey"`
	UserID     models.ID `gorm:"primaryKey"`
	Role       CollaboratorRole
	GrantedBy  models.ID
	CreatedAt  time.Time
	UpdatedAt  time.Time

	// Added tells a new grant from one that was there.
	Added bool `gorm:"-"`
	// Standing is what the grant comes to: for those who may share the workflow,
	// and for the collaborator; nil for others.
	Standing *CollaboratorStanding `gorm:"-"`
}

func (Collaborator) TableName() string { return "workflow_collaborators" }

// CollaboratorStanding is what a collaborator may do now, by the rules that
// every use case asks.
type CollaboratorStanding struct {
	// Access is nil while the person reaches nothing.
	Access *space.Access
	// Outside is set for people outside the workflow's workspace, who view at most.
	Outside bool
	// Suspended is set for people whose membership is suspended.
	Suspended bool
	CanRun    bool
}

// AddCollaboratorInput grants a role to an account, named by exactly one of id
// and address.
type AddCollaboratorInput struct {
	UserID *models.ID
	Email  *string
	Role   CollaboratorRole
}

// UpdateCollaboratorInput changes a grant.
type UpdateCollaboratorInput struct{ Role CollaboratorRole }

// collaborators are the grants on a workflow whose accounts still exist.
func collaborators(q *gorm.DB, workflowID models.ID) *gorm.DB {
	return q.Model(&Collaborator{}).Select("workflow_collaborators.*").
		Joins(account.JoinUndeleted("workflow_collaborators.user_id")).
		Where("workflow_collaborators.workflow_id = ?", workflowID)
}

func findCollaborator(q *gorm.DB, workflowID, userID models.ID) (*Collaborator, error) {
	return models.First[Collaborator](collaborators(q, workflowID).Where("u.id = ?", userID), models.NotFound("Collaborator"))
}

// auditCollaborator tells an organization who may do what with one of its workflows.
func auditCollaborator(tx *models.Tx, w *Workflow, action string, c *Collaborator, role models.Change) error {
	fields := models.Fields{"role": role, "userId": {From: c.UserID, To: c.UserID}}
	switch action {
	case "collaborator.added":
		fields["userId"] = models.Change{To: c.UserID}
	case "collaborator.removed":
		fields["userId"] = models.Change{From: c.UserID}
	}
	return AuditWorkflow(tx, w, action, fields)
}
