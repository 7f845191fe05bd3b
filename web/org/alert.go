package org

import (
	"context"
	"strconv"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// alertFrom is the level from which a budget or a pool is marked, in percent.
const alertFrom = 80

// nearEnd tells whether a budget is marked: four fifths of it are spent, or less than a tenth is left for new runs, as
// on the overview of the organization.
func nearEnd(b query.BudgetOfOne) bool {
	return frame.Value(b.Level) >= alertFrom || frame.Value(b.Allocated) > 0 && b.Headroom*10 < *b.Allocated
}

// spentOf says how far a budget is used.
func spentOf(ctx context.Context, spent, allocated float64) string {
	return t(ctx, "%s of the budget is spent: %s of %s.", percentOf(ctx, spent, allocated), credits(ctx, spent), inCredits(ctx, allocated))
}

// percentOf is a share in whole percent, never more than it is.
func percentOf(ctx context.Context, part, whole float64) string {
	if whole <= 0 {
		return t(ctx, "%s percent", "0")
	}
	return t(ctx, "%s percent", strconv.Itoa(int(part*100/whole)))
}

// budgetAlertText is what is said above the pages of a budget that is marked.
func budgetAlertText(ctx context.Context, b query.BudgetOfOne) string {
	spent, allocated := frame.Value(b.Spent), frame.Value(b.Allocated)
	switch {
	case spent >= allocated:
		return t(ctx, "All %s are spent. Nothing that costs something starts here until there is more.", inCredits(ctx, allocated))
	case frame.Value(b.Level) >= alertFrom:
		return spentOf(ctx, spent, allocated)
	}
	return t(ctx, "Only %s of %s are left for new runs.", inCredits(ctx, b.Headroom), credits(ctx, allocated))
}

// poolAlertText is what is said above the pages of a pool that is marked.
func poolAlertText(ctx context.Context, o query.OrganizationHead, c query.Credits) string {
	if c.Pool <= 0 {
		return t(ctx, "The pool is empty. No {workspace} gets more credits until some come in, or are taken back.")
	}
	return t(ctx, "The pool held %s when credits last came in, and %s of them are left.", inCredits(ctx, c.Filled), credits(ctx, c.Pool))
}

// usedTag marks a row of a list whose budget is near its end.
func usedTag(ctx context.Context, a query.AllocationRow) (ui.Tone, string) {
	if a.Level >= 100 {
		return ui.Bad, t(ctx, "Used up")
	}
	return ui.Warn, t(ctx, "%s spent", percentOf(ctx, a.Spent, a.Allocated))
}
