package web

import (
	"net/http"
	"net/url"

	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// invitationView is what an invitation's link shows. The token of the address is all that accepting needs.
type invitationView struct {
	Token string
	Shown query.InvitationShown
	Email string // of whoever is signed in, empty for nobody
	Form  form
}

// invitation shows what the link leads to and uses nothing up: mail programs and scanners open links too.
func (c *Console) invitation(w http.ResponseWriter, r *http.Request) error {
	c.hideAddress(w, r)
	token := mux.Vars(r)["token"]
	res, err := query.InvitationByToken(r.Context(), c.client, token)
	if hasCode(err, "invitation_not_found") {
		return write(w, r, http.StatusNotFound, wrap(ui.Bare(ui.BareProps{Title: "No invitation", Theme: themeOf(r)}), noInvitationContent()))
	}
	if err != nil {
		return err
	}
	v := invitationView{Token: token, Shown: res.InvitationByToken, Form: formOf(r)}
	if shell, err := query.Frame(r.Context(), c.client); err == nil {
		v.Email = shell.Me.Email
	}
	return c.bare(w, r, ui.BareProps{Title: "Invitation"}, invitationContent(v, c.now()))
}

func (c *Console) acceptInvitation(w http.ResponseWriter, r *http.Request) error {
	token := mux.Vars(r)["token"]
	res, err := query.AcceptInvitation(r.Context(), c.client, token)
	if hasCode(err, "unauthorized") {
		return seeOther(w, withNext("/login", invitationPath(token)))
	}
	if err != nil && !hasCode(err, "invitation_not_found") {
		return again(w, r, err, c.invitation)
	}
	if err != nil {
		return c.invitation(w, r)
	}
	joined := res.AcceptInvitation
	if joined.WorkspaceId == nil {
		return c.done(w, "/orgs/"+joined.OrganizationId, "You are in.")
	}
	c.setCookie(w, WorkspaceCookie, *joined.WorkspaceId, cookieYear)
	return c.done(w, "/workspaces/"+*joined.WorkspaceId, "You are in.")
}

// otherAccount signs out and leads back here by way of the sign-in page.
func (c *Console) otherAccount(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.SignOut(r.Context(), c.client); err != nil && !hasCode(err, "unauthorized") {
		return err
	}
	c.endSession(w)
	return seeOther(w, withNext("/login", invitationPath(mux.Vars(r)["token"])))
}

func invitationPath(token string) string { return "/invitations/" + url.PathEscape(token) }

// signUpPath is the page to make an account that then comes back to the invitation.
func (v invitationView) signUpPath() string {
	return "/sign-up?" + url.Values{"invitationToken": {v.Token}, "next": {invitationPath(v.Token)}}.Encode()
}

// where is what the invitation leads to: "Art 9b at Northgate".
func (v invitationView) where() string {
	if v.Shown.WorkspaceName != nil {
		return *v.Shown.WorkspaceName + " at " + v.Shown.OrgName
	}
	return v.Shown.OrgName
}

// role is what the person becomes, in the organization's words.
func (v invitationView) role() string {
	switch {
	case v.Shown.OrgRole == query.OrganizationRoleAdmin:
		return "Admin of " + v.Shown.OrgName
	case v.Shown.WorkspaceRole != nil:
		return workspaceRole(v.Shown.Vocabulary, v.Shown.WorkspaceRole)
	}
	return "Member"
}
