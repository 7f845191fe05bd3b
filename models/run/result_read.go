package run

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

// ResultScope is whose results a list holds.
type ResultScope string

const (
	// OwnResults are one's own, without those of archived runs.
	OwnResults ResultScope = "mine"
	// SharedResults are what people shared with the selected workspace; in a
	// personal space there are none.
	SharedResults ResultScope = "shared"
	// AllResults are those of everyone in the selected workspace, for its admins.
	AllResults ResultScope = "all"
)

// resultQuery reads results with what their runs say of them.
func resultQuery(q *gorm.DB) *gorm.DB {
	return q.Model(&Result{}).Select("results.*", "e.organization_id", "e.app_id", "e.workflow_id", "e.subject").
		Joins("JOIN executions e ON e.id = results.execution_id AND shards_match(e.shard, results.shard)")
}

// List reads results of the selected space, newest first; what is shared,
// by when it was shared. A kind narrows the list, nil does not. Everyone's are for admins of the workspace, who may read
// its members' runs: insufficient_role.
func (s Results) List(ctx context.Context, page models.Page, scope ResultScope, kind *ResultKind) (*models.Connection[*Result], error) {
	return s.run.listResults(ctx, models.ActorFrom(ctx).WorkspaceID, page, scope, kind)
}

// ListOfWorkspace is List of one workspace, whatever is selected.
func (s Results) ListOfWorkspace(ctx context.Context, workspaceID models.ID, page models.Page, scope ResultScope, kind *ResultKind) (*models.Connection[*Result], error) {
	return s.run.listResults(ctx, &workspaceID, page, scope, kind)
}

func (s *Service) listResults(ctx context.Context, workspaceID *models.ID, page models.Page, scope ResultScope, kind *ResultKind) (*models.Connection[*Result], error) {
	actor := models.ActorFrom(ctx)
	if err := requireAllRuns(actor); err != nil {
		return nil, err
	}
	query, name := resultQuery(s.DB.Read(ctx)), "results:"+string(scope)+":"
	if app := actor.OfApp(); app != nil {
		query, name = query.Where("e.client_app_id = ? AND results.account_id = ?", *app, actor.UserID), name+app.String()+":"
	}
	place := models.List[*Result]{Position: func(r *Result) string { return r.ExecutionID.String() }}
	order := models.NewestFirst("results.execution_id")
	if workspaceID == nil {
		query, name = query.Where("results.account_id = ? AND results.workspace_id IS NULL AND results.archived_at IS NULL AND shard_fits_space(results.shard, ?)", actor.UserID, actor.UserID), name+actor.UserID.String()
		if scope == SharedResults {
			return &models.Connection[*Result]{Nodes: []*Result{}}, nil
		}
	} else {
		viewer, err := s.Spaces.Viewer(ctx, workspaceID)
		if err != nil {
			return nil, err
		}
		query, name = query.Where("results.workspace_id = ? AND shard_fits_space(results.shard, ?)", viewer.Workspace.ID, viewer.Workspace.ID), name+viewer.Workspace.ID.String()
		switch scope {
		case SharedResults:
			query, order = query.Where("results.share_id IS NOT NULL"), models.NewestFirst("results.share_id")
			place.Position = func(r *Result) string { return r.ShareID.String() }
		case AllResults:
			if !viewer.IsAdmin() {
				return nil, models.InsufficientRole("Only admins of the workspace see what everyone made")
			}
		default:
			query = query.Where("results.account_id = ? AND results.archived_at IS NULL", actor.UserID)
		}
	}
	if kind != nil {
		query, name = query.Where("results.kind = ?", *kind), name+" kind "+string(*kind)
	}
	place.Name = name
	return models.ListPage(s.DB, place, page, query, order)
}

// LatestInWorkspaces are the latest results of workspaces, by workspace: of everyone in those whose admin the caller is,
// the caller's own in the others. Those that cannot be entered are left out, and callers who may not read results get none.
func LatestInWorkspaces(ctx context.Context, s *Service, workspaces []*org.Workspace) (map[models.ID]*Result, error) {
	actor := models.ActorFrom(ctx)
	if requireAllRuns(actor) != nil || actor.OfApp() != nil {
		return nil, nil
	}
	var administered, joined models.IDs
	for _, w := range workspaces {
		switch {
		case w.Authorize(org.ReadWorkspace) != nil:
		case *w.Role() == org.WorkspaceRoleAdmin:
			administered = append(administered, w.ID)
		default:
			joined = append(joined, w.ID)
		}
	}
	if s.DB.Spread() {
		return s.latestApart(ctx, administered, joined)
	}
	var latest []*Result
	err := resultQuery(s.DB.Read(ctx)).Where(`results.execution_id IN (
		SELECT l.execution_id FROM unnest(CAST(@administered AS uuid[])) AS of (workspace_id) CROSS JOIN LATERAL (
			SELECT r.execution_id FROM results r WHERE r.workspace_id = of.workspace_id ORDER BY r.execution_id DESC LIMIT 1) l
		UNION ALL
		SELECT l.execution_id FROM unnest(CAST(@joined AS uuid[])) AS of (workspace_id) CROSS JOIN LATERAL (
			SELECT r.execution_id FROM results r WHERE r.workspace_id = of.workspace_id AND r.account_id = @me AND r.archived_at IS NULL
			ORDER BY r.execution_id DESC LIMIT 1) l)`,
		map[string]any{"administered": administered, "joined": joined, "me": actor.UserID}).Find(&latest).Error
	byWorkspace := make(map[models.ID]*Result, len(latest))
	for _, r := range latest {
		byWorkspace[*r.WorkspaceID] = r
	}
	return byWorkspace, err
}

// latestApart is LatestInWorkspaces where the results of each workspace lie on a server of its own.
func (s *Service) latestApart(ctx context.Context, administered, joined models.IDs) (map[models.ID]*Result, error) {
	byWorkspace := map[models.ID]*Result{}
	for i, id := range slices.Concat(administered, joined) {
		query := resultQuery(s.DB.Read(ctx)).Where("results.workspace_id = ? AND shard_fits_space(results.shard, ?)", id, id)
		if i >= len(administered) {
			query = query.Where("results.account_id = ? AND results.archived_at IS NULL", models.ActorFrom(ctx).UserID)
		}
		var latest []*Result
		if err := query.Order("results.execution_id DESC").Limit(1).Find(&latest).Error; err != nil {
			return nil, err
		}
		for _, r := range latest {
			byWorkspace[id] = r
		}
	}
	return byWorkspace, nil
}

// requireAllRuns admits to results: an account, for a connected app the scope, and no
// token that is restricted to some workflows.
func requireAllRuns(actor models.Actor) error {
	return actor.RequireUser(models.ScopeJobsRead)
}

// Find reads the result of a run: one's own, one that is shared with a
// workspace that one belongs to, or one of a workspace whose admin one is.
// Anything else is not_found.
func (s Results) Find(ctx context.Context, id models.ID) (*Result, error) {
	if err := requireAllRuns(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	return s.run.resultInReach(ctx, s.run.DB.Read(ctx), id)
}

func (s *Service) resultInReach(ctx context.Context, q *gorm.DB, id models.ID) (*Result, error) {
	query := resultQuery(q)
	if actor := models.ActorFrom(ctx); actor.OfApp() != nil {
		query = query.Where("e.client_app_id = ? AND results.account_id = ?", actor.ClientAppID, actor.UserID)
	}
	r, err := models.First[Result](query.Where(models.FitsID("results.execution_id", id)), models.NotFound("Result"))
	if err != nil {
		return nil, err
	}
	seen, err := s.seesResult(ctx, r, s.Spaces.Viewer)
	if err == nil && !seen {
		err = models.NotFound("Result")
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// seesResult tells whether a result that was read is the caller's own, is shared with a workspace of the caller's, or lies in
// one whose admin the caller is; in is the caller's access to a workspace.
func (s *Service) seesResult(ctx context.Context, r *Result, in func(context.Context, *models.ID) (*space.Viewer, error)) (bool, error) {
	if r.AccountID == models.ActorFrom(ctx).UserID {
		return true, nil
	}
	if r.WorkspaceID == nil {
		return false, nil
	}
	viewer, err := in(ctx, r.WorkspaceID)
	switch {
	case models.HasCode(err, models.CodeNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	return r.Shared() || viewer.IsAdmin(), nil
}

// Shared tells whether it is shared with its workspace.
func (r *Result) Shared() bool { return r.ShareID != nil }

// ByExecution reads the results of runs that were read before; nil for those
// without any.
func (s Results) ByExecution(ctx context.Context, executionIDs []models.ID) (map[models.ID]*Result, error) {
	found := make(map[models.ID]*Result, len(executionIDs))
	for _, id := range executionIDs {
		found[id] = nil
	}
	var rows []*Result
	err := resultQuery(s.run.DB.Read(ctx)).Where(models.FitsIDs("results.execution_id", executionIDs)).Find(&rows).Error
	for _, r := range rows {
		found[r.ExecutionID] = r
	}
	return found, err
}

// Texts reads the whole texts of results that were read before; nil for
// those that are files.
func (s Results) Texts(ctx context.Context, results []models.ID) (map[models.ID]*string, error) {
	texts := make(map[models.ID]*string, len(results))
	for _, id := range results {
		texts[id] = nil
	}
	var rows []struct {
		ExecutionID models.ID
		Text        string
	}
	if len(results) == 0 {
		return texts, nil
	}
	first, after := jobIDs(results...)
	err := s.run.DB.Read(ctx).Raw(`
		SELECT r.execution_id, j.output_data ->> 'text' AS text
		FROM results r JOIN jobs j ON j.execution_id = r.execution_id AND j.node_id = r.node_id AND shards_match(j.shard, r.shard)
		WHERE r.execution_id IN ? AND r.kind = 'text' AND j.output_data ->> 'text' IS NOT NULL AND j.id >= ? AND j.id < ?`, results, first, after).Scan(&rows).Error
	for i := range rows {
		texts[rows[i].ExecutionID] = &rows[i].Text
	}
	return texts, err
}

// OwnOf are the ids of the caller's own runs of apps that some executions belong
// to; nil for the others.
func (s AppRuns) OwnOf(ctx context.Context, executionIDs []models.ID) (map[models.ID]*models.ID, error) {
	found := make(map[models.ID]*models.ID, len(executionIDs))
	for _, id := range executionIDs {
		found[id] = nil
	}
	var runs []*AppRun
	err := s.run.DB.Read(ctx).Select("id", "execution_id").Where("execution_id IN ? AND account_id = ?", executionIDs, models.ActorFrom(ctx).UserID).Find(&runs).Error
	for _, run := range runs {
		found[*run.ExecutionID] = &run.ID
	}
	return found, err
}
