package notice

import (
	"context"
	"net/url"
	"strings"
	"time"

	"atelier/models"
	"atelier/web/locale"
)

// MonthOf is how facts name the month of a day.
func MonthOf(day time.Time) string { return day.Format(monthForm) }

const monthForm = "2006-01"

// sayMonth tells what an organization spent in a month, beside the month before.
func sayMonth(ctx context.Context, n *Notification) string {
	f := n.Facts
	first, err := time.Parse(monthForm, f.Month)
	if err != nil {
		return t(ctx, "What %s spent in a month can be seen now.", f.Organization)
	}
	month, spent, before := locale.MonthOfYear(ctx, first), *or(f.Amount), *or(f.Before)
	switch percent := changed(before, spent); {
	case spent == 0:
		return t(ctx, "%s spent nothing in %s, and %s in the month before.", f.Organization, month, credits(ctx, f.Before))
	case before == 0:
		return t(ctx, "%s spent %s in %s, and nothing in the month before.", f.Organization, credits(ctx, f.Amount), month)
	case percent > 0:
		return t(ctx, "%s spent %s in %s, %s percent more than in the month before.", f.Organization, credits(ctx, f.Amount), month, locale.Count(ctx, percent))
	case percent < 0:
		return t(ctx, "%s spent %s in %s, %s percent less than in the month before.", f.Organization, credits(ctx, f.Amount), month, locale.Count(ctx, -percent))
	}
	return t(ctx, "%s spent %s in %s, as much as in the month before.", f.Organization, credits(ctx, f.Amount), month)
}

// changed is by how many percent of what was there before something is more, or less, rounded to the nearest; 0 where
// nothing was there.
func changed(before, now models.Credits) int64 {
	if before <= 0 {
		return 0
	}
	difference := int64(now-before) * 100
	half := int64(before) / 2
	if difference < 0 {
		half = -half
	}
	return (difference + half) / int64(before)
}

// monthPath leads to the report of the month.
func (n *Notification) monthPath() string {
	page := n.organizationPath("/usage")
	first, err := time.Parse(monthForm, n.Facts.Month)
	if err != nil || n.OrganizationID == nil {
		return page
	}
	last := first.AddDate(0, 1, -1)
	return page + "?" + url.Values{"from": {first.Format(time.DateOnly)}, "to": {last.Format(time.DateOnly)}}.Encode()
}

// Lines say more than the sentence, where there is room for it: in a letter.
func (n *Notification) Lines(ctx context.Context) (lines []string) {
	if len(n.Facts.ByWorkspace) > 0 {
		lines = append(lines, t(ctx, "Where most was spent: %s.", list(ctx, n.Facts.ByWorkspace)))
	}
	if len(n.Facts.ByMember) > 0 {
		lines = append(lines, t(ctx, "Who spent most: %s.", list(ctx, n.Facts.ByMember)))
	}
	return lines
}

func list(ctx context.Context, all []Spending) string {
	said := make([]string, len(all))
	for i, s := range all {
		said[i] = s.Name + " (" + credits(ctx, &s.Amount) + ")"
	}
	return strings.Join(said, ", ")
}
