package usage

import (
	"context"
	"fmt"
	"strings"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
)

// statement collects the values of a statement with numbered parameters.
type statement struct{ args []any }

func (s *statement) value(v any) string {
	s.args = append(s.args, v)
	return fmt.Sprintf("$%d", len(s.args))
}

// source is what a report adds up: queries with the columns workspace_id,
// user_id, model, at (a quarter of an hour, or whatever begins the row's longer
// time), runs, main_runs, settled, in_flight, absorbed and markup_absorbed. They
// are the rows of the rollups and the runs that no row has yet, so that a
// statement with open before it sees each run once, whenever it is made.
type source struct {
	s     *statement
	scope scope
	from  time.Time
	to    time.Time
}

func (s *statement) of(sc scope, d *days) source {
	return source{s, sc, upToQuarter(d.begin()), upToQuarter(d.end())}
}

const lineColumns = `runs, main_runs, settled, 0::bigint AS in_flight, absorbed, markup_absorbed`

// open are the common table expressions that live reads: counted are the runs of
// the scope that no row has.
func (src source) open() string {
	where := []string{"o.organization_id = " + src.s.value(src.scope.organizationID)}
	if src.scope.workspaceID != nil {
		where = append(where, "o.workspace_id = "+src.s.value(*src.scope.workspaceID))
	}
	if src.scope.userID != nil {
		where = append(where, "o.user_id = "+src.s.value(*src.scope.userID))
	}
	return `counted AS MATERIALIZED (
		SELECT o.* ` + credit.OpenRuns + ` ` + account.JoinUndeleted("o.user_id") + `
		WHERE ` + strings.Join(where, " AND ") + ` AND o.created_at >= ` + src.s.value(src.from) + ` AND o.created_at < ` + src.s.value(src.to) + `
	), ` + credit.RunCosts
}

// live are the runs that no row has.
func (src source) live() string {
	return `SELECT counted.workspace_id, counted.user_id, cost.model, ` + quarterOf("counted.created_at") + ` AS at,
		(settled + in_flight > 0)::int::bigint AS runs, (first AND settled + in_flight > 0)::int::bigint AS main_runs,
		settled, in_flight, absorbed, markup_absorbed
		FROM counted JOIN cost USING (execution_id)`
}

func quarterOf(column string) string {
	return "date_bin('15 minutes', " + column + ", '2000-01-01 00:00:00+00'::timestamptz)"
}

// spans are rows by workspace, member and model, the coarsest that the range
// takes; when they are only told apart by these.
func (src source) spans() string {
	var parts []string
	for _, p := range stretches(src.from, src.to) {
		parts = append(parts, src.sums(p))
	}
	if len(parts) == 0 {
		parts = append(parts, src.sums(stretch{"quarter", src.from, src.to}))
	}
	return strings.Join(parts, " UNION ALL ")
}

// byQuarter are rows by workspace, member and model and quarter of an hour: of
// one person, or of those that narrow leaves.
func (src source) byQuarter(narrow string) string {
	return src.sums(stretch{"quarter", src.from, src.to}) + narrow
}

func (src source) sums(p stretch) string {
	query := `SELECT workspace_id, user_id, model, starts_at AS at, ` + lineColumns + ` FROM usage_sums
		WHERE organization_id = ` + src.s.value(src.scope.organizationID) + ` AND grain = '` + p.grain + `'
		AND starts_at >= ` + src.s.value(p.from) + ` AND starts_at < ` + src.s.value(p.to)
	if src.scope.workspaceID != nil {
		query += ` AND workspace_id = ` + src.s.value(*src.scope.workspaceID)
	}
	if src.scope.userID != nil {
		query += ` AND user_id = ` + src.s.value(*src.scope.userID)
	}
	return query
}

// byTime are rows by quarter of an hour, of everyone unless the report is about
// one person.
func (src source) byTime() string { return src.byModel("model = ''", "") }

// byTimeOfModels are those of some models.
func (src source) byTimeOfModels(wanted string) string {
	of := "model = ANY (" + wanted + ")"
	return src.byModel(of, " AND "+of)
}

func (src source) byModel(everybody, one string) string {
	if !src.scope.everybody() {
		return src.byQuarter(one)
	}
	return `SELECT NULL::uuid AS workspace_id, NULL::uuid AS user_id, model, starts_at AS at, ` + lineColumns + ` FROM usage_quarters
		WHERE scope_id = ` + src.s.value(src.scope.id()) + ` AND ` + everybody + ` AND starts_at >= ` + src.s.value(src.from) + ` AND starts_at < ` + src.s.value(src.to)
}

// byTimeOf are the rows of some workspaces.
func (src source) byTimeOf(workspaces string) string {
	return `SELECT scope_id AS workspace_id, NULL::uuid AS user_id, model, starts_at AS at, ` + lineColumns + ` FROM usage_quarters
		WHERE scope_id = ANY (` + workspaces + `) AND model = '' AND starts_at >= ` + src.s.value(src.from) + ` AND starts_at < ` + src.s.value(src.to)
}

// figures are what lines add up to, as Sum reads them.
const figures = `coalesce(sum(settled), 0)::bigint AS settled, coalesce(sum(in_flight), 0)::bigint AS in_flight,
	coalesce(sum(absorbed), 0)::bigint AS absorbed, coalesce(sum(markup_absorbed), 0)::bigint AS markup_absorbed`

// sum is a row of figures, of a group or, without a key, of all.
type sum struct {
	key                      *string
	runs                     int64
	settled, inFlight        int64
	absorbed, markupAbsorbed int64
}

func (s *sum) columns() []any {
	return []any{&s.key, &s.runs, &s.settled, &s.inFlight, &s.absorbed, &s.markupAbsorbed}
}

func (s *sum) figures() Figures {
	return Figures{Credits: models.Credits(s.settled + s.inFlight), SettledCredits: models.Credits(s.settled), InFlightCredits: models.Credits(s.inFlight)}
}

func (s *sum) totals() *Totals {
	return &Totals{
		Figures: s.figures(), PlatformAbsorbedCredits: models.Credits(s.absorbed),
		AppMarkupAbsorbedCredits: models.Credits(s.markupAbsorbed), Runs: int(s.runs),
	}
}

// groupKeys are what the lines of each grouping are told apart by.
var groupKeys = map[Group]string{ByWorkspace: "workspace_id::text", ByMember: "user_id::text", ByModel: "model"}

// sums reads the totals of a report and its groups, the most expensive first and
// at most one beyond maxGroups: one statement, and so one moment.
func (s *Service) sums(ctx context.Context, a *asked) (*Totals, []sum, error) {
	st := &statement{}
	src := st.of(a.scope, &a.days)
	with := src.open()
	key, runs, order, lines := groupKeys[a.group], "sum(main_runs)", `sum(settled + in_flight) DESC, key COLLATE "C"`, src.spans
	switch a.group {
	case ByDay:
		key, order, lines = "width_bucket(at, "+st.value(a.starts)+"::timestamptz[])::text", "key", src.byTime
	case ByModel:
		runs = "sum(runs)" // a run that several models worked at counts with each
	}
	rows, err := models.Rows(ctx, s.DB, (*sum).columns, `WITH `+with+`, line AS (`+lines()+` UNION ALL `+src.live()+`), keyed AS (SELECT *, `+key+` AS key FROM line)
		SELECT CASE GROUPING(key) WHEN 0 THEN key END, CASE GROUPING(key) WHEN 0 THEN `+runs+` ELSE coalesce(sum(main_runs), 0) END::bigint, `+figures+`
		FROM keyed GROUP BY GROUPING SETS ((key), ())
		HAVING GROUPING(key) = 1 OR sum(settled + in_flight) > 0
		ORDER BY GROUPING(key) DESC, `+order+` LIMIT `+st.value(maxGroups+2), st.args...)
	if err != nil || len(rows) == 0 {
		return &Totals{}, nil, err
	}
	return rows[0].totals(), rows[1:], nil
}

// total adds up a range.
func (s *Service) total(ctx context.Context, sc scope, d *days) (*Totals, error) {
	st := &statement{}
	src := st.of(sc, d)
	with := src.open()
	var all sum
	err := s.DB.Row(ctx, `WITH `+with+`, line AS (`+src.byTime()+` UNION ALL `+src.live()+`)
		SELECT NULL::text, coalesce(sum(main_runs), 0)::bigint, `+figures+` FROM line`, st.args...).Scan(all.columns()...)
	return all.totals(), err
}
