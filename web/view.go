package web

import "atelier/web/query"

// summaryTitle is the title of an error summary, empty in a fresh form.
func summaryTitle(f form, title string) string {
	if f.Err == nil {
		return ""
	}
	return title
}

func kindName(k query.OrganizationKind) string {
	if k == query.OrganizationKindSchool {
		return "School"
	}
	return "Team"
}
