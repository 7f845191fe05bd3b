package flow

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// publishView is the form to publish a workflow.
type publishView struct {
	Flow    query.WorkflowHead
	App     *query.PublishedApp
	Nodes   []publishNode
	Choices publishChoices
	Results []ui.Option
	Form    frame.Form
	// Preview is the app's form as it would be, once asked for; Problem says why there is none.
	Preview []formPart
	Problem string
	Asked   bool
}

// publishNode is a node and those of its fields that may be exposed.
type publishNode struct {
	Name, Detail string
	Fields       []publishField
}

// limited and free are the fields with and without a list of values.
func (n publishNode) limited() []publishField { return n.pick(true) }
func (n publishNode) free() []publishField    { return n.pick(false) }

func (n publishNode) pick(limited bool) []publishField {
	var out []publishField
	for _, f := range n.Fields {
		if limited == (f.Allowed != "") {
			out = append(out, f)
		}
	}
	return out
}

// publishField is one field that may be exposed. Key names it in the form.
type publishField struct {
	Key, Label, Value string
	Index             int
	On                bool
	Allowed           string
}

// publishChoices is what the form says about the app's own form.
type publishChoices struct {
	Intro string
	On    map[string]bool
	// Allowed are the only values of a field, one in a line.
	Allowed map[string]string
	// Custom is the form as JSON, used in place of the boxes when IsCustom.
	Custom   string
	IsCustom bool
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
	flow, k := res.Workflow.WorkflowHead, kindsOf(res.NodeTypes)
	v := publishView{Flow: flow, App: res.Workflow.Publication, Form: frame.FormOf(r), Asked: preview}
	if r.Method == http.MethodPost {
		v.Form.Values, v.Choices = r.PostForm, typedChoices(r.PostForm)
	} else if v.App != nil {
		v.Choices = savedChoices(readInputItems(v.App.InputItems), v.App.InputItems)
	}
	v.Nodes, v.Results = publishNodes(flow, k, v.Choices), resultOptions(flow, k)
	if preview {
		items, err := v.Choices.items(flow, k, frame.Text(r, "thumbnailNodeId"))
		if err != nil && !asksForPart(r) {
			return frame.Again(w, r, err, c.PublishPage)
		}
		if e, _ := frame.Refused(err); err != nil {
			v.Problem = e.Message
		}
		v.Preview = formParts(items, flow.Nodes, k)
	}
	if asksForPart(r) {
		return frame.Write(w, r, http.StatusOK, publishPreview(v))
	}
	at := frame.Page{Title: "Publish " + flow.Name, Section: frame.SectionWorkflows, Workspace: frame.Value(flow.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, publishContent(v))
}

// resultOptions are the nodes whose output can be the main result.
func resultOptions(flow query.WorkflowHead, k kinds) []ui.Option {
	out := []ui.Option{{Value: "", Text: "The last node, or all results"}}
	names := nodeNames(flow.Nodes, k)
	for _, n := range flow.Nodes {
		if n.Type != "group" {
			out = append(out, ui.Option{Value: n.Id, Text: names[n.Id]})
		}
	}
	return out
}

// publishNodes lists what can be exposed. Nodes that send to the outside are left out: their fields are refused
// as locked_field.
func publishNodes(flow query.WorkflowHead, k kinds, chosen publishChoices) []publishNode {
	names := nodeNames(flow.Nodes, k)
	var out []publishNode
	index := 0
	for _, n := range flow.Nodes {
		if isOutbound(k[n.Type]) {
			continue
		}
		p := publishNode{Name: names[n.Id], Detail: nodeDetail(names[n.Id], k.label(n.Type), n.Id)}
		for _, field := range exposedFields(n, k) {
			key := itemID(n.Id, field)
			f := publishField{Key: key, Label: k.fieldLabel(n.Type, field), Index: index, On: chosen.On[key], Allowed: chosen.Allowed[key]}
			if slot, ok := strings.CutPrefix(field, slotPrefix); ok {
				f.Label = spaced(slot)
			} else if v := valueAt(n.Data, field); v != nil {
				f.Value = ui.Short(valueText(v), frame.MostOfValue)
			}
			p.Fields, index = append(p.Fields, f), index+1
		}
		if len(p.Fields) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// exposedFields are the fields of a node that a form may show: those of its schema, the entries of objects whose
// names are free, and the slots of an animation.
func exposedFields(n query.FlowNode, k kinds) []string {
	var out []string
	for _, f := range k.fields(n.Type) {
		inner, isObject := n.Data[f.Name].(map[string]any)
		switch {
		case f.Control == "motion":
			slots, _ := inner["slots"].(map[string]any)
			for _, slot := range frame.SortedKeys(slots) {
				out = append(out, slotPrefix+slot)
			}
		case !exposable(f):
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
	out := publishChoices{
		Intro: values.Get("intro"), Custom: values.Get("items"), IsCustom: values.Get("custom") != "",
		On: map[string]bool{}, Allowed: map[string]string{},
	}
	for _, key := range values["expose"] {
		out.On[key] = true
	}
	for name, v := range values {
		if key, ok := strings.CutPrefix(name, "allow:"); ok {
			out.Allowed[key] = v[0]
		}
	}
	return out
}

// savedChoices turns the form of a published app back into boxes. One that boxes cannot express is kept as JSON.
func savedChoices(items []inputItem, raw []json.RawMessage) publishChoices {
	out := publishChoices{On: map[string]bool{}, Allowed: map[string]string{}, Custom: frame.WriteJSON(raw)}
	for i, item := range items {
		switch {
		case item.Type == "richtext" && i == 0:
			out.Intro = item.Content
		case item.Type == "field" && item.ID == itemID(item.NodeID, item.Field) && item.Label == "" && textsOnly(item.AllowedValues):
			out.On[item.ID] = true
			for _, v := range item.AllowedValues {
				out.Allowed[item.ID] += valueText(v) + "\n"
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

// items are the app's form as it is published: the introduction, the exposed fields in the order of the graph, the result.
func (p publishChoices) items(flow query.WorkflowHead, k kinds, thumbnail string) ([]inputItem, error) {
	if p.IsCustom {
		var out []inputItem
		if err := frame.ReadJSON(p.Custom, &out); err != nil {
			return nil, frame.Invalid("items", "The form cannot be read: "+err.Error()+".")
		}
		return out, nil
	}
	var out []inputItem
	if strings.TrimSpace(p.Intro) != "" {
		out = append(out, inputItem{Type: "richtext", ID: "intro", Content: p.Intro})
	}
	for _, n := range flow.Nodes {
		for _, field := range exposedFields(n, k) {
			key := itemID(n.Id, field)
			if p.On[key] {
				out = append(out, inputItem{Type: "field", ID: key, NodeID: n.Id, Field: field, AllowedValues: allowedValues(p.Allowed[key], n, field, k)})
			}
		}
	}
	return append(out, inputItem{Type: "output", ID: "result", NodeID: thumbnail}), nil
}

// allowedValues reads one value in a line: numbers where the field is a number.
func allowedValues(text string, n query.FlowNode, field string, k kinds) []any {
	described, _ := k.field(n.Type, field)
	_, isNumber := valueAt(n.Data, field).(float64)
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
	in, err := publishInput(r, res.Workflow.WorkflowHead, kindsOf(res.NodeTypes))
	if err != nil {
		return frame.Again(w, r, err, c.PublishPage)
	}
	app, err := query.PublishWorkflow(r.Context(), c.Client, frame.PathID(r), in)
	if err != nil {
		return frame.Again(w, r, frame.ItemRefusal(err), c.PublishPage)
	}
	out := app.PublishWorkflow
	if old := res.Workflow.Publication; old != nil && old.MaxRunsPerUserPerDay != nil && in.MaxRunsPerUserPerDay == nil {
		// Publishing keeps a limit that is not sent; only null on the app lifts it.
		if _, err := query.SetAppTexts(r.Context(), c.Client, out.Id, in.Name, *in.Description, *in.IconUrl, nil); err != nil {
			return err
		}
	}
	return c.Done(w, "/apps/"+out.Id, out.Name+" is published as version "+ui.Count(out.Version)+".")
}

// publishInput reads the whole form.
func publishInput(r *http.Request, flow query.WorkflowHead, k kinds) (query.PublishWorkflowInput, error) {
	thumbnail, description, icon := frame.Text(r, "thumbnailNodeId"), frame.Text(r, "description"), frame.Text(r, "iconUrl")
	in := query.PublishWorkflowInput{
		Slug: frame.TextOrNil(r, "slug"), Name: frame.Text(r, "name"), Description: &description, IconUrl: &icon,
		ThumbnailNodeId: frame.TextOrNil(r, "thumbnailNodeId"), AllowedEmbedDomains: frame.Lines(frame.Text(r, "allowedEmbedDomains")),
	}
	var err error
	if in.MaxRunsPerUserPerDay, err = frame.WholeOrNil(r, "maxRunsPerUserPerDay"); err != nil {
		return in, err
	}
	items, err := typedChoices(r.PostForm).items(flow, k, thumbnail)
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
		"trigger", "load, change from:#publish, input from:#publish delay:500ms", "include", "#publish", "target", "#preview", "swap", "outerHTML")
}
