package account

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// Land leads a person who signed in to where they belong.
func (c Pages) Land(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Landing(r.Context(), c.Client)
	if err != nil {
		return err
	}
	return frame.SeeOther(w, landing(res))
}

// landing is the overview of the organization that a person runs, the pages of operators, the workspace of everyone
// else, or a choice among several. Who belongs nowhere starts in the personal space.
func landing(res *query.LandingResponse) string {
	m := res.Me.Memberships
	if m == nil || m.Unavailable {
		return "/"
	}
	var run []string
	for _, o := range m.Organizations {
		if o.ViewerCan.ReadCredits {
			run = append(run, o.Id)
		}
	}
	switch {
	case len(run) == 1:
		return "/orgs/" + run[0]
	case len(run) > 1:
		return "/orgs"
	case res.Me.IsOperator:
		return "/operator"
	case len(m.Workspaces) == 1 && !m.More:
		return frame.SpacePath(m.Workspaces[0].Id, "")
	case len(m.Workspaces) > 1:
		return "/spaces"
	case len(m.Organizations) > 0:
		return "/orgs/" + m.Organizations[0].Id + "/workspaces"
	}
	return "/"
}
