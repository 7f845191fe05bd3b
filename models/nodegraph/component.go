package nodegraph

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"atelier/models"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// NamedWorkflow is the workflow that a component runs, and the field that names
// it; validation_error when that is no id.
func (n *Node) NamedWorkflow() (id models.ID, field string, err error) {
	field = "nodes." + n.ID + ".data.workflowId"
	id, err = models.ParseID(field, n.RawWorkflowID())
	return id, field, err
}

// RawWorkflowID is the id of the workflow that a component runs, as it was written.
func (n *Node) RawWorkflowID() string {
	text, _ := n.Data["workflowId"].(string)
	return text
}

// ComponentInputs are the nodes behind a component with what the outer workflow
// feeds in: inputs by node and field (a node id, a dot, a field; or nested), and
// input into its triggers, else into the main input of its first node without
// one. Nothing that is fed in may say where the inner workflow sends. The given
// nodes stay as they are; refusals are failures of the component.
func ComponentInputs(inner Nodes, edges Edges, input map[string]any) (Nodes, error) {
	given, _ := input["inputs"].(map[string]any)
	if len(given) > maxRunValues {
		return nil, &kit.Failure{Message: fmt.Sprintf("The component is given more than %d inputs", maxRunValues), Hint: "Give it fewer."}
	}
	locks := locksOf(inner, edges)
	all := make(Nodes, len(inner))
	for i, node := range inner {
		data := overlayOf(node.Data)
		fields := fieldsFor(node.ID, given)
		for _, field := range slices.Sorted(maps.Keys(fields)) { // an object before what lies in it
			if locks.field(node, field) {
				return nil, errInnerDestination(node.ID)
			}
			if err := data.set(field, fields[field]); err != nil {
				return nil, errUnfed(field, err)
			}
		}
		copied := *node
		copied.Data = data.data
		all[i] = &copied
	}
	value := input["input"]
	if value == nil {
		return all, nil
	}
	fed, err := feedFirst(all, edges, value)
	if err != nil {
		return nil, err
	}
	for _, id := range fed {
		node := inner.Find(id)
		if kind, ok := nodes.Find(node.Type); ok && locks.field(node, kind.MainInput) {
			return nil, errInnerDestination(id)
		}
	}
	return all, nil
}

// fieldsFor are the values for one node among a component's inputs.
func fieldsFor(nodeID string, given map[string]any) map[string]any {
	fields := map[string]any{}
	for name, value := range given {
		if name == nodeID {
			nested, _ := value.(map[string]any)
			maps.Copy(fields, nested)
		} else if field, ok := strings.CutPrefix(name, nodeID+"."); ok {
			fields[field] = value
		}
	}
	return fields
}

func errInnerDestination(nodeID string) error {
	return &kit.Failure{
		Message: fmt.Sprintf("What is fed into the component would change where node %s of its workflow sends", nodeID),
		Hint:    "Set the address in the inner workflow, or feed another node of it.",
	}
}

// feedFirst hands a value to the graph's triggers, else to its first node that
// nothing feeds, and tells to which.
func feedFirst(all Nodes, edges Edges, value any) (fed []string, err error) {
	for _, node := range all {
		if IsTrigger(node.Type) {
			if node.Data, err = setPath(node.Data, givenField, value); err != nil {
				return nil, errUnfed(node.ID, err)
			}
			fed = append(fed, node.ID)
		}
	}
	if len(fed) > 0 {
		return fed, nil
	}
	plan := NewPlan(all, edges)
	for _, id := range plan.Order {
		node := plan.Nodes[id]
		kind, ok := nodes.Find(node.Type)
		if !ok || kind.MainInput == "" || plan.WaitsFor(id) > 0 {
			continue
		}
		if kind.IsList(kind.MainInput) {
			value = []any{value}
		}
		if node.Data, err = setPath(node.Data, kind.MainInput, value); err != nil {
			return nil, errUnfed(kind.MainInput, err)
		}
		return []string{id}, nil
	}
	return nil, nil
}

// givenField holds in a trigger's data what reaches it within a component.
const givenField = "given"

// Given is the output of a trigger within a component: the keys of an object that
// was fed in, or any other value under data.
func (n *Node) Given() map[string]any {
	switch value := n.Data[givenField].(type) {
	case nil:
		return map[string]any{}
	case map[string]any:
		return value
	default:
		return map[string]any{"data": value}
	}
}

// ComponentOutput is what a component yields once its nodes have: the output of
// the last in the graph's order, with every node's under outputs, and its main
// value under data.
func ComponentOutput(plan *Plan, outputs map[string]Data) kit.Output {
	out, all := kit.Output{}, map[string]any{}
	for _, id := range plan.Order {
		all[id] = map[string]any(outputs[id])
	}
	out["outputs"] = all
	if len(plan.Order) == 0 {
		return out
	}
	last := plan.Order[len(plan.Order)-1]
	for key, value := range outputs[last] {
		out[key] = value
	}
	if kind, ok := nodes.Find(plan.Nodes[last].Type); ok && out["data"] == nil {
		if value := outputs[last][kind.MainOutput]; value != nil {
			out["data"] = value
		}
	}
	return out
}
