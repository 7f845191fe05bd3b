package nodes

import "atelier/nodes/kit"

var groupNode = &kit.Node{
	Type: "group", Label: "Group", Category: "flow", OutputType: "data", Control: true, Pool: kit.Cheap,
	Description: "Holds other nodes together on the canvas.",
	InputSchema: kit.Object(kit.Line("title", "Title", "Shown above the group.")),
}

var componentNode = &kit.Node{
	Type: "component", Label: "Component", Category: "flow", OutputType: "data", Control: true, Pool: kit.Cheap,
	Description:  "Runs another workflow as one step. Its nodes are charged as they finish.",
	Capabilities: []string{"workflow"},
	InputSchema: kit.Object(
		kit.Line("workflowId", "Workflow", "The workflow to run.").As("workflow").Required(),
		kit.Anything("input", "Input", "Feeds the trigger of the other workflow, or its first text."),
		kit.NamedField("inputs", "Inputs", "Values for the other workflow's nodes, by node id and field.", kit.Schema{}),
	),
	MainInput: "input", MainOutput: "data",
}
