package org

import (
	"context"
	"net/http"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// spacesView is every workspace that the person may enter, for those who have more than the switcher lists.
type spacesView struct {
	List   frame.Listing
	Cards  []spaceCard
	Search string
	Wallet float64 // what is left in the personal space
	now    time.Time
}

// spaceCard is a workspace with the picture of its card: what was made last, else "" for a drawing.
type spaceCard struct {
	query.SpaceRow
	Cover string
}

// Spaces lists every workspace that the person may enter.
func (c Pages) Spaces(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, "/spaces", 30, query.SortByName, query.SortByCreated)
	search := strings.TrimSpace(list.Values.Get("q"))
	res, err := query.Spaces(r.Context(), c.Client, search, list.After(), list.Sort)
	if err != nil {
		return err
	}
	if res.Shell.Me.Memberships == nil {
		return frame.ErrNotFound // the install has no organizations
	}
	list.Loaded(res.Workspaces.PageInfo, len(res.Workspaces.Nodes), res.Workspaces.TotalCount)
	v := spacesView{List: list, Cards: c.spaceCards(res.Workspaces.Nodes), Search: search, Wallet: res.Me.Wallet.Available, now: c.Now()}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Where you work")}, spacesContent(v))
}

func (c Pages) spaceCards(rows []query.SpaceRow) []spaceCard {
	cards := make([]spaceCard, len(rows))
	for i, row := range rows {
		cards[i].SpaceRow = row
		if row.Glance == nil || row.Glance.Latest == nil || row.Glance.Latest.Kind != query.ResultKindImage {
			continue
		}
		if path := c.OwnFile(frame.Value(row.Glance.Latest.Url)); ui.IsPicture(path) {
			cards[i].Cover = path
		}
	}
	return cards
}

// personal tells whether the card of the personal space is shown: on the first page of the whole list.
func (v spacesView) personal() bool { return v.List.First() && v.Search == "" }

// none tells whether there is no workspace that one works in, so that nothing can be searched or sorted.
func (v spacesView) none() bool { return len(v.Cards) == 0 && v.personal() }

// tools searches and sorts the cards.
func (v spacesView) tools(ctx context.Context) ui.ToolsProps {
	return ui.ToolsProps{
		Action: "/spaces", Search: "q", SearchLabel: t(ctx, "Name"), Query: v.Search, Clear: "/spaces", List: "spaces",
		Selects: []ui.ToolSelect{v.List.Sorts(ctx, t(ctx, "Newest first"), frame.SortChoice{Text: t(ctx, "Name"), By: query.SortByName})},
	}
}

// spaceNeed is something that waits for the person in a workspace.
type spaceNeed struct{ Text, Href string }

func (s spaceCard) needs(ctx context.Context) []spaceNeed {
	if s.Glance == nil {
		return nil
	}
	base := "/workspaces/" + s.Id
	var out []spaceNeed
	if n := s.Glance.Requests; n > 0 {
		out = append(out, spaceNeed{tn(ctx, "%d request for credits", "%d requests for credits", n), base})
	}
	if n := s.Glance.Held; n > 0 {
		out = append(out, spaceNeed{tn(ctx, "%d result to review", "%d results to review", n), base + "/jobs?status=pending_review"})
	}
	if n := s.Glance.Posts; n > 0 {
		out = append(out, spaceNeed{tn(ctx, "%d post to review", "%d posts to review", n), base + "/community/review"})
	}
	return out
}

// made says when something was made here last.
func (s spaceCard) made(ctx context.Context, now time.Time) string {
	latest := s.Glance.Latest
	if latest == nil {
		return t(ctx, "Nothing made yet")
	}
	if ago := locale.Relative(ctx, latest.CreatedAt, now); ago != "" {
		return t(ctx, "Last result: %s", ago)
	}
	return t(ctx, "Last result: %s", locale.Day(ctx, latest.CreatedAt))
}
