package operator

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// organizationStatuses are the states of an organization.
var organizationStatuses = map[query.OrganizationStatus]ui.Status{
	query.OrganizationStatusPending:   {Text: "Waiting for approval", Tone: ui.Warn},
	query.OrganizationStatusActive:    {Text: "Active", Tone: ui.OK},
	query.OrganizationStatusSuspended: {Text: "Suspended", Tone: ui.Bad},
}
