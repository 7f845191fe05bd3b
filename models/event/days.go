package event

import (
	"context"
	"time"

	"atelier/models"
)

const (
	// maxDays is how many days can be looked at: as long as deliveries are kept.
	maxDays = 30
	// maxOfADay is how many deliveries of a day are looked at, the last ones,
	// so that what an endpoint got does not decide how long a page takes.
	maxOfADay = 200
)

// Day is what became of an endpoint's deliveries that were made on one day.
type Day struct {
	// Date is the day, as 2006-01-02.
	Date string
	// Delivered and Failed are how many have ended so, Waiting how many not yet.
	Delivered, Failed, Waiting int
	// P50Ms and P95Ms are how long the receiver took for what was delivered:
	// half, and 95 of 100, took no longer. nil without one.
	P50Ms, P95Ms *int
	// Sampled says that there were more, and that these are the last 200.
	Sampled bool
}

// DaysOf are the last days of endpoints, oldest first, today included, in a
// time zone; pings do not count. The endpoints must have been read on the
// actor's behalf before. One statement reads at most 200 deliveries of each day
// of each endpoint.
func (s *Service) DaysOf(ctx context.Context, endpointIDs []models.ID, days int, zone string) (map[models.ID][]*Day, error) {
	actor, err := s.admit(ctx)
	if err != nil {
		return nil, err
	}
	if days < 1 || days > maxDays {
		return nil, models.Invalid("days", "must be between 1 and %d", maxDays)
	}
	local, err := time.LoadLocation(zone)
	if err != nil || zone == "Local" {
		return nil, models.Invalid("timeZone", "must be a time zone such as Europe/Berlin")
	}
	first, after, dates := daysUntil(s.DB.Clock.Now().In(local), days)
	type row struct {
		endpoint       models.ID
		number, looked int
		Day
	}
	columns := func(r *row) []any {
		return []any{&r.endpoint, &r.number, &r.looked, &r.Delivered, &r.Failed, &r.Waiting, &r.P50Ms, &r.P95Ms}
	}
	found, err := models.Rows(ctx, s.DB, columns, `
		SELECT e.id, d.number, count(*),
			count(*) FILTER (WHERE last.status = 'delivered'), count(*) FILTER (WHERE last.status = 'failed'),
			count(*) FILTER (WHERE last.status = 'pending'),
			percentile_disc(0.5) WITHIN GROUP (ORDER BY last.duration_ms) FILTER (WHERE last.status = 'delivered'),
			percentile_disc(0.95) WITHIN GROUP (ORDER BY last.duration_ms) FILTER (WHERE last.status = 'delivered')
		FROM webhook_endpoints e
			CROSS JOIN unnest($3::uuid[], $4::uuid[]) WITH ORDINALITY AS d(first, after, number)
			CROSS JOIN LATERAL (SELECT w.status, w.duration_ms FROM webhook_deliveries w
				WHERE w.endpoint_id = e.id AND w.id >= d.first AND w.id < d.after AND w.event <> 'ping'
				ORDER BY w.id DESC LIMIT $5) AS last
		WHERE e.id = ANY($1::uuid[]) AND e.account_id = $2 AND ($6::uuid IS NULL OR e.app_id = $6)
		GROUP BY e.id, d.number`, endpointIDs, actor.UserID, first, after, maxOfADay, actor.OfApp())
	if err != nil {
		return nil, err
	}
	byEndpoint := make(map[models.ID][]*Day, len(endpointIDs))
	for _, id := range endpointIDs {
		for _, date := range dates {
			byEndpoint[id] = append(byEndpoint[id], &Day{Date: date})
		}
	}
	for _, r := range found {
		day := r.Day
		day.Date, day.Sampled = dates[r.number-1], r.looked == maxOfADay
		byEndpoint[r.endpoint][r.number-1] = &day
	}
	return byEndpoint, nil
}

// daysUntil are the last days until now in its zone: the first id of each and
// of the day after it, and their dates. Days may have 23 or 25 hours.
func daysUntil(now time.Time, days int) (first, after []models.ID, dates []string) {
	year, month, day := now.Date()
	for i := days - 1; i >= 0; i-- {
		begin := time.Date(year, month, day-i, 0, 0, 0, 0, now.Location())
		end := time.Date(year, month, day-i+1, 0, 0, 0, 0, now.Location())
		first, after = append(first, models.FirstID(begin)), append(after, models.FirstID(end))
		dates = append(dates, time.Date(year, month, day-i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
	}
	return first, after, dates
}
