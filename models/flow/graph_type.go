package flow

import (
	"atelier/nodes"
)

// componentType runs another workflow, which its data names, as one step of this one.
const componentType = "component"

// runsInline tells whether nodes of a type take next to nothing, and nothing
// from outside. A type that is unknown fails at once.
func runsInline(nodeType string) bool {
	kind, ok := nodes.Find(nodeType)
	return !ok || kind.AtOnce() || isTrigger(nodeType)
}

// isTrigger tells whether the node only hands on what started the run.
func isTrigger(nodeType string) bool {
	return nodeType == "webhook-trigger" || nodeType == "schedule-trigger"
}

// groupType is the node type that holds other nodes: membership is parentId.
const groupType = "group"

// motionType is the type of the nodes that render an animation.
const motionType = "motion"
