package flow

import (
	"strings"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/nodegraph"
)

// ComponentTakes is what a workflow takes that a component runs.
type ComponentTakes struct {
	// Trigger: it has one, which yields what it is given.
	Trigger bool
	// Fields are those that one of its nodes alone has and nothing feeds, with the node's id.
	Fields map[string]string
}

// ComponentTakes finds what a workflow takes; nil when it is gone. Who may run it is asked elsewhere.
func (s *Service) ComponentTakes(q *gorm.DB, workflowID models.ID) (*ComponentTakes, error) {
	version, err := models.First[Version](q.Table("workflow_versions").Select("workflow_versions.*").
		Joins("JOIN workflows w ON w.id = workflow_versions.workflow_id AND w.version = workflow_versions.version").
		Where("w.id = ? AND w.deleted_at IS NULL", workflowID), nil)
	if err != nil || version == nil {
		return nil, err
	}
	takes, times := &ComponentTakes{Fields: map[string]string{}}, map[string]int{}
	for _, input := range nodegraph.WorkflowInputs(s.Catalogue, version.Nodes, version.Edges) {
		times[input.Field]++
		takes.Fields[input.Field] = input.NodeID
	}
	for field, n := range times {
		if n > 1 || strings.ContainsAny(takes.Fields[field], ".[]") {
			delete(takes.Fields, field)
		}
	}
	for _, node := range version.Nodes {
		takes.Trigger = takes.Trigger || nodegraph.IsTrigger(node.Type)
	}
	return takes, nil
}

// Path is the field of the component that takes a value of that name; main says that it goes into
// the first node where no other place is. Empty: nothing takes it.
func (t *ComponentTakes) Path(name string, main bool) string {
	switch {
	case t == nil:
		return ""
	case t.Trigger:
		return "input." + name
	case t.Fields[name] != "":
		return "inputs." + t.Fields[name] + "." + name
	case main:
		return "input"
	}
	return ""
}
