package flow

import (
	"context"
	"net/http"
	"strings"

	"atelier/humantext"
	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"

	"github.com/gorilla/mux"
)

// triggersView is what starts a workflow by itself.
type triggersView struct {
	Flow  query.TriggeredWorkflow
	Tabs  workflowTabs
	Rows  []triggerLine
	List  frame.Listing
	Form  frame.Form
	Hooks int // nodes of the workflow whose addresses start it
}

// triggerLine is a trigger under its name.
type triggerLine struct {
	query.TriggerRow
	Name string
}

func (t triggerLine) href() string { return "/workflows/" + t.WorkflowId + "/triggers/" + t.Id }

func (t triggerLine) byHand() bool { return t.NodeId == nil }

// The types of a webhook's node and of its parameters.
const (
	webhookNode   = "webhook-trigger"
	textParameter = "text"
)

// triggerLines name triggers after their nodes.
func (c Pages) triggerLines(r *http.Request, rows []query.TriggerRow, nodes []query.FlowNode, k nodeform.Kinds) []triggerLine {
	names := nodeform.NodeNames(nodes, k)
	out := make([]triggerLine, len(rows))
	for i, row := range rows {
		row.ParkedReason = c.inWords(r, row.ParkedReason)
		out[i] = triggerLine{row, t(r.Context(), "Made by hand")}
		if row.NodeId != nil {
			out[i].Name = frame.Or(names[*row.NodeId], t(r.Context(), "A node"))
		}
	}
	return out
}

// Triggers lists the addresses and timetables that start a workflow.
func (c Pages) Triggers(w http.ResponseWriter, r *http.Request) error {
	id := frame.PathID(r)
	list := frame.ListingOf(r, "/workflows/"+id+"/triggers", 20)
	res, err := query.TriggersPage(r.Context(), c.Client, id, list.After())
	if err != nil {
		return err
	}
	flow := res.Workflow
	list.Loaded(flow.Triggers.PageInfo, len(flow.Triggers.Nodes), flow.Triggers.TotalCount)
	v := triggersView{
		Flow: flow, Rows: c.triggerLines(r, flow.Triggers.Nodes, flow.Nodes, nodeform.KindsOf(res.NodeTypes)), List: list, Form: frame.FormOf(r),
		Tabs: workflowTabs{flow.Id, flow.Name, tabTriggers, res.Me.Memberships != nil, flow.ViewerCan.Publish, flow.ViewerCan.Edit},
	}
	for _, n := range flow.Nodes {
		if n.Type == webhookNode {
			v.Hooks++
		}
	}
	frame.HoldSecret(w)
	at := frame.Page{Title: t(r.Context(), "Triggers of %s", flow.Name), Section: frame.SectionWorkflows, Workspace: frame.Value(flow.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, triggersContent(v, c.Now()))
}

// CreateTrigger makes an address by hand.
func (c Pages) CreateTrigger(w http.ResponseWriter, r *http.Request) error {
	in := query.CreateTriggerInput{WorkflowId: frame.PathID(r), Type: query.TriggerTypeWebhook}
	if _, err := query.CreateTrigger(r.Context(), c.Client, in); err != nil {
		return frame.Again(w, r, err, c.Triggers)
	}
	return c.Done(w, "/workflows/"+frame.PathID(r)+"/triggers", t(r.Context(), "The address is made. Anyone who knows it can start the workflow."))
}

func triggerOf(r *http.Request) string { return mux.Vars(r)["trigger"] }

// SetTriggerActive pauses or resumes a trigger.
func (c Pages) SetTriggerActive(w http.ResponseWriter, r *http.Request) error {
	on := frame.Text(r, "active") == "1"
	if _, err := query.SetTriggerActive(r.Context(), c.Client, triggerOf(r), on); err != nil {
		return frame.Again(w, r, err, c.Triggers)
	}
	said := t(r.Context(), "It is paused: it starts nothing until it is resumed.")
	if on {
		said = t(r.Context(), "It is on again.")
	}
	return c.Done(w, "/workflows/"+frame.PathID(r)+"/triggers", said)
}

// triggerView is one trigger, to be tried or deleted.
type triggerView struct {
	Flow    query.WorkflowHead
	Trigger triggerLine
	Fields  []query.TriggerParameter
	Form    frame.Form
}

func (c Pages) loadTrigger(r *http.Request) (*query.WorkflowTriggerResponse, triggerView, error) {
	res, err := query.WorkflowTrigger(r.Context(), c.Client, triggerOf(r), frame.PathID(r))
	if err != nil {
		return nil, triggerView{}, err
	}
	if res.Trigger.WorkflowId != res.Workflow.Id {
		return nil, triggerView{}, frame.Refusal(http.StatusNotFound, "not_found", t(r.Context(), "There is no such trigger."))
	}
	v := triggerView{
		Flow: res.Workflow, Form: frame.FormOf(r), Fields: res.Trigger.Parameters,
		Trigger: c.triggerLines(r, []query.TriggerRow{res.Trigger}, res.Workflow.Nodes, nodeform.KindsOf(res.NodeTypes))[0],
	}
	if v.Trigger.byHand() && len(v.Fields) == 0 {
		v.Fields = onlyParameters(res.Workflow.Nodes)
	}
	return res, v, nil
}

// onlyParameters are those of the only webhook on the canvas, which a trigger that was made by hand starts.
func onlyParameters(nodes []query.FlowNode) (found []query.TriggerParameter) {
	hooks := 0
	for _, n := range nodes {
		if n.Type != webhookNode {
			continue
		}
		hooks++
		list, _ := n.Data["parameters"].([]any)
		for _, item := range list {
			entry, _ := item.(map[string]any)
			name, _ := entry["name"].(string)
			kind, _ := entry["type"].(string)
			if name != "" {
				found = append(found, query.TriggerParameter{Name: name, Type: frame.Or(kind, textParameter)})
			}
		}
	}
	if hooks != 1 {
		return nil
	}
	return found
}

// TryTriggerPage is a form with which an address can be called.
func (c Pages) TryTriggerPage(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadTrigger(r)
	if err != nil {
		return err
	}
	frame.HoldSecret(w)
	at := frame.Page{Title: t(r.Context(), "Try %s", v.Trigger.Name), Section: frame.SectionWorkflows, Workspace: frame.Value(v.Flow.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, tryTriggerContent(v))
}

// TryTrigger calls an address with what was filled in: the whole body where one was written, else the fields.
func (c Pages) TryTrigger(w http.ResponseWriter, r *http.Request) error {
	payload := map[string]any{}
	for name := range r.PostForm {
		if parameter, ok := strings.CutPrefix(name, fieldPrefix); ok && r.PostFormValue(name) != "" {
			payload[parameter] = humantext.LineEnds(r.PostFormValue(name))
		}
	}
	if body := strings.TrimSpace(r.PostFormValue("payload")); body != "" {
		payload = map[string]any{}
		if err := frame.ReadJSON(body, &payload); err != nil || payload == nil {
			return frame.Again(w, r, frame.Invalid("payload", t(r.Context(), "The body is no JSON object: %s.", whyNot(r.Context(), err))), c.TryTriggerPage)
		}
	}
	_, err := query.TryTrigger(r.Context(), c.Client, triggerOf(r), payload)
	if err != nil {
		return frame.Again(w, r, err, c.TryTriggerPage)
	}
	return c.Done(w, "/workflows/"+frame.PathID(r)+"/triggers", t(r.Context(), "The call was taken, and a run has begun."))
}

func whyNot(ctx context.Context, err error) string {
	if err == nil {
		return t(ctx, "it is null")
	}
	return frame.WhyNotJSON(ctx, err)
}

// fieldPrefix stands before the names of parameters in the form, of which people choose the names.
const fieldPrefix = "p."

// curlLine is the call as a line for a shell.
func curlLine(address string, fields []query.TriggerParameter) string {
	body := map[string]any{}
	for _, p := range fields {
		body[p.Name] = exampleOf(p)
	}
	return "curl -X POST " + quoted(address) + " \\\n  -H 'Content-Type: application/json' \\\n  -d " + quoted(frame.PlainJSON(body))
}

// quoted is a text as one word for a shell.
func quoted(text string) string {
	return "'" + strings.ReplaceAll(strings.TrimSpace(text), "'", `'\''`) + "'"
}

func exampleOf(p query.TriggerParameter) string {
	switch p.Type {
	case "imageUrl":
		return "https://example.com/picture.png"
	case "videoUrl":
		return "https://example.com/film.mp4"
	case "audioUrl":
		return "https://example.com/sound.mp3"
	}
	return "some text"
}

// parameterWords is what a call hands on, in a sentence.
func parameterWords(ctx context.Context, fields []query.TriggerParameter) string {
	if len(fields) == 0 {
		return t(ctx, "nothing; its body may be empty")
	}
	words := make([]string, len(fields))
	for i, p := range fields {
		words[i] = p.Name + " (" + kindOfParameter(ctx, p.Type) + ")"
	}
	return strings.Join(words, ", ")
}

func kindOfParameter(ctx context.Context, kind string) string {
	switch kind {
	case "imageUrl":
		return t(ctx, "address of a picture")
	case "videoUrl":
		return t(ctx, "address of a film")
	case "audioUrl":
		return t(ctx, "address of a sound")
	}
	return t(ctx, "text")
}

// parameterHint says what belongs into the field of a parameter.
func parameterHint(ctx context.Context, kind string) string {
	switch kind {
	case "imageUrl":
		return t(ctx, "The address of a picture.")
	case "videoUrl":
		return t(ctx, "The address of a film.")
	case "audioUrl":
		return t(ctx, "The address of a sound.")
	}
	return ""
}

// DeleteTriggerPage asks before a trigger that was made by hand is deleted.
func (c Pages) DeleteTriggerPage(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadTrigger(r)
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "Delete the trigger"), Section: frame.SectionWorkflows, Workspace: frame.Value(v.Flow.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, deleteTriggerContent(v))
}

// DeleteTrigger deletes a trigger that was made by hand.
func (c Pages) DeleteTrigger(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteTrigger(r.Context(), c.Client, triggerOf(r)); err != nil {
		return frame.Again(w, r, err, c.DeleteTriggerPage)
	}
	return c.Done(w, "/workflows/"+frame.PathID(r)+"/triggers", t(r.Context(), "The trigger is deleted."))
}
