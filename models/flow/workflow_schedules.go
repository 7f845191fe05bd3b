package flow

import (
	"maps"

	"atelier/models/nodegraph"
	"atelier/models/timetable"
)

// WithoutEmptyRules is the data of a node; an empty list of rules, as the editor
// begins with, leaves the older ways to count.
func WithoutEmptyRules(data nodegraph.Data) nodegraph.Data {
	if list, isList := data["rules"].([]any); isList && len(list) == 0 && (data["interval"] != nil || data["cron"] != nil) {
		data = maps.Clone(data)
		delete(data, "rules")
	}
	return data
}

// withRules is a graph whose schedule nodes have rules: an older interval or
// expression of a node becomes one when it is saved (contract 2, "Trigger
// endpoints" 7). What cannot be read stays as it is, and is parked.
func withRules(all nodegraph.Nodes) nodegraph.Nodes {
	converted := all
	for i, node := range all {
		if node == nil || node.Type != nodegraph.ScheduleTriggerType || node.Data["interval"] == nil && node.Data["cron"] == nil {
			continue
		}
		data := maps.Clone(WithoutEmptyRules(node.Data))
		if data["rules"] == nil {
			rules, problem := timetable.ReadRules(data)
			if problem != nil {
				continue
			}
			data["rules"] = rules
		}
		delete(data, "interval")
		delete(data, "cron")
		if &converted[0] == &all[0] {
			converted = append(nodegraph.Nodes{}, all...)
		}
		changed := *node
		changed.Data = data
		converted[i] = &changed
	}
	return converted
}
