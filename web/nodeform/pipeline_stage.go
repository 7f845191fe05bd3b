package nodeform

import (
	"context"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// RunsWorkflow is the type of a stage that runs a workflow of the space.
const RunsWorkflow = "component"

// Stage is one of the four stages of a pipeline: a node with its settings; without a type there is none.
type Stage struct {
	Name, Title string // the title is a message
	Type        string
	Settings    map[string]any
	// Preset and Workflow are ids.
	Preset, Workflow string
}

// StagesOf lists the stages of a pipeline in their order.
func StagesOf(rows query.PipelineStageRows) []Stage {
	out := []Stage{{Name: "image", Title: mark("Picture")}, {Name: "speech", Title: mark("Speech")}, {Name: "clip", Title: mark("Clip")}, {Name: "cut", Title: mark("Cut")}}
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
func (s Stage) Words(ctx context.Context, k Kinds, preset, workflow string) string {
	switch {
	case s.Type == "":
		return t(ctx, "Nothing.")
	case s.Type == RunsWorkflow && workflow == "":
		return t(ctx, "Runs the workflow that is set, which you may not see.")
	case s.Type == RunsWorkflow:
		return t(ctx, "Runs the workflow %s.", workflow)
	}
	out := k.Label(s.Type)
	switch {
	case s.Preset != "" && preset == "":
		out = t(ctx, "%s, in the style of the preset that is set, which you may not see", out)
	case s.Preset != "":
		out = t(ctx, "%s, in the style of the preset %s", out, preset)
	}
	var set []string
	for _, name := range frame.SortedKeys(s.Settings) {
		label, value := k.Setting(ctx, s.Type, name, s.Settings[name])
		set = append(set, t(ctx, "%s: %s", label, frame.Brief(value)))
	}
	if len(set) > 0 {
		out += ". " + strings.Join(set, "; ")
	}
	return out + "."
}
