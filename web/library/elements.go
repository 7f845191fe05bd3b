package library

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// elementsView is a shelf of the library.
type elementsView struct {
	Kind   Kind
	At     frame.Place
	Locked string
	List   frame.Listing
	Cards  []elementCard
	Search string
	Tag    string
	Mine   bool
}

// elementCard is an element as a tile.
type elementCard struct {
	query.ElementCard
	Src string
}

// Elements is the list of one kind in the selected space.
func (c Pages) Elements(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		list := frame.ListingOf(r, r.URL.Path, 48)
		v := elementsView{Kind: k, Search: strings.TrimSpace(list.Values.Get("q")), Tag: list.Values.Get("tag"), Mine: list.Values.Get("mine") != ""}
		filter := query.ElementFilter{Query: frame.Given(list.Values, "q"), Tag: frame.Given(list.Values, "tag"), ProjectId: frame.Given(list.Values, "project")}
		if v.Mine {
			filter.Mine = &v.Mine
		}
		res, err := query.Elements(r.Context(), c.Client, k.Kind, list.After(), &filter)
		if err != nil {
			return err
		}
		list.Loaded(res.Elements.PageInfo, len(res.Elements.Nodes), res.Elements.TotalCount)
		v.At = frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")
		v.Locked, v.List = frame.ClosedTo(r.Context(), v.At), list
		for _, e := range res.Elements.Nodes {
			v.Cards = append(v.Cards, elementCard{e, c.ShownMedia(e.ImageUrl)})
		}
		at := frame.Page{Title: t(r.Context(), k.Many), Section: frame.SectionLibrary, List: "/library/" + k.Path}
		return c.Page(w, r, res.Shell, at, elementsContent(v))
	}
}

// filtered tells whether the list leaves something out.
func (v elementsView) filtered() bool { return v.Search != "" || v.Tag != "" || v.Mine }

// tags are those of the cards, to narrow the list by.
func (v elementsView) chips(ctx context.Context) []ui.Chip {
	out := []ui.Chip{{Text: tc(ctx, "filter", "Made by you"), Href: v.List.With("mine", toggled(v.Mine)), On: v.Mine}}
	var tags []string
	if v.Tag != "" {
		tags = append(tags, v.Tag)
	}
	for _, e := range v.Cards {
		for _, tag := range e.Tags {
			if len(tags) < 10 && !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	for _, tag := range tags {
		chip := ui.Chip{Text: tag, Href: v.List.With("tag", tag), On: tag == v.Tag}
		if chip.On {
			chip.Href = v.List.With("tag", "")
		}
		out = append(out, chip)
	}
	return out
}

func toggled(on bool) string {
	if on {
		return ""
	}
	return "1"
}

// by says who made a thing and who sees it.
func by(ctx context.Context, access query.WorkflowAccess, who string, shared bool) string {
	out := t(ctx, "by you")
	if access != query.WorkflowAccessCreator {
		out = t(ctx, "by %s", who)
	}
	if shared {
		out += " · " + t(ctx, "shared")
	}
	return out
}
