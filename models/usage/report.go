package usage

import (
	"context"
	"strconv"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/run"
)

// Service holds the use cases of usage reports.
type Service struct {
	DB      *models.DB
	Orgs    *org.Service
	Credits *credit.Service
	Runs    *run.Service
}

// Group is what the rows of a report are.
type Group string

const (
	ByWorkspace Group = "workspace"
	ByMember    Group = "member"
	ByModel     Group = "model"
	ByDay       Group = "day"
	Runs        Group = "none" // single runs, newest first
)

// Query says what a report covers; nil is the default.
type Query struct {
	// From and To are days, both inclusive, as YYYY-MM-DD in the zone TZ.
	From, To, TZ *string
	GroupBy      *Group
	WorkspaceID  *models.ID
	UserID       *models.ID
}

// Figures are what something cost; Credits is settled plus in flight.
type Figures struct {
	Credits         models.Credits
	SettledCredits  models.Credits
	InFlightCredits models.Credits
}

// Totals cover the whole range, however many rows are shown.
type Totals struct {
	Figures
	// PlatformAbsorbedCredits is what metered runs cost beyond the headroom;
	// settled minus it reached the budget.
	PlatformAbsorbedCredits models.Credits
	// AppMarkupAbsorbedCredits is markup of approved apps that nothing covered.
	AppMarkupAbsorbedCredits models.Credits
	// Runs is how many runs cost something.
	Runs int
}

// Row is a group, or a run.
type Row struct {
	Figures
	Key, Label string // of a group
	Runs       int    // of a group: how many cost something

	RunID       *models.ID // of a run, as the rest
	CreatedAt   *time.Time
	UserID      *models.ID
	WorkspaceID *models.ID
	// WorkspaceName is its name now.
	WorkspaceName *string
	Model         *string
}

// Report is what was asked for. Rows of runs are a page.
type Report struct {
	From, To, TZ string
	GroupBy      Group
	Rows         *models.Connection[*Row]
	// Truncated is set beyond 5,000 groups, of which these are the first.
	Truncated bool
	// Gap tells that history of deleted members was removed from the range.
	Gap bool

	// asked is what the totals and the charts of the report ask again; totals are
	// those of the moment of the groups, nil with runs.
	asked  asked
	totals *Totals
}

// Day is what one day of the range cost, by the most expensive groups of a
// report; the last part is everything else.
type Day struct {
	Date     string // yyyy-mm-dd
	Credits  models.Credits
	InFlight models.Credits
	// Parts are in the order of Series.Names.
	Parts []models.Credits
}

// Series are the days of a report, each divided among at most five groups and
// the others.
type Series struct {
	Names []string
	Days  []*Day
}

// Hour is what one hour of the week cost over the range, in the report's zone.
type Hour struct {
	Weekday int // 0 is Monday
	Hour    int
	Credits models.Credits
}

// ForOrganization is the report of an organization (owner and admins).
func (s *Service) ForOrganization(ctx context.Context, organizationID models.ID, q Query, page models.Page) (*Report, error) {
	a, err := s.askedOfOrganization(ctx, organizationID, q)
	if err != nil {
		return nil, err
	}
	return s.report(ctx, a, page)
}

// ForWorkspace is the report of a workspace: its admins see all, members
// their own runs and no groups of members.
func (s *Service) ForWorkspace(ctx context.Context, workspaceID models.ID, q Query, page models.Page) (*Report, error) {
	a, err := s.askedOfWorkspace(ctx, workspaceID, q)
	if err != nil {
		return nil, err
	}
	return s.report(ctx, a, page)
}

// Totals are those of the whole range, however many rows are shown.
func (s *Service) Totals(ctx context.Context, r *Report) (*Totals, error) {
	if r.totals != nil {
		return r.totals, nil
	}
	return models.OnStandby(ctx, s.DB, func(ctx context.Context) (*Totals, error) { return s.total(ctx, r.asked.scope, &r.asked.days) })
}

func (s *Service) report(ctx context.Context, a *asked, page models.Page) (r *Report, err error) {
	r = &Report{From: a.from.String(), To: a.to.String(), TZ: a.tz, GroupBy: a.group, asked: *a}
	if a.group == Runs {
		if r.Gap, err = models.OnStandby(ctx, s.DB, func(ctx context.Context) (bool, error) { return s.gap(ctx, a) }); err == nil {
			r.Rows, err = s.runs(ctx, a, page)
		}
		return r, err
	}
	if _, err := page.Size(models.DefaultPageSize, models.MaxPageSize); err != nil {
		return nil, err
	}
	if page.Cursor != nil && *page.Cursor != "" {
		return nil, models.Invalid("cursor", "is for single runs: groups have one page")
	}
	return models.OnStandby(ctx, s.DB, func(ctx context.Context) (*Report, error) {
		totals, rows, err := s.grouped(ctx, a)
		if err != nil {
			return nil, err
		}
		r.totals, r.Truncated = totals, len(rows) > maxGroups
		r.Rows = models.Whole(rows[:min(len(rows), maxGroups)])
		r.Gap, err = s.gap(ctx, a)
		return r, err
	})
}

// grouped reads the groups of a report; of days every one, in their order.
func (s *Service) grouped(ctx context.Context, a *asked) (*Totals, []*Row, error) {
	totals, sums, err := s.sums(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	if a.group == ByDay {
		return totals, a.dayRows(sums), nil
	}
	rows := make([]*Row, len(sums))
	keys := make([]string, len(sums))
	for i := range sums {
		keys[i] = *sums[i].key
		rows[i] = &Row{Key: keys[i], Label: keys[i], Figures: sums[i].figures(), Runs: int(sums[i].runs)}
	}
	names, err := s.names(ctx, a, keys)
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows {
		if name, ok := names[row.Key]; ok {
			row.Label = name
		}
		if a.group == ByMember {
			id, _ := models.ParseID("userId", row.Key)
			row.UserID = &id
		}
	}
	return totals, rows, nil
}

// dayRows are all days of the range, also those without a run.
func (a *asked) dayRows(sums []sum) []*Row {
	rows := make([]*Row, len(a.starts)-1)
	for i := range rows {
		day := (a.from + date(i)).String()
		rows[i] = &Row{Key: day, Label: day}
	}
	for i := range sums {
		if day, err := strconv.Atoi(*sums[i].key); err == nil && day >= 1 && day <= len(rows) {
			rows[day-1].Figures, rows[day-1].Runs = sums[i].figures(), int(sums[i].runs)
		}
	}
	return rows
}

// names are what groups are called now.
func (s *Service) names(ctx context.Context, a *asked, keys []string) (map[string]string, error) {
	var query string
	var args []any
	switch a.group {
	case ByWorkspace:
		query, args = `SELECT w.id::text, w.name FROM unnest($1::uuid[]) AS g (id) `+org.JoinWorkspaces("g.id")+` WHERE w.organization_id = $2`, []any{keys, a.organizationID}
	case ByMember:
		query, args = `SELECT u.id::text, u.display_name FROM unnest($1::uuid[]) AS g (id) `+account.Join("g.id"), []any{keys}
	default:
		return nil, nil
	}
	type named struct{ id, name string }
	rows, err := models.Rows(ctx, s.DB, func(n *named) []any { return []any{&n.id, &n.name} }, query, args...)
	names := make(map[string]string, len(rows))
	for _, n := range rows {
		names[n.id] = n.name
	}
	return names, err
}

// gap tells whether history was removed from the range. What one person ran has none.
func (s *Service) gap(ctx context.Context, a *asked) (found bool, err error) {
	if !a.everybody() {
		return false, nil
	}
	err = s.DB.Row(ctx, `SELECT EXISTS (SELECT FROM usage_gaps WHERE organization_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2)
		AND first_day < $3::timestamptz AT TIME ZONE 'UTC' AND last_day + 1 > $4::timestamptz AT TIME ZONE 'UTC')`,
		a.organizationID, a.workspaceID, a.end(), a.begin()).Scan(&found)
	return found, err
}
