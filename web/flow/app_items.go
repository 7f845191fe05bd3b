package flow

import (
	"encoding/json"

	"atelier/jsontext"
	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
)

// inputItem is one entry of an app's form (contract 1, "Input items").
type inputItem struct {
	Type          string      `json:"type"`
	ID            string      `json:"id,omitempty"`
	NodeID        string      `json:"nodeId,omitempty"`
	Field         string      `json:"field,omitempty"`
	AllowedValues []any       `json:"allowedValues,omitempty"`
	Content       string      `json:"content,omitempty"`
	Label         string      `json:"label,omitempty"`
	Help          string      `json:"help,omitempty"`
	Required      bool        `json:"required,omitempty"`
	Title         string      `json:"title,omitempty"`
	Items         []inputItem `json:"items,omitempty"`
}

// input is what the form asks for where the item is a field.
func (i inputItem) input() nodeform.Input {
	return nodeform.Input{ID: i.ID, NodeID: i.NodeID, Field: i.Field, AllowedValues: i.AllowedValues}
}

// readInputItems reads a form; items that cannot be read are left out.
func readInputItems(raw []json.RawMessage) []inputItem {
	var out []inputItem
	for _, r := range raw {
		var item inputItem
		if jsontext.Read(r, &item) == nil {
			out = append(out, item)
		}
	}
	return out
}

// formPart is a piece of an app's page: a field, a text, or a group of both.
type formPart struct {
	Control *nodeform.Control
	// Rich is Markdown of the publisher.
	Rich string
	// Group holds parts under a title.
	Group []formPart
	Title string
}

// formParts turns the items of an app into what its page shows. A node item shows every field of the node;
// output items appear behind a run. An app without items shows nothing to fill in.
func formParts(items []inputItem, nodes []query.FlowNode, edges []query.FlowEdge, k nodeform.Kinds) []formPart {
	byID := make(map[string]query.FlowNode, len(nodes))
	for _, n := range nodes {
		byID[n.Id] = n
	}
	parts := partsOf(items, byID, k, true)
	controls := controlsIn(parts)
	for _, c := range controls {
		c.Published = true
		c.Required = c.Required || c.NodeType == passingType && c.Field == passedField && feedsNeeded(c.NodeID, byID, nodeform.Feeds(nodes, edges), k)
	}
	nodeform.Withhold(controls)
	return parts
}

// The type of nodes that pass on what is written in them as it is, and their field.
const (
	passingType = "text"
	passedField = "text"
)

// feedsNeeded tells whether a node feeds a text that another one needs: left empty, every run would fail. A program may
// run the app without it all the same.
func feedsNeeded(source string, byID map[string]query.FlowNode, feeds []query.FlowEdge, k nodeform.Kinds) bool {
	for _, e := range feeds {
		target := byID[e.Target].Type
		field, known := k.Field(target, frame.Or(frame.Value(e.TargetHandle), k[target].MainInput))
		output := frame.Value(e.SourceHandle)
		if e.Source == source && known && field.Needed && field.Type == "string" && (output == "" || output == passedField) {
			return true
		}
	}
	return false
}

func partsOf(items []inputItem, byID map[string]query.FlowNode, k nodeform.Kinds, groups bool) []formPart {
	var out []formPart
	for _, item := range items {
		n, known := byID[item.NodeID]
		switch {
		case item.Type == "field" && known:
			c := nodeform.NewControl(item.input(), n, k)
			if item.Label != "" {
				c.Label = frame.Brief(item.Label)
			}
			if item.Help != "" {
				c.Hint = item.Help
			}
			c.Required = c.Required || item.Required
			out = append(out, formPart{Control: &c})
		case item.Type == "richtext" && item.Content != "":
			out = append(out, formPart{Rich: item.Content})
		case item.Type == "group" && groups:
			out = append(out, formPart{Title: frame.Brief(item.Title), Group: partsOf(item.Items, byID, k, false)})
		case item.Type == "node" && known:
			out = append(out, formPart{Title: nodeform.NodeName(n, k), Group: nodeParts(n, k)})
		}
	}
	return out
}

// nodeParts are all fields of a node. A run sets them by node and field, for they are no inputs by name.
func nodeParts(n query.FlowNode, k nodeform.Kinds) []formPart {
	var out []formPart
	for _, f := range k.Fields(n.Type) {
		if !nodeform.Exposable(f) {
			continue
		}
		c := nodeform.NewControl(nodeform.Input{ID: n.Id + "." + f.Name, NodeID: n.Id, Field: f.Name}, n, k)
		c.ID = ""
		out = append(out, formPart{Control: &c})
	}
	return out
}

// controlsOf are all fields of a form, groups entered.
func controlsOf(parts []formPart) []nodeform.Control {
	var out []nodeform.Control
	for _, c := range controlsIn(parts) {
		out = append(out, *c)
	}
	return out
}

func controlsIn(parts []formPart) []*nodeform.Control {
	var out []*nodeform.Control
	for _, p := range parts {
		if p.Control != nil {
			out = append(out, p.Control)
		}
		out = append(out, controlsIn(p.Group)...)
	}
	return out
}
