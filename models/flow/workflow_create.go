package flow

import (
	"context"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// maxDescription bounds descriptions, in characters.
const maxDescription = 5_000

// CreateWorkflow saves a new workflow in the selected space: in the named
// project or the default one (contract 3, "Acting in a workspace" 5 and 6).
func (s *Service) CreateWorkflow(ctx context.Context, in CreateWorkflowInput) (*Workflow, error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	w, err := s.newWorkflow(in)
	if err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		viewer, err := s.Spaces.ForCreate(tx)
		if err != nil {
			return err
		}
		// A project of another space does not exist here, whatever else is wrong.
		if in.ProjectID != nil {
			if _, err := space.ProjectForCreate(tx, viewer, in.ProjectID); err != nil {
				return err
			}
		}
		if err := viewer.CheckOpen(true); err != nil {
			return err
		}
		project, err := space.ProjectForCreate(tx, viewer, in.ProjectID)
		if err != nil {
			return err
		}
		if err := place(w, viewer, project, in.Visibility); err != nil {
			return err
		}
		if err := s.insertWorkflow(tx, viewer, w); err != nil || in.Visibility == nil || *in.Visibility != space.WorkspaceShared {
			return err
		}
		return s.checkBound(tx, w)
	})
	return w, err
}

// newWorkflow is the workflow of an input, its form checked.
func (s *Service) newWorkflow(in CreateWorkflowInput) (*Workflow, error) {
	name, err := models.CleanName("name", in.Name)
	if err != nil {
		return nil, err
	}
	w := &Workflow{Name: name, Version: 1, Nodes: in.Nodes, Edges: in.Edges, PostID: in.PostID, Source: in.Source}
	if in.Description != nil {
		if w.Description, err = models.CleanText("description", *in.Description, maxDescription); err != nil {
			return nil, err
		}
	}
	if in.Visibility != nil {
		if err := space.CheckVisibility(*in.Visibility); err != nil {
			return nil, err
		}
	}
	if w.Nodes == nil {
		w.Nodes = nodegraph.Nodes{}
	}
	if w.Edges == nil {
		w.Edges = nodegraph.Edges{}
	}
	return w, nodegraph.Validate(s.Catalogue, w.Nodes, w.Edges)
}

// place puts a new workflow into a project of the space; without a wish its
// visibility is the setting's (contract 3, default_workflow_visibility).
func place(w *Workflow, viewer *space.Viewer, project *space.Project, wish *space.Visibility) error {
	o, err := viewer.Place(wish)
	w.ProjectID, w.OwnerID, w.WorkspaceID, w.OrganizationID, w.Visibility = project.ID, o.OwnerID, o.WorkspaceID, o.OrganizationID, o.Visibility
	return err
}

func (s *Service) insertWorkflow(tx *models.Tx, viewer *space.Viewer, w *Workflow) error {
	w.Nodes = withRules(w.Nodes)
	if err := s.sealGraph(w); err != nil {
		return err
	}
	w.ID, w.CreatedAt, w.UpdatedAt = tx.NewID(), tx.Now, tx.Now
	if err := tx.Create(w).Error; err != nil {
		return err
	}
	if err := saveVersion(tx, w); err != nil {
		return err
	}
	if err := saveCredentialNodes(tx, w, nil, nil); err != nil {
		return err
	}
	if err := s.graphSaved(tx, w, true); err != nil {
		return err
	}
	if err := fill(viewer, w); err != nil {
		return err
	}
	return AuditWorkflow(tx, w, "workflow.created", models.Fields{"name": {To: w.Name}, "visibility": {To: w.Visibility}})
}

// saveVersion keeps the workflow's graph under its version.
func saveVersion(tx *models.Tx, w *Workflow) error {
	return tx.Create(&Version{
		WorkflowID: w.ID, Version: w.Version, Nodes: w.Nodes, Edges: w.Edges,
		CreatedBy: tx.Actor.UserID, CreatedAt: tx.Now,
	}).Error
}

// AuditWorkflow writes an audit entry for a workflow of an organization, and
// wakes everyone who watches the workspace.
func AuditWorkflow(tx *models.Tx, w *Workflow, action string, fields models.Fields) error {
	if w.WorkspaceID == nil {
		return nil
	}
	tx.Notify("workspace:" + w.WorkspaceID.String())
	return tx.Audit(*w.OrganizationID, action, models.Target{Type: "workflow", ID: w.ID, WorkspaceID: w.WorkspaceID}, fields)
}
