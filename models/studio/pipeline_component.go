package studio

import (
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/nodes"
)

// stageYields is what a stage must yield: the output of its node, and the kind of node that
// has it.
var stageYields = map[StageName]struct{ output, kind string }{
	ImageStage:  {"imageUrl", "image"},
	SpeechStage: {"audioUrl", "audio"},
	ClipStage:   {"videoUrl", "video"},
}

// unfit says why a workflow is no stage, to follow the field's name; "" when it is one. The last
// node of it must yield what the stage does, and something must take what the stage gets: a
// trigger, or the first node.
func unfit(kinds *nodes.Catalogue, name StageName, w *flow.Workflow) string {
	plan := nodegraph.NewPlan(w.Nodes, w.Edges)
	if len(plan.Order) == 0 {
		return "names a workflow without nodes"
	}
	last := plan.Nodes[plan.Order[len(plan.Order)-1]]
	must := stageYields[name]
	kind, known := kinds.Find(last.Type)
	if yields := known && (kind.OutputType == must.kind || kind.MainOutput == must.output); !yields && last.Type != componentType {
		return "names a workflow whose last node, " + plan.Name(last.ID) + ", yields no " + must.output
	}
	for _, id := range plan.Order {
		n := plan.Nodes[id]
		if nodegraph.IsTrigger(n.Type) {
			return ""
		}
		if kind, known := kinds.Find(n.Type); known && kind.MainInput != "" && plan.WaitsFor(id) == 0 {
			return ""
		}
	}
	return "names a workflow that takes nothing in: let it begin with a trigger, or with a node that has an input"
}
