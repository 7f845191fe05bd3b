// Package flow holds what people make: workflows with their graphs, their versions and those whom they are shared with, the
// apps that they are published as, and the credentials that they send with (contract 1). What executes them is models/run.
package flow

import (
	"encoding/json"
	"time"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// Workflow is a graph of nodes; its versions are kept.
type Workflow struct {
	ID             models.ID `gorm:"primaryKey"`
	Name           string
	Description    string
	ProjectID      models.ID
	OwnerID        models.ID
	WorkspaceID    *models.ID
	OrganizationID *models.ID
	Visibility     space.Visibility
	Version        int
	CreatedAt      time.Time
	UpdatedAt      time.Time
	DeletedAt      *time.Time
	// PostID is the post of the community that it is a copy of, and Source says whose that was.
	PostID *models.ID
	Source json.RawMessage `gorm:"type:jsonb"`

	// The graph of the current version, read along with the row.
	Nodes nodegraph.Nodes `gorm:"->"`
	Edges nodegraph.Edges `gorm:"->"`
	// Granted is the role that a person granted the caller, read along with the row.
	Granted *CollaboratorRole `gorm:"->"`
	// Access is the caller's, worked out when the row is read for a caller.
	Access space.Access `gorm:"-"`
	// Can is what the caller may do beside reading.
	Can WorkflowPermissions `gorm:"-"`
	// WhyNotRun says why the caller may not run it; nil when they may.
	WhyNotRun *string `gorm:"-"`
}

func (Workflow) TableName() string { return "workflows" }

// Version is a saved state of a workflow's graph.
type Version struct {
	WorkflowID models.ID `gorm:"primaryKey"`
	Version    int       `gorm:"primaryKey"`
	Nodes      nodegraph.Nodes
	Edges      nodegraph.Edges
	CreatedBy  models.ID
	CreatedAt  time.Time
}

func (Version) TableName() string { return "workflow_versions" }

// WorkflowPermissions is what a caller may do with a workflow. The three of
// contract 3 - share, run, changing visibility - are independent.
type WorkflowPermissions struct {
	Edit, Run, Publish, Delete, ChangeVisibility, Share bool
}

// CreateWorkflowInput saves a new workflow in the selected space.
type CreateWorkflowInput struct {
	Name        string
	Description *string
	ProjectID   *models.ID
	Visibility  *space.Visibility
	Nodes       []*nodegraph.Node
	Edges       []*nodegraph.Edge
	// PostID and Source are of a copy, see Workflow.
	PostID *models.ID
	Source json.RawMessage
}

// UpdateWorkflowInput changes a workflow; another ProjectID moves it.
type UpdateWorkflowInput struct {
	Name        models.Opt[string]
	Description models.Opt[string]
	ProjectID   models.Opt[models.ID]
	Visibility  models.Opt[space.Visibility]
	Nodes       models.Opt[[]*nodegraph.Node]
	Edges       models.Opt[[]*nodegraph.Edge]
	Version     *int
}
