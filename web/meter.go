package web

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// meter shows what a workspace has used of what it holds.
func meter(a query.AllocationRow) ui.MeterProps {
	return ui.MeterProps{
		ID: "meter-" + a.WorkspaceId, Label: a.Name,
		Spent: thousandths(a.Spent), Reserved: thousandths(a.Reserved), Limit: thousandths(a.Allocated),
	}
}
