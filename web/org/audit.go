package org

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// auditView is a page of an organization's audit log.
type auditView struct {
	Org        query.OrganizationHead
	Names      auditNames
	Lines      []query.AuditLine
	Workspaces frame.Choices
	List       frame.Listing
	Paged      bool
	Address    url.Values
	Wrong      string // why the filter is none
	// People and Places are names that the search offers.
	People, Places []string
}

// auditSubject is what a line can be about: the actions, or families of them, that it stands for.
type auditSubject struct {
	Value, Text string
	Actions     []string
}

// auditSubjects are what the log can be narrowed to.
func auditSubjects() []auditSubject {
	return []auditSubject{
		{"people", mark("People and roles"), []string{"member.joined", "member.left", "member.role_changed", "member.suspended", "member.reinstated", "member.removed", "workspace_member", "ownership"}},
		{"invitations", mark("Invitations"), []string{"invitation"}},
		{"settings", mark("Settings"), []string{"organization.updated", "workspace.updated"}},
		{"credits", mark("Credits and caps"), []string{"credits", "purchase", "budget", "member.cap_changed", "workspace.default_cap_changed"}},
		{"join_code", mark("Join codes"), []string{"join_code"}},
		{"places", mark("{Workspaces}"), []string{"workspace.created", "workspace.archived", "workspace.unarchived"}},
		{"work", mark("Workflows and apps"), []string{"workflow", "trigger", "collaborator", "project", "app", "run", "result"}},
		{"studio", mark("Studio"), []string{"production", "pipeline", "shot"}},
		{"library", mark("Library"), []string{"character", "object", "creature", "location", "face", "voice", "preset", "post", "consent"}},
		{"organization", mark("The organization"), []string{"organization", "ownership"}},
		{"files", mark("Saved files"), []string{"audit", "members", "ledger", "usage"}},
	}
}

// actionsAbout are the actions of a subject; what is none is an action or a family itself, as addresses had them.
func actionsAbout(subject string) []string {
	for _, s := range auditSubjects() {
		if s.Value == subject {
			return s.Actions
		}
	}
	return []string{subject}
}

// auditFilterOf reads a filter from an address or a form. Days are whole, in the zone of no matter who asks.
func auditFilterOf(ctx context.Context, values url.Values, zone *time.Location) (f query.AuditFilter, err error) {
	f = query.AuditFilter{
		Search: frame.Given(values, "q"), ActorId: frame.Given(values, "actor"), WorkspaceId: frame.Given(values, "workspace"), EntryId: frame.Given(values, "entry"),
	}
	if f.Search != nil {
		f.SearchActions = actionsSaying(ctx, *f.Search)
	}
	if family := values.Get("action"); family != "" {
		f.Actions = actionsAbout(family)
	}
	if f.From, err = dayOf(ctx, values, "from", 0, zone); err != nil {
		return f, err
	}
	f.To, err = dayOf(ctx, values, "to", 1, zone)
	return f, err
}

// dayOf is the start of a day of an address, plus days; nil when there is none.
func dayOf(ctx context.Context, values url.Values, name string, plus int, zone *time.Location) (*time.Time, error) {
	s := values.Get(name)
	if s == "" {
		return nil, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, s, ui.OrUTC(zone))
	if err != nil || day.Year() < 2000 || day.Year() > 9000 {
		return nil, frame.Invalid(name, t(ctx, "Write the day as 2026-11-20."))
	}
	day = day.AddDate(0, 0, plus)
	return &day, nil
}

var auditFilters = []string{"q", "action", "workspace", "actor", "from", "to", "entry"}

// Audit lists the audit log of an organization.
func (c Pages) Audit(w http.ResponseWriter, r *http.Request) error {
	address := r.URL.Query()
	res, wrong, err := c.findAudit(r, address)
	if err != nil {
		return err
	}
	workspaces := c.FilterChoices(r, res.Organization.Choices)
	if workspaces.Chosen != address.Get("workspace") { // what was typed found one alone
		if res, wrong, err = c.findAudit(r, workspaces.In(address)); err != nil {
			return err
		}
	}
	org := res.Organization
	list := frame.ListingOf(r, r.URL.Path, 50)
	list.Loaded(org.Audit.PageInfo, len(org.Audit.Nodes), org.Audit.TotalCount)
	v := auditView{
		Org: org.OrganizationHead, Names: auditNames{Org: org.OrganizationHead, Zone: ui.ZoneFrom(r.Context())}, Lines: org.Audit.Nodes, Workspaces: workspaces,
		List: list, Paged: frame.After(r) != nil, Address: address,
	}
	for _, m := range org.Members.Nodes {
		v.People = append(v.People, m.User.DisplayName)
	}
	for _, w := range org.Choices.Nodes {
		v.Places = append(v.Places, w.Name)
	}
	if e, _ := frame.Refused(wrong); wrong != nil {
		v.Wrong = e.Message
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Audit log"), Section: frame.SectionAudit, Org: org.Id}, auditContent(v, c.Now()))
}

// findAudit reads the page of the log that an address asks for; wrong is why its filter is none.
func (c Pages) findAudit(r *http.Request, address url.Values) (res *query.AuditResponse, wrong, err error) {
	filter, wrong := auditFilterOf(r.Context(), address, ui.ZoneFrom(r.Context()))
	if wrong != nil {
		filter = query.AuditFilter{}
	}
	res, err = query.Audit(r.Context(), c.Client, frame.PathID(r), filter, frame.FindOf(r), frame.After(r))
	return res, wrong, err
}

func (v auditView) path() string { return "/orgs/" + v.Org.Id + "/audit" }

func (v auditView) with(pairs ...string) string {
	return frame.AddressWith(v.path(), v.Address, pairs...)
}

// tools searches and filters; who acted is chosen in an entry and travels hidden.
func (v auditView) tools(ctx context.Context, now time.Time) ui.ToolsProps {
	families := []ui.Option{{Value: "", Text: t(ctx, "Everything")}}
	for _, s := range auditSubjects() {
		families = append(families, ui.Option{Value: s.Value, Text: t(ctx, s.Text), Selected: s.Value == v.Address.Get("action")})
	}
	p := ui.ToolsProps{
		Action: v.path(), Clear: v.path(), Fold: true, Search: "q", SearchLabel: t(ctx, "Words and names"), Query: v.Address.Get("q"), Suggest: v.suggestions(ctx), Chips: v.chips(ctx, now),
		Selects: []ui.ToolSelect{{Name: "action", Label: tc(ctx, "filter", "About"), Options: families}, v.Workspaces.Tool(ctx, locale.Term(ctx, v.Org.Vocabulary.Workspace))},
		Fields:  v.Workspaces.Fields(ctx, v.Org.Vocabulary.Workspace),
	}
	if actor := v.Address.Get("actor"); actor != "" {
		p.Hidden = append(p.Hidden, ui.Hidden{Name: "actor", Value: actor})
	}
	return p
}

// chips are the filters that are on; each leads to the log without it. The time ranges lead to one with them.
func (v auditView) chips(ctx context.Context, now time.Time) []ui.Chip {
	day := func(ago int) string { return now.AddDate(0, 0, -ago).Format(time.DateOnly) }
	var out []ui.Chip
	for _, span := range []struct {
		text string
		days int
	}{{t(ctx, "Today"), 0}, {t(ctx, "7 days"), 6}, {t(ctx, "30 days"), 29}} {
		on := v.Address.Get("from") == day(span.days) && v.Address.Get("to") == ""
		to := v.with("from", day(span.days), "to", "")
		if on {
			to = v.with("from", "")
		}
		out = append(out, ui.Chip{Text: span.text, Href: to, On: on})
	}
	settings := v.Address.Get("action") == "settings"
	to := v.with("action", "settings")
	if settings {
		to = v.with("action", "")
	}
	out = append(out, ui.Chip{Text: t(ctx, "Settings"), Href: to, On: settings})
	if v.Address.Get("actor") != "" {
		out = append(out, ui.Chip{Text: t(ctx, "By %s, remove", v.actorName(ctx)), Href: v.with("actor", ""), On: true})
	}
	if v.Address.Get("entry") != "" {
		out = append(out, ui.Chip{Text: t(ctx, "One entry, show all"), Href: v.path(), On: true})
	}
	return out
}

// actorName is who the log is narrowed to, as its lines name them.
func (v auditView) actorName(ctx context.Context) string {
	for _, l := range v.Lines {
		if l.Actor != nil && l.Actor.UserId == v.Address.Get("actor") {
			return l.Actor.DisplayName
		}
	}
	return t(ctx, "one person")
}

// filters are the log's filters as hidden fields, for the export.
func (v auditView) filters() []ui.Hidden {
	var out []ui.Hidden
	for _, name := range auditFilters {
		if s := v.Address.Get(name); s != "" {
			out = append(out, ui.Hidden{Name: name, Value: s})
		}
	}
	return out
}

// VerifyAudit walks through the whole chain and says what it found.
func (c Pages) VerifyAudit(w http.ResponseWriter, r *http.Request) error {
	res, err := query.VerifyAudit(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	o := res.Organization.OrganizationHead
	at := frame.Page{Title: t(r.Context(), "Is the audit log complete?"), Section: frame.SectionAudit, Org: o.Id}
	return c.Page(w, r, res.Shell, at, verifyContent(o, res.VerifyAudit))
}

// ExportAudit sends the log as its filter leaves it. The log itself knows of it before the first line leaves.
func (c Pages) ExportAudit(w http.ResponseWriter, r *http.Request) error {
	format := frame.Text(r, "format")
	if format == excelFormat {
		format = "csv"
		r.PostForm.Set(sheetField, forExcel)
	}
	write, known := auditFormats[format]
	if !known {
		return frame.Invalid("format", t(r.Context(), "Choose a format."))
	}
	filter, err := auditFilterOf(r.Context(), r.PostForm, ui.ZoneFrom(r.Context()))
	if err != nil {
		return err
	}
	in := query.RecordExportInput{Kind: query.ExportKindAudit, Format: format, Filter: filterWords(r.PostForm, auditFilters...)}
	if _, err := query.RecordExport(r.Context(), c.Client, frame.PathID(r), in); err != nil {
		return err
	}
	return c.sendAudit(w, r, filter, format, write)
}

// actorHref narrows the log to one person.
func (v auditView) actorHref(l query.AuditLine) string {
	if l.Actor == nil || strings.TrimSpace(l.Actor.UserId) == "" {
		return ""
	}
	return v.with("actor", l.Actor.UserId, "entry", "")
}
