package org

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// creditsView is the pool of an organization, what its workspaces hold, and a page of the ledger.
type creditsView struct {
	Org        query.OrganizationHead
	Credit     query.Credits
	Rate       query.SpendingRate
	Now        time.Time
	Held       []query.TrendedWorkspace // the newest
	More       bool                     // there are further ones
	List       frame.Listing
	Ledger     []query.Movement
	Workspaces frame.Choices        // to filter by
	Bought     []query.PurchaseLine // the last few
	MoreBought bool
}

// ledgerFilters are the words of the address that leave lines of the ledger out.
var ledgerFilters = []string{"kind", "workspace", "person", "from", "to"}

// movementFilterOf reads a filter from an address or a form. Days are whole, in the zone of no matter who asks.
func movementFilterOf(ctx context.Context, values url.Values, zone *time.Location) (f query.MovementFilter, err error) {
	f = query.MovementFilter{WorkspaceId: frame.Given(values, "workspace"), UserId: frame.Given(values, "person")}
	switch kind := values.Get("kind"); kind {
	case "run", "allocation", "added":
		f.Kind = &kind
	}
	if f.From, err = dayOf(ctx, values, "from", 0, zone); err == nil {
		f.To, err = dayOf(ctx, values, "to", 1, zone)
	}
	return f, err
}

// Credits shows the pool of an organization, who holds what, and the ledger.
func (c Pages) Credits(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, "/orgs/"+frame.PathID(r)+"/credits", 30)
	filter, err := movementFilterOf(r.Context(), list.Values, ui.ZoneFrom(r.Context()))
	if err != nil {
		return err
	}
	res, err := query.OrganizationCredits(r.Context(), c.Client, frame.PathID(r), frame.FindOf(r), filter, list.After())
	if err != nil {
		return err
	}
	org := res.Organization
	movements := org.Credits.Movements
	list.Loaded(movements.PageInfo, len(movements.Nodes), movements.TotalCount)
	v := creditsView{
		Org: org.OrganizationHead, Credit: org.Credits.Credits, Rate: org.Spending, Now: c.Now(), Held: org.Workspaces.Nodes, More: org.Workspaces.PageInfo.HasNextPage,
		Bought: org.Purchases.Nodes, MoreBought: org.Purchases.PageInfo.HasNextPage,
		List: list, Ledger: movements.Nodes, Workspaces: c.FilterChoices(r, org.Choices),
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Credits"), Section: frame.SectionCredits, Org: org.Id}, creditsContent(v))
}

// ExportLedger sends the ledger as its filter leaves it. The log knows of it before the first line leaves.
func (c Pages) ExportLedger(w http.ResponseWriter, r *http.Request) error {
	filter, err := movementFilterOf(r.Context(), r.PostForm, ui.ZoneFrom(r.Context()))
	if err != nil {
		return err
	}
	in := query.RecordExportInput{Kind: query.ExportKindLedger, Format: "csv", Filter: filterWords(r.PostForm, ledgerFilters...)}
	if _, err := query.RecordExport(r.Context(), c.Client, frame.PathID(r), in); err != nil {
		return err
	}
	slug, form := "", sheetOf(r)
	return download(w, r, func() file { return c.exportFile(slug, "ledger", "csv") }, func(after *string, out io.Writer) (query.PageEnd, error) {
		res, err := query.MovementsPart(r.Context(), c.Client, frame.PathID(r), filter, after)
		if err != nil {
			return query.PageEnd{}, err
		}
		slug = res.Organization.Slug
		var rows [][]string
		if after == nil {
			rows = append(rows, []string{"createdAt", "kind", "workspaceId", "workspace", "amount", "reserved", "absorbed", "poolAfter", "userId", "displayName", "runId", "description"})
		}
		for _, m := range res.Organization.Credits.Movements.Nodes {
			rows = append(rows, movementRecord(form, m))
		}
		return res.Organization.Credits.Movements.PageInfo, form.write(out, after == nil, rows...)
	})
}

func movementRecord(form sheet, m query.Movement) []string {
	pool, by := "", query.Person{}
	if m.PoolAfter != nil {
		pool = form.number(*m.PoolAfter)
	}
	if m.By != nil {
		by = *m.By
	}
	return []string{
		m.CreatedAt.UTC().Format(time.RFC3339Nano), m.Kind, frame.Value(m.WorkspaceId), frame.Value(m.WorkspaceName), form.number(m.Amount),
		form.number(m.Reserved), form.number(m.Absorbed), pool, by.Id, by.DisplayName, frame.Value(m.ExecutionId), m.Description,
	}
}

// alone tells whether the address is about the ledger: a filter of it, or a further page.
func (v creditsView) alone() bool {
	return len(v.List.Filters(ledgerFilters...)) > 0 || !v.List.First()
}

// untouched tells whether no credits have come into the organization yet, and so nothing can have moved.
func (v creditsView) untouched() bool {
	return !v.alone() && v.Credit.Pool == 0 && v.Credit.Totals.Allocated == 0 && len(v.Ledger) == 0
}

func (v creditsView) filtered() bool { return len(v.List.Filters(ledgerFilters...)) > 0 }

func (v creditsView) tools(ctx context.Context) ui.ToolsProps {
	word, kind := locale.Term(ctx, v.Org.Vocabulary.Workspace), v.List.Values.Get("kind")
	p := ui.ToolsProps{
		Action: v.List.Path, Clear: v.List.Path, List: "ledger-rows", Hidden: v.List.Filters("person"),
		Selects: []ui.ToolSelect{{Name: "kind", Label: t(ctx, "What"), Options: []ui.Option{
			{Text: t(ctx, "Everything")}, {Value: "run", Text: t(ctx, "Runs"), Selected: kind == "run"},
			{Value: "allocation", Text: t(ctx, "Given and taken back"), Selected: kind == "allocation"}, {Value: "added", Text: t(ctx, "Added to the pool"), Selected: kind == "added"},
		}}},
		Fields: []ui.ToolField{
			{Name: "from", Label: t(ctx, "From"), Type: "date", Value: v.List.Values.Get("from")}, {Name: "to", Label: t(ctx, "To"), Type: "date", Value: v.List.Values.Get("to")},
		},
	}
	if v.List.Values.Get("person") != "" {
		name := t(ctx, "One person")
		if len(v.Ledger) > 0 && v.Ledger[0].By != nil {
			name = v.Ledger[0].By.DisplayName
		}
		p.Chips = []ui.Chip{{Text: name + " ✕", Href: v.List.With("person", ""), On: true}}
	}
	if len(v.Workspaces.Options) > 1 || v.Workspaces.Find != "" {
		classes := v.Workspaces.Tool(ctx, word)
		classes.Options[0].Text = t(ctx, "Any {workspace}")
		p.Selects, p.Fields = append(p.Selects, classes), append(v.Workspaces.Fields(ctx, v.Org.Vocabulary.Workspace), p.Fields...)
	}
	return p
}

// movementWord is what a line of the ledger is, in the organization's words; the raw kind where it is new.
func movementWord(ctx context.Context, o query.OrganizationHead, m query.Movement) string {
	switch m.Kind {
	case "run":
		return tc(ctx, "noun", "Run")
	case "allocation":
		return t(ctx, "Given to the {workspace}")
	case "return":
		return t(ctx, "Taken back to the pool")
	case "grant":
		return t(ctx, "Given by an operator")
	case "purchase":
		return t(ctx, "Bought")
	case "refund":
		return t(ctx, "Refunded")
	case "dispute":
		return t(ctx, "Taken back: the payment is disputed")
	case "reinstatement":
		return t(ctx, "Given back: the dispute was won")
	case "signup":
		return t(ctx, "Start credits")
	}
	return m.Kind
}

// movementName is the first line: of a run, what ran.
func movementName(ctx context.Context, o query.OrganizationHead, m query.Movement) string {
	if m.Title == nil || *m.Title == "" {
		return movementWord(ctx, o, m)
	}
	return *m.Title
}

// movementDetail is the second line: what is unusual about a run, or what was written down.
func movementDetail(ctx context.Context, m query.Movement) string {
	out := m.Description
	add := func(s string) {
		if out != "" {
			out += ", "
		}
		out += s
	}
	if m.Reserved > 0 {
		add(t(ctx, "%s still reserved", inCredits(ctx, m.Reserved)))
	}
	if m.Absorbed > 0 {
		add(t(ctx, "%s paid by the platform", inCredits(ctx, m.Absorbed)))
	}
	return out
}

// movementAmount has a sign where the pool grew or shrank.
func movementAmount(ctx context.Context, m query.Movement) string {
	switch m.Kind {
	case "allocation":
		return "−" + credits(ctx, m.Amount)
	case "return", "grant", "purchase", "signup", "reinstatement":
		return "+" + credits(ctx, m.Amount)
	case "refund", "dispute":
		return "−" + credits(ctx, m.Amount)
	}
	return credits(ctx, m.Amount)
}
