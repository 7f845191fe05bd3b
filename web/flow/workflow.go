package flow

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// workflowView is the page of one workflow.
type workflowView struct {
	Flow    query.WorkflowHead
	Tab     string
	History []query.RunRow
	Graph   ui.GraphProps
	Text    string // the graph as text
	Run     []formPart
	Kinds   []query.NodeKind
	Words   frame.Words
	Sharing bool   // whether the install shares workflows
	Payer   string // who pays for a run
	Form    frame.Form
	Prefill url.Values // values for the run, from the address
}

// idle tells that there is nothing yet that could run, for the one who could run it.
func (v workflowView) idle() bool { return len(v.Flow.Nodes) == 0 && v.Flow.ViewerCan.Run }

func (v workflowView) tabs() workflowTabs {
	return workflowTabs{
		ID: v.Flow.Id, Name: v.Flow.Name, Current: v.Tab, Sharing: v.Sharing, Publish: v.Flow.ViewerCan.Publish, Edit: v.Flow.ViewerCan.Edit,
	}
}

// refusedNext is what to do about a refusal of a run.
type refusedNext struct{ Text, Act, Href string }

func (v workflowView) refusedNext(ctx context.Context) refusedNext {
	workspace, said := frame.Value(v.Flow.WorkspaceId), frame.Saying(ctx, v.Words)
	if v.Form.Err == nil {
		return refusedNext{}
	}
	switch v.Form.Err.Code {
	case "budget_exceeded", "member_cap_exceeded", "insufficient_app_credits":
		if workspace == "" {
			return refusedNext{
				Text: t(ctx, "Your personal credits pay here. A copy of the workflow in a space that pays can be run there."),
				Act:  t(ctx, "Save as a template"), Href: "/workflows/" + v.Flow.Id + "/template",
			}
		}
		return refusedNext{
			Text: t(said, "What you typed is still here. {An admin} can give more."),
			Act:  t(ctx, "Ask for more credits"), Href: "/workspaces/" + workspace + "/request",
		}
	case "workspace_archived":
		return refusedNext{Text: t(ctx, "Nothing runs in it while it is archived. An admin of the organization can bring it back.")}
	case "member_suspended":
		return refusedNext{Text: t(said, "{An admin} can lift that.")}
	case "org_not_active":
		return refusedNext{Text: t(ctx, "Nothing runs in it until an operator of this install has approved it again.")}
	}
	return refusedNext{}
}

// workflowTab is what the address asks for, or where a refused form stands.
func workflowTab(r *http.Request, may query.WorkflowRights) string {
	wanted := r.URL.Query().Get("tab")
	if form := frame.FormOf(r); form.Err != nil {
		wanted = map[string]string{"details": tabDetails, "run": tabGraph, "edit": tabJSON, "": tabJSON}[form.Values.Get("form")]
	}
	if wanted == tabJSON || wanted == tabDetails && may.Edit {
		return wanted
	}
	return tabGraph
}

// WorkflowPage is the page of one workflow: its graph, the form to run it and its latest runs; behind tabs what it is
// called, and the graph as text.
func (c Pages) WorkflowPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkflowPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	flow, k := res.Workflow.WorkflowHead, nodeform.KindsOf(res.NodeTypes)
	flow.WhyNotRun = c.inWords(r, flow.WhyNotRun)
	home := frame.PlaceOf(r, c.Placed(r, res.Shell, "", frame.Value(flow.WorkspaceId)), "", frame.Value(flow.WorkspaceId))
	v := workflowView{
		Flow: flow, Tab: workflowTab(r, flow.ViewerCan), History: res.Workflow.Executions.Nodes, Kinds: res.NodeTypes, Form: frame.FormOf(r), Prefill: r.URL.Query(),
		Graph: nodeform.Drawing("graph", flow.Name, flow.Nodes, flow.Edges, k, nil),
		Text:  writeGraph(flow.Nodes, flow.Edges), Run: runParts(r.Context(), flow.Nodes, flow.Edges, k),
		Words: home.Words, Sharing: res.Me.Memberships != nil, Payer: homePayer(r.Context(), home, flow),
	}
	space := frame.Value(flow.WorkspaceId)
	if err := nodeform.AddThingsOf(c.Console, r, &space, controlsIn(v.Run)); err != nil {
		return err
	}
	at := frame.Page{Title: flow.Name, Section: frame.SectionWorkflows, Workspace: space, Wide: true}
	return c.Page(w, r, res.Shell, at, workflowContent(v, c.Now()))
}

// UpdateWorkflow saves what a form of the page holds: what the workflow is called, its graph as the next version, or both.
func (c Pages) UpdateWorkflow(w http.ResponseWriter, r *http.Request) error {
	version, err := strconv.Atoi(frame.Text(r, "version"))
	if err != nil {
		return frame.Refusal(http.StatusBadRequest, "validation_error", t(r.Context(), "The form does not say which version it was made on."))
	}
	in, err := workflowInput(r, version)
	if err != nil {
		return frame.Again(w, r, err, c.WorkflowPage)
	}
	said, err := c.updateWorkflow(r, in)
	if frame.HasCode(err, "stale_version") {
		return c.staleWorkflow(w, r, in)
	}
	if err != nil {
		return frame.Again(w, r, graphRefusal(r.Context(), err), c.WorkflowPage)
	}
	return c.Done(w, "/workflows/"+frame.PathID(r), said)
}

// workflowInput reads a form. Name and nodes are nil where it does not hold them.
func workflowInput(r *http.Request, version int) (in query.UpdateWorkflowInput, err error) {
	in.Version = &version
	if r.PostForm.Has("name") {
		name, description := frame.Text(r, "name"), frame.Text(r, "description")
		in.Name, in.Description = &name, &description
	}
	if v := query.WorkflowVisibility(frame.Text(r, "visibility")); v != "" {
		in.Visibility = &v
	}
	if r.PostForm.Has("graph") {
		graph, err := readGraph(r.Context(), r.PostForm.Get("graph"))
		if err != nil {
			return in, err
		}
		in.Nodes, in.Edges = graph.Nodes, graph.Edges
	}
	return in, nil
}

// updateWorkflow yields what to say about the save.
func (c Pages) updateWorkflow(r *http.Request, in query.UpdateWorkflowInput) (string, error) {
	switch {
	case in.Nodes == nil && in.Name != nil:
		res, err := query.SaveWorkflowDetails(r.Context(), c.Client, frame.PathID(r), *in.Name, *in.Description, in.Visibility, *in.Version)
		if err != nil {
			return "", err
		}
		return t(r.Context(), "%s is saved.", res.UpdateWorkflow.Name), nil
	case in.Name == nil:
		version, err := c.saveVersion(r, graphText{Nodes: in.Nodes, Edges: in.Edges}.whole())
		return t(r.Context(), "The graph is saved. It is at version %d.", version), err
	}
	res, err := query.UpdateWorkflow(r.Context(), c.Client, frame.PathID(r), in)
	if err != nil {
		return "", err
	}
	return t(r.Context(), "%s is saved. It is at version %d.", res.UpdateWorkflow.Name, res.UpdateWorkflow.Version), nil
}

// RunWorkflow starts a run of the saved version.
func (c Pages) RunWorkflow(w http.ResponseWriter, r *http.Request) error {
	run, err := c.startRun(r)
	if err != nil {
		return frame.Again(w, r, err, c.WorkflowPage)
	}
	return frame.SeeOther(w, "/runs/"+run)
}

// DeleteWorkflowPage asks before a workflow is deleted.
func (c Pages) DeleteWorkflowPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkflowAlone(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "Delete %s", res.Workflow.Name), Section: frame.SectionWorkflows, Workspace: frame.Value(res.Workflow.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, deleteWorkflowContent(res.Workflow))
}

// DeleteWorkflow deletes a workflow.
func (c Pages) DeleteWorkflow(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteWorkflow(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.DeleteWorkflowPage)
	}
	return c.Done(w, frame.SafePath(frame.SpacePath(frame.Text(r, "space"), "/workflows")), t(r.Context(), "The workflow is deleted."))
}
