package flow

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// FindWorkflow reads a workflow with its graph and what the caller may do with it.
func (s *Service) FindWorkflow(ctx context.Context, id models.ID) (*Workflow, error) {
	if err := RequireWorkflow(models.ActorFrom(ctx), id); err != nil {
		return nil, err
	}
	w, _, err := s.reachWorkflow(ctx, id)
	return w, err
}

// reachWorkflow reads a workflow with the caller's reach in its space; one
// beyond reach is not_found. Whether a token covers it is for the use case.
func (s *Service) reachWorkflow(ctx context.Context, id models.ID) (*Workflow, *space.Viewer, error) {
	w, err := s.readWorkflow(ctx, id, true)
	if err != nil {
		return nil, nil, err
	}
	return s.reachFound(ctx, w)
}

// readWorkflow reads a live workflow, with its graph where it is wanted, and what is granted to the
// caller, and asks nothing about access.
func (s *Service) readWorkflow(ctx context.Context, id models.ID, withGraph bool) (*Workflow, error) {
	w := &Workflow{}
	into := []any{
		&w.ID, &w.Name, &w.Description, &w.ProjectID, &w.OwnerID, &w.WorkspaceID, &w.OrganizationID, &w.Visibility,
		&w.Version, &w.CreatedAt, &w.UpdatedAt, &w.PostID, (*[]byte)(&w.Source), &w.Granted,
	}
	var graph, join string
	if withGraph {
		graph, join = ", v.nodes, v.edges", "JOIN workflow_versions v ON v.workflow_id = w.id AND v.version = w.version"
		into = append(into, &w.Nodes, &w.Edges)
	}
	err := s.DB.Row(ctx, `
		SELECT w.id, w.name, w.description, w.project_id, w.owner_id, w.workspace_id, w.organization_id, w.visibility,
			w.version, w.created_at, w.updated_at, w.post_id, w.source, g.role`+graph+`
		FROM workflows w `+join+`
			LEFT JOIN workflow_collaborators g ON g.workflow_id = w.id AND g.user_id = $2
		WHERE w.id = $1 AND w.deleted_at IS NULL`, id, models.ActorFrom(ctx).UserID).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, models.NotFound("Workflow")
	}
	return w, err
}

// reachFound works out the caller's reach around a workflow that was read.
func (s *Service) reachFound(ctx context.Context, w *Workflow) (*Workflow, *space.Viewer, error) {
	viewer, err := s.viewerOf(ctx, w)
	if models.HasCode(err, models.CodeNotFound) {
		return nil, nil, models.NotFound("Workflow")
	}
	if err != nil {
		return nil, nil, err
	}
	return w, viewer, fill(viewer, w)
}

// FindWorkflowAccess is FindWorkflow without the graph.
func (s *Service) FindWorkflowAccess(ctx context.Context, id models.ID) (*Workflow, error) {
	if err := RequireWorkflow(models.ActorFrom(ctx), id); err != nil {
		return nil, err
	}
	w, _, err := s.ReachWithoutGraph(ctx, id)
	return w, err
}

// ReachWithoutGraph is reachWorkflow for who needs no graph.
func (s *Service) ReachWithoutGraph(ctx context.Context, id models.ID) (*Workflow, *space.Viewer, error) {
	w, err := s.readWorkflow(ctx, id, false)
	if err != nil {
		return nil, nil, err
	}
	return s.reachFound(ctx, w)
}

// reachAll is ReachWithoutGraph for many workflows: one statement for them, and
// one for each workspace in which they lie. What the caller may not know of is absent.
func (s *Service) reachAll(ctx context.Context, q *gorm.DB, ids []models.ID) (map[models.ID]*Workflow, error) {
	var found []*Workflow
	err := withGrant(q.Model(&Workflow{}), models.ActorFrom(ctx).UserID, "workflows.*").
		Where("workflows.id IN ? AND workflows.deleted_at IS NULL", ids).Find(&found).Error
	if err != nil {
		return nil, err
	}
	type standing struct {
		viewer  *space.Viewer
		refusal error
	}
	spaces, byID := map[models.ID]standing{}, make(map[models.ID]*Workflow, len(found))
	for _, w := range found {
		in, known := spaces[models.Deref(w.WorkspaceID)]
		if !known {
			in.viewer, in.refusal = s.Spaces.Viewer(ctx, w.WorkspaceID)
			spaces[models.Deref(w.WorkspaceID)] = in
		}
		err := in.refusal
		if in.viewer != nil {
			viewer := *in.viewer
			if err = allowAsCollaborator(&viewer, w, err); err == nil {
				err = fill(&viewer, w)
			}
		}
		if err != nil && !models.HasCode(err, models.CodeNotFound) {
			return nil, err
		}
		if err == nil {
			byID[w.ID] = w
		}
	}
	return byID, nil
}

// LockWorkflow is reachWorkflow for a change: it waits for other changes, and
// reads the graph afterwards, so that it sees theirs.
func (s *Service) LockWorkflow(tx *models.Tx, id models.ID) (*Workflow, *space.Viewer, error) {
	lock := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Select("id").Where("id = ? AND deleted_at IS NULL", id)
	if _, err := models.First[Workflow](lock, models.NotFound("Workflow")); err != nil {
		return nil, nil, err
	}
	return s.reachWorkflow(tx.Context(), id)
}

// withGrant reads columns of workflows along with what is granted to a user.
func withGrant(q *gorm.DB, userID models.ID, columns ...string) *gorm.DB {
	return joinGrant(q.Select(append(columns, "grants.role AS granted")), userID)
}

// joinGrant joins what is granted to a user.
func joinGrant(q *gorm.DB, userID models.ID) *gorm.DB {
	return q.Joins("LEFT JOIN workflow_collaborators grants ON grants.workflow_id = workflows.id AND grants.user_id = ?", userID)
}

var workflowSorts = models.Sorts{ID: "id", By: map[models.SortBy]models.SortColumn{
	models.SortByName:    {Column: "lower(listed.name)", Type: "text"},
	models.SortByCreated: {Column: "listed.created_at", Type: "timestamptz"},
	models.SortByUpdated: {Column: "listed.updated_at", Type: "timestamptz"},
}}

// ListWorkflows lists the workflows of the selected space that the caller can
// reach, newest first, without their graphs; a restricted token sees its own.
// A search leaves those with these words in their name or description.
func (s *Service) ListWorkflows(ctx context.Context, search *string, page models.Page) (*models.Connection[*Workflow], error) {
	return s.listWorkflowsIn(ctx, models.ActorFrom(ctx).WorkspaceID, search, page)
}

// ListWorkflowsBeside lists the workflows of the space that a workflow lives in,
// as ListWorkflows does where that space is selected. Anyone who cannot work there
// finds none.
func (s *Service) ListWorkflowsBeside(ctx context.Context, w *Workflow, page models.Page) (*models.Connection[*Workflow], error) {
	if w.WorkspaceID != nil {
		if _, err := s.Orgs.Workspaces().Select(ctx, *w.WorkspaceID); err != nil {
			if _, refused := models.AsError(err); refused {
				return &models.Connection[*Workflow]{}, nil
			}
			return nil, err
		}
	}
	return s.listWorkflowsIn(ctx, w.WorkspaceID, nil, page)
}

func (s *Service) listWorkflowsIn(ctx context.Context, workspaceID *models.ID, search *string, page models.Page) (*models.Connection[*Workflow], error) {
	actor := models.ActorFrom(ctx)
	if err := space.RequireSomeWorkflows(actor); err != nil {
		return nil, err
	}
	viewer, err := s.Spaces.Viewer(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	q := reachable(withGrant(s.DB.Read(ctx).Model(&Workflow{}), viewer.UserID, "workflows.*"), viewer)
	if actor.Restricted() {
		q = q.Where("workflows.id IN ?", actor.WorkflowIDs)
	}
	name := "workflows:" + viewer.Key()
	sought, err := models.ListSearch(search)
	if err != nil {
		return nil, err
	}
	if sought != "" {
		q = q.Where(models.Found("workflows.search"), sought)
		name += ":" + strconv.Quote(sought)
	}
	list := models.List[*Workflow]{Name: name, Position: func(w *Workflow) string { return w.ID.String() }, Sorts: workflowSorts}
	found, err := models.ListPage(s.DB, list, page, q, models.NewestFirst("workflows.id"))
	if err != nil {
		return nil, err
	}
	for _, w := range found.Nodes {
		if err := fill(viewer, w); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// reachable narrows a query of workflows to those of the space that the caller
// can reach: the rule of Reach.access in SQL. The query has the caller's grants.
func reachable(q *gorm.DB, viewer *space.Viewer) *gorm.DB {
	q = q.Where("workflows.deleted_at IS NULL")
	if viewer.Workspace == nil {
		return q.Where("workflows.workspace_id IS NULL AND workflows.owner_id = ?", viewer.UserID)
	}
	q = q.Where("workflows.workspace_id = ?", viewer.Workspace.ID)
	if viewer.IsAdmin() {
		return q
	}
	return q.Where("(workflows.owner_id = ? OR workflows.visibility = ? OR grants.role IS NOT NULL)", viewer.UserID, space.WorkspaceShared)
}

// GraphsOf reads the current graphs of workflows that were listed before, by
// their ids. It asks nothing about access: the rows came from a use case. Those
// that are larger than twice a page together are payload_too_large.
func (s *Service) GraphsOf(ctx context.Context, ids []models.ID) (map[models.ID]*Version, error) {
	byID, whole, err := s.graphsWithin(ctx, ids, 2*models.MaxPageBytes)
	if err == nil && !whole {
		err = models.Err(models.CodePayloadTooLarge, "The graphs are larger than %d MiB together: ask for fewer workflows at once", 2*models.MaxPageBytes>>20)
	}
	return byID, err
}

// EmptyAmong tells which of the workflows have no nodes, in one statement that leaves the graphs where they are stored. As
// GraphsOf it asks nothing about access.
func (s *Service) EmptyAmong(ctx context.Context, ids []models.ID) (map[models.ID]bool, error) {
	var rows []struct {
		ID    models.ID
		Empty bool
	}
	// An empty array takes a few bytes and one node many more, so no graph is unpacked to be compared.
	err := s.DB.Read(ctx).Model(&Version{}).
		Joins("JOIN workflows w ON w.id = workflow_versions.workflow_id AND w.version = workflow_versions.version").
		Select("w.id AS id, CASE WHEN pg_column_size(workflow_versions.nodes) > 16 THEN false ELSE workflow_versions.nodes = '[]' END AS empty").
		Where("w.id IN ?", ids).Scan(&rows).Error
	empty := make(map[models.ID]bool, len(ids))
	for _, id := range ids {
		empty[id] = false // what was deleted for good meanwhile, too
	}
	for _, row := range rows {
		empty[row.ID] = row.Empty
	}
	return empty, err
}

// GraphsOfPage gives the workflows of a page their graphs; the page ends where these are
// as large as a page may be.
func (s *Service) GraphsOfPage(ctx context.Context, page *models.Connection[*Workflow]) error {
	ids := make([]models.ID, len(page.Nodes))
	for i, w := range page.Nodes {
		ids[i] = w.ID
	}
	graphs, _, err := s.graphsWithin(ctx, ids, models.MaxPageBytes)
	if err != nil {
		return err
	}
	for i, w := range page.Nodes {
		version := graphs[w.ID]
		if version == nil {
			page.Cut(i)
			return nil
		}
		w.Nodes, w.Edges = version.Nodes, version.Edges
	}
	return nil
}

// graphsWithin reads the current graphs of workflows in the order of ids, the first one and
// those that fit into some bytes with it; whole says that these were all.
func (s *Service) graphsWithin(ctx context.Context, ids []models.ID, most int) (graphs map[models.ID]*Version, whole bool, err error) {
	graphs = make(map[models.ID]*Version, len(ids))
	if len(ids) == 0 {
		return graphs, true, nil
	}
	current := func() *gorm.DB {
		return s.DB.Read(ctx).Model(&Version{}).
			Joins("JOIN workflows w ON w.id = workflow_versions.workflow_id AND w.version = workflow_versions.version")
	}
	var stored []struct {
		ID    models.ID
		Bytes int
	}
	err = current().Select("w.id AS id, pg_column_size(workflow_versions.nodes) + pg_column_size(workflow_versions.edges) AS bytes").
		Where("w.id IN ?", ids).Scan(&stored).Error
	if err != nil {
		return nil, false, err
	}
	sizes := make(map[models.ID]int, len(stored))
	for _, row := range stored {
		sizes[row.ID] = row.Bytes
	}
	total := 0
	for batch := range models.BatchesByBytes(ids, sizes) {
		var versions []*Version
		if err := current().Select("workflow_versions.*").Where("w.id IN ?", batch).Find(&versions).Error; err != nil {
			return nil, false, err
		}
		read := make(map[models.ID]*Version, len(batch))
		for _, v := range versions {
			read[v.WorkflowID] = v
		}
		for _, id := range batch {
			v := read[id]
			if v == nil { // deleted for good meanwhile
				v = &Version{WorkflowID: id, Nodes: nodegraph.Nodes{}, Edges: nodegraph.Edges{}}
			}
			if total += nodegraph.SizeOf(v.Nodes, v.Edges); total > most && len(graphs) > 0 {
				return graphs, false, nil
			}
			graphs[id] = v
		}
	}
	return graphs, true, nil
}
