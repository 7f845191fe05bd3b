package credit

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/org"
)

// SpendingDay is what an organization's workspaces spent on one day (UTC).
type SpendingDay struct {
	Date string // yyyy-mm-dd
	// Credits is what runs were charged, Absorbed what the platform paid for them.
	Credits, Absorbed models.Credits
}

// Spending is what an organization spent, day by day, the last one today.
type Spending struct {
	Days            []*SpendingDay
	Total, Absorbed models.Credits
	// Previous is the total of as many days before.
	Previous models.Credits
	// Forecast is of pool and headroom.
	Forecast
}

// Forecast is how long credits last at the rate of the days since the first on
// which something was spent; nil with less than seven days of data, and while
// nothing is spent.
type Forecast struct {
	PerDay     *models.Credits
	RunwayDays *int
}

// SpendingTrend is what a workspace spent in the last 30 days, the last one
// today (UTC), with the forecast of its headroom.
type SpendingTrend struct {
	Days []models.Credits
	Forecast
}

// trendDays is how many days a trend has.
const trendDays = 30

// minRunwayDays is how many days a rate needs to mean anything.
const minRunwayDays = 7

// FindSpending adds up what was spent on the last days (1 to 366; owner and admins).
func (s *Service) FindSpending(ctx context.Context, organizationID models.ID, days int) (*Spending, error) {
	if days < 1 || days > 366 {
		return nil, models.Invalid("days", "must be between 1 and 366")
	}
	o, err := s.creditsOf(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	today := s.DB.Clock.Now().UTC().Truncate(24 * time.Hour)
	from, spending := today.AddDate(0, 0, 1-2*days), &Spending{Days: []*SpendingDay{}}
	err = s.DB.Read(ctx).Raw(spentSince+`
		SELECT to_char(d.day, 'YYYY-MM-DD') AS date, coalesce(sum(e.credits), 0) AS credits, coalesce(sum(e.absorbed), 0) AS absorbed
		FROM generate_series(?::timestamp, ?::timestamp, interval '1 day') AS d(day)
		LEFT JOIN (
			SELECT (starts_at AT TIME ZONE 'UTC')::date AS day, credits, absorbed FROM spending_hours WHERE scope_id = ? AND starts_at >= ?
			UNION ALL
			SELECT (created_at AT TIME ZONE 'UTC')::date, CASE WHEN kind <> 'absorbed' THEN amount END, CASE WHEN kind = 'absorbed' THEN amount END
			FROM ledger_entries WHERE organization_id = ? AND `+notAddedUp+` AND kind IN ('charge', 'markup', 'absorbed')
		) e ON e.day = d.day
		GROUP BY d.day ORDER BY d.day`,
		from, from.Format(time.DateOnly), today.Format(time.DateOnly), o.ID, from, o.ID).Scan(&spending.Days).Error
	if err != nil {
		return nil, err
	}
	for _, day := range spending.Days[:days] {
		spending.Previous += day.Credits
	}
	spending.Days = spending.Days[days:]
	for _, day := range spending.Days {
		spending.Total, spending.Absorbed = spending.Total+day.Credits, spending.Absorbed+day.Absorbed
	}
	return spending, s.addRunway(ctx, o.ID, spending)
}

// addRunway foresees pool and headroom.
func (s *Service) addRunway(ctx context.Context, organizationID models.ID, spending *Spending) error {
	days := make([]models.Credits, len(spending.Days))
	for i, day := range spending.Days {
		days[i] = day.Credits
	}
	if spending.Forecast = forecast(days, 0); spending.PerDay == nil {
		return nil
	}
	var left models.Credits
	err := s.DB.Read(ctx).Raw(`
		SELECT p.balance + coalesce((SELECT sum(b.allocated - b.reserved - b.spent) FROM workspace_budgets b
			`+org.JoinWorkspaces("b.workspace_id")+` WHERE b.organization_id = p.organization_id AND w.archived_at IS NULL), 0)
		FROM organization_pools p WHERE p.organization_id = ?`, organizationID).Scan(&left).Error
	spending.Forecast = forecast(days, left)
	return err
}

// forecast divides what is left by the rate since the first day on which
// something was spent.
func forecast(days []models.Credits, left models.Credits) Forecast {
	first, total := 0, models.Credits(0)
	for first < len(days) && days[first] == 0 {
		first++
	}
	for _, spent := range days {
		total += spent
	}
	span := len(days) - first
	if span < minRunwayDays || total <= 0 {
		return Forecast{}
	}
	rate, runway := total/models.Credits(span), int(max(0, left))*span/int(total)
	return Forecast{PerDay: &rate, RunwayDays: &runway}
}

// TrendsByWorkspace reads what workspaces have recently spent, in one statement, for
// those whose budgets the caller was shown. An archived one has no forecast,
// for nothing runs in it.
func (s *Service) TrendsByWorkspace(ctx context.Context, workspaceIDs []models.ID) (map[models.ID]*SpendingTrend, error) {
	today := s.DB.Clock.Now().UTC().Truncate(24 * time.Hour)
	from := today.AddDate(0, 0, 1-trendDays)
	var rows []struct {
		WorkspaceID models.ID
		Headroom    models.Credits
		Archived    bool
		Day         *int
		Credits     models.Credits
	}
	err := s.DB.Read(ctx).Raw(spentSince+`
		SELECT b.workspace_id, b.allocated - b.reserved - b.spent AS headroom, w.archived_at IS NOT NULL AS archived, e.day, coalesce(e.credits, 0) AS credits
		FROM workspace_budgets b `+org.JoinWorkspaces("b.workspace_id")+`
		LEFT JOIN LATERAL (SELECT (at AT TIME ZONE 'UTC')::date - ?::date AS day, sum(spent.credits) AS credits FROM (
				SELECT starts_at AS at, h.credits FROM spending_hours h WHERE scope_id = b.workspace_id AND starts_at >= ?
				UNION ALL
				SELECT created_at, amount FROM ledger_entries WHERE workspace_id = b.workspace_id AND `+notAddedUp+` AND kind IN ('charge', 'markup')
			) spent GROUP BY 1) e ON true
		WHERE b.workspace_id IN ?`, from, from.Format(time.DateOnly), from, workspaceIDs).Scan(&rows).Error
	trends := make(map[models.ID]*SpendingTrend, len(workspaceIDs))
	for _, row := range rows {
		trend := trends[row.WorkspaceID]
		if trend == nil {
			trend = &SpendingTrend{Days: make([]models.Credits, trendDays)}
			trends[row.WorkspaceID] = trend
		}
		if row.Day != nil && *row.Day < trendDays {
			trend.Days[*row.Day] += row.Credits
		}
	}
	for _, row := range rows {
		if trend := trends[row.WorkspaceID]; !row.Archived {
			trend.Forecast = forecast(trend.Days, row.Headroom)
		}
	}
	return trends, err
}
