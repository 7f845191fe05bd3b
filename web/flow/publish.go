package flow

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// publishView is the form to publish a workflow.
type publishView struct {
	At   frame.Place
	Flow query.WorkflowHead
	App  *query.PublishedApp
	Tabs workflowTabs
	// In are the fields of the app's form in their order, Out those that could be.
	In, Out []publishRow
	// Fed says which fields the graph feeds, so that no one can fill them in.
	Fed     string
	Choices publishChoices
	Results []ui.Option
	Main    string // the node whose result is the app's, as it is preselected
	Form    frame.Form
	// Preview is the app's form as it would be; Problem says why there is none.
	Preview []formPart
	Problem string
}

// publishRow is a field that people could fill in. Key names it in the form.
type publishRow struct {
	Key, ID       string // ID is what a run calls the input
	Node, Field   string
	Value         string // as it is now
	Index         int
	On            bool
	Label, Help   string
	Required      bool
	Allowed       string // the only values, one in a line
	IsFed         bool   // it is in the form of a published app, but the graph feeds it now
	IsFirst, Last bool
}

// publishChoices is what the form says about the app's own form, by the keys of its fields.
type publishChoices struct {
	Intro    string
	Order    []string
	On       map[string]bool
	IDs      map[string]string
	Labels   map[string]string
	Helps    map[string]string
	Required map[string]bool
	// Allowed are the only values of a field, one in a line.
	Allowed map[string]string
	// Custom is the form as JSON, used in place of the fields when IsCustom.
	Custom   string
	IsCustom bool
}

func noChoices() publishChoices {
	return publishChoices{
		On: map[string]bool{}, IDs: map[string]string{}, Labels: map[string]string{}, Helps: map[string]string{}, Required: map[string]bool{},
		Allowed: map[string]string{},
	}
}

// PublishPage is the form that makes an app of a workflow.
func (c Pages) PublishPage(w http.ResponseWriter, r *http.Request) error {
	return c.showPublish(w, r, false)
}

// PreviewPublishing shows the page once more with the app's form as it would be, or that form alone to the script
// of the page. Nothing is saved.
func (c Pages) PreviewPublishing(w http.ResponseWriter, r *http.Request) error {
	return c.showPublish(w, r, true)
}

// asksForPart tells a request of htmx, which wants a part of a page, from one for a page.
func asksForPart(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

func (c Pages) showPublish(w http.ResponseWriter, r *http.Request, preview bool) error {
	res, err := query.PublishPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	flow, k := res.Workflow.WorkflowHead, nodeform.KindsOf(res.NodeTypes)
	v := publishView{Flow: flow, App: res.Workflow.Publication, Form: frame.FormOf(r), Results: resultOptions(r.Context(), flow, k), Main: mainNode(flow, k),
		At: frame.PlaceOf(r, c.Placed(r, res.Shell, "", frame.Value(flow.WorkspaceId)), "", frame.Value(flow.WorkspaceId))}
	v.Tabs = workflowTabs{flow.Id, flow.Name, tabPublish, res.Me.Memberships != nil, true, flow.ViewerCan.Edit}
	switch {
	case r.Method == http.MethodPost:
		v.Form.Values, v.Choices = r.PostForm, typedChoices(r.PostForm)
		v.Main = frame.Text(r, "thumbnailNodeId")
	case v.App != nil:
		v.Choices = savedChoices(readInputItems(v.App.InputItems), v.App.InputItems)
		if main := frame.Value(v.App.ThumbnailNodeId); main == "" || nodeType(flow.Nodes, main) != "" { // else its node is gone
			v.Main = main
		}
	default:
		v.Choices = firstChoices(r.Context(), flow, k)
	}
	rows := publishRows(r.Context(), flow, k, v.Choices)
	if v.Choices.move(rows, r.PostForm.Get("move")) {
		rows = publishRows(r.Context(), flow, k, v.Choices)
	}
	v.In, v.Out, v.Fed = rows.in(), rows.out(), fedSentence(r.Context(), flow, k)
	items, err := v.Choices.items(r.Context(), flow, k, v.Main)
	if err != nil && preview && !asksForPart(r) {
		return frame.Again(w, r, err, c.PublishPage)
	}
	if e, _ := frame.Refused(err); err != nil {
		v.Problem = e.Message
	}
	v.Preview = formParts(items, flow.Nodes, flow.Edges, k)
	if preview && asksForPart(r) {
		return frame.Write(w, r, http.StatusOK, publishPreview(v))
	}
	at := frame.Page{
		Title: publishVerb(r.Context(), flow), Section: frame.SectionWorkflows, Workspace: frame.Value(flow.WorkspaceId), Wide: true, Scripts: []string{"publish.js"},
	}
	return c.Page(w, r, res.Shell, at, publishContent(v))
}

// resultOptions are the nodes whose output can be the main result.
func resultOptions(ctx context.Context, flow query.WorkflowHead, k nodeform.Kinds) []ui.Option {
	out := []ui.Option{{Value: "", Text: t(ctx, "The last node, or all results")}}
	names := nodeform.NodeNames(flow.Nodes, k)
	for _, n := range flow.Nodes {
		if n.Type != "group" {
			out = append(out, ui.Option{Value: n.Id, Text: names[n.Id]})
		}
	}
	return out
}

// mainNode is the node whose result an app is most likely about: the last that feeds no other, a picture, video or sound
// before a text.
func mainNode(flow query.WorkflowHead, k nodeform.Kinds) string {
	feeding := map[string]bool{}
	for _, e := range nodeform.Feeds(flow.Nodes, flow.Edges) {
		feeding[e.Source] = feeding[e.Source] || !isOutbound(k[nodeType(flow.Nodes, e.Target)])
	}
	best, rank := "", 0
	for _, n := range flow.Nodes {
		worth := map[string]int{"image": 3, "video": 3, "audio": 3, "text": 2, "data": 1}[k[n.Type].OutputType]
		if n.Type != "group" && !isOutbound(k[n.Type]) && !feeding[n.Id] && worth >= max(1, rank) {
			best, rank = n.Id, worth
		}
	}
	return best
}

func nodeType(nodes []query.FlowNode, id string) string {
	for _, n := range nodes {
		if n.Id == id {
			return n.Type
		}
	}
	return ""
}

// publishRowList are the fields of a graph that people could fill in.
type publishRowList []publishRow

func (l publishRowList) in() []publishRow  { return l.pick(true) }
func (l publishRowList) out() []publishRow { return l.pick(false) }

func (l publishRowList) pick(on bool) []publishRow {
	var out []publishRow
	for _, r := range l {
		if r.On == on {
			r.IsFirst = len(out) == 0
			out = append(out, r)
		}
	}
	if len(out) > 0 {
		out[len(out)-1].Last = true
	}
	return out
}

// publishRows lists what can be in the form: fields that nothing feeds, in the chosen order, then in that of the graph.
// Nodes that send to the outside are left out: their fields are refused as locked_field.
func publishRows(ctx context.Context, flow query.WorkflowHead, k nodeform.Kinds, chosen publishChoices) publishRowList {
	names, fed := nodeform.NodeNames(flow.Nodes, k), fedFields(flow, k)
	var out publishRowList
	for _, n := range flow.Nodes {
		if isOutbound(k[n.Type]) {
			continue
		}
		for _, field := range exposedFields(n, k) {
			key := itemID(n.Id, field)
			if fed[key] && !chosen.On[key] {
				continue
			}
			row := publishRow{
				Key: key, ID: chosen.idOf(key), Node: names[n.Id], Field: k.FieldLabel(n.Type, field), On: chosen.On[key], IsFed: fed[key],
				Label: chosen.Labels[key], Help: chosen.Helps[key], Required: chosen.Required[key], Allowed: chosen.Allowed[key],
			}
			if slot, ok := strings.CutPrefix(field, nodeform.SlotPrefix); ok {
				row.Field = nodeform.NameInWords(slot)
			} else if v := nodeform.ValueAt(n.Data, field); v != nil {
				_, text := k.Setting(ctx, n.Type, field, v)
				row.Value = ui.Short(text, nodeform.MaxPreview)
			}
			out = append(out, row)
		}
	}
	place := chosen.places()
	slices.SortStableFunc(out, func(a, b publishRow) int { return place(a.Key) - place(b.Key) })
	for i := range out {
		out[i].Index = i
	}
	return out
}

// fedFields are the fields that the graph feeds, by key.
func fedFields(flow query.WorkflowHead, k nodeform.Kinds) map[string]bool {
	out := map[string]bool{}
	for _, e := range nodeform.Feeds(flow.Nodes, flow.Edges) {
		field := frame.Value(e.TargetHandle)
		if field == "" {
			field = k[nodeType(flow.Nodes, e.Target)].MainInput
		}
		out[itemID(e.Target, field)] = true
	}
	return out
}

// maxFedNamed is how many fields the sentence about those that are left out names.
const maxFedNamed = 5

// fedSentence says which fields are not offered, for other nodes fill them in.
func fedSentence(ctx context.Context, flow query.WorkflowHead, k nodeform.Kinds) string {
	names, fed := nodeform.NodeNames(flow.Nodes, k), fedFields(flow, k)
	var out []string
	for _, n := range flow.Nodes {
		for _, field := range exposedFields(n, k) {
			if fed[itemID(n.Id, field)] && !isOutbound(k[n.Type]) {
				out = append(out, tc(ctx, "field and node", "%s of %s", frame.Brief(k.FieldLabel(n.Type, field)), names[n.Id]))
			}
		}
	}
	switch {
	case len(out) == 0:
		return ""
	case len(out) == 1:
		return t(ctx, "%s is left out: another node feeds it.", out[0])
	}
	return t(ctx, "%s are left out: other nodes feed them.", strings.Join(frame.FirstFew(ctx, out, maxFedNamed), ", "))
}

// firstChoices is a form to begin with: what one would fill in to run the workflow.
func firstChoices(ctx context.Context, flow query.WorkflowHead, k nodeform.Kinds) publishChoices {
	out := noChoices()
	for _, c := range controlsOf(runParts(ctx, flow.Nodes, flow.Edges, k)) {
		out.On[itemID(c.NodeID, c.Field)] = true
	}
	return out
}

func (p publishChoices) idOf(key string) string {
	if id := p.IDs[key]; id != "" {
		return id
	}
	return key
}

// places yields where a field stands; those that were never ordered stand behind the others.
func (p publishChoices) places() func(key string) int {
	at := make(map[string]int, len(p.Order))
	for i, key := range p.Order {
		at[key] = i
	}
	return func(key string) int {
		if i, ok := at[key]; ok {
			return i
		}
		return len(p.Order)
	}
}

// move takes a field of the form one place up or down, "up:picture.seed", and tells whether it did.
func (p *publishChoices) move(rows publishRowList, how string) bool {
	way, key, ok := strings.Cut(how, ":")
	in := rows.in()
	at := slices.IndexFunc(in, func(r publishRow) bool { return r.Key == key })
	to := at + map[string]int{"up": -1, "down": 1}[way]
	if !ok || at < 0 || to < 0 || to >= len(in) || to == at {
		return false
	}
	in[at], in[to] = in[to], in[at]
	p.Order = nil
	for _, r := range append(in, rows.out()...) {
		p.Order = append(p.Order, r.Key)
	}
	return true
}

// exposedFields are the fields of a node that a form may show: those of its schema, the entries of objects whose
// names are free, and the slots of an animation.
func exposedFields(n query.FlowNode, k nodeform.Kinds) []string {
	var out []string
	for _, f := range k.Fields(n.Type) {
		inner, isObject := n.Data[f.Name].(map[string]any)
		switch {
		case f.Control == "motion":
			slots, _ := inner["slots"].(map[string]any)
			for _, slot := range frame.SortedKeys(slots) {
				out = append(out, nodeform.SlotPrefix+slot)
			}
		case !nodeform.Exposable(f):
		case f.Type == "object" && isObject:
			for _, name := range frame.SortedKeys(inner) {
				out = append(out, f.Name+"."+name)
			}
		default:
			out = append(out, f.Name)
		}
	}
	return out
}

// itemID names an exposed field; a run calls the input by it.
func itemID(node, field string) string { return node + "." + field }

func typedChoices(values url.Values) publishChoices {
	out := noChoices()
	out.Intro, out.Custom, out.IsCustom, out.Order = values.Get("intro"), values.Get("items"), values.Get("custom") != "", values["field"]
	for _, key := range values["expose"] {
		out.On[key] = true
	}
	for name, v := range values {
		kind, key, _ := strings.Cut(name, ":")
		switch kind {
		case "id":
			out.IDs[key] = v[0]
		case "label":
			out.Labels[key] = strings.TrimSpace(v[0])
		case "help":
			out.Helps[key] = strings.TrimSpace(v[0])
		case "need":
			out.Required[key] = true
		case "allow":
			out.Allowed[key] = v[0]
		}
	}
	return out
}

// savedChoices turns the form of a published app back into fields. One that fields cannot express is kept as JSON.
func savedChoices(items []inputItem, raw []json.RawMessage) publishChoices {
	out := noChoices()
	out.Custom = frame.WriteJSON(raw)
	for i, item := range items {
		key := itemID(item.NodeID, item.Field)
		switch {
		case item.Type == "richtext" && i == 0:
			out.Intro = item.Content
		case item.Type == "field" && !out.On[key] && textsOnly(item.AllowedValues):
			out.On[key], out.IDs[key], out.Order = true, item.ID, append(out.Order, key)
			out.Labels[key], out.Helps[key], out.Required[key] = item.Label, item.Help, item.Required
			for _, v := range item.AllowedValues {
				out.Allowed[key] += frame.ValueText(v) + "\n"
			}
		case item.Type == "output" && i == len(items)-1:
		default:
			out.IsCustom = true
		}
	}
	if !out.IsCustom {
		out.Custom = ""
	}
	return out
}

// textsOnly tells whether values survive being written one in a line.
func textsOnly(values []any) bool {
	for _, v := range values {
		switch v := v.(type) {
		case float64:
		case string:
			if strings.TrimSpace(v) != v || strings.Contains(v, "\n") || v == "" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// items are the app's form as it is published: the introduction, the fields in their order, the result.
func (p publishChoices) items(ctx context.Context, flow query.WorkflowHead, k nodeform.Kinds, thumbnail string) ([]inputItem, error) {
	if p.IsCustom {
		var out []inputItem
		if err := frame.ReadJSON(p.Custom, &out); err != nil {
			return nil, frame.Invalid("items", t(ctx, "The form cannot be read: %s.", frame.WhyNotJSON(ctx, err)))
		}
		return out, nil
	}
	var out []inputItem
	if strings.TrimSpace(p.Intro) != "" {
		out = append(out, inputItem{Type: "richtext", ID: "intro", Content: p.Intro})
	}
	first, place := len(out), p.places()
	for _, n := range flow.Nodes {
		for _, field := range exposedFields(n, k) {
			if key := itemID(n.Id, field); p.On[key] {
				out = append(out, inputItem{
					Type: "field", ID: p.idOf(key), NodeID: n.Id, Field: field, Label: p.Labels[key], Help: p.Helps[key], Required: p.Required[key],
					AllowedValues: allowedValues(p.Allowed[key], n, field, k),
				})
			}
		}
	}
	slices.SortStableFunc(out[first:], func(a, b inputItem) int { return place(itemID(a.NodeID, a.Field)) - place(itemID(b.NodeID, b.Field)) })
	return append(out, inputItem{Type: "output", ID: "result", NodeID: thumbnail}), nil
}

// allowedValues reads one value in a line: numbers where the field is a number.
func allowedValues(text string, n query.FlowNode, field string, k nodeform.Kinds) []any {
	described, _ := k.Field(n.Type, field)
	_, isNumber := nodeform.ValueAt(n.Data, field).(float64)
	isNumber = isNumber || described.Type == "number" || described.Type == "integer"
	var out []any
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if f, err := strconv.ParseFloat(line, 64); err == nil && isNumber {
			out = append(out, f)
		} else {
			out = append(out, line)
		}
	}
	return out
}

// PublishWorkflow publishes a workflow as an app, or its next version.
func (c Pages) PublishWorkflow(w http.ResponseWriter, r *http.Request) error {
	res, err := query.PublishPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	in, err := publishInput(r, res.Workflow.WorkflowHead, nodeform.KindsOf(res.NodeTypes))
	if err != nil {
		return frame.Again(w, r, err, c.PublishPage)
	}
	app, err := query.PublishWorkflow(r.Context(), c.Client, frame.PathID(r), in)
	if err != nil {
		return frame.Again(w, r, frame.ItemRefusal(r.Context(), err), c.PublishPage)
	}
	out := app.PublishWorkflow
	if old := res.Workflow.Publication; old != nil && old.MaxRunsPerUserPerDay != nil && in.MaxRunsPerUserPerDay == nil {
		// Publishing keeps a limit that is not sent; only null on the app lifts it.
		if _, err := query.SetAppTexts(r.Context(), c.Client, out.Id, in.Name, *in.Description, *in.IconUrl, nil); err != nil {
			return err
		}
	}
	return c.Done(w, "/apps/"+out.Id, t(r.Context(), "%s is published as version %d.", out.Name, out.Version))
}

// publishInput reads the whole form.
func publishInput(r *http.Request, flow query.WorkflowHead, k nodeform.Kinds) (query.PublishWorkflowInput, error) {
	thumbnail, description, icon := frame.Text(r, "thumbnailNodeId"), frame.Text(r, "description"), frame.PastedLink(r, "iconUrl")
	in := query.PublishWorkflowInput{
		Slug: frame.TextOrNil(r, "slug"), Name: frame.Text(r, "name"), Description: &description, IconUrl: &icon,
		ThumbnailNodeId: frame.TextOrNil(r, "thumbnailNodeId"), AllowedEmbedDomains: frame.PastedLinks(r, "allowedEmbedDomains"),
	}
	var err error
	if in.MaxRunsPerUserPerDay, err = frame.WholeOrNil(r, "maxRunsPerUserPerDay"); err != nil {
		return in, err
	}
	items, err := typedChoices(r.PostForm).items(r.Context(), flow, k, thumbnail)
	if err != nil {
		return in, err
	}
	settings := query.PresentationSettingsInput{InputItems: []json.RawMessage{}}
	for _, item := range items {
		settings.InputItems = append(settings.InputItems, json.RawMessage(frame.JSONOf(item)))
	}
	in.PresentationSettings = &settings
	return in, nil
}

// liveForm keeps the form of the app beside the boxes current.
func liveForm(ctx context.Context, v publishView) templ.Attributes {
	return ui.Live(ctx, "post", "/workflows/"+v.Flow.Id+"/publish/preview",
		"trigger", "change from:#publish, input from:#publish delay:500ms", "include", "#publish", "target", "#preview", "swap", "innerHTML", "sync", "this:replace")
}
