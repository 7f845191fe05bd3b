package flow

import (
	"net/http"
	"strconv"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// Versions lists the saved states of a workflow.
func (c Pages) Versions(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkflowVersions(r.Context(), c.Client, frame.PathID(r), frame.After(r))
	if err != nil {
		return err
	}
	flow := res.Workflow
	at := frame.Page{Title: t(r.Context(), "Versions of %s", flow.Name), Section: frame.SectionWorkflows, Workspace: frame.Value(flow.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, versionsContent(flow, versionTabs(res), frame.NextHref(r, flow.Versions.PageInfo), c.Now()))
}

func versionTabs(res *query.WorkflowVersionsResponse) workflowTabs {
	flow := res.Workflow
	return workflowTabs{flow.Id, flow.Name, tabVersions, res.Me.Memberships != nil, flow.ViewerCan.Publish, flow.ViewerCan.Edit}
}

// versionView is one saved state beside the current one.
type versionView struct {
	Flow    query.WorkflowHead
	Saved   query.SavedGraph
	Graph   ui.GraphProps
	Lines   []nodeform.NodeLine
	Text    string
	Tabs    workflowTabs
	Changes graphChanges // from the saved state to the current one
}

func pathVersion(r *http.Request) int {
	n, _ := strconv.Atoi(mux.Vars(r)["version"]) // digits, by the route
	return n
}

// VersionPage shows a saved state, and what has changed since.
func (c Pages) VersionPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkflowVersion(r.Context(), c.Client, frame.PathID(r), pathVersion(r))
	if err != nil {
		return err
	}
	flow, saved, k := res.Workflow, res.WorkflowVersion, nodeform.KindsOf(res.NodeTypes)
	before := stateOf(flow)
	before.Nodes, before.Edges = saved.Nodes, saved.Edges
	v := versionView{
		Flow: flow, Saved: saved, Lines: nodeform.NodeLines(r.Context(), saved.Nodes, saved.Edges, k), Text: writeGraph(saved.Nodes, saved.Edges),
		Graph:   nodeform.Drawing("version-graph", t(r.Context(), "Version %d", saved.Version), saved.Nodes, saved.Edges, k, nil),
		Changes: differences(r.Context(), before, stateOf(flow), k),
		Tabs:    workflowTabs{flow.Id, flow.Name, tabVersions, res.Me.Memberships != nil, flow.ViewerCan.Publish, flow.ViewerCan.Edit},
	}
	at := frame.Page{Title: t(r.Context(), "Version %d", saved.Version), Section: frame.SectionWorkflows, Workspace: frame.Value(flow.WorkspaceId), Wide: true}
	return c.Page(w, r, res.Shell, at, versionContent(v, c.Now()))
}

// RestoreVersion saves an earlier state as the next version; nothing is lost.
func (c Pages) RestoreVersion(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkflowVersion(r.Context(), c.Client, frame.PathID(r), pathVersion(r))
	if err != nil {
		return err
	}
	graph := graphText{Nodes: nodeInputs(res.WorkflowVersion.Nodes), Edges: edgeInputs(res.WorkflowVersion.Edges)}
	saved, err := c.saveVersion(r, graph)
	if frame.HasCode(err, "stale_version") {
		return c.Done(w, "/workflows/"+frame.PathID(r)+"/versions", t(r.Context(), "Someone saved another version meanwhile, so nothing was restored. Look at it first."))
	}
	if err != nil {
		return graphRefusal(r.Context(), err)
	}
	said := t(r.Context(), "Version %d is restored, as version %d.", pathVersion(r), saved)
	if saved == res.Workflow.Version {
		said = t(r.Context(), "Version %d says the same as the current one.", pathVersion(r))
	}
	return c.Done(w, "/workflows/"+frame.PathID(r), said)

}
