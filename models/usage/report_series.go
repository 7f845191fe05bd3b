package usage

import (
	"context"

	"atelier/models"
)

// maxParts is how many groups a chart tells apart; the rest are one.
const maxParts = 5

// othersName is what the chart calls the rest.
const othersName = "Others"

// Series is the report day by day, divided by a group: its own, or by model
// where the report is by day or of runs.
func (s *Service) Series(ctx context.Context, r *Report) (*Series, error) {
	return models.OnStandby(ctx, s.DB, func(ctx context.Context) (*Series, error) { return s.series(ctx, r) })
}

func (s *Service) series(ctx context.Context, r *Report) (*Series, error) {
	groups, more, err := s.foremost(ctx, r)
	if err != nil {
		return nil, err
	}
	cells, err := s.cells(ctx, r, groups)
	if err != nil {
		return nil, err
	}
	series := &Series{Names: make([]string, 0, maxParts+1), Days: make([]*Day, len(r.asked.starts)-1)}
	for _, g := range groups {
		series.Names = append(series.Names, g.Label)
	}
	if more {
		series.Names = append(series.Names, othersName)
	}
	for i := range series.Days {
		series.Days[i] = &Day{Date: (r.asked.from + date(i)).String(), Parts: make([]models.Credits, len(series.Names))}
	}
	for _, c := range cells {
		if c.day < 1 || c.day > len(series.Days) {
			continue
		}
		d, amount := series.Days[c.day-1], models.Credits(c.settled+c.inFlight)
		switch {
		case c.part > 0:
			d.Parts[c.part-1] += amount
			if more {
				d.Parts[len(groups)] -= amount
			}
		default:
			d.Credits += amount
			d.InFlight += models.Credits(c.inFlight)
			if more {
				d.Parts[len(groups)] += amount
			}
		}
	}
	return series, nil
}

// foremost are the most expensive groups of a report, and whether there are more.
func (s *Service) foremost(ctx context.Context, r *Report) (groups []*Row, more bool, err error) {
	rows := r.Rows.Nodes
	if r.divided() != r.GroupBy {
		by := r.asked
		by.group = r.divided()
		if _, rows, err = s.grouped(ctx, &by); err != nil {
			return nil, false, err
		}
	}
	return rows[:min(len(rows), maxParts)], len(rows) > maxParts, nil
}

// divided is what the charts of a report tell apart.
func (r *Report) divided() Group {
	if r.GroupBy == ByDay || r.GroupBy == Runs {
		return ByModel
	}
	return r.GroupBy
}

// cell is what a group, or all together, cost on one day; days and parts count from 1.
type cell struct {
	day, part         int
	settled, inFlight int64
}

func (c *cell) columns() []any { return []any{&c.day, &c.part, &c.settled, &c.inFlight} }

// cells reads the days of a report, of part 0 all together.
func (s *Service) cells(ctx context.Context, r *Report, groups []*Row) ([]cell, error) {
	keys := make([]string, len(groups))
	for i, g := range groups {
		keys[i] = g.Key
	}
	by := r.divided()
	st := &statement{}
	src := st.of(r.asked.scope, &r.asked.days)
	with := src.open()
	starts, wanted := st.value(r.asked.starts), st.value(keys)
	lines := src.byTime()
	parts := lines
	switch {
	case by == ByModel:
		parts = src.byTimeOfModels(wanted + "::text[]")
	case by == ByWorkspace && src.scope.everybody():
		parts = src.byTimeOf(wanted + "::uuid[]")
	case by == ByMember:
		parts = src.byQuarter(" AND user_id = ANY (" + wanted + "::uuid[])")
	}
	day := "width_bucket(at, " + starts + "::timestamptz[])"
	return models.Rows(ctx, s.DB, (*cell).columns, `WITH `+with+`, fresh AS (`+src.live()+`)
		SELECT `+day+`, 0, sum(settled)::bigint, sum(in_flight)::bigint FROM (`+lines+` UNION ALL SELECT * FROM fresh) line GROUP BY 1
		UNION ALL
		SELECT `+day+`, array_position(`+wanted+`::text[], `+groupKeys[by]+`), sum(settled)::bigint, sum(in_flight)::bigint
		FROM (`+parts+` UNION ALL SELECT * FROM fresh) line WHERE `+groupKeys[by]+` = ANY (`+wanted+`::text[]) GROUP BY 1, 2`, st.args...)
}

// Hours is the report by hours of the week; those without credits are left out.
func (s *Service) Hours(ctx context.Context, r *Report) ([]*Hour, error) {
	st := &statement{}
	src := st.of(r.asked.scope, &r.asked.days)
	with := src.open()
	since, ahead := r.asked.offsets()
	// Clocks of the zone as if they were those of UTC.
	shown := `at + (` + st.value(ahead) + `::bigint[])[width_bucket(at, ` + st.value(since) + `::timestamptz[])] * interval '1 second'`
	return models.OnStandby(ctx, s.DB, func(ctx context.Context) ([]*Hour, error) {
		return rowsOf(models.Rows(ctx, s.DB, (*Hour).columns, `WITH `+with+`
		SELECT (extract(isodow FROM shown) - 1)::int, extract(hour FROM shown)::int, sum(settled + in_flight)::bigint
		FROM (SELECT (`+shown+`) AT TIME ZONE 'UTC' AS shown, settled, in_flight FROM (`+src.byTime()+` UNION ALL `+src.live()+`) line) l
		GROUP BY 1, 2 HAVING sum(settled + in_flight) > 0 ORDER BY 1, 2`, st.args...))
	})
}

func (h *Hour) columns() []any { return []any{&h.Weekday, &h.Hour, (*int64)(&h.Credits)} }

// Previous are the totals of the range of equal length before.
func (s *Service) Previous(ctx context.Context, r *Report) (*Totals, error) {
	before := r.asked.days.before()
	return s.total(ctx, r.asked.scope, &before)
}

func rowsOf[T any](rows []T, err error) ([]*T, error) {
	pointers := make([]*T, len(rows))
	for i := range rows {
		pointers[i] = &rows[i]
	}
	return pointers, err
}
