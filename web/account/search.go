package account

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// searchView is what a search found, and in what it looked.
type searchView struct {
	Box   ui.SearchBox
	Typed string
	Found ui.FoundProps
}

// Search is the page of what is found by a name.
func (c Pages) Search(w http.ResponseWriter, r *http.Request) error {
	v, res, err := c.search(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Search"), Org: v.Box.Org}, searchContent(v))
}

// SearchResults is what was found alone, for the dialog.
func (c Pages) SearchResults(w http.ResponseWriter, r *http.Request) error {
	v, _, err := c.search(r)
	if err != nil {
		return err
	}
	return frame.Write(w, r, http.StatusOK, ui.Found(v.Found))
}

func (c Pages) search(r *http.Request) (searchView, *query.SearchResponse, error) {
	address := r.URL.Query()
	v := searchView{Typed: strings.TrimSpace(address.Get("q"))}
	var organization *string
	if id := address.Get("org"); id != "" {
		organization = &id
	}
	res, err := query.Search(r.Context(), c.Client, v.Typed, organization)
	if err != nil {
		return v, nil, err
	}
	shell := c.Placed(r, res.Shell, frame.Value(organization), "")
	at := frame.PlaceOf(r, shell, frame.Value(organization), "")
	around := c.Shell(r, shell, frame.Page{Title: t(r.Context(), "Search"), Org: frame.Value(organization)})
	v.Box = around.Search
	v.Found = found(r.Context(), res.Search, shell, at, around, v.Typed)
	return v, res, nil
}

// found is what the search found, in the words of the place, and where the navigation leads by what was typed.
func found(ctx context.Context, res query.FoundThings, shell query.Shell, at frame.Place, around ui.Shell, typed string) ui.FoundProps {
	p := ui.FoundProps{Typed: typed}
	shown := 0
	add := func(title string, hits []query.SearchHit, item func(context.Context, query.SearchHit) ui.FoundItem, list, listName string) {
		if len(hits) == 0 {
			return
		}
		g := ui.FoundGroup{Title: title}
		for _, hit := range hits {
			g.Items = append(g.Items, item(ctx, hit))
		}
		shown += len(hits)
		switch total := hits[0].Total; {
		case total > len(hits) && list != "":
			g.More, g.MoreHref = t(ctx, "All %d in %s", total, listName), list+url.QueryEscape(typed)
		case total > len(hits):
			g.More = t(ctx, "The first %s of %d. Type more to narrow it.", strconv.Itoa(len(hits)), total)
		}
		p.Groups = append(p.Groups, g)
	}
	people, workspaces := "", ""
	if at.Org != nil {
		workspaces = "/orgs/" + at.Org.Id + "/workspaces?q="
		if at.Org.ViewerCan.ReadCredits { // owner and admins
			people = "/orgs/" + at.Org.Id + "/members?q="
		}
	}
	add(t(ctx, "People"), res.People, personHit, people, t(ctx, "People"))
	words := wordsOf(at, shell, res.Workspaces)
	add(locale.Term(ctx, words.Workspaces), res.Workspaces, func(ctx context.Context, h query.SearchHit) ui.FoundItem {
		return ui.FoundItem{Name: h.Name, Detail: elsewhere(at, h), Icon: "classes", Href: frame.SpacePath(frame.Value(h.WorkspaceId), "")}
	}, workspaces, locale.Term(ctx, words.Workspaces))
	add(t(ctx, "Apps"), res.Apps, func(ctx context.Context, h query.SearchHit) ui.FoundItem {
		return ui.FoundItem{Name: h.Name, Detail: space(ctx, h), Icon: "apps", Href: frame.Within("/app/"+frame.Value(h.Slug), frame.Value(h.WorkspaceId))}
	}, "", "")
	add(t(ctx, "Workflows"), res.Workflows, func(ctx context.Context, h query.SearchHit) ui.FoundItem {
		return ui.FoundItem{Name: h.Name, Detail: space(ctx, h), Icon: "flow", Href: "/workflows/" + h.Id}
	}, "", "")
	if pages := pagesFound(around, typed); len(pages) > 0 {
		p.Groups, shown = append(p.Groups, ui.FoundGroup{Title: t(ctx, "Pages"), Items: pages}), shown+len(pages)
	}
	if shown > 0 {
		p.Status = t(ctx, "%s found. Enter opens the first.", strconv.Itoa(shown))
	} else {
		p.Hint = nothingFound(ctx, at, typed)
		p.Status = p.Hint
	}
	if at.Org != nil && typed != "" {
		p.Href = "/search?q=" + url.QueryEscape(typed)
	}
	return p
}

// wordsOf are the words of the place, else those of the organization that all of what was found is in.
func wordsOf(at frame.Place, shell query.Shell, hits []query.SearchHit) frame.Words {
	if at.Org != nil || shell.Me.Memberships == nil || len(hits) == 0 {
		return at.Words
	}
	for _, hit := range hits {
		if frame.Value(hit.OrganizationId) != frame.Value(hits[0].OrganizationId) {
			return at.Words
		}
	}
	for _, o := range shell.Me.Memberships.Organizations {
		if o.Id == frame.Value(hits[0].OrganizationId) {
			return o.Vocabulary
		}
	}
	return at.Words
}

func nothingFound(ctx context.Context, at frame.Place, typed string) string {
	switch {
	case len([]rune(typed)) < 2:
		return t(ctx, "Type two letters at least: the beginning of a name or an address is enough, accents do not matter.")
	case at.Org != nil:
		return t(ctx, "Nothing in %s has a name like that.", at.Org.Name)
	}
	return t(ctx, "Nothing that you may see has a name like that.")
}

func personHit(ctx context.Context, h query.SearchHit) ui.FoundItem {
	if h.WorkspaceId != nil {
		return ui.FoundItem{Name: h.Name, Detail: space(ctx, h), Href: frame.SpacePath(*h.WorkspaceId, "/members/"+h.Id)}
	}
	return ui.FoundItem{Name: h.Name, Detail: frame.Value(h.Email), Href: "/orgs/" + frame.Value(h.OrganizationId) + "/members/" + h.Id}
}

// space is where something is.
func space(ctx context.Context, h query.SearchHit) string {
	if h.WorkspaceName != nil {
		return *h.WorkspaceName
	}
	return t(ctx, "Personal space")
}

// elsewhere is the organization of something where the search looks beyond one.
func elsewhere(at frame.Place, h query.SearchHit) string {
	if at.Org != nil {
		return ""
	}
	return frame.Value(h.OrganizationName)
}

// maxPages is how many pages of the navigation are shown.
const maxPages = 6

// pagesFound are the pages that the navigation and the account menu lead to, by the beginnings of their words.
func pagesFound(around ui.Shell, typed string) []ui.FoundItem {
	words := strings.Fields(strings.ToLower(typed))
	if len(words) == 0 {
		return nil
	}
	var out []ui.FoundItem
	add := func(items []ui.NavItem) {
		for _, it := range items {
			if beginsWords(strings.Fields(strings.ToLower(it.Text)), words) && len(out) < maxPages {
				out = append(out, ui.FoundItem{Name: it.Text, Icon: frame.Or(it.Icon, "right"), Href: it.Href})
			}
		}
	}
	for _, g := range around.Nav {
		add(g.Items)
	}
	add(around.User.Items)
	return out
}

// beginsWords tells whether each of what was typed begins a word.
func beginsWords(of, typed []string) bool {
	for _, beginning := range typed {
		some := false
		for _, word := range of {
			some = some || strings.HasPrefix(word, beginning)
		}
		if !some {
			return false
		}
	}
	return true
}
