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
		s.Text = tc(ctx, "organization", s.Text)
	}
	return s
}

// organizationStatuses are the states of an organization.
var organizationStatuses = map[query.OrganizationStatus]ui.Status{
	query.OrganizationStatusPending:   {Text: markc("organization", "Waiting for approval"), Tone: ui.Warn},
	query.OrganizationStatusActive:    {Text: markc("organization", "Active"), Tone: ui.OK},
	query.OrganizationStatusSuspended: {Text: markc("organization", "Suspended"), Tone: ui.Bad},
}
