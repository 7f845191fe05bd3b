package studio

import "maps"

// intoComponent gives a stage that runs a workflow what it gets, by name: to the triggers of the
// workflow, and to the fields of its nodes that have these names. A workflow that has neither
// takes what matters most into its first node.
func (f *film) intoComponent(st *step, stage *Stage, g stageInput) {
	st.node.Data["workflowId"] = ""
	if stage.WorkflowID != nil {
		st.node.Data["workflowId"] = stage.WorkflowID.String()
	}
	maps.Copy(st.saved, st.node.Data)
	takes := f.componentInputs[st.stage]
	if takes == nil {
		return
	}
	values := map[string]any{}
	for name, value := range g.data {
		if value != nil && value != "" && name != "presetId" {
			values[name] = value
		}
	}
	if takes.Trigger {
		st.node.Data["input"] = values
	}
	inputs := map[string]any{}
	for name, nodeID := range takes.Fields {
		if value, has := values[name]; has {
			of, _ := inputs[nodeID].(map[string]any)
			if of == nil {
				of = map[string]any{}
				inputs[nodeID] = of
			}
			of[name] = value
		}
	}
	if len(inputs) > 0 {
		st.node.Data["inputs"] = inputs
	}
	main := map[StageName]string{ImageStage: "prompt", SpeechStage: "text"}[st.stage]
	if _, named := takes.Fields[main]; main != "" && !takes.Trigger && !named {
		st.node.Data["input"] = values[main]
	}
}
