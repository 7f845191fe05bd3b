package flow

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// makeType is the form of a node type in an address.
const makeType = "{type:[a-z0-9][a-z0-9-]{0,60}}"

// ownMakers are types whose form is a page of its own.
var ownMakers = map[string]string{
	"generate-character": "/library/characters/new", "generate-creature": "/library/creatures/new", "generate-object": "/library/objects/new",
	"generate-location": "/library/locations/new", "prompt-helper": "/prompt-helper",
}

// makePath is the form of a type.
func makePath(nodeType string) string {
	if own := ownMakers[nodeType]; own != "" {
		return own
	}
	return "/make/" + nodeType
}

// makeListView is everything that can be made, by category.
type makeListView struct {
	At       frame.Place
	Locked   string
	Search   string
	Category string
	Options  []ui.Option
	Groups   []makeGroup
	// First are what most people make; none while something is searched for.
	First []query.NodeKind
	Path  string
}

type makeGroup struct {
	Title string
	Kinds []query.NodeKind
}

// categories are those of the catalogue in the order of the page, in words.
var categories = []struct{ Name, Title string }{
	{"ai", markc("files", "From words")}, {"image", markc("files", "Pictures")}, {"video", markc("files", "Videos")}, {"audio", markc("files", "Sounds")},
	{"3d", "3D"}, {"text", markc("files", "Texts")}, {"data", markc("files", "Data")}, {"flow", markc("files", "Waiting")},
	{"input", markc("files", "Files of your own")}, {"output", markc("files", "Sending")},
}

func categoryTitle(ctx context.Context, name string) string {
	for _, c := range categories {
		if c.Name == name {
			return tc(ctx, "files", c.Title)
		}
	}
	return frame.SentenceCase(name)
}

// MakeList lists the types of nodes that run by themselves.
func (c Pages) MakeList(w http.ResponseWriter, r *http.Request) error {
	res, err := query.MakeList(r.Context(), c.Client)
	if err != nil {
		return err
	}
	values := r.URL.Query()
	v := makeListView{
		At: frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", ""), Search: strings.TrimSpace(values.Get("q")), Category: values.Get("category"), Path: r.URL.Path,
	}
	v.Locked = frame.ClosedTo(r.Context(), v.At)
	v.Options, v.Groups = makeGroups(r.Context(), res.NodeTypes, v.Search, v.Category)
	if v.Search == "" && v.Category == "" {
		v.First = firstKinds(res.NodeTypes)
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Make"), Section: frame.SectionMake, List: "/make"}, makeListContent(v))
}

// firstTypes are what most people make, in the order of the page.
var firstTypes = []string{"generate-image", "generate-character", "text-card", "animate-image", "text-to-speech", "3d-scene"}

// firstKinds are those of them that this install has.
func firstKinds(all []query.NodeKind) (first []query.NodeKind) {
	for _, name := range firstTypes {
		for _, k := range all {
			if k.Type == name && k.RunsAlone {
				first = append(first, k)
			}
		}
	}
	return first
}

// makeGroups are the types that fit what is searched for, by category, and the categories to choose from.
func makeGroups(ctx context.Context, all []query.NodeKind, search, category string) (options []ui.Option, groups []makeGroup) {
	options = []ui.Option{{Value: "", Text: tc(ctx, "kind", "Any"), Selected: category == ""}}
	rank := func(name string) int {
		for i, c := range categories {
			if c.Name == name {
				return i
			}
		}
		return len(categories)
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b query.NodeKind) int {
		if by := rank(a.Category) - rank(b.Category); by != 0 {
			return by
		}
		return strings.Compare(a.Category, b.Category)
	})
	for _, k := range all {
		if !k.RunsAlone {
			continue
		}
		if !slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == k.Category }) {
			options = append(options, ui.Option{Value: k.Category, Text: categoryTitle(ctx, k.Category), Selected: k.Category == category})
		}
		if category != "" && k.Category != category || !fitsSearch(k, search) {
			continue
		}
		title := categoryTitle(ctx, k.Category)
		if len(groups) == 0 || groups[len(groups)-1].Title != title {
			groups = append(groups, makeGroup{Title: title})
		}
		last := &groups[len(groups)-1]
		last.Kinds = append(last.Kinds, k)
	}
	return options, groups
}

// fitsSearch tells whether every word that is searched for stands in what a type is called, does or yields.
func fitsSearch(k query.NodeKind, search string) bool {
	text := strings.ToLower(k.Label + " " + k.Description + " " + k.Type + " " + k.OutputType + " " + strings.Join(k.Capabilities, " "))
	for word := range strings.FieldsSeq(strings.ToLower(search)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// makeView is the page of one type: its form, what it costs, the job that was begun, and what was made before.
type makeView struct {
	At       frame.Place
	Kind     query.NodeKind
	Controls []nodeform.Control
	Form     frame.Form
	Prefill  url.Values
	Price    makePrice
	Limit    *appLimit
	Locked   string
	Uploads  bool
	Asked    bool // the price was asked for
	Job      *jobView
	Again    bool // the form has the settings of an earlier job
	History  []ui.Made
}

// makePrice says what a run costs, and who pays.
type makePrice struct {
	Text string
	// By are the fields that decide it.
	By []string
}

// MakePage is the form of one type of nodes.
func (c Pages) MakePage(w http.ResponseWriter, r *http.Request) error {
	nodeType := mux.Vars(r)["type"]
	workspace := frame.SpaceOf(r).Workspace
	if own := ownMakers[nodeType]; own != "" {
		return frame.SeeOther(w, frame.SpacePath(workspace, own))
	}
	job, again := jobIn(r.URL.Query(), "job"), jobIn(r.URL.Query(), "again")
	res, err := c.makePage(r, nodeType, workspace, frame.Or(job, again))
	if err != nil {
		return err
	}
	if !res.NodeType.RunsAlone {
		return frame.ErrNotFound
	}
	allowMedia(w)
	k := nodeform.Kinds{nodeType: res.NodeType}
	v := makeView{Kind: res.NodeType, Form: frame.FormOf(r), Prefill: r.URL.Query(), Uploads: c.Config.Upload != nil, History: c.madeJobs(r.Context(), res.RecentJobs, job)}
	shell := c.Placed(r, res.Shell, "", "")
	v.At = frame.PlaceOf(r, shell, "", "")
	v.Locked = frame.ClosedTo(r.Context(), v.At)
	var settings map[string]any
	if res.Job.Id != "" && res.Job.JobType == nodeType {
		settings, v.Again = res.Job.InputData, again != ""
		if job != "" {
			made := c.jobViewOf(r.Context(), res.Job, k)
			v.Job = &made
		}
	}
	v.Controls = makeControls(r.Context(), nodeType, settings, k)
	typed := v.Prefill
	if r.Method == http.MethodPost {
		if typed = r.PostForm; v.Form.Err == nil { // the price was asked for
			v.Asked, v.Prefill = true, whole(r.PostForm)
		}
	}
	if settings == nil {
		settings = deciding(r.Context(), v.Kind, makeControls(r.Context(), nodeType, nil, k), typed)
	}
	if err := c.estimate(r.Context(), &v, settings, shell, workspace); err != nil {
		return err
	}
	if err := nodeform.AddThings(c.Console, r, v.Controls); err != nil {
		return err
	}
	if err := c.addKeys(r.Context(), v.Controls); err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: v.Kind.Label, Section: frame.SectionMake, List: "/make/" + nodeType}, makeContent(v, c.Now()))
}

// makePage asks for the page; a job that cannot be read any more is left out.
func (c Pages) makePage(r *http.Request, nodeType, workspace, job string) (*query.MakePageResponse, error) {
	var in *string
	if workspace != "" {
		in = &workspace
	}
	res, err := query.MakePage(r.Context(), c.Client, nodeType, in, job, job != "")
	if err != nil && job != "" && frame.HasCode(err, "not_found") {
		return query.MakePage(r.Context(), c.Client, nodeType, in, "", false)
	}
	return res, err
}

// jobIn is the id of a job in an address, empty where it is none.
func jobIn(values url.Values, name string) string {
	if id := values.Get(name); isID.MatchString(id) {
		return id
	}
	return ""
}

// whole are the values of a form that was sent as a whole.
func whole(values url.Values) url.Values {
	out := url.Values{nodeform.WholeForm: {"1"}}
	for name, v := range values {
		out[name] = v
	}
	return out
}

// makeControls are the fields of the form of a type, with the settings filled in.
func makeControls(ctx context.Context, nodeType string, settings map[string]any, k nodeform.Kinds) []nodeform.Control {
	node := query.FlowNode{Id: "node", Type: nodeType, Data: settings}
	var out []nodeform.Control
	for _, f := range k.Fields(nodeType) {
		if f.Control == "schedule" || f.Control == "workflow" {
			continue
		}
		c := nodeform.SavedControl(f, node, k)
		if f.Name == "modelUrl" && c.Kind == nodeform.ControlLine {
			c.Kind, c.Accept = nodeform.ControlFile, ".glb,.gltf,model/gltf-binary"
		}
		// A preset may say what is needed.
		c.Required = f.Needed && settings["presetId"] == nil && c.Thing == ""
		out = append(out, c)
	}
	nodeform.Withhold(nodeform.Pointers(out))
	for i := range out {
		if out[i].Withheld {
			out[i].Hint = t(ctx, "What it was then is too long to be filled in here. Left empty, it is not set.")
		}
	}
	return out
}

// addKeys gives a field that names a key those that the person has.
func (c Pages) addKeys(ctx context.Context, controls []nodeform.Control) error {
	i := slices.IndexFunc(controls, func(one nodeform.Control) bool { return one.Kind == nodeform.ControlCredential })
	if i < 0 {
		return nil
	}
	res, err := query.MakeKeys(ctx, c.Client)
	if err != nil {
		return err
	}
	for _, one := range res.Credentials {
		controls[i].Picks = append(controls[i].Picks, query.WorkflowChoice{Id: one.Id, Name: credentialChoice(ctx, one)})
	}
	return nil
}

// estimate finds what a run on the settings costs and meets. Settings that are refused have the usual price: the form
// says what is wrong with them when it is sent.
func (c Pages) estimate(ctx context.Context, v *makeView, settings map[string]any, shell query.Shell, workspace string) error {
	v.Price = makePrice{By: v.Kind.PricedBy}
	price, err := c.priceOf(ctx, v.Kind, settings)
	if err != nil {
		return err
	}
	v.Price.Text = priceText(ctx, v.At, price)
	if price.Payment.RefusalCode != nil {
		of := payable{price.Credits, workspace, func(other string) string { return frame.SpacePath(other, "/make/"+v.Kind.Type) }}
		v.Limit = creditLimit(ctx, of, v.At, price.Payment, shell)
	}
	return nil
}

// deciding are the settings of a form that decide what a run costs. What cannot be read is left out: the form says so
// when it is sent.
func deciding(ctx context.Context, kind query.NodeKind, controls []nodeform.Control, values url.Values) map[string]any {
	settings := map[string]any{}
	for _, one := range controls {
		if !slices.Contains(kind.PricedBy, one.Field) {
			continue
		}
		if value, changed, err := one.Read(ctx, values); err == nil && changed && value != nil {
			settings[one.Field] = value
		}
	}
	return settings
}

func (c Pages) priceOf(ctx context.Context, kind query.NodeKind, settings map[string]any) (query.MakePrice, error) {
	res, err := query.MakeEstimate(ctx, c.Client, kind.Type, settings)
	if e, known := frame.Refused(err); known && e.Code == "validation_error" && len(settings) > 0 {
		settings = nodeform.Cloned(settings)
		maps.DeleteFunc(settings, func(field string, _ any) bool { return !slices.Contains(kind.PricedBy, field) || field == e.Field })
		res, err = query.MakeEstimate(ctx, c.Client, kind.Type, settings)
	}
	if e, known := frame.Refused(err); known && e.Code == "validation_error" && len(settings) > 0 {
		res, err = query.MakeEstimate(ctx, c.Client, kind.Type, map[string]any{})
	}
	if err != nil {
		return query.MakePrice{}, err
	}
	return res.NodeEstimate, nil
}

// priceText says what a run costs, who does the work, who pays and what is left.
func priceText(ctx context.Context, at frame.Place, p query.MakePrice) string {
	if p.Credits == 0 {
		return t(ctx, "It costs nothing.")
	}
	var out string
	switch price, model := inCredits(ctx, p.Credits), frame.Brief(frame.Value(p.Model)); {
	case p.Metered && model != "":
		out = t(ctx, "It costs about %s; what it really takes is known when it is done, made by %s.", price, model)
	case p.Metered:
		out = t(ctx, "It costs about %s; what it really takes is known when it is done.", price)
	case model != "":
		out = t(ctx, "It costs %s, made by %s.", price, model)
	default:
		out = t(ctx, "It costs %s.", price)
	}
	return out + " " + paymentText(ctx, at, &p.Payment)
}

// MakePrice is the price line of the form by itself, for what is chosen in it.
func (c Pages) MakePrice(w http.ResponseWriter, r *http.Request) error {
	nodeType := mux.Vars(r)["type"]
	form, err := query.MakeForm(r.Context(), c.Client, nodeType)
	if err != nil {
		return err
	}
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	at := frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")
	controls := makeControls(r.Context(), nodeType, nil, nodeform.Kinds{nodeType: form.NodeType})
	price, err := c.priceOf(r.Context(), form.NodeType, deciding(r.Context(), form.NodeType, controls, r.PostForm))
	if err != nil {
		return err
	}
	return frame.Write(w, r, http.StatusOK, priceLine(priceText(r.Context(), at, price)))
}

// MakeIt runs a node by itself on what its form says, and leads to the page that follows it.
func (c Pages) MakeIt(w http.ResponseWriter, r *http.Request) error {
	nodeType := mux.Vars(r)["type"]
	form, err := query.MakeForm(r.Context(), c.Client, nodeType)
	if err != nil {
		return err
	}
	if err := c.keepFiles(r, makeControls(r.Context(), nodeType, nil, nodeform.Kinds{nodeType: form.NodeType})); err != nil {
		return frame.Again(w, r, err, c.MakePage)
	}
	if r.PostForm.Get("step") == "price" {
		return c.MakePage(w, r)
	}
	controls := makeControls(r.Context(), nodeType, nil, nodeform.Kinds{nodeType: form.NodeType})
	for i := range controls {
		controls[i].Required = controls[i].Required && r.PostForm.Get("in-presetId") == ""
	}
	settings, err := nodeform.ReadSettings(r.Context(), controls, nil, r.PostForm)
	if err != nil {
		return frame.Again(w, r, err, c.MakePage)
	}
	res, err := query.MakeIt(r.Context(), c.Client, nodeType, settings)
	if err != nil {
		return frame.Again(w, r, makeRefusal(r.Context(), err, controls), c.MakePage)
	}
	to := frame.SpacePath(frame.SpaceOf(r).Workspace, "/make/"+nodeType) + "?job=" + res.RunNode.Job.Id
	if notes := append(adjusted(r.Context(), res.RunNode.Adjustments, controls), res.RunNode.Warnings...); len(notes) > 0 {
		return c.Done(w, to, ui.Short(strings.Join(notes, " "), frame.MaxOfValue))
	}
	return frame.SeeOther(w, to)
}

// adjusted says which settings were brought into range.
func adjusted(ctx context.Context, all []map[string]any, controls []nodeform.Control) (out []string) {
	for _, a := range all {
		field, _ := a["field"].(string)
		to, ok := plain(ctx, a["to"])
		if !ok {
			if n, isNumber := a["to"].(json.Number); isNumber {
				to = n.String()
			}
		}
		name := nodeform.NameInWords(field)
		if i := slices.IndexFunc(controls, func(one nodeform.Control) bool { return one.Field == field }); i >= 0 {
			name = controls[i].Label
		}
		out = append(out, t(ctx, "%s was set to %s, which is as far as it goes.", name, to))
	}
	return out
}

// makeRefusal puts a refusal of a setting at the field of the form that it is about.
func makeRefusal(ctx context.Context, err error, controls []nodeform.Control) error {
	e, known := frame.Refused(err)
	if !known || e.Field == "" {
		return err
	}
	field, _, _ := strings.Cut(e.Field, "[")
	field, _, _ = strings.Cut(field, ".")
	for _, one := range controls {
		if one.Field == field || one.Field == e.Field {
			out := *e
			out.Field, out.Message = one.Name, frame.AboutField(ctx, one.Label, e)
			return &out
		}
	}
	return err
}

// madeJobs are the last jobs of a type as tiles, except for the one that the page shows.
func (c Pages) madeJobs(ctx context.Context, rows []query.MadeJob, shown string) (out []ui.Made) {
	for _, j := range rows {
		if j.Id == shown {
			continue
		}
		m := ui.Made{Href: "/jobs/" + j.Id, Title: jobStatuses[j.Status].In(ctx).Text, Kind: "none", At: j.CreatedAt}
		switch {
		case j.Made != nil:
			m.Kind, m.Src, m.Excerpt = string(j.Made.Kind), c.ShownMedia(j.Made.Url), frame.Value(j.Made.Excerpt)
			m.Title = frame.Or(frame.Value(j.Made.Subject), m.Title)
		case j.Status == query.JobStatusCompleted:
			m.Kind = "file"
		case j.Status == query.JobStatusFailed:
			m.Kind, m.About = "failed", frame.Brief(failureSaid(ctx, frame.Value(j.ErrorMessage), nodeform.NameInWords))
		}
		out = append(out, m)
	}
	return out
}

// makeNames are the fields of the form, for its error summary.
func makeNames(controls []nodeform.Control) []string {
	var out []string
	for _, c := range controls {
		out = append(out, c.Name, c.Name+"-file")
	}
	return out
}
