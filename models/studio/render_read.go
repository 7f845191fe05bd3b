package studio

import (
	"context"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/run"
)

// renderColumns are a render's columns without the fingerprints of its nodes.
var renderColumns = []string{"execution_id", "production_id", "stage", "reused_shots", "estimated_credits", "ended_at", "created_at"}

// ListRenders lists the renders of a production, newest first.
func (s *Service) ListRenders(ctx context.Context, id models.ID, page models.Page) (*models.Connection[*Render], error) {
	p, _, err := s.reachProduction(ctx, s.DB.Read(ctx), id)
	if err != nil {
		return nil, err
	}
	q := s.DB.Read(ctx).Model(&Render{}).Select(renderColumns).Where("production_id = ?", p.ID)
	list := models.List[*Render]{Name: "renders:" + p.ID.String(), Position: func(r *Render) string { return r.ExecutionID.String() }}
	found, err := models.ListPage(s.DB, list, page, q, models.NewestFirst("execution_id"))
	if err != nil {
		return nil, err
	}
	return found, s.showRuns(ctx, found.Nodes...)
}

// showLatest fills in the latest render of each production of a list, in a constant number of statements.
func (s *Service) showLatest(q *gorm.DB, all ...*Production) error {
	if len(all) == 0 {
		return nil
	}
	ids, byID := make([]models.ID, len(all)), map[models.ID]*Production{}
	for i, p := range all {
		ids[i], byID[p.ID] = p.ID, p
	}
	var found []*Render
	err := q.Raw(`
		SELECT r.* FROM unnest(?::uuid[]) AS p(id) CROSS JOIN LATERAL (
			SELECT execution_id, production_id, stage, reused_shots, estimated_credits, ended_at, created_at
			FROM production_renders WHERE production_id = p.id ORDER BY execution_id DESC LIMIT 1) r`, models.IDs(ids)).Scan(&found).Error
	if err != nil {
		return err
	}
	for _, r := range found {
		byID[r.ProductionID].LatestRender = r
	}
	if err := s.dropGone(q, all...); err != nil {
		return err
	}
	return s.showRuns(q.Statement.Context, found...)
}

// showRuns fills in what the executions of renders say.
func (s *Service) showRuns(ctx context.Context, renders ...*Render) error {
	ids := make([]models.ID, len(renders))
	for i, r := range renders {
		ids[i] = r.ExecutionID
	}
	states, err := s.Runs.Executions().States(ctx, ids)
	if err != nil {
		return err
	}
	for _, r := range renders {
		// Of one that is not kept any more it is known that it has ended.
		if r.Status = run.ExecutionCompleted; r.EndedAt == nil {
			r.Status = run.ExecutionRunning
		}
		if state := states[r.ExecutionID]; state != nil {
			r.Status, r.CreditsUsed, r.CompletedAt, r.ErrorMessage = state.Status, state.Charged, state.CompletedAt, state.ErrorMessage
		}
	}
	return nil
}

// dropGone takes out of productions the addresses of films whose files are gone, in one statement.
func (s *Service) dropGone(q *gorm.DB, all ...*Production) error {
	var places []**string
	var addresses []string
	for _, p := range all {
		for _, place := range []**string{&p.VideoURL, &p.ThumbnailURL, &p.CaptionsURL} {
			if *place != nil {
				places, addresses = append(places, place), append(addresses, **place)
			}
		}
	}
	gone, err := s.Media.FilesGone(q, addresses)
	for _, place := range places {
		if gone[**place] {
			*place = nil
		}
	}
	return err
}
