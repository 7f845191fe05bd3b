package org

import (
	"atelier/web/query"
	"atelier/web/ui"
)

func orgCrumbs(o query.OrganizationHead) []ui.Crumb {
	return []ui.Crumb{{Text: o.Name, Href: "/orgs/" + o.Id}}
}
