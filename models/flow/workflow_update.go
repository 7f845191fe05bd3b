package flow

import (
	"context"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/space"
	"atelier/nodes"
)

// UpdateWorkflow saves changes: other nodes or edges make the next version,
// another project moves the workflow. Refusals: stale_version when in.Version
// is not the current one, insufficient_role for callers who may only look,
// workspace_archived (403) for edits in an archived workspace.
func (s *Service) UpdateWorkflow(ctx context.Context, id models.ID, in UpdateWorkflowInput) (*Workflow, error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	change, err := s.readChange(in)
	if err != nil {
		return nil, err
	}
	var w *Workflow
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		var viewer *space.Viewer
		if w, viewer, err = s.LockWorkflow(tx, id); err != nil {
			return err
		}
		move, err := s.planMove(tx, w, change.project)
		if err != nil {
			return err
		}
		if err := change.authorize(w, viewer, move); err != nil {
			return err
		}
		if in.Version != nil && *in.Version != w.Version {
			return models.Err(models.CodeStale, "The workflow was changed meanwhile: it is at version %d", w.Version)
		}
		return s.saveWorkflow(tx, w, move, change)
	})
	if err != nil {
		return nil, err
	}
	return w, nil
}

// workflowChange is an update whose form was checked; nil fields stay.
type workflowChange struct {
	name, description *string
	visibility        *space.Visibility
	project           *models.ID
	nodes             *nodegraph.Nodes
	edges             *nodegraph.Edges
}

func (s *Service) readChange(in UpdateWorkflowInput) (c workflowChange, err error) {
	if name, ok, err := models.Required("name", in.Name); err != nil {
		return c, err
	} else if ok {
		if name, err = models.CleanName("name", name); err != nil {
			return c, err
		}
		c.name = &name
	}
	if text, ok, err := models.Required("description", in.Description); err != nil {
		return c, err
	} else if ok {
		if text, err = models.CleanText("description", text, maxDescription); err != nil {
			return c, err
		}
		c.description = &text
	}
	if v, ok, err := models.Required("visibility", in.Visibility); err != nil {
		return c, err
	} else if ok {
		if err := space.CheckVisibility(v); err != nil {
			return c, err
		}
		c.visibility = &v
	}
	if id, ok, err := models.Required("projectId", in.ProjectID); err != nil {
		return c, err
	} else if ok {
		c.project = &id
	}
	return c, c.readGraph(s.Catalogue, in)
}

// readGraph takes the sent half of the graph; a whole one is checked at once,
// before anything is looked up.
func (c *workflowChange) readGraph(kinds *nodes.Catalogue, in UpdateWorkflowInput) error {
	if sent, ok, err := models.Required("nodes", in.Nodes); err != nil {
		return err
	} else if ok {
		all := append(nodegraph.Nodes{}, sent...)
		c.nodes = &all
	}
	if sent, ok, err := models.Required("edges", in.Edges); err != nil {
		return err
	} else if ok {
		all := append(nodegraph.Edges{}, sent...)
		c.edges = &all
	}
	if c.nodes != nil && c.edges != nil {
		return nodegraph.Validate(kinds, *c.nodes, *c.edges)
	}
	return nil
}

// authorize refuses what the caller may not do to the workflow where it is.
// Moving work out of an archived workspace is allowed (contract 3, "Acting in
// a workspace" 6).
func (c *workflowChange) authorize(w *Workflow, viewer *space.Viewer, move *move) error {
	if err := MayEdit(viewer, w, false); err != nil && !(move.leaves() && isArchived(err)) {
		return err
	}
	if c.visibility != nil && *c.visibility != w.Visibility {
		if err := mayManage(viewer, w); err != nil && !(move.leaves() && isArchived(err)) {
			return err
		}
	}
	return move.authorize(w, viewer)
}

func isArchived(err error) bool { return models.HasCode(err, models.CodeWorkspaceArchived) }

// saveWorkflow writes what changed.
func (s *Service) saveWorkflow(tx *models.Tx, w *Workflow, move *move, c workflowChange) error {
	before := *w
	move.apply(w)
	set(&w.Name, c.name)
	set(&w.Description, c.description)
	set(&w.Visibility, c.visibility)
	if err := w.owned().CheckVisibility(); err != nil {
		return err
	}
	set(&w.Nodes, c.nodes)
	set(&w.Edges, c.edges)
	if c.nodes != nil || c.edges != nil {
		w.Nodes = withRules(w.Nodes)
		if err := s.sealGraph(w); err != nil {
			return err
		}
	}
	newGraph := (c.nodes != nil || c.edges != nil) && !(nodegraph.SameJSON(before.Nodes, w.Nodes) && nodegraph.SameJSON(before.Edges, w.Edges))
	if newGraph {
		if err := nodegraph.Validate(s.Catalogue, w.Nodes, w.Edges); err != nil {
			return err
		}
		if err := s.checkComponents(tx, before.Nodes, w); err != nil {
			return err
		}
		if err := checkAddedCredentials(tx, before.Nodes, w); err != nil {
			return err
		}
		w.Version++
		if err := saveVersion(tx, w); err != nil {
			return err
		}
		if err := saveCredentialNodes(tx, w, before.Nodes, before.Edges); err != nil {
			return err
		}
		if err := s.workflowChanged(tx, w.ID); err != nil {
			return err
		}
	}
	if w.Visibility == space.WorkspaceShared && (before.Visibility != space.WorkspaceShared || move.leaves()) {
		if err := s.checkBound(tx, w); err != nil {
			return err
		}
	}
	if c.nodes != nil || c.edges != nil { // a save of the same graph, too, has the nodes' switches hold again
		if err := s.graphSaved(tx, w, false); err != nil {
			return err
		}
	}
	fields := workflowFields(&before, w)
	if len(fields) == 0 {
		return nil
	}
	w.UpdatedAt = tx.Now
	err := tx.Model(w).Select("name", "description", "project_id", "workspace_id", "organization_id", "visibility", "version", "updated_at").
		Updates(w).Error
	if err != nil {
		return err
	}
	if err := move.finish(tx, w); err != nil {
		return err
	}
	return auditChange(tx, &before, w, fields)
}

func set[T any](value *T, to *T) {
	if to != nil {
		*value = *to
	}
}

// workflowFields is what differs, for the audit log.
func workflowFields(before, after *Workflow) models.Fields {
	fields := models.Fields{}
	NoteChange(fields, "name", before.Name, after.Name)
	NoteChange(fields, "description", before.Description, after.Description)
	NoteChange(fields, "visibility", before.Visibility, after.Visibility)
	NoteChange(fields, "version", before.Version, after.Version)
	NoteChange(fields, "projectId", before.ProjectID, after.ProjectID)
	NoteChange(fields, "workspaceId", before.WorkspaceID, after.WorkspaceID)
	return fields
}

// NoteChange adds a field to an audit entry if its value changed.
func NoteChange(fields models.Fields, name string, from, to any) {
	if !nodegraph.SameJSON(from, to) {
		fields[name] = models.Change{From: from, To: to}
	}
}

// auditChange tells both sides of a move.
func auditChange(tx *models.Tx, before, after *Workflow, fields models.Fields) error {
	action := "workflow.updated"
	if _, moved := fields["workspaceId"]; moved {
		action = "workflow.moved"
		if err := AuditWorkflow(tx, before, action, fields); err != nil {
			return err
		}
		if before.OrganizationID != nil && after.OrganizationID != nil && *before.OrganizationID == *after.OrganizationID {
			return nil
		}
	}
	return AuditWorkflow(tx, after, action, fields)
}
