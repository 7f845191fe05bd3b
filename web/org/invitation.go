package org

import (
	"context"
	"net/http"
	"net/url"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// invitationView is what an invitation's link shows. The token of the address is all that accepting needs.
type invitationView struct {
	Token string
	Shown query.InvitationShown
	Email string // of the one who is signed in, empty for no one
	Form  frame.Form
}

// Invitation shows what the link leads to and uses nothing up: mail programs and scanners open links too.
func (c Pages) Invitation(w http.ResponseWriter, r *http.Request) error {
	c.HideAddress(w, r)
	token := mux.Vars(r)["token"]
	res, err := query.InvitationByToken(r.Context(), c.Client, token)
	if frame.HasCode(err, "invitation_not_found") {
		bare := ui.BareProps{Title: t(r.Context(), "No invitation"), Theme: frame.ThemeOf(r)}
		return frame.Write(w, r, http.StatusNotFound, frame.Wrap(ui.Bare(bare), noInvitationContent()))
	}
	if err != nil {
		return err
	}
	v := invitationView{Token: token, Shown: res.InvitationByToken, Form: frame.FormOf(r)}
	if shell, err := query.Frame(r.Context(), c.Client); err == nil {
		v.Email = shell.Me.Email
	}
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Invitation")}, invitationContent(v, c.Now()))
}

// AcceptInvitation accepts an invitation for the one who is signed in.
func (c Pages) AcceptInvitation(w http.ResponseWriter, r *http.Request) error {
	token := mux.Vars(r)["token"]
	res, err := query.AcceptInvitation(r.Context(), c.Client, token)
	if frame.HasCode(err, "unauthorized") {
		return frame.SeeOther(w, frame.WithNext("/login", invitationPath(token)))
	}
	if err != nil && !frame.HasCode(err, "invitation_not_found") {
		return frame.Again(w, r, err, c.Invitation)
	}
	if err != nil {
		return c.Invitation(w, r)
	}
	joined := res.AcceptInvitation
	if joined.WorkspaceId == nil {
		return c.Done(w, "/orgs/"+joined.OrganizationId, t(r.Context(), "You are in."))
	}
	return c.Done(w, "/workspaces/"+*joined.WorkspaceId, t(r.Context(), "You are in."))
}

// OtherAccount signs out and leads back here by way of the sign-in page.
func (c Pages) OtherAccount(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.SignOut(r.Context(), c.Client); err != nil && !frame.HasCode(err, "unauthorized") {
		return err
	}
	c.EndSession(w)
	return frame.SeeOther(w, frame.WithNext("/login", invitationPath(mux.Vars(r)["token"])))
}

func invitationPath(token string) string { return "/invitations/" + url.PathEscape(token) }

// signUpPath is the page to make an account that then comes back to the invitation.
func (v invitationView) signUpPath() string {
	return "/sign-up?" + url.Values{"invitationToken": {v.Token}, "next": {invitationPath(v.Token)}}.Encode()
}

// otherAccount tells whether the one who is signed in is not the invited one.
func (v invitationView) otherAccount() bool { return v.Shown.ForCaller != nil && !*v.Shown.ForCaller }

// invited is the invited person: the name that the inviter gave, and the masked address.
func (v invitationView) invited() string {
	if v.Shown.Name == "" {
		return v.Shown.Email
	}
	return v.Shown.Name + " (" + v.Shown.Email + ")"
}

// whereTo is what the invitation leads to: "Art 9b at Northgate".
func (v invitationView) whereTo(ctx context.Context) string {
	if v.Shown.WorkspaceName != nil {
		return t(ctx, "%s at %s", *v.Shown.WorkspaceName, v.Shown.OrgName)
	}
	return v.Shown.OrgName
}

// role is what the person becomes, in the organization's words.
func (v invitationView) role(ctx context.Context) string {
	switch {
	case v.Shown.OrgRole == query.OrganizationRoleAdmin:
		return t(ctx, "Admin of %s", v.Shown.OrgName)
	case v.Shown.WorkspaceRole != nil:
		return frame.WorkspaceRole(ctx, v.Shown.Vocabulary, v.Shown.WorkspaceRole)
	}
	return t(ctx, "Member")
}
