package kit

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

// Adjustment says that a number was moved into its range.
type Adjustment struct {
	Field  string `json:"field"`
	From   any    `json:"from"`
	To     any    `json:"to"`
	Reason string `json:"reason"`
}

// commonFields are data keys that every node may carry and that are no
// settings: they steer the editor or the engine.
var commonFields = []string{"label", "holdForReview", "fieldMappings", "model", "color", "notes", "collapsed"}

// Clamp moves numbers into their range, and says which (the adjustments of
// POST /v1/<type>). The warnings name settings that the type does not have.
// input stays as it is.
func (n *Node) Clamp(input map[string]any) (adjusted map[string]any, adjustments []Adjustment, warnings []string) {
	adjusted = map[string]any{}
	maps.Copy(adjusted, input)
	for _, p := range n.InputSchema.Properties {
		from, ok := ToNumber(adjusted[p.Name])
		if !ok || (p.Schema.Type != "number" && p.Schema.Type != "integer") {
			continue
		}
		to := math.Max(*p.Schema.Minimum, math.Min(*p.Schema.Maximum, from))
		if to == from {
			continue
		}
		adjusted[p.Name] = to
		adjustments = append(adjustments, Adjustment{
			Field: p.Name, From: from, To: to,
			Reason: fmt.Sprintf("must be from %s to %s", PlainNumber(*p.Schema.Minimum), PlainNumber(*p.Schema.Maximum)),
		})
	}
	for _, name := range slices.Sorted(maps.Keys(input)) {
		if _, known := n.InputSchema.Properties.Find(name); !known && !slices.Contains(commonFields, name) {
			warnings = append(warnings, fmt.Sprintf("%q is no setting of %s and was ignored", name, n.Type))
		}
	}
	return adjusted, adjustments, warnings
}

// InputPath is the dotted field that an edge with this targetHandle feeds, for
// a node with this data: the main input without a handle, the value of a
// parameter where the handle names one, else the field of that name.
func (n *Node) InputPath(data map[string]any, targetHandle string) string {
	if targetHandle == "" {
		return n.MainInput
	}
	if n.NamesInputs && slices.Contains(ParameterNames(data), targetHandle) {
		return "values." + targetHandle
	}
	return targetHandle
}

// IsList tells whether a field collects: each edge into it adds an element, in
// the order of the edges, instead of replacing the value.
func (n *Node) IsList(field string) bool {
	p, ok := n.InputSchema.Properties.Find(field)
	return ok && p.Schema.Type == "array"
}

// complete lays the input over the defaults, and turns what an edge brings
// into the type that the field wants: texts that are numbers into numbers,
// numbers into texts, a single value into a list.
func (n *Node) complete(input map[string]any) map[string]any {
	done := make(map[string]any, len(input))
	for name, value := range input {
		if value == nil {
			continue
		}
		if p, ok := n.InputSchema.Properties.Find(name); ok {
			value = convert(p.Schema, value)
		}
		done[name] = value
	}
	for _, p := range n.InputSchema.Properties {
		if current, ok := done[p.Name]; p.Schema.Default != nil && (!ok || current == "" && len(p.Schema.Enum) > 0) {
			done[p.Name] = p.Schema.Default
		}
	}
	return done
}

// convert changes a value into the schema's type where that loses nothing, and
// else leaves it for the check to refuse.
func convert(schema Schema, value any) any {
	switch schema.Type {
	case "string":
		switch v := value.(type) {
		case bool:
			return strconv.FormatBool(v)
		case map[string]any, []any:
			if schema.Format == "textarea" {
				return PlainText(v)
			}
		}
		if v, ok := ToNumber(value); ok {
			return PlainNumber(v)
		}
	case "number", "integer":
		if s, ok := value.(string); ok {
			if v, err := strconv.ParseFloat(s, 64); err == nil && Finite(v) {
				return v
			}
			return value
		}
		if v, ok := ToNumber(value); ok {
			return v
		}
	case "boolean":
		if s, ok := value.(string); ok {
			if v, err := strconv.ParseBool(s); err == nil {
				return v
			}
		}
	case "array":
		return convertList(schema, value)
	case "object":
		if s, ok := value.(string); ok && len(schema.Required) == 1 {
			return map[string]any{schema.Required[0]: s} // what needs one field takes it bare
		}
		if fields, ok := value.(map[string]any); ok && schema.Additional != nil {
			done := make(map[string]any, len(fields))
			for name, v := range fields {
				done[name] = convert(*schema.Additional, v)
			}
			return done
		}
	}
	return value
}

func convertList(schema Schema, value any) any {
	items, ok := value.([]any)
	if !ok {
		if texts, isTexts := value.([]string); isTexts {
			for _, t := range texts {
				items = append(items, t)
			}
		} else {
			items = []any{value}
		}
	}
	done := make([]any, 0, len(items))
	for _, item := range items {
		if item != nil {
			done = append(done, convert(*schema.Items, item))
		}
	}
	return done
}

// ToNumber reads every Go form of a finite number.
func ToNumber(value any) (float64, bool) {
	switch v := value.(type) {
	case float64:
		return v, Finite(v)
	case float32:
		return float64(v), Finite(float64(v))
	case int:
		return float64(v), true
	case int32:
		return float64(v), true
	case int64:
		return float64(v), true
	case json.Number:
		n, err := v.Float64()
		return n, err == nil && Finite(n)
	}
	return 0, false
}

func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// PlainNumber writes a number without an exponent: 12, 0.5.
func PlainNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// PlainText is a value as a text: a text as it is, nothing for null, a number
// without an exponent, everything else as JSON.
func PlainText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	if v, ok := ToNumber(value); ok {
		return PlainNumber(v)
	}
	b, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(b)
}

// ParameterNames are the names of a node's parameters, in their order.
func ParameterNames(data map[string]any) []string {
	entries, _ := data["parameters"].([]any)
	var names []string
	for _, entry := range entries {
		fields, _ := entry.(map[string]any)
		if name, _ := fields["name"].(string); name != "" {
			names = append(names, name)
		}
	}
	return names
}
