package org

import (
	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// meter shows what a workspace has used of what it holds.
func meter(a query.AllocationRow) ui.MeterProps {
	return ui.MeterProps{
		ID: "meter-" + a.WorkspaceId, Label: a.Name,
		Spent: frame.Thousandths(a.Spent), Reserved: frame.Thousandths(a.Reserved), Limit: frame.Thousandths(a.Allocated),
	}
}
