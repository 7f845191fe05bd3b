package community

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// postView is the page of a post.
type postView struct {
	query.PostDetail
	Content  postContent
	Src      string
	Pictures []shownPicture
	Graph    ui.GraphProps
	Lines    []nodeform.NodeLine
	Needs    []postNeed
	At       frame.Place // where the person works, and a copy goes
	Shell    query.Shell
	Form     frame.Form
	kinds    nodeform.Kinds
}

// postContent is the snapshot of a post; what it has depends on the kind.
type postContent struct {
	Name           string            `json:"name"`
	Description    string            `json:"description"`
	Nodes          []query.FlowNode  `json:"nodes"`
	Edges          []query.FlowEdge  `json:"edges"`
	Removed        []string          `json:"removed"`
	Slug           string            `json:"slug"`
	NodeType       string            `json:"nodeType"`
	Settings       map[string]any    `json:"settings"`
	Prompt         string            `json:"prompt"`
	NegativePrompt string            `json:"negativePrompt"`
	Attributes     map[string]string `json:"attributes"`
	Palette        []string          `json:"palette"`
	Pictures       []postPicture     `json:"pictures"`
	Provider       string            `json:"provider"`
	Language       string            `json:"language"`
	Gender         string            `json:"gender"`

	Stages query.PipelineStageRows `json:"stages"`
}

type postPicture struct {
	Role    string `json:"role"`
	Caption string `json:"caption"`
	URL     string `json:"url"`
}

// shownPicture is a picture with its path, and what it shows in words.
type shownPicture struct{ Src, Alt string }

// postNeed is something that a run of a copy needs, and whether it is here.
type postNeed struct {
	Text    string
	Offered bool
}

// PostPage is the page of a post.
func (c Pages) PostPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.PostPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	v := postView{PostDetail: res.CommunityPost, Shell: res.Shell, Form: frame.FormOf(r), kinds: nodeform.KindsOf(res.NodeTypes)}
	v.At, v.Src = frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", ""), c.ShownMedia(v.ImageUrl)
	v.Content = readContent(v.PostDetail.Content)
	for _, p := range v.Content.Pictures {
		if src := c.ShownMedia(&p.URL); src != "" {
			v.Pictures = append(v.Pictures, shownPicture{src, frame.Brief(v.Title + ", " + frame.Or(p.Caption, p.Role))})
		}
	}
	if v.Kind == query.PostKindWorkflow {
		v.Graph = nodeform.Drawing("post-graph", v.Title, v.Content.Nodes, v.Content.Edges, v.kinds, nil)
		v.Lines = nodeform.NodeLines(r.Context(), v.Content.Nodes, v.Content.Edges, v.kinds)
	}
	for _, n := range v.Requires {
		need := postNeed{Text: v.kinds.Label(n.NodeType), Offered: n.Offered}
		if n.Provider != nil {
			need.Text = t(r.Context(), "%s, by %s", need.Text, frame.ProviderNamed(r.Context(), *n.Provider))
		}
		v.Needs = append(v.Needs, need)
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: v.Title, Section: frame.SectionCommunity}, postPageContent(v, c.Now()))
}

// readContent reads a snapshot into its fields. Those of other kinds stay empty, and so does what has another form.
func readContent(content *map[string]any) (out postContent) {
	if text, err := json.Marshal(content); err == nil {
		_ = json.Unmarshal(text, &out) // it goes on behind a field of another type
	}
	return out
}

// missing tells whether something that a run needs is not here.
func (v postView) missing() bool {
	for _, n := range v.Needs {
		if !n.Offered {
			return true
		}
	}
	return false
}

// waits tells whether a moderator's decision is awaited.
func (v postView) waits() bool { return v.AwaitsReview || frame.Value(v.OpenReports) > 0 }

// facts are what is known of a post beside its content.
func (v postView) facts(ctx context.Context) []ui.Fact {
	out := []ui.Fact{
		{Name: t(ctx, "By"), Value: authorWord(ctx, v.PostCard)},
		{Name: t(ctx, "Licence"), Value: locale.Labelled(ctx, frame.SentenceCase(licenseWord(ctx, v.License)), licenseMeans(ctx, v.License))},
		{Name: tc(ctx, "of a school", "Subject"), Value: t(ctx, ui.OptionText(postCategories, v.Category))},
		{Name: t(ctx, "Seen by"), Value: audienceWord(ctx, v.Shell, v.PostCard)},
		{Name: t(ctx, "Used and liked"), Value: frame.SentenceCase(countsLine(ctx, v.PostCard))},
	}
	if len(v.Tags) > 0 {
		out = append(out, ui.Fact{Name: t(ctx, "Tags"), Value: strings.Join(v.Tags, ", ")})
	}
	if v.EstimatedCredits != nil {
		out = append(out, ui.Fact{Name: t(ctx, "Credits a run"), Value: locale.Credits(ctx, frame.Thousandths(*v.EstimatedCredits))})
	}
	return out
}

// licenseMeans says in plain words what others may do.
func licenseMeans(ctx context.Context, license string) string {
	switch license {
	case "cc0":
		return t(ctx, "copy and change it as you like")
	case "cc-by":
		return t(ctx, "copy and change it, and name who made it")
	case "cc-by-sa":
		return t(ctx, "copy and change it, name who made it, and share what you make of it alike")
	}
	return t(ctx, "no one copies it")
}

// postWords are the words of elements, of settings and of voices, name by name.
func (v postView) words(ctx context.Context) []ui.Fact {
	content := v.Content
	var out []ui.Fact
	add := func(name, value string) {
		if value != "" {
			out = append(out, ui.Fact{Name: name, Value: ui.Short(value, frame.MaxOfValue)})
		}
	}
	add(t(ctx, "Words in prompts"), content.Prompt)
	add(t(ctx, "Never with"), content.NegativePrompt)
	for _, name := range frame.SortedKeys(content.Attributes) {
		add(frame.SentenceCase(nodeform.AttributeLabel(ctx, name)), nodeform.AttributeValue(ctx, name, content.Attributes[name]))
	}
	add(t(ctx, "Spoken by"), frame.ProviderNamed(ctx, content.Provider))
	add(t(ctx, "Language"), content.Language)
	add(t(ctx, "Sounds"), content.Gender)
	if content.NodeType != "" {
		add(t(ctx, "For nodes that do"), v.kinds.Label(content.NodeType))
	}
	for _, name := range frame.SortedKeys(content.Settings) {
		label, value := v.kinds.Setting(ctx, content.NodeType, name, content.Settings[name])
		add(frame.Brief(label), value)
	}
	if v.Kind == query.PostKindPipeline {
		for _, stage := range nodeform.StagesOf(content.Stages) {
			add(t(ctx, stage.Title), stage.Words(ctx, v.kinds, "", ""))
		}
	}
	return out
}

// removedSetting is what of a stage was taken out: its preset, its workflow or one of its settings.
func removedSetting(ctx context.Context, k nodeform.Kinds, nodeType, field string) string {
	switch field {
	case "presetId":
		return t(ctx, "Preset")
	case "workflowId":
		return t(ctx, "Workflow")
	}
	return k.FieldLabel(nodeType, strings.TrimPrefix(field, "settings."))
}

// removed are the places that were taken out, in words.
func (v postView) removed(ctx context.Context) []string {
	names, types, stages := nodeform.NodeNames(v.Content.Nodes, v.kinds), map[string]string{}, map[string]nodeform.Stage{}
	for _, n := range v.Content.Nodes {
		types[n.Id] = n.Type
	}
	for _, s := range nodeform.StagesOf(v.Content.Stages) {
		stages[s.Name] = s
	}
	var out []string
	for _, place := range frame.FirstFew(ctx, v.Content.Removed, nodeform.MaxFields) {
		node, field, found := strings.Cut(strings.TrimPrefix(place, "nodes."), ".data.")
		if name := names[node]; found && name != "" {
			place = locale.Labelled(ctx, name, v.kinds.FieldLabel(types[node], field))
		} else if setting, own := strings.CutPrefix(place, "settings."); own {
			place = frame.SentenceCase(v.kinds.FieldLabel(v.Content.NodeType, setting))
		} else if stage, field, found := strings.Cut(strings.TrimPrefix(place, "stages."), "."); found && strings.HasPrefix(place, "stages.") {
			of := stages[stage]
			place = locale.Labelled(ctx, frame.Or(t(ctx, of.Title), stage), removedSetting(ctx, v.kinds, of.Type, field))
		}
		out = append(out, frame.Brief(place))
	}
	return out
}

// backTo is the page of a post in the space where the person works.
func backTo(r *http.Request) string {
	return frame.Within("/community/"+frame.PathID(r), frame.SpaceOf(r).Workspace)
}

// UsePost makes a copy where the person works, and leads to it.
func (c Pages) UsePost(w http.ResponseWriter, r *http.Request) error {
	res, err := query.UsePost(r.Context(), c.Client, frame.PathID(r), query.UsePostInput{Name: frame.TextOrNil(r, "name")})
	if err != nil {
		return frame.Again(w, r, err, c.PostPage)
	}
	used := res.UsePost
	if used.Slug != nil {
		return frame.SeeOther(w, frame.Within("/app/"+*used.Slug, frame.SpaceOf(r).Workspace))
	}
	return c.Done(w, madeOfPost(used.Kind, frame.Value(used.Id)), t(r.Context(), "This is your copy. No one else sees it until you share it."))
}

// LikePost likes a post, or takes the like back.
func (c Pages) LikePost(w http.ResponseWriter, r *http.Request) error {
	var err error
	if frame.Text(r, "liked") == "0" {
		_, err = query.UnlikePost(r.Context(), c.Client, frame.PathID(r))
	} else {
		_, err = query.LikePost(r.Context(), c.Client, frame.PathID(r))
	}
	if err != nil {
		return frame.Again(w, r, err, c.PostPage)
	}
	return frame.SeeOther(w, backTo(r))
}

// ModeratePost decides about the post of a page.
func (c Pages) ModeratePost(w http.ResponseWriter, r *http.Request) error {
	action := query.PostAction(frame.Text(r, "action"))
	if _, err := query.ModeratePost(r.Context(), c.Client, frame.PathID(r), query.ModeratePostInput{Action: action, Reason: frame.TextOrNil(r, "reason"), Version: sentPostVersion(frame.Text(r, "version"))}); err != nil {
		return frame.Again(w, r, err, c.PostPage)
	}
	return c.Done(w, backTo(r), decided(r.Context(), action))
}

// sentPostVersion is the version of the post that a decision was made about; nil for none that can be read.
func sentPostVersion(text string) *int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil
	}
	return &n
}

func decided(ctx context.Context, action query.PostAction) string {
	switch action {
	case query.PostActionApprove:
		return t(ctx, "It is approved: its audience sees it now.")
	case query.PostActionReject:
		return t(ctx, "It is rejected. Its author is told, with your reason.")
	}
	return t(ctx, "It is hidden. Its author is told, with your reason.")
}

// ReportPage asks why a person reports a post.
func (c Pages) ReportPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.PostForm(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	p := res.CommunityPost.PostCard
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Report %s", p.Title), Section: frame.SectionCommunity}, reportContent(p, frame.FormOf(r)))
}

// AskDeletePost says what goes with a post.
func (c Pages) AskDeletePost(w http.ResponseWriter, r *http.Request) error {
	res, err := query.PostForm(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	p := res.CommunityPost.PostCard
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Delete %s", p.Title), Section: frame.SectionCommunity}, ui.ConfirmPage(ui.ConfirmProps{
		ID: "delete", Title: t(r.Context(), "Delete the post %s?", p.Title), Danger: true, Confirm: t(r.Context(), "Delete the post"), CancelHref: backTo(r),
		Consequences: []string{
			t(r.Context(), "No one finds it any more"), tn(r.Context(), "%d like goes with it", "%d likes go with it", p.Likes), copiesStay(r.Context(), p),
			t(r.Context(), "What it was made of stays"),
		},
		Form: ui.FormProps{Action: frame.Within("/community/"+p.Id+"/delete", frame.SpaceOf(r).Workspace)},
	}))
}

func copiesStay(ctx context.Context, p query.PostCard) string {
	if p.Uses == 0 {
		return t(ctx, "No one has copied it")
	}
	return tn(ctx, "%d copy that someone made stays", "%d copies that others made stay", p.Uses)
}

// DeletePost deletes a post.
func (c Pages) DeletePost(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeletePost(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.PostPage)
	}
	return c.Done(w, frame.SpacePath(frame.SpaceOf(r).Workspace, "/community"), t(r.Context(), "The post is deleted."))
}

// ReportPost tells the moderators of a post. One that is hidden by it cannot be looked at any more.
func (c Pages) ReportPost(w http.ResponseWriter, r *http.Request) error {
	in := query.ReportPostInput{Reason: frame.Text(r, "reason"), Details: frame.TextOrNil(r, "details")}
	if in.Reason == "" {
		return frame.Again(w, r, frame.Invalid("reason", t(r.Context(), "Say what is wrong with it.")), c.ReportPage)
	}
	if _, err := query.ReportPost(r.Context(), c.Client, frame.PathID(r), in); err != nil {
		return frame.Again(w, r, err, c.ReportPage)
	}
	return c.Done(w, frame.SpacePath(frame.SpaceOf(r).Workspace, "/community"), t(r.Context(), "Thank you. Those who look after it are told, and no one learns that it was you."))
}
