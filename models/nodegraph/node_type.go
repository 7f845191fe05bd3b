package nodegraph

import (
	"atelier/nodes"
)

// ComponentType runs another workflow, which its data names, as one step of this one.
const ComponentType = "component"

// RunsInline tells whether nodes of a type take next to nothing, and nothing
// from outside. A type that is unknown fails at once.
func RunsInline(nodeType string) bool {
	kind, ok := nodes.Find(nodeType)
	return !ok || kind.RunsInline() || IsTrigger(nodeType)
}

// IsTrigger tells whether the node only hands on what started the run.
func IsTrigger(nodeType string) bool {
	return nodeType == WebhookTriggerType || nodeType == ScheduleTriggerType
}

// groupType is the node type that holds other nodes: membership is parentId.
const groupType = "group"

// motionType is the type of the nodes that render an animation.
const motionType = "motion"
