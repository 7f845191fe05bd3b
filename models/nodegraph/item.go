package nodegraph

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"atelier/models"
	"atelier/nodes"
)

// The bounds of the form of an app.
const (
	maxItems = 500
	// MaxRichText is how many characters of Markdown one richtext item has.
	MaxRichText = 20_000
	// maxItemID fits the id that an input has by itself, <nodeId>.<field>.
	maxItemID  = maxNodeID + 1 + MaxPathCharacters
	maxAllowed = 1_000 // values of one field
	// What a field, or a group, says beside its name.
	maxItemLabel = 200
	maxItemHelp  = 1_000
)

// Item is one entry of an app's form (contract 1, "Input items"). Beside what the contract names, a field may have a
// label and help of its own, and say that a form must not leave it empty; a run that is asked for by program need not
// name it.
type Item struct {
	Type          string `json:"type"`
	ID            string `json:"id"`
	NodeID        string `json:"nodeId"`
	Field         string `json:"field"`
	AllowedValues []any  `json:"allowedValues"`
	Content       string `json:"content"`
	Label         string `json:"label"`
	Help          string `json:"help"`
	Required      bool   `json:"required"`
	Items         []Item `json:"items"`
}

// ReadItems reads the stored or sent form; validation_error when it is none, or
// beyond the bounds of JSON.
func ReadItems(raw json.RawMessage) ([]Item, error) {
	var items []Item
	if len(raw) == 0 {
		return nil, nil
	}
	err := models.ReadJSON(raw, &items)
	return items, err
}

// ExposedInputs are the fields of a form, groups entered.
func ExposedInputs(items []Item) []Input {
	inputs := []Input{}
	for _, item := range items {
		switch item.Type {
		case "field":
			input := Input{ID: item.ID, NodeID: item.NodeID, Field: item.Field}
			if len(item.AllowedValues) > 0 {
				input.AllowedValues = item.AllowedValues
			}
			inputs = append(inputs, input)
		case "group":
			inputs = append(inputs, ExposedInputs(item.Items)...)
		}
	}
	return inputs
}

// itemCheck checks a form against the graph that it exposes.
type itemCheck struct {
	kinds  *nodes.Catalogue
	inputs *inputs
	byID   map[string]*Node
	locks  *locks
	ids    map[string]bool
	count  int
}

// CheckItems refuses a form that does not fit the graph: validation_error
// naming the item, locked_field for an exposed destination.
func CheckItems(kinds *nodes.Catalogue, items []Item, all Nodes, edges Edges) error {
	c := &itemCheck{kinds: kinds, inputs: inputsOf(kinds), byID: make(map[string]*Node, len(all)), locks: locksOf(all, edges), ids: map[string]bool{}}
	for _, n := range all {
		c.byID[n.ID] = n
	}
	return c.list("presentationSettings.inputItems", items, false)
}

func (c *itemCheck) list(at string, items []Item, grouped bool) error {
	for i, item := range items {
		if err := c.item(fmt.Sprintf("%s[%d]", at, i), item, grouped); err != nil {
			return err
		}
	}
	return nil
}

func (c *itemCheck) item(at string, item Item, grouped bool) error {
	if c.count++; c.count > maxItems {
		return models.Invalid("presentationSettings.inputItems", "must be at most %d", maxItems)
	}
	if utf8.RuneCountInString(item.ID) > maxItemID {
		return models.Invalid(at+".id", "must be at most %d characters", maxItemID)
	}
	if item.ID != "" && c.ids[item.ID] {
		return models.Invalid(at+".id", "%q is used twice", item.ID)
	}
	c.ids[item.ID] = true
	if utf8.RuneCountInString(item.Label) > maxItemLabel {
		return models.Invalid(at+".label", "must be at most %d characters", maxItemLabel)
	}
	if utf8.RuneCountInString(item.Help) > maxItemHelp {
		return models.Invalid(at+".help", "must be at most %d characters", maxItemHelp)
	}
	switch item.Type {
	case "field":
		return c.field(at, item)
	case "node":
		return c.node(at, item)
	case "output":
		if item.NodeID == "" {
			return nil // the main result
		}
		return c.node(at, item)
	case "richtext":
		if utf8.RuneCountInString(item.Content) > MaxRichText {
			return models.Invalid(at+".content", "must be at most %d characters", MaxRichText)
		}
		return nil
	case "group":
		if grouped {
			return models.Invalid(at, "is a group inside a group, and groups do not nest")
		}
		return c.list(at+".items", item.Items, true)
	}
	return models.Invalid(at+".type", "must be field, node, output, richtext or group")
}

func (c *itemCheck) node(at string, item Item) error {
	if c.byID[item.NodeID] == nil {
		return models.Invalid(at+".nodeId", "names no node: %q", item.NodeID)
	}
	return nil
}

func (c *itemCheck) field(at string, item Item) error {
	if item.ID == "" {
		return models.Invalid(at+".id", "is required")
	}
	if err := c.node(at, item); err != nil {
		return err
	}
	if err := checkPath(at+".field", item.Field); err != nil {
		return err
	}
	if len(item.AllowedValues) > maxAllowed {
		return models.Invalid(at+".allowedValues", "must be at most %d", maxAllowed)
	}
	n := c.byID[item.NodeID]
	if item.Field != "" && c.locks.field(n, item.Field) {
		return errLocked(n.ID, item.Field)
	}
	_, present := lookupPath(n.Data, item.Field)
	if item.Field == "" || !present && !c.inputs.has(n, item.Field) {
		return models.Invalid(at+".field", "%q is no field of node %q", item.Field, n.ID)
	}
	for i, value := range item.AllowedValues {
		if err := c.checkValue(fmt.Sprintf("%s.allowedValues[%d]", at, i), n, item.Field, value); err != nil {
			return err
		}
	}
	return nil
}

// checkValue checks one value for a field of a node by its type.
func (c *itemCheck) checkValue(at string, n *Node, field string, value any) error {
	if name, ok := slotName(field); ok {
		_, err := valueForSlot(n, name, value, at)
		return err
	}
	kind, ok := c.kinds.Find(n.Type)
	if !ok {
		return nil
	}
	alone, err := setPath(nil, field, value)
	if err != nil {
		return models.Invalid(at, "%s", err)
	}
	return kind.ValidateData(at+": ", alone)
}
