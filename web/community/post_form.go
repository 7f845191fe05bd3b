package community

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// postForm is the form of a new post, or of one's own.
type postForm struct {
	Post      *query.PostCard // nil of a new one
	Kind      query.PostKind
	Source    string
	Name      string
	Text      string
	Tags      []string
	Category  string
	License   string
	Audience  query.PostAudience
	Audiences []query.PostingAudience
	Removed   []string
	Refusal   string
	At        frame.Place
	Form      frame.Form
}

// NewPost is the form that posts a thing; its address names the thing. Without one it says where things are.
func (c Pages) NewPost(w http.ResponseWriter, r *http.Request) error {
	kind, source := query.PostKind(r.FormValue("kind")), r.FormValue("source")
	at := frame.Page{Title: t(r.Context(), "Post to the community"), Section: frame.SectionCommunity}
	if kind == "" || source == "" {
		res, err := query.Frame(r.Context(), c.Client)
		if err != nil {
			return err
		}
		return c.Page(w, r, res.Shell, at, whatToPost(frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "").Words))
	}
	res, err := query.PostChoices(r.Context(), c.Client, kind, source)
	if err != nil {
		return err
	}
	found := res.PostChoices
	at.Workspace = frame.Value(found.WorkspaceId)
	v := postForm{
		Kind: kind, Source: source, Name: found.Name, Text: ui.Short(found.Description, maxPostText), Tags: found.Tags, Category: "other", License: "cc-by",
		Audiences: found.Audiences, Removed: found.Removed, Refusal: frame.Value(found.Refusal), Form: frame.FormOf(r),
	}
	v.At = frame.PlaceOf(r, c.Placed(r, res.Shell, "", at.Workspace), "", at.Workspace)
	for i := len(v.Audiences) - 1; i >= 0; i-- { // the first that the person may address
		if v.Audiences[i].Refusal == nil {
			v.Audience = v.Audiences[i].Audience
		}
	}
	return c.Page(w, r, res.Shell, at, postFormContent(v))
}

// maxPostText is how long the description of a post may be.
const maxPostText = 2000

// EditPost is the form of one's own post.
func (c Pages) EditPost(w http.ResponseWriter, r *http.Request) error {
	res, err := query.PostForm(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	p := res.CommunityPost.PostCard
	at := frame.Page{Title: t(r.Context(), "Change %s", p.Title), Section: frame.SectionCommunity, Workspace: frame.Value(p.WorkspaceId)}
	v := postForm{
		Post: &p, Kind: p.Kind, Name: p.Title, Text: p.Description, Tags: p.Tags, Category: p.Category, License: p.License, Audience: p.Audience,
		Audiences: res.CommunityPost.AudienceChoices, At: frame.PlaceOf(r, c.Placed(r, res.Shell, "", at.Workspace), "", at.Workspace), Form: frame.FormOf(r),
	}
	return c.Page(w, r, res.Shell, at, postFormContent(v))
}

// audienceOptions are the audiences as cards, each with what happens then.
func (v postForm) audienceOptions(ctx context.Context) []ui.Option {
	var out []ui.Option
	said := frame.Saying(ctx, v.At.Words)
	for _, a := range v.Audiences {
		o := ui.Option{Value: string(a.Audience), Text: t(ctx, "Everyone"), Hint: t(ctx, "All who are signed in to this server see it.")}
		switch a.Audience {
		case query.PostAudienceWorkspace:
			o.Text, o.Hint = frame.SpaceName(ctx, v.At), t(said, "Everyone in the {workspace} sees it.")
		case query.PostAudienceOrganization:
			o.Text, o.Hint = t(ctx, "The organization"), t(ctx, "Everyone in it sees it.")
			if v.At.Org != nil {
				o.Text, o.Hint = v.At.Org.Name, t(ctx, "Everyone in %s sees it.", v.At.Org.Name)
			}
		}
		if a.Waits {
			o.Hint += " " + t(said, "It waits for your {admin} first.")
		}
		if a.Refusal != nil {
			o.Hint, o.Disabled = *a.Refusal+".", true
		}
		out = append(out, o)
	}
	return out
}

// may tells whether there is an audience that the person may address.
func (v postForm) may() bool {
	for _, a := range v.Audiences {
		if a.Refusal == nil {
			return true
		}
	}
	return false
}

// CreatePost posts a thing.
func (c Pages) CreatePost(w http.ResponseWriter, r *http.Request) error {
	title, description, category, license := frame.Text(r, "title"), frame.Text(r, "description"), frame.Text(r, "category"), frame.Text(r, "license")
	in := query.PostToCommunityInput{
		Kind: query.PostKind(frame.Text(r, "kind")), SourceId: frame.Text(r, "source"), Title: &title, Description: &description,
		Tags: frame.SplitWords(frame.Text(r, "tags")),
	}
	if category != "" {
		in.Category = &category
	}
	if license != "" {
		in.License = &license
	}
	if audience := query.PostAudience(frame.Text(r, "audience")); audience != "" {
		in.Audience = &audience
	}
	res, err := query.PostToCommunity(r.Context(), c.Client, in)
	if err != nil {
		return frame.Again(w, r, err, c.NewPost)
	}
	made := res.PostToCommunity
	said := t(r.Context(), "%s is posted.", made.Title)
	if made.Status == query.PostStatusPendingReview {
		said = t(r.Context(), "%s is sent in. It waits to be approved.", made.Title)
	}
	return c.Done(w, frame.Within("/community/"+made.Id, frame.SpaceOf(r).Workspace), said)
}

// UpdatePost saves the form of a post.
func (c Pages) UpdatePost(w http.ResponseWriter, r *http.Request) error {
	title, description, category, license := frame.Text(r, "title"), frame.Text(r, "description"), frame.Text(r, "category"), frame.Text(r, "license")
	in := query.UpdatePostInput{Title: &title, Description: &description, Category: &category, Tags: frame.SplitWords(frame.Text(r, "tags")), License: &license}
	if audience := query.PostAudience(frame.Text(r, "audience")); audience != "" {
		in.Audience = &audience
	}
	if frame.Text(r, "refresh") != "" {
		refresh := true
		in.Refresh = &refresh
	}
	if version, err := strconv.Atoi(frame.Text(r, "version")); err == nil {
		in.Version = &version
	}
	res, err := query.UpdatePost(r.Context(), c.Client, frame.PathID(r), in)
	if err != nil {
		return frame.Again(w, r, err, c.EditPost)
	}
	said := t(r.Context(), "The post is saved.")
	if res.UpdatePost.Status == query.PostStatusPendingReview {
		said = t(r.Context(), "The post is saved. It waits to be approved again.")
	}
	return c.Done(w, backTo(r), said)
}

func joined(tags []string) string { return strings.Join(tags, ", ") }

func (v postForm) title(ctx context.Context) string {
	if v.Post != nil {
		return t(ctx, "Change the post")
	}
	return t(ctx, "Post to the community")
}

func (v postForm) verb(ctx context.Context) string {
	if v.Post != nil {
		return t(ctx, "Save the post")
	}
	return t(ctx, "Post it")
}

// lead says what a post is.
func (v postForm) lead(ctx context.Context) string {
	if v.Kind == query.PostKindApp {
		return t(ctx, "Others find the app, and run it as you keep it.")
	}
	return t(ctx, "A post is a copy as it is now. What you change later does not change it.")
}

func (v postForm) crumbs(ctx context.Context, gallery string) []ui.Crumb {
	out := []ui.Crumb{{Text: t(ctx, "Community"), Href: gallery}}
	if v.Refusal == "" {
		out = append(out, ui.Crumb{Text: v.Name, Href: v.back()})
	}
	return out
}

// back is the page from which the form is opened.
func (v postForm) back() string {
	if v.Post != nil {
		return "/community/" + v.Post.Id
	}
	return madeOfPost(v.Kind, v.Source)
}

// why says why nothing can be posted, in words of the thing.
func (v postForm) why(ctx context.Context) string {
	if v.Refusal != "" {
		return v.Refusal + "."
	}
	for _, a := range v.Audiences {
		return frame.Value(a.Refusal) + "."
	}
	return t(ctx, "You no longer belong to where it was posted. You can still delete it.")
}

func (v postForm) formProps(within func(string) string) ui.FormProps {
	p := ui.FormProps{Action: within("/community/post"), Key: frame.NewOnceKey(), Wide: true, RetryAfter: v.Form.RetryAfter()}
	if v.Post != nil {
		p.Action, p.Key, p.Version = within("/community/"+v.Post.Id+"/edit"), "", ui.Digits(v.Post.Version)
		return p
	}
	p.Hidden = []ui.Hidden{{Name: "kind", Value: string(v.Kind)}, {Name: "source", Value: v.Source}}
	return p
}
