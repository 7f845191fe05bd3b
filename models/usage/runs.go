package usage

import (
	"context"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/credit"
)

// runs is a page of the single runs of a report, newest first.
func (s *Service) runs(ctx context.Context, a *asked, page models.Page) (*models.Connection[*Row], error) {
	list := models.List[*Row]{Name: a.name(), Position: func(r *Row) string { return r.RunID.String() }}
	rows, err := models.ListOnStandby(ctx, s.DB, list, page, func(ctx context.Context) (*gorm.DB, error) {
		return s.Runs.RunsPaidBy(ctx, a.organizationID, a.workspaceID, a.userID, a.begin(), a.end()), nil
	}, models.NewestFirst("e.id"))
	if err != nil {
		return nil, err
	}
	return models.OnStandby(ctx, s.DB, func(ctx context.Context) (*models.Connection[*Row], error) {
		return rows, s.addCosts(ctx, rows.Nodes)
	})
}

// runCost is what a run cost, and what did most of its work.
type runCost struct {
	id                models.ID
	model             string
	settled, inFlight int64
}

func (c *runCost) columns() []any { return []any{&c.id, &c.model, &c.settled, &c.inFlight} }

// addCosts adds what runs cost; those that nothing is booked for were free.
func (s *Service) addCosts(ctx context.Context, rows []*Row) error {
	if len(rows) == 0 {
		return nil
	}
	byID, ids := make(map[models.ID]*Row, len(rows)), make([]models.ID, len(rows))
	for i, row := range rows {
		ids[i] = *row.RunID
		byID[ids[i]] = row
	}
	costs, err := models.Rows(ctx, s.DB, (*runCost).columns, `WITH counted AS (SELECT unnest($1::uuid[]) AS execution_id), `+credit.RunCosts+`
		SELECT execution_id, max(model) FILTER (WHERE first), sum(settled)::bigint, sum(in_flight)::bigint FROM cost GROUP BY execution_id`, ids)
	for _, c := range costs {
		row := byID[c.id]
		row.Figures = (&sum{settled: c.settled, inFlight: c.inFlight}).figures()
		if row.Credits > 0 {
			row.Model = &c.model
		}
	}
	return err
}
