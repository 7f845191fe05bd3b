package run

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/flow"
)

// requireRuns checks that the actor may see runs, restricted tokens those of
// their workflows.
func requireRuns(actor models.Actor) error {
	return actor.RequireAccount(models.ScopeJobsRead)
}

// Find reads one of the caller's own runs of an app, archived ones too.
func (s AppRuns) Find(ctx context.Context, slug string, id models.ID) (*AppRun, error) {
	app, err := s.run.appOfRuns(ctx, slug)
	if err != nil {
		return nil, err
	}
	run, err := ownRun(s.run.DB.Read(ctx), app, models.ActorFrom(ctx), id)
	if err != nil {
		return nil, err
	}
	return run, s.run.attachExecutions(ctx, app, []*AppRun{run})
}

// appOfRuns is the active app whose runs the caller asks for.
func (s *Service) appOfRuns(ctx context.Context, slug string) (*flow.App, error) {
	if err := requireRuns(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	return s.Flows.Apps().FindToRun(ctx, slug)
}

func ownRun(q *gorm.DB, app *flow.App, actor models.Actor, id models.ID) (*AppRun, error) {
	return models.First[AppRun](ofApp(q, actor).Where("id = ? AND app_id = ? AND account_id = ?", id, app.ID, actor.UserID), models.NotFound("Run"))
}

// List is the caller's own runs of an app, newest first: those of the
// archive, or the others.
func (s AppRuns) List(ctx context.Context, slug string, archived bool, page models.Page) (*models.Connection[*AppRun], error) {
	app, err := s.run.appOfRuns(ctx, slug)
	if err != nil {
		return nil, err
	}
	actor := models.ActorFrom(ctx)
	q, name := ofApp(s.run.DB.Read(ctx), actor).Where("app_id = ? AND account_id = ?", app.ID, actor.UserID), "runs:"
	if client := actor.OfApp(); client != nil {
		name = "runs of " + client.String() + ":"
	}
	if archived {
		q, name = q.Where("archived_at IS NOT NULL"), "archived-"+name
	} else {
		q = q.Where("archived_at IS NULL")
	}
	list := models.List[*AppRun]{Name: name + app.ID.String() + ":" + actor.UserID.String(), Position: func(r *AppRun) string { return r.ID.String() }}
	found, err := models.ListPage(s.run.DB, list, page, q, models.NewestFirst("id"))
	if err != nil {
		return nil, err
	}
	return found, s.run.attachExecutions(ctx, app, found.Nodes)
}

// attachExecutions adds app and executions to runs of one account, in one statement.
func (s *Service) attachExecutions(ctx context.Context, app *flow.App, runs []*AppRun) error {
	ids := []models.ID{}
	for _, run := range runs {
		run.App = app
		if run.ExecutionID != nil {
			ids = append(ids, *run.ExecutionID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var executions []*Execution
	err := s.DB.Read(ctx).Select(executionColumns).
		Where(models.FitsIDs("id", ids)).Where("account_id = ?", runs[0].AccountID).Find(&executions).Error
	byID := make(map[models.ID]*Execution, len(executions))
	for _, e := range executions {
		byID[e.ID] = e
	}
	var late []*AppRun
	for _, run := range runs {
		if run.ExecutionID != nil {
			run.Execution = byID[*run.ExecutionID]
		}
		if e := run.Execution; e != nil && e.Finished() && run.ThumbnailURL == nil {
			late = append(late, run)
		}
	}
	if err != nil || len(late) == 0 {
		return err
	}
	return s.attachThumbnails(ctx, late)
}

// attachThumbnails reads again the pictures of runs that were read before their
// executions: between the two an execution may have ended.
func (s *Service) attachThumbnails(ctx context.Context, runs []*AppRun) error {
	byID := make(map[models.ID]*AppRun, len(runs))
	for _, run := range runs {
		byID[run.ID] = run
	}
	var found []*AppRun
	err := s.DB.Read(ctx).Select("id", "thumbnail_url").
		Where("id IN ? AND account_id = ?", slices.Collect(maps.Keys(byID)), runs[0].AccountID).Find(&found).Error
	for _, run := range found {
		byID[run.ID].ThumbnailURL = run.ThumbnailURL
	}
	return err
}

// Archive moves a run to the caller's archive; nothing is destroyed.
func (s AppRuns) Archive(ctx context.Context, slug string, id models.ID) (*AppRun, error) {
	return s.run.setArchived(ctx, slug, id, true)
}

// Restore takes a run back from the archive.
func (s AppRuns) Restore(ctx context.Context, slug string, id models.ID) (*AppRun, error) {
	return s.run.setArchived(ctx, slug, id, false)
}

func (s *Service) setArchived(ctx context.Context, slug string, id models.ID, archived bool) (run *AppRun, err error) {
	if err := models.ActorFrom(ctx).RequireUser(models.ScopeJobsRead); err != nil {
		return nil, err
	}
	app, err := s.appOfRuns(ctx, slug)
	if err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if run, err = ownRun(tx.Clauses(clause.Locking{Strength: "UPDATE"}), app, tx.Actor, id); err != nil {
			return err
		}
		if run.Archived() != archived {
			run.ArchivedAt = nil
			if archived {
				run.ArchivedAt = &tx.Now
			}
			if err := tx.Model(run).Select("archived_at").Updates(run).Error; err != nil {
				return err
			}
			if err := archiveResult(tx, run); err != nil {
				return err
			}
		}
		return s.attachExecutions(tx.Context(), app, []*AppRun{run})
	})
	return run, err
}

// Status is where the run stands; a draft is pending.
func (r *AppRun) Status() ExecutionStatus {
	if r.Execution == nil {
		return ExecutionPending
	}
	return r.Execution.Status
}

// CreditsUsed is what the run cost so far.
func (r *AppRun) CreditsUsed() models.Credits {
	if r.Execution == nil {
		return 0
	}
	return r.Execution.Charged
}

// Finished is whether the run has ended.
func (r *AppRun) Finished() bool { return r.Execution != nil && r.Execution.Finished() }
