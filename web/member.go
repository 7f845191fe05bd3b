package web

import (
	"net/http"

	"atelier/web/query"
	"atelier/web/ui"
)

// memberView is one person of an organization.
type memberView struct {
	Org    query.OrganizationHead
	Person query.OrganizationPerson
	Self   string
	Form   form
}

func (v memberView) path() string { return "/orgs/" + v.Org.Id + "/members/" + v.Person.User.Id }

func (v memberView) lock() string { return memberLock(v.Org, v.Person, v.Self) }

func (c *Console) loadMember(r *http.Request) (*query.MemberResponse, memberView, error) {
	res, err := query.Member(r.Context(), c.client, pathID(r), pathUser(r))
	if err != nil {
		return nil, memberView{}, err
	}
	return res, memberView{Org: res.Organization.OrganizationHead, Person: res.Organization.Member, Self: res.Me.Id, Form: formOf(r)}, nil
}

func (c *Console) member(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadMember(r)
	if err != nil {
		return err
	}
	at := page{Title: v.Person.User.DisplayName, Section: sectionMembers, Org: v.Org.Id}
	return c.page(w, r, res.Shell, at, memberContent(v))
}

// updateMember changes the role or the standing, whichever the form sent.
func (c *Console) updateMember(w http.ResponseWriter, r *http.Request) error {
	var in query.UpdateOrganizationMemberInput
	sentence := "The role is changed."
	if role := query.OrganizationRole(text(r, "role")); role != "" {
		in.Role = &role
	}
	if status := query.MemberStatus(text(r, "status")); status != "" {
		in.Status, sentence = &status, "The suspension is lifted."
		if status == query.MemberStatusSuspended {
			sentence = "The membership is suspended. It can be lifted here at any time."
		}
	}
	if _, err := query.UpdateMember(r.Context(), c.client, pathID(r), pathUser(r), in); err != nil {
		return again(w, r, err, c.member)
	}
	return c.done(w, pathOr(text(r, "return"), r.URL.Path), sentence)
}

func (c *Console) askRemoveMember(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadMember(r)
	if err != nil {
		return err
	}
	at := page{Title: "Remove " + v.Person.User.DisplayName, Section: sectionMembers, Org: v.Org.Id}
	return c.page(w, r, res.Shell, at, removeMemberContent(v))
}

func (c *Console) removeMember(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RemoveMember(r.Context(), c.client, pathID(r), pathUser(r)); err != nil {
		return again(w, r, err, c.askRemoveMember)
	}
	return c.done(w, "/orgs/"+pathID(r)+"/members", "The person is removed.")
}

// removeQuestion says what goes and what stays, with the figures of this person.
func removeQuestion(v memberView) ui.ConfirmProps {
	w, p := v.Org.Vocabulary, v.Person
	question := ui.ConfirmProps{
		ID: "remove", Title: "Remove " + p.User.DisplayName + " from " + v.Org.Name + "?",
		Text:    "They lose access at once. Whoever is removed by mistake is invited again.",
		Form:    ui.FormProps{Action: v.path() + "/remove"},
		Confirm: "Remove the person", CancelHref: v.path(), Danger: true,
	}
	if p.Workspaces > 0 {
		question.Consequences = append(question.Consequences, "Also removed from "+count(p.Workspaces, w.Workspace, w.Workspaces))
	}
	if p.Status == query.MemberStatusSuspended {
		question.Consequences = append(question.Consequences, "The suspension stays: they cannot come back until it is lifted")
	}
	if p.Spent > 0 {
		question.Consequences = append(question.Consequences, "A history of "+inCredits(p.Spent)+" stays")
	}
	question.Consequences = append(question.Consequences, "What they made in a "+lower(w.Workspace)+" stays there")
	return question
}
