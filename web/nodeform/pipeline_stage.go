package nodeform

import (
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// RunsWorkflow is the type of a stage that runs a workflow of the space.
const RunsWorkflow = "component"

// Stage is one of the four stages of a pipeline: a node with its settings; without a type there is none.
type Stage struct {
	Name, Title string
	Type        string
	Settings    map[string]any
	// Preset and Workflow are ids.
	Preset, Workflow string
}

// StagesOf lists the stages of a pipeline in their order.
func StagesOf(rows query.PipelineStageRows) []Stage {
	out := []Stage{{Name: "image", Title: "Picture"}, {Name: "speech", Title: "Speech"}, {Name: "clip", Title: "Clip"}, {Name: "cut", Title: "Cut"}}
	for i, row := range []*query.StageRow{rows.Image, rows.Speech, rows.Clip, rows.Cut} {
		if row != nil {
			s := &out[i]
			s.Type, s.Settings, s.Preset, s.Workflow = row.NodeType, row.Settings, frame.Value(row.PresetId), frame.Value(row.WorkflowId)
		}
	}
	return out
}

// Words say what a stage does: its node, its preset or its workflow, and what is set. The preset and the workflow have
// names where the reader may see them.
func (s Stage) Words(k Kinds, preset, workflow string) string {
	switch {
	case s.Type == "":
		return "Nothing."
	case s.Type == RunsWorkflow:
		return "Runs the workflow " + frame.Or(workflow, "that is set, which you may not see") + "."
	}
	out := k.Label(s.Type)
	if s.Preset != "" {
		out += ", in the style of the preset " + frame.Or(preset, "that is set, which you may not see")
	}
	var set []string
	for _, name := range frame.SortedKeys(s.Settings) {
		set = append(set, NameInWords(name)+": "+frame.Brief(frame.ValueText(s.Settings[name])))
	}
	if len(set) > 0 {
		out += ". " + strings.Join(set, "; ")
	}
	return out + "."
}
