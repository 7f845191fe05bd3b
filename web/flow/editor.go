package flow

import (
	"encoding/json"
	"net/http"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"

	"github.com/a-h/templ"
	"github.com/gorilla/mux"
)

// editorView is the page of the editor.
type editorView struct {
	Flow  query.WorkflowHead
	Data  editorData
	Lines []nodeform.NodeLine
}

// editorData is what the script begins with.
type editorData struct {
	ID      string       `json:"id"`
	Account string       `json:"account"`
	Base    string       `json:"base"`
	Version int          `json:"version"`
	CanEdit bool         `json:"canEdit"`
	CanRun  bool         `json:"canRun"`
	Uploads bool         `json:"uploads"`
	LastRun string       `json:"lastRun,omitempty"`
	Nodes   []textNode   `json:"nodes"`
	Edges   []textEdge   `json:"edges"`
	Kinds   []editorKind `json:"kinds"`
	// Workflows are those that a component may be told to run.
	Workflows   []editorChoice `json:"workflows"`
	Credentials []editorChoice `json:"credentials,omitempty"`
}

// editorChoice is something that a field may name.
type editorChoice struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// editorKind is a kind of node in the catalogue.
type editorKind struct {
	Type             string          `json:"type"`
	Label            string          `json:"label"`
	Category         string          `json:"category"`
	Description      string          `json:"description"`
	OutputType       string          `json:"outputType"`
	Capabilities     []string        `json:"capabilities"`
	InputSchema      json.RawMessage `json:"inputSchema"`
	MainInput        string          `json:"mainInput"`
	EstimatedCredits float64         `json:"estimatedCredits"`
	RunsAlone        bool            `json:"-"`
	PricedBy         []string        `json:"-"`
}

// EditorPage is the page of the workflow editor.
func (c Pages) EditorPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.EditorPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	flow := res.Workflow.WorkflowHead
	graph := textOf(flow.Nodes, flow.Edges)
	home := frame.PlaceOf(r, c.Placed(r, res.Shell, "", frame.Value(flow.WorkspaceId)), "", frame.Value(flow.WorkspaceId))
	v := editorView{Flow: flow, Lines: nodeform.NodeLines(r.Context(), flow.Nodes, flow.Edges, nodeform.KindsOf(res.NodeTypes)), Data: editorData{
		ID: flow.Id, Account: res.Shell.Me.Id, Base: editorBase(home, flow.Id), Version: flow.Version, CanEdit: flow.ViewerCan.Edit, CanRun: flow.ViewerCan.Run,
		Uploads: c.Config.Upload != nil, Nodes: graph.Nodes, Edges: graph.Edges,
	}}
	for _, k := range res.NodeTypes {
		v.Data.Kinds = append(v.Data.Kinds, editorKind(k))
	}
	if runs := res.Workflow.Executions.Nodes; len(runs) > 0 {
		v.Data.LastRun = runs[0].Id
	}
	for _, w := range workflowChoices(r, res.Workflow.Beside) {
		v.Data.Workflows = append(v.Data.Workflows, editorChoice{w.Id, w.Name})
	}
	for _, one := range res.CredentialChoices {
		v.Data.Credentials = append(v.Data.Credentials, editorChoice{one.Id, credentialChoice(r.Context(), one)})
	}
	allowMedia(w)
	at := frame.Page{Title: flow.Name, Section: frame.SectionWorkflows, Workspace: frame.Value(flow.WorkspaceId), Wide: true, Scripts: []string{"editor.min.js"}}
	return c.Page(w, r, res.Shell, at, editorContent(v))
}

// editorBase is the address of the editor's actions: nodes that are tried are paid by the workflow's own workspace, where
// the person is in it.
func editorBase(home frame.Place, id string) string {
	workspace := ""
	if home.Workspace != nil && !frame.Suspended(home.Workspace.MemberStatus) {
		workspace = home.Workspace.Id
	}
	return frame.SpacePath(workspace, "/workflows/"+id+"/editor")
}

// answer is what an action of the editor tells its script.
type answer map[string]any

// Answering makes an action of a function that answers in JSON. Refusals become {"error": {...}} under their status.
func (c Pages) Answering(ask func(r *http.Request) (answer, error)) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		found, err := ask(r)
		if e, known := frame.Refused(err); err != nil && known {
			return writeAnswer(w, e.Status, answer{"error": answer{"code": e.Code, "message": e.Message, "field": e.Field}})
		}
		if err != nil {
			return err
		}
		return writeAnswer(w, http.StatusOK, found)
	}
}

func writeAnswer(w http.ResponseWriter, status int, body answer) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(frame.JSONOf(body)))
	return nil
}

// CheckGraph says what saving the graph would say, and what a run of it would cost.
func (c Pages) CheckGraph(r *http.Request) (answer, error) {
	graph, err := readGraph(r.Context(), r.PostForm.Get("graph"))
	if err != nil {
		return nil, err
	}
	res, err := query.CheckWorkflow(r.Context(), c.Client, frame.PathID(r), graph.Nodes, graph.Edges)
	if err != nil {
		return nil, err
	}
	problems, nodes, k := []answer{}, graph.flowNodes(), nodeform.KindsOf(res.NodeTypes)
	for _, p := range res.CheckWorkflow.Problems {
		problems = append(problems, answer{"nodeId": p.NodeId, "field": p.Field, "message": problemText(r.Context(), p, nodes, k)})
	}
	warnings := []answer{}
	for _, p := range res.CheckWorkflow.Warnings {
		warnings = append(warnings, answer{"nodeId": p.NodeId, "field": p.Field, "message": warningText(r.Context(), p, nodes, k)})
	}
	return answer{"problems": problems, "warnings": warnings, "cost": frame.CreditsIn(r.Context(), res.CheckWorkflow.EstimatedCredits)}, nil
}

// SaveGraph saves the graph alone. One that came too late gets both versions.
func (c Pages) SaveGraph(w http.ResponseWriter, r *http.Request) error {
	graph, err := readGraph(r.Context(), r.PostForm.Get("graph"))
	saved := 0
	if err == nil {
		saved, err = c.saveVersion(r, graph)
	}
	if frame.HasCode(err, "stale_version") {
		return c.staleGraph(w, r, graph)
	}
	return c.Answering(func(*http.Request) (answer, error) { return answer{"version": saved}, graphRefusal(r.Context(), err) })(w, r)
}

// staleGraph answers 409 with what another person saved, and what differs.
func (c Pages) staleGraph(w http.ResponseWriter, r *http.Request, mine graphText) error {
	res, err := query.WorkflowCompared(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	now, changes := res.Workflow, []answer{}
	typed := typedState(query.UpdateWorkflowInput{Nodes: mine.Nodes, Edges: mine.Edges}, stateOf(now))
	for _, change := range differences(r.Context(), stateOf(now), typed, nodeform.KindsOf(res.NodeTypes)).flat(r.Context()) {
		changes = append(changes, answer{"name": change.Name, "before": change.Before, "after": change.After})
	}
	graph := textOf(now.Nodes, now.Edges)
	return writeAnswer(w, http.StatusConflict, answer{
		"error": answer{"code": "stale_version", "message": t(r.Context(), "%s was saved as version %d while you had it open.", now.Name, now.Version), "field": ""},
		"stale": answer{"version": now.Version, "nodes": graph.Nodes, "edges": graph.Edges, "changes": changes},
	})
}

// EditorRunForm is the form of a run, for the dialog of the editor.
func (c Pages) EditorRunForm(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkflowPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	flow := res.Workflow.WorkflowHead
	home := frame.PlaceOf(r, c.Placed(r, res.Shell, "", frame.Value(flow.WorkspaceId)), "", frame.Value(flow.WorkspaceId))
	v := workflowView{Flow: flow, Run: runParts(r.Context(), flow.Nodes, flow.Edges, nodeform.KindsOf(res.NodeTypes)), Payer: homePayer(r.Context(), home, flow)}
	space := frame.Value(flow.WorkspaceId)
	if err := nodeform.AddThingsOf(c.Console, r, &space, controlsIn(v.Run)); err != nil {
		return err
	}
	return frame.Write(w, r, http.StatusOK, editorRunFields(v))
}

// RunFromEditor starts a run of what was saved last.
func (c Pages) RunFromEditor(r *http.Request) (answer, error) {
	run, err := c.startRun(r)
	return answer{"run": run}, err
}

// TryNode runs one node by itself.
func (c Pages) TryNode(r *http.Request) (answer, error) {
	var settings map[string]any
	if err := frame.ReadJSON(r.PostForm.Get("settings"), &settings); err != nil {
		return nil, frame.Invalid("settings", t(r.Context(), "The fields cannot be read: %s.", frame.WhyNotJSON(r.Context(), err)))
	}
	for _, own := range []string{"label", "title", "name", "holdForReview", "fieldMappings"} {
		delete(settings, own)
	}
	res, err := query.TryNode(r.Context(), c.Client, frame.Text(r, "type"), settings)
	if err != nil {
		return nil, err
	}
	return answer{"run": res.RunNode.Job.ExecutionId}, nil
}

// UploadFromEditor keeps a file and says its address.
func (c Pages) UploadFromEditor(r *http.Request) (answer, error) {
	if c.Config.Upload == nil || r.MultipartForm == nil || len(r.MultipartForm.File["file"]) == 0 {
		return nil, frame.Invalid("file", t(r.Context(), "Choose a file of at most 100 MiB."))
	}
	address, err := c.keepFile(r.Context(), r.MultipartForm.File["file"][0])
	return answer{"url": address}, err
}

func pathRun(r *http.Request) string { return mux.Vars(r)["run"] }

// EditorRunLive streams how a run stands, for the panel of the editor.
func (c Pages) EditorRunLive(w http.ResponseWriter, r *http.Request) error {
	return c.Live(w, r, executionEvents(pathRun(r)), func() (templ.Component, bool, error) { return c.editorRun(r) })
}

// EditorRunState is how a run stands now, where events do not arrive.
func (c Pages) EditorRunState(w http.ResponseWriter, r *http.Request) error {
	part, _, err := c.editorRun(r)
	if err != nil {
		return err
	}
	return frame.Write(w, r, http.StatusOK, part)
}

func (c Pages) editorRun(r *http.Request) (part templ.Component, over bool, err error) {
	res, err := query.RunState(r.Context(), c.Client, pathRun(r))
	if err != nil {
		return nil, false, err
	}
	v := c.runViewOf(r.Context(), "/runs/"+res.Execution.Id, res.Execution, nodeform.KindsOf(res.NodeTypes))
	return editorRunPart(v, c.Now()), v.Over, nil
}
