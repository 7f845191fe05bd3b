package usage

import (
	"context"
	"errors"
	"time"

	"atelier/models"
	"atelier/models/notice"
	"atelier/models/org"
	"atelier/models/timetable"
)

const (
	// monthsAtOnce is how many organizations are looked at in one statement.
	monthsAtOnce = 200
	// worthTelling is for how long after its end a month is news: an install that was off for longer, or has got this just
	// now, tells the next one.
	worthTelling = 7 * 24 * time.Hour
	// maxLeaders is how many owners and admins of one organization are told.
	maxLeaders = 100
)

// lastMonths are the last whole month on a zone's clocks, and the one before it.
func lastMonths(now time.Time, zone *time.Location) (last, before days) {
	year, month, _ := now.In(zone).Date()
	whole := func(ago time.Month) days {
		d := days{tz: zone.String(), zone: zone, from: dateIn(year, month-ago, 1), to: dateIn(year, month-ago+1, 1) - 1}
		d.cut()
		return d
	}
	return whole(1), whole(2)
}

// TellMonths tells the owner and the admins of each active organization what it spent in the month that is over where its
// owner lives; in UTC for an owner who chose no zone. Each month is told once, by whichever process comes first: that it was told is written in the
// transaction that tells it.
func (s *Service) TellMonths(ctx context.Context) error {
	ctx = models.ForWork(ctx)
	now := s.DB.Clock.Now()
	newest, _ := lastMonths(now.Add(furthest), time.UTC) // no clock has a later month behind it
	var failed []error
	for after := (models.ID{}); ; {
		type due struct {
			organizationID models.ID
			zone           string
		}
		some, err := models.Rows(ctx, s.DB, func(d *due) []any { return []any{&d.organizationID, &d.zone} }, `
			SELECT o.id, coalesce(u.time_zone, '') `+org.FromActive+` LEFT JOIN usage_months told ON told.organization_id = o.id
			WHERE o.id > $1 AND (told.month IS NULL OR told.month < $2) ORDER BY o.id LIMIT $3`, after, newest.from.midnight(), monthsAtOnce)
		if err != nil || len(some) == 0 {
			return errors.Join(append(failed, err)...)
		}
		for _, d := range some {
			zone, known := timetable.LoadZone(d.zone)
			if !known {
				zone = time.UTC
			}
			failed = append(failed, s.tellMonth(ctx, d.organizationID, now, zone)) // one that fails keeps no other from it
		}
		after = some[len(some)-1].organizationID
	}
}

func (s *Service) tellMonth(ctx context.Context, organizationID models.ID, now time.Time, zone *time.Location) error {
	last, before := lastMonths(now, zone)
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		first, err := tx.Run(`INSERT INTO usage_months AS told (organization_id, month) VALUES ($1, $2)
			ON CONFLICT (organization_id) DO UPDATE SET month = EXCLUDED.month WHERE told.month < EXCLUDED.month`, organizationID, last.from.midnight())
		if err != nil || first == 0 || now.Sub(last.end()) > worthTelling {
			return err
		}
		facts, err := s.factsOf(tx, organizationID, last, before)
		if err != nil || *facts.Amount == 0 && *facts.Before == 0 {
			return err
		}
		name, to, err := org.Leaders(tx, organizationID, maxLeaders)
		if err != nil {
			return err
		}
		facts.Organization = name
		return s.Orgs.Notices.Tell(tx, notice.News{
			Kind: notice.UsageMonth, Needs: notice.Admin, OrganizationID: &organizationID, SubjectID: &organizationID,
			Facts: facts, Key: organizationID.String() + ":" + facts.Month,
		}, to...)
	})
}

// factsOf are what a month cost, what the one before it did, and who spent most.
func (s *Service) factsOf(tx *models.Tx, organizationID models.ID, last, before days) (f notice.Facts, err error) {
	of := scope{organizationID: organizationID}
	earlier, err := s.total(tx.Context(), of, &before)
	if err != nil {
		return f, err
	}
	f.Month, f.Before = notice.MonthOf(last.from.midnight()), &earlier.Credits
	for group, most := range map[Group]*[]notice.Spending{ByWorkspace: &f.ByWorkspace, ByMember: &f.ByMember} {
		totals, rows, err := s.grouped(tx.Context(), &asked{scope: of, days: last, group: group})
		if err != nil {
			return f, err
		}
		f.Amount = &totals.Credits
		for _, row := range rows[:min(len(rows), notice.MaxSpending)] {
			*most = append(*most, notice.Spending{Name: row.Label, Amount: row.Credits})
		}
	}
	return f, nil
}
