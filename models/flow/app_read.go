package flow

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/space"
)

// Find reads a published app by its slug; it needs no sign-in. An inactive
// or unknown one is not_found, a malformed slug validation_error.
func (s Apps) Find(ctx context.Context, slug string) (*App, error) {
	app, err := s.flow.activeApp(ctx, slug)
	if err != nil {
		return nil, err
	}
	return app, s.flow.markManager(ctx, app)
}

// State tells the states of what Find shows everyone apart: it changes with each change of an app. Empty where there is no
// such app.
func (s Apps) State(ctx context.Context, slug string) (state string, err error) {
	err = s.flow.DB.Row(ctx, `SELECT concat_ws(' ', a.id, a.latest_version, a.xmin, a.ctid, v.xmin, v.ctid)
		FROM apps a JOIN app_versions v ON v.app_id = a.id AND v.version = a.latest_version
		WHERE a.slug = $1 AND a.is_active AND a.deleted_at IS NULL`, slug).Scan(&state)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return state, err
}

// activeApp is the active app under a slug, with its latest version.
func (s *Service) activeApp(ctx context.Context, slug string) (*App, error) {
	if err := org.CheckSlug(&slug); err != nil {
		return nil, err
	}
	row, err := models.Recall(ctx, appKey(slug), func() (appRow, error) { return s.readApp(ctx, slug) })
	if err != nil {
		return nil, err
	}
	a, v := row.app, row.version
	if err := errors.Join(v.Nodes.Scan(row.nodes), v.Edges.Scan(row.edges)); err != nil {
		return nil, err
	}
	a.Latest = &v
	return &a, nil
}

// appRow is an app with its latest version as it was read; each who asks has a graph of their own.
type appRow struct {
	app          App
	version      AppVersion
	nodes, edges []byte
}

// appKey is under what a transaction remembers an app by its slug.
type appKey string

func (s *Service) readApp(ctx context.Context, slug string) (row appRow, err error) {
	a, v := &row.app, &row.version
	err = s.DB.Row(ctx, `
		SELECT a.id, a.slug, a.workflow_id, a.owner_id, a.workspace_id, a.name, a.description, a.icon_url, a.is_active,
			a.allowed_embed_domains, a.max_runs_per_user_per_day, a.latest_version, a.markup, a.created_at, a.updated_at,
			v.id, v.app_id, v.version, v.nodes, v.edges, v.input_items, v.thumbnail_node_id, v.estimated_cost, v.created_at
		FROM apps a JOIN app_versions v ON v.app_id = a.id AND v.version = a.latest_version
		WHERE a.slug = $1 AND a.is_active AND a.deleted_at IS NULL`, slug,
	).Scan(&a.ID, &a.Slug, &a.WorkflowID, &a.OwnerID, &a.WorkspaceID, &a.Name, &a.Description, &a.IconURL, &a.IsActive,
		&a.AllowedEmbedDomains, &a.MaxRunsPerUserPerDay, &a.LatestVersion, &a.Markup, &a.CreatedAt, &a.UpdatedAt,
		&v.ID, &v.AppID, &v.Version, &row.nodes, &row.edges, (*[]byte)(&v.InputItems), &v.ThumbnailNodeID, (*int64)(&v.EstimatedCost), &v.CreatedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return row, models.NotFound("App")
	}
	return row, err
}

// FindToRun is the active app under a slug with its latest version, if the caller's token covers it.
func (s Apps) FindToRun(ctx context.Context, slug string) (*App, error) {
	app, err := s.flow.activeApp(ctx, slug)
	if err != nil {
		return nil, err
	}
	if err := CheckTokenCovers(models.ActorFrom(ctx), app.WorkflowID); err != nil {
		return nil, err
	}
	return app, nil
}

// ActiveAppByID is the active app with an id.
func ActiveAppByID(q *gorm.DB, id models.ID) (*App, error) {
	return models.First[App](q.Where("id = ? AND is_active AND deleted_at IS NULL", id), models.NotFound("App"))
}

func latestVersion(q *gorm.DB, app *App) (*AppVersion, error) {
	return AppVersionOf(q, app, app.LatestVersion, models.NotFound("Version"))
}

// AppVersionOf is a published version of an app, missing where it was never published.
func AppVersionOf(q *gorm.DB, app *App, number int, missing error) (*AppVersion, error) {
	return models.First[AppVersion](q.Where("app_id = ? AND version = ?", app.ID, number), missing)
}

// markManager notes whether the caller may manage the app.
func (s *Service) markManager(ctx context.Context, app *App) error {
	if space.RequireWorkflows(models.ActorFrom(ctx)) != nil {
		return nil
	}
	w, _, err := s.ReachWithoutGraph(ctx, app.WorkflowID)
	if _, refused := models.AsError(err); err != nil && refused {
		return nil
	}
	app.Manager = err == nil && w.Access != space.CanView
	return err
}

// FindManaged is an app, active or not, that the caller may manage.
func (s Apps) FindManaged(ctx context.Context, id models.ID) (*App, error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	app, err := models.First[App](s.flow.DB.Read(ctx).Where("id = ? AND deleted_at IS NULL", id), models.NotFound("App"))
	if err != nil {
		return nil, err
	}
	if err := s.flow.markManager(ctx, app); err != nil {
		return nil, err
	}
	if !app.Manager {
		return nil, models.NotFound("App")
	}
	app.Latest, err = latestVersion(s.flow.DB.Read(ctx), app)
	return app, err
}

// List is the apps of the selected space that the caller may manage,
// newest first.
func (s Apps) List(ctx context.Context, page models.Page) (*models.Connection[*App], error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	viewer, err := s.flow.Spaces.Selected(ctx)
	if err != nil {
		return nil, err
	}
	q := editable(withGrant(s.flow.liveApps(ctx), viewer.UserID, "apps.*"), viewer)
	found, err := s.flow.listApps(ctx, "apps:"+viewer.Key(), page, q)
	if err != nil {
		return nil, err
	}
	for _, app := range found.Nodes {
		app.Manager = true
	}
	return found, nil
}

// ListRunnable is the apps of the selected space that the caller may run
// or manage, newest first: the active ones of all its workflows, and those of List.
func (s Apps) ListRunnable(ctx context.Context, page models.Page) (*models.Connection[*App], error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	viewer, err := s.flow.Spaces.Selected(ctx)
	if err != nil {
		return nil, err
	}
	return s.flow.runnableApps(ctx, viewer, page)
}

// ListOfWorkspace is ListRunnable of one workspace, whatever is selected.
func (s Apps) ListOfWorkspace(ctx context.Context, workspaceID models.ID, page models.Page) (*models.Connection[*App], error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	viewer, err := s.flow.Spaces.Viewer(ctx, &workspaceID)
	if err != nil {
		return nil, err
	}
	return s.flow.runnableApps(ctx, viewer, page)
}

func (s *Service) runnableApps(ctx context.Context, viewer *space.Viewer, page models.Page) (*models.Connection[*App], error) {
	managed := func() *gorm.DB { return editable(joinGrant(s.liveApps(ctx).Select("apps.id"), viewer.UserID), viewer) }
	q := s.liveApps(ctx).Select("apps.*").Where("workflows.deleted_at IS NULL")
	if viewer.Workspace == nil {
		q = q.Where("apps.id IN (?)", managed())
	} else {
		q = q.Where("(workflows.workspace_id = ? AND apps.is_active OR apps.id IN (?))", viewer.Workspace.ID, managed())
	}
	found, err := s.listApps(ctx, "runnable-apps:"+viewer.Key(), page, q)
	if err != nil {
		return nil, err
	}
	ids := make([]models.ID, len(found.Nodes))
	for i, app := range found.Nodes {
		ids[i] = app.ID
	}
	var own []models.ID
	if err := managed().Where("apps.id IN ?", ids).Scan(&own).Error; err != nil {
		return nil, err
	}
	for _, app := range found.Nodes {
		app.Manager = slices.Contains(own, app.ID)
	}
	return found, nil
}

// listApps is a page of a list of apps, with their latest versions.
func (s *Service) listApps(ctx context.Context, name string, page models.Page, q *gorm.DB) (*models.Connection[*App], error) {
	list := models.List[*App]{Name: name, Position: func(a *App) string { return a.ID.String() }}
	found, err := models.ListPage(s.DB, list, page, q, models.NewestFirst("apps.id"))
	if err != nil {
		return nil, err
	}
	fit, err := attachLatest(s.DB.Read(ctx), found.Nodes, models.MaxPageBytes)
	found.Cut(fit)
	return found, err
}

// liveApps is a query of the apps that were not deleted, and their workflows.
func (s *Service) liveApps(ctx context.Context) *gorm.DB {
	return s.DB.Read(ctx).Model(&App{}).Joins("JOIN workflows ON workflows.id = apps.workflow_id").Where("apps.deleted_at IS NULL")
}

// editable narrows a query of workflows to those that the caller may edit.
func editable(q *gorm.DB, viewer *space.Viewer) *gorm.DB {
	if viewer.Workspace == nil { // those of others too, who made the caller an editor
		return q.Where("workflows.deleted_at IS NULL AND workflows.workspace_id IS NULL AND (workflows.owner_id = ? OR grants.role = ?)", viewer.UserID, Editor)
	}
	if q = reachable(q, viewer); viewer.EditsAsAdmin() {
		return q
	}
	if viewer.Rules().MemberAccessToShared == org.Edit {
		return q.Where("(workflows.owner_id = ? OR workflows.visibility = ? OR grants.role = ?)", viewer.UserID, space.WorkspaceShared, Editor)
	}
	return q.Where("(workflows.owner_id = ? OR grants.role = ?)", viewer.UserID, Editor)
}

// attachLatest reads the latest versions of apps, in their order, the first one and those that
// are not larger than some bytes together; fit is how many have theirs.
func attachLatest(q *gorm.DB, apps []*App, most int) (fit int, err error) {
	ids := make([]models.ID, len(apps))
	for i, app := range apps {
		ids[i] = app.ID
	}
	latest := func() *gorm.DB {
		return q.Session(&gorm.Session{}).Model(&AppVersion{}).
			Joins("JOIN apps ON apps.id = app_versions.app_id AND apps.latest_version = app_versions.version")
	}
	var stored []struct {
		ID    models.ID
		Bytes int
	}
	err = latest().Select("apps.id AS id, pg_column_size(app_versions.nodes) + pg_column_size(app_versions.edges) + coalesce(pg_column_size(app_versions.input_items), 0) AS bytes").Where("apps.id IN ?", ids).Scan(&stored).Error
	if err != nil {
		return 0, err
	}
	sizes := make(map[models.ID]int, len(stored))
	for _, row := range stored {
		sizes[row.ID] = row.Bytes
	}
	total := 0
	for batch := range models.BatchesByBytes(ids, sizes) {
		var versions []*AppVersion
		if err := latest().Select("app_versions.*").Where("apps.id IN ?", batch).Find(&versions).Error; err != nil {
			return fit, err
		}
		read := make(map[models.ID]*AppVersion, len(versions))
		for _, v := range versions {
			read[v.AppID] = v
		}
		for _, id := range batch {
			v := read[id]
			if v != nil {
				total += len(v.InputItems) + nodegraph.SizeOf(v.Nodes, v.Edges)
			}
			if total > most && fit > 0 {
				return fit, nil
			}
			apps[fit].Latest = v
			fit++
		}
	}
	return fit, nil
}

// attachAllLatest is attachLatest for apps that are no page: payload_too_large where they are
// larger than twice one together.
func attachAllLatest(q *gorm.DB, apps []*App) error {
	fit, err := attachLatest(q, apps, 2*models.MaxPageBytes)
	if err == nil && fit < len(apps) {
		err = models.Err(models.CodePayloadTooLarge, "The apps are larger than %d MiB together: ask for fewer at once", 2*models.MaxPageBytes>>20)
	}
	return err
}

// ByWorkflow reads the live apps of workflows that were read before, by workflow;
// nil for those that are not published.
func (s Apps) ByWorkflow(ctx context.Context, workflowIDs []models.ID) (map[models.ID]*App, error) {
	var apps []*App
	q := s.flow.DB.Read(ctx)
	if err := q.Where("workflow_id IN ? AND deleted_at IS NULL", workflowIDs).Find(&apps).Error; err != nil {
		return nil, err
	}
	byWorkflow := make(map[models.ID]*App, len(workflowIDs))
	for _, id := range workflowIDs {
		byWorkflow[id] = nil
	}
	for _, app := range apps {
		byWorkflow[app.WorkflowID] = app
	}
	return byWorkflow, attachAllLatest(s.flow.DB.Read(ctx), apps)
}

// Versions lists the versions of apps that were read before, newest first,
// without their graphs.
func (s Apps) Versions(ctx context.Context, appIDs []models.ID) (map[models.ID][]*AppVersion, error) {
	var versions []*AppVersion
	err := s.flow.DB.Read(ctx).Select("id", "app_id", "version", "created_at").
		Where("app_id IN ?", appIDs).Order("version DESC").Find(&versions).Error
	byApp := make(map[models.ID][]*AppVersion, len(appIDs))
	for _, v := range versions {
		byApp[v.AppID] = append(byApp[v.AppID], v)
	}
	return byApp, err
}

// SnapshotNodes are the nodes of the latest version as everyone may see them.
func (a *App) SnapshotNodes() nodegraph.Nodes { return nodegraph.WithoutDestinations(a.Latest.Nodes) }

// Inputs are the fields that the latest version's form exposes.
func (v *AppVersion) Inputs() ([]nodegraph.Input, error) {
	items, err := nodegraph.ReadItems(v.InputItems)
	return nodegraph.ExposedInputs(items), err
}

// Items is the form of the version, item by item.
func (v *AppVersion) Items() ([]json.RawMessage, error) {
	items := []json.RawMessage{}
	return items, json.Unmarshal(v.InputItems, &items)
}

// SeenIn notes whether the caller may manage the app, from what the caller may
// do with its workflow.
func (a *App) SeenIn(ctx context.Context, w *Workflow) *App {
	if a == nil {
		return nil
	}
	seen := *a // what loaders hand out is shared by the fields of a document
	seen.Manager = w.Access != space.CanView && space.RequireWorkflows(models.ActorFrom(ctx)) == nil
	return &seen
}

// Admin is what the app's managers see beside the public fields; nil for others.
func (a *App) Admin() *AppAdmin {
	if !a.Manager {
		return nil
	}
	return &AppAdmin{
		IsActive: a.IsActive, AllowedEmbedDomains: append([]string{}, a.AllowedEmbedDomains...),
		WorkflowID: a.WorkflowID, CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
	}
}

// Runnable are the apps behind some runs and results, while they can be run;
// nil for the others.
func (s Apps) Runnable(ctx context.Context, ids []models.ID) (map[models.ID]*App, error) {
	found := make(map[models.ID]*App, len(ids))
	for _, id := range ids {
		found[id] = nil
	}
	var apps []*App
	if err := s.flow.DB.Read(ctx).Where("id IN ? AND is_active AND deleted_at IS NULL", ids).Find(&apps).Error; err != nil {
		return nil, err
	}
	for _, app := range apps {
		found[app.ID] = app
	}
	return found, attachAllLatest(s.flow.DB.Read(ctx), apps)
}
