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
	// RunwayDays is how long pool and headroom last at the rate of these days;
	// nil with less than seven days of data, and while nothing is spent.
	RunwayDays *int
}

// leastRunwayDays is how many days a rate needs to mean anything.
const leastRunwayDays = 7

// FindSpending adds up the ledger of the last days (1 to 366; owner and admins).
func (s *Service) FindSpending(ctx context.Context, organizationID models.ID, days int) (*Spending, error) {
	if days < 1 || days > 366 {
		return nil, models.Invalid("days", "must be between 1 and 366")
	}
	o, err := s.creditsOf(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	today := s.DB.Clock.Now().UTC().Truncate(24 * time.Hour)
	from, spending := today.AddDate(0, 0, 1-days), &Spending{Days: []*SpendingDay{}}
	err = s.DB.Read(ctx).Raw(`
		SELECT to_char(d.day, 'YYYY-MM-DD') AS date, coalesce(sum(e.credits), 0) AS credits, coalesce(sum(e.absorbed), 0) AS absorbed
		FROM generate_series(?::timestamp, ?::timestamp, interval '1 day') AS d(day)
		LEFT JOIN (SELECT (created_at AT TIME ZONE 'UTC')::date AS day,
				sum(amount) FILTER (WHERE kind = 'charge') AS credits, sum(amount) FILTER (WHERE kind = 'absorbed') AS absorbed
			FROM ledger_entries WHERE organization_id = ? AND kind IN ('charge', 'absorbed') AND created_at >= ? AND created_at < ?
			GROUP BY 1) e ON e.day = d.day
		GROUP BY d.day ORDER BY d.day`,
		from.Format(time.DateOnly), today.Format(time.DateOnly), o.ID, from, today.AddDate(0, 0, 1)).Scan(&spending.Days).Error
	if err != nil {
		return nil, err
	}
	for _, day := range spending.Days {
		spending.Total, spending.Absorbed = spending.Total+day.Credits, spending.Absorbed+day.Absorbed
	}
	return spending, s.addRunway(ctx, o.ID, spending)
}

// addRunway divides what is left by the rate since the first day of the range
// on which something was spent.
func (s *Service) addRunway(ctx context.Context, organizationID models.ID, spending *Spending) error {
	first := 0
	for first < len(spending.Days) && spending.Days[first].Credits == 0 {
		first++
	}
	span := len(spending.Days) - first
	if span < leastRunwayDays || spending.Total == 0 {
		return nil
	}
	var left models.Credits
	err := s.DB.Read(ctx).Raw(`
		SELECT p.balance + coalesce((SELECT sum(b.allocated - b.reserved - b.spent) FROM workspace_budgets b
			`+org.JoinWorkspaces("b.workspace_id")+` WHERE b.organization_id = p.organization_id AND w.archived_at IS NULL), 0)
		FROM organization_pools p WHERE p.organization_id = ?`, organizationID).Scan(&left).Error
	if err != nil {
		return err
	}
	runway := int(left) * span / int(spending.Total)
	spending.RunwayDays = &runway
	return nil
}
