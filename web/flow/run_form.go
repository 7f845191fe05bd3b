package flow

import (
	"context"
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/nodeform"
	"atelier/web/query"
)

// runParts are the fields of a run form: of the nodes that nothing feeds, what a person would fill in first.
func runParts(ctx context.Context, nodes []query.FlowNode, edges []query.FlowEdge, k nodeform.Kinds) []formPart {
	fed := map[string]bool{}
	for _, e := range nodeform.Feeds(nodes, edges) {
		fed[e.Target] = true
	}
	names := nodeform.NodeNames(nodes, k)
	var out []formPart
	for _, n := range nodes {
		if fed[n.Id] || isOutbound(k[n.Type]) {
			continue
		}
		for _, f := range k.Fields(n.Type) {
			if f.Type != "string" || !nodeform.Exposable(f) {
				continue
			}
			c := nodeform.NewControl(nodeform.Input{ID: n.Id + "." + f.Name, NodeID: n.Id, Field: f.Name}, n, k)
			if names[n.Id] != c.Label {
				c.Label = locale.Labelled(ctx, names[n.Id], c.Label)
			}
			c.ID, c.Required = "", false
			out = append(out, formPart{Control: &c})
			break
		}
	}
	nodeform.Withhold(controlsIn(out))
	return out
}

// isOutbound tells whether a kind of node sends to the outside; what it sends with is no one's to fill in.
func isOutbound(k query.NodeKind) bool {
	for _, c := range k.Capabilities {
		if c == "outbound" {
			return true
		}
	}
	return k.Category == "trigger" || k.Category == "flow"
}

// startRun runs the saved version with the values of its form, and yields the id of the run.
func (c Pages) startRun(r *http.Request) (string, error) {
	res, err := query.WorkflowPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return "", err
	}
	flow := res.Workflow.WorkflowHead
	in, err := readInputs(r.Context(), controlsOf(runParts(r.Context(), flow.Nodes, flow.Edges, nodeform.KindsOf(res.NodeTypes))), r.PostForm)
	if err == nil {
		err = addOverrides(r.Context(), &in, r.PostForm.Get("overrides"))
	}
	if err != nil {
		return "", err
	}
	run, err := query.RunWorkflow(r.Context(), c.Client, frame.PathID(r), query.RunWorkflowInput{InputOverrides: in.overrides()})
	if err != nil {
		return "", err
	}
	return run.RunWorkflow.Id, nil
}

// addOverrides lays JSON of the form {"node": {"field": value}} over what the fields said.
func addOverrides(ctx context.Context, in *inputs, text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var typed map[string]map[string]any
	if err := frame.ReadJSON(text, &typed); err != nil {
		return frame.Invalid("overrides", t(ctx, "The values cannot be read: %s.", frame.WhyNotJSON(ctx, err)))
	}
	for _, node := range frame.SortedKeys(typed) {
		for _, field := range frame.SortedKeys(typed[node]) {
			in.set(node, field, typed[node][field])
		}
	}
	return nil
}
