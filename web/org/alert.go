package org

import (
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
func spentOf(spent, allocated float64) string {
	return percentOf(spent, allocated) + " of the budget is spent: " + frame.Credits(spent) + " of " + frame.InCredits(allocated) + "."
}

// percentOf is a share in whole percent, never more than it is.
func percentOf(part, whole float64) string {
	if whole <= 0 {
		return "0 percent"
	}
	return strconv.Itoa(int(part*100/whole)) + " percent"
}

// budgetAlertText is what is said above the pages of a budget that is marked.
func budgetAlertText(b query.BudgetOfOne) string {
	spent, allocated := frame.Value(b.Spent), frame.Value(b.Allocated)
	switch {
	case spent >= allocated:
		return "All " + frame.InCredits(allocated) + " are spent. Nothing that costs something starts here until there is more."
	case frame.Value(b.Level) >= alertFrom:
		return spentOf(spent, allocated)
	}
	return "Only " + frame.InCredits(b.Headroom) + " of " + frame.Credits(allocated) + " are left for new runs."
}

// poolAlertText is what is said above the pages of a pool that is marked.
func poolAlertText(o query.OrganizationHead, c query.Credits) string {
	if c.Pool <= 0 {
		return "The pool is empty. No " + frame.Lower(o.Vocabulary.Workspace) + " gets more credits until some come in, or are taken back."
	}
	return "The pool held " + frame.InCredits(c.Filled) + " when credits last came in, and " + frame.Credits(c.Pool) + " of them are left."
}

// usedTag marks a row of a list whose budget is near its end.
func usedTag(a query.AllocationRow) (ui.Tone, string) {
	if a.Level >= 100 {
		return ui.Bad, "Used up"
	}
	return ui.Warn, percentOf(a.Spent, a.Allocated) + " spent"
}
