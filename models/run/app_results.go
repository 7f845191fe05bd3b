package run

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/flow"
	"atelier/models/org"
)

// LatestByApp are the addresses of what the latest runs of apps yielded that
// the caller may see: own ones, what is shared with the workspace of the app,
// and all that a workspace paid for whose admin the caller is. The newest runs
// alone are looked at.
func (s Results) LatestByApp(ctx context.Context, appIDs []models.ID) (map[models.ID]string, error) {
	actor, found := models.ActorFrom(ctx), make(map[models.ID]string, len(appIDs))
	for _, id := range appIDs {
		found[id] = ""
	}
	if requireRuns(actor) != nil || actor.Restricted() || actor.OfApp() != nil {
		return found, nil
	}
	entered, administered, err := s.run.spacesOfApps(ctx, appIDs)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		ID           models.ID
		ThumbnailURL string
	}
	err = s.run.DB.Read(ctx).Raw(`
		WITH shared AS MATERIALIZED (
			SELECT s.execution_id, s.address, e.app_id FROM (SELECT execution_id, address, shard FROM results
				WHERE workspace_id = ANY (CAST(@entered AS uuid[])) AND share_id IS NOT NULL ORDER BY share_id DESC LIMIT 200) s
			JOIN executions e ON e.id = s.execution_id AND shards_match(e.shard, s.shard) WHERE e.app_id IN @apps
		)
		SELECT a.id, r.thumbnail_url FROM unnest(CAST(@ids AS uuid[])) AS a (id) CROSS JOIN LATERAL (
			SELECT id, thumbnail_url FROM (
				(SELECT id, thumbnail_url FROM app_runs WHERE account_id = @me AND app_id = a.id AND archived_at IS NULL ORDER BY id DESC LIMIT 30)
				UNION ALL
				(SELECT id, thumbnail_url FROM (SELECT * FROM app_runs WHERE app_id = a.id ORDER BY id DESC LIMIT 200) newest
					WHERE workspace_id = ANY (CAST(@administered AS uuid[])) AND archived_at IS NULL)
				UNION ALL
				SELECT execution_id, address FROM shared WHERE app_id = a.id) seen
			WHERE thumbnail_url IS NOT NULL ORDER BY id DESC LIMIT 1) r`,
		map[string]any{"me": actor.UserID, "entered": entered, "administered": administered, "apps": appIDs, "ids": models.IDs(appIDs)}).Scan(&rows).Error
	for _, row := range rows {
		found[row.ID] = row.ThumbnailURL
	}
	return found, err
}

// spacesOfApps are the workspaces in which apps live and which the caller may
// enter, and those of them whose admin the caller is.
func (s *Service) spacesOfApps(ctx context.Context, appIDs []models.ID) (entered, administered models.IDs, err error) {
	var spaces []models.ID
	err = s.DB.Read(ctx).Raw(flow.WorkspacesOfApps, appIDs).Scan(&spaces).Error
	if err != nil {
		return nil, nil, err
	}
	for _, id := range spaces {
		reach, err := s.Spaces.Viewer(ctx, &id)
		if err != nil {
			if _, refused := models.AsError(err); refused {
				continue
			}
			return nil, nil, err
		}
		entered = append(entered, id)
		if reach.IsAdmin() {
			administered = append(administered, id)
		}
	}
	return entered, administered, nil
}

// AppPerson is a member of an app's workspace, with what they made of the app there.
type AppPerson struct {
	UserID models.ID
	Runs   int
	// LatestID is their latest run's execution, which yielded the file at LatestURL; nil for who has not run it.
	LatestID  *models.ID
	LatestURL *string
	LatestAt  *time.Time
}

// maxAppPeople is how many people an app lists.
const maxAppPeople = 200

// PeopleOfApp are the members of an app's workspace who do not run it, by name: admins of the workspace see whose work
// there is and whose is missing. Nothing for others, whose work is their own.
func PeopleOfApp(ctx context.Context, s *Service, app *flow.App) ([]*AppPerson, error) {
	if app.WorkspaceID == nil || requireAllRuns(models.ActorFrom(ctx)) != nil {
		return nil, nil
	}
	viewer, err := s.Spaces.Viewer(ctx, app.WorkspaceID)
	if _, refused := models.AsError(err); refused || err == nil && !viewer.IsAdmin() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	people := []*AppPerson{}
	return people, s.DB.Read(ctx).Raw(`
		SELECT u.id AS user_id, coalesce(made.runs, 0) AS runs, latest.execution_id AS latest_id, latest.thumbnail_url AS latest_url, latest.created_at AS latest_at
		FROM (`+org.PlainMembersOf+`) listed
		`+account.JoinUndeleted("listed.user_id")+`
		LEFT JOIN LATERAL (SELECT count(*) AS runs FROM app_runs r
			WHERE r.account_id = u.id AND r.app_id = ? AND r.workspace_id = ? AND r.execution_id IS NOT NULL) made ON true
		LEFT JOIN LATERAL (SELECT r.execution_id, r.thumbnail_url, r.created_at FROM app_runs r
			WHERE r.account_id = u.id AND r.app_id = ? AND r.workspace_id = ? AND r.execution_id IS NOT NULL ORDER BY r.id DESC LIMIT 1) latest ON true
		ORDER BY lower(u.display_name), u.id LIMIT ?`,
		*app.WorkspaceID, app.ID, *app.WorkspaceID, app.ID, *app.WorkspaceID, maxAppPeople).Scan(&people).Error
}
