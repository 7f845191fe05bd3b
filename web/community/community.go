package community

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// communityView is the gallery, as one space of the person looks at it.
type communityView struct {
	At       frame.Place
	List     frame.Listing
	Cards    []postCard
	Search   string
	From     query.PostAudience // empty in the personal space, which shows all that the person may see
	Moderate bool
	ToReview int
}

// postCard is a post with the path of its picture, "" for none.
type postCard struct {
	query.PostCard
	Src string
}

// Community is the gallery: the posts of the workspace first, then its organization's, then those for everyone.
func (c Pages) Community(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, r.URL.Path, 24)
	v := communityView{Search: strings.TrimSpace(list.Values.Get("q"))}
	filter := query.PostFilter{Category: frame.Given(list.Values, "category"), Tag: frame.Given(list.Values, "tag"), Query: frame.Given(list.Values, "q")}
	if kind := list.Values.Get("kind"); kind != "" {
		filter.Kind = (*query.PostKind)(&kind)
	}
	if frame.SpaceOf(r).Workspace != "" {
		v.From = query.PostAudienceWorkspace
		if from := query.PostAudience(list.Values.Get("from")); from == query.PostAudienceOrganization || from == query.PostAudienceEveryone {
			v.From = from
		}
		filter.From = &v.From
	}
	var sort *query.PostSort
	if list.Values.Get("sort") == string(query.PostSortPopular) {
		popular := query.PostSortPopular
		sort = &popular
	}
	res, err := query.Community(r.Context(), c.Client, list.After(), &filter, sort)
	if err != nil {
		return err
	}
	list.Loaded(res.CommunityPosts.PageInfo, len(res.CommunityPosts.Nodes), res.CommunityPosts.TotalCount)
	v.List, v.At, v.ToReview = list, frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", ""), res.PostsToReview.TotalCount
	v.Moderate = moderates(res.Shell, v.At, v.ToReview)
	v.Cards = c.postCards(res.CommunityPosts.Nodes)
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Community"), Section: frame.SectionCommunity, List: "/community"}, communityContent(v))
}

func (c Pages) postCards(posts []query.PostCard) []postCard {
	out := make([]postCard, len(posts))
	for i, p := range posts {
		out[i] = postCard{p, c.ShownMedia(p.ImageUrl)}
	}
	return out
}

// moderates tells whether a person may have posts to decide about, where they work or elsewhere.
func moderates(shell query.Shell, at frame.Place, waiting int) bool {
	switch {
	case waiting > 0, shell.Me.IsOperator, at.Workspace != nil && frame.Value(at.Workspace.Role) == query.WorkspaceRoleAdmin:
		return true
	}
	return at.Org != nil && at.Org.ViewerCan.Update
}

// communityTabs are the parts of the community.
func communityTabs(ctx context.Context, here func(string) string, current string, moderate bool, waiting int) []ui.NavItem {
	out := []ui.NavItem{{Text: t(ctx, "Gallery"), Href: here("/community")}, {Text: t(ctx, "My posts"), Href: here("/community/mine")}}
	if moderate {
		review := ui.NavItem{Text: t(ctx, "To review"), Href: here("/community/review")}
		if waiting > 0 {
			review.Count = locale.Count(ctx, waiting)
		}
		out = append(out, review)
	}
	for i := range out {
		out[i].Current = out[i].Href == here(current)
	}
	return out
}

// filtered tells whether the list leaves something out beside what is of other spaces.
func (v communityView) filtered() bool {
	return v.Search != "" || v.List.Values.Get("kind") != "" || v.List.Values.Get("category") != "" || v.List.Values.Get("tag") != ""
}

// spaces are whose posts can be shown, those of the workspace first; none in the personal space.
func (v communityView) spaces(ctx context.Context) []ui.Chip {
	if v.From == "" {
		return nil
	}
	names := []struct {
		from query.PostAudience
		text string
	}{
		{query.PostAudienceWorkspace, frame.SpaceName(ctx, v.At)}, {query.PostAudienceOrganization, t(ctx, "The organization")},
		{query.PostAudienceEveryone, t(ctx, "Everyone")},
	}
	if v.At.Org != nil {
		names[1].text = v.At.Org.Name
	}
	var out []ui.Chip
	for _, n := range names {
		out = append(out, ui.Chip{Text: n.text, Href: v.List.With("from", string(n.from)), On: n.from == v.From})
	}
	return out
}

// chips are the tags of the posts, to narrow the list by.
func (v communityView) chips() []ui.Chip {
	chosen := v.List.Values.Get("tag")
	var tags []string
	if chosen != "" {
		tags = append(tags, chosen)
	}
	for _, p := range v.Cards {
		for _, tag := range p.Tags {
			if len(tags) < maxTagChips && !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	var out []ui.Chip
	for _, tag := range tags {
		chip := ui.Chip{Text: tag, Href: v.List.With("tag", tag), On: tag == chosen}
		if chip.On {
			chip.Href = v.List.With("tag", "")
		}
		out = append(out, chip)
	}
	return out
}

// maxTagChips is how many tags of a page of the gallery are offered.
const maxTagChips = 4

func (v communityView) selects(ctx context.Context) []ui.ToolSelect {
	return []ui.ToolSelect{
		{Name: "kind", Label: t(ctx, "Shows"), Options: chosenOf(t(ctx, "Everything"), ui.Translated(ctx, postKinds), v.List.Values.Get("kind"))},
		{Name: "category", Label: tc(ctx, "of a school", "Subject"), Options: chosenOf(t(ctx, "Any"), ui.Translated(ctx, postCategories), v.List.Values.Get("category"))},
		{Name: "sort", Label: t(ctx, "Order"), Options: []ui.Option{
			{Value: "", Text: t(ctx, "Newest first")}, {Value: "popular", Text: t(ctx, "Most used and liked"), Selected: v.List.Values.Get("sort") == "popular"},
		}},
	}
}

// chosenOf are the values of a filter behind the one for all.
func chosenOf(all string, options []ui.Option, value string) []ui.Option {
	out := []ui.Option{{Value: "", Text: all, Selected: value == ""}}
	for _, o := range options {
		out = append(out, ui.Option{Value: o.Value, Text: o.Text, Selected: o.Value == value})
	}
	return out
}

// ownPostsView are the posts of the person in every status.
type ownPostsView struct {
	List     frame.Listing
	Rows     []query.PostCard
	Moderate bool
	ToReview int
	Shell    query.Shell
}

// OwnPosts lists what the person posted, with what moderators said of it.
func (c Pages) OwnPosts(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, r.URL.Path, 50)
	res, err := query.OwnPosts(r.Context(), c.Client, list.After())
	if err != nil {
		return err
	}
	list.Loaded(res.OwnPosts.PageInfo, len(res.OwnPosts.Nodes), res.OwnPosts.TotalCount)
	at := frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")
	v := ownPostsView{List: list, Rows: res.OwnPosts.Nodes, ToReview: res.PostsToReview.TotalCount, Shell: res.Shell}
	v.Moderate = moderates(res.Shell, at, v.ToReview)
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "My posts"), Section: frame.SectionCommunity, List: "/community/mine"}, ownPostsContent(v, c.Now()))
}
