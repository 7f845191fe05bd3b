package operator

import (
	"context"

	"atelier/web/query"
	"atelier/web/ui"
)

// organizationState is the state of an organization in the reader's language.
func organizationState(ctx context.Context, status query.OrganizationStatus) ui.Status {
	s := organizationStatuses[status]
	if s.Text != "" {
		s.Text = t(ctx, s.Text)
	}
	return s
}

// organizationStatuses are the states of an organization.
var organizationStatuses = map[query.OrganizationStatus]ui.Status{
	query.OrganizationStatusPending:   {Text: mark("Waiting for approval"), Tone: ui.Warn},
	query.OrganizationStatusActive:    {Text: mark("Active"), Tone: ui.OK},
	query.OrganizationStatusSuspended: {Text: mark("Suspended"), Tone: ui.Bad},
}
