package web

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// memberView is one person of an organization.
type memberView struct {
	Org    query.OrganizationHead
	Person query.OrganizationPerson
	Self   string
	Form   form
}

func pathUser(r *http.Request) string { return mux.Vars(r)["user"] }

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

// exportMembers sends the list as its filter leaves it. The log knows of it before the first line leaves.
func (c *Console) exportMembers(w http.ResponseWriter, r *http.Request) error {
	f := memberFilterOf(r.PostForm)
	in := query.RecordExportInput{Kind: query.ExportKindMembers, Format: "csv", Filter: filterWords(r.PostForm, "q", "role", "status", "workspace")}
	if _, err := query.RecordExport(r.Context(), c.client, pathID(r), in); err != nil {
		return err
	}
	slug := ""
	return download(w, func() file { return c.exportFile(slug, "people", "csv") }, func(after *string, out io.Writer) (query.PageEnd, error) {
		res, err := query.MembersPart(r.Context(), c.client, pathID(r), f.Search, f.Role, f.Status, f.Workspace, after)
		if err != nil {
			return query.PageEnd{}, err
		}
		slug = res.Organization.Slug
		var rows [][]string
		if after == nil {
			rows = append(rows, []string{"userId", "displayName", "email", "role", "status", "workspaces", "spent", "joinedAt"})
		}
		for _, m := range res.Organization.Members.Nodes {
			rows = append(rows, []string{
				m.User.Id, m.User.DisplayName, m.Email, string(m.Role), string(m.Status), plainNumber(float64(m.Workspaces)), plainNumber(m.Spent),
				m.JoinedAt.UTC().Format(time.RFC3339Nano),
			})
		}
		return res.Organization.Members.PageInfo, csvRows(out, rows...)
	})
}

// filterWords is a filter as the log keeps it; nil for none.
func filterWords(values url.Values, names ...string) *string {
	var parts []string
	for _, name := range names {
		if s := values.Get(name); s != "" {
			parts = append(parts, name+"="+s)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	words := strings.Join(parts, " ")
	return &words
}
