package nodes

var groupNode = &Node{
	Type: "group", Label: "Group", Category: "flow", OutputType: "data", Control: true, Pool: Cheap,
	Description: "Holds other nodes together on the canvas.",
	InputSchema: Object(Line("title", "Title", "Shown above the group.")),
}

var componentNode = &Node{
	Type: "component", Label: "Component", Category: "flow", OutputType: "data", Control: true, Pool: Cheap,
	Description:  "Runs another workflow as one step. Its nodes are charged as they finish.",
	Capabilities: []string{"workflow"},
	InputSchema: Object(
		Line("workflowId", "Workflow", "The workflow to run.").As("workflow").Required(),
		Anything("input", "Input", "Feeds the trigger of the other workflow, or its first text."),
		NamedField("inputs", "Inputs", "Values for the other workflow's nodes, by node id and field.", Schema{}),
	),
	MainInput: "input", MainOutput: "data",
}
