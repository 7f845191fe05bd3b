package kit

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"atelier/models"
)

// placeholder stands in a text of a preset for a field of the node.
var placeholder = regexp.MustCompile(`\{\{\s*([A-Za-z][A-Za-z0-9_]*)\s*\}\}`)

// unkept are data keys of a node in a workflow that no preset may set.
var unkept = []string{"presetId", "fieldMappings", "holdForReview", "faceId"}

// PresetSettings are those settings of a preset of this type that the type
// knows; the others are dropped. They are judged as the data of a node in a
// workflow, and besides: a number out of range is refused, a placeholder names a
// field of the type, and where a node sends to and with what is no setting
// (locked_field). A provider that is not set up is taken; see Unusable. prefix
// stands before field names.
func (n *Node) PresetSettings(prefix string, settings map[string]any) (map[string]any, error) {
	kept := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		value := settings[name]
		if slices.Contains(unkept, name) {
			return nil, models.Invalid(prefix+name, "cannot be part of a preset")
		}
		if n.isDestination(name) {
			refusal := models.Err(models.CodeLockedField, "%s says where this node sends or fetches, and with what; a preset cannot set it", prefix+name)
			refusal.Field = prefix + name
			return nil, refusal
		}
		schema, known := n.presetField(name)
		if !known || value == nil {
			continue
		}
		if err := CheckValue(prefix+name, schema, value, false); err != nil {
			return nil, err
		}
		if err := n.checkKept(prefix+name, schema, value); err != nil {
			return nil, err
		}
		kept[name] = value
	}
	if len(kept) == 0 {
		return nil, models.Invalid(strings.TrimSuffix(prefix, "."), "must hold at least one setting of %s", n.Type)
	}
	return kept, nil
}

func (n *Node) isDestination(name string) bool {
	return name == "credentialId" || slices.ContainsFunc(n.Destinations, func(d string) bool { return d == name || strings.HasPrefix(d, name+".") })
}

// presetField is a field of the type, of its providers outside too, set up or not.
func (n *Node) presetField(name string) (Schema, bool) {
	if len(n.Remote) > 0 {
		switch name {
		case "provider":
			whose := Line(name, "", "").Schema
			whose.Enum = append(whose.Enum, n.Providers...)
			for _, p := range n.Remotes() {
				if !slices.Contains(whose.Enum, p) {
					whose.Enum = append(whose.Enum, p)
				}
			}
			return whose, true
		case "model":
			return Line(name, "", "").Schema, true
		}
		if p, ok := n.RemoteFields.Find(name); ok {
			return p.Schema, true
		}
	}
	p, ok := n.InputSchema.Properties.Find(name)
	return p.Schema, ok
}

// checkKept finds what a node's data may hold and a preset may not.
func (n *Node) checkKept(field string, schema Schema, value any) error {
	switch v := value.(type) {
	case string:
		if strings.ContainsRune(v, 0) {
			return models.Invalid(field, "must not hold control characters")
		}
		return n.checkPlaceholders(field, v)
	case []any:
		for i, item := range v {
			if err := n.checkKept(field+"["+strconv.Itoa(i)+"]", itemsOf(schema), item); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if strings.ContainsRune(name, 0) {
				return models.Invalid(field, "must not hold control characters")
			}
			p, ok := schema.Properties.Find(name)
			if !ok && schema.Additional != nil {
				p.Schema = *schema.Additional
			}
			if err := n.checkKept(field+"."+name, p.Schema, v[name]); err != nil {
				return err
			}
		}
	default:
		number, ok := ToNumber(value)
		switch {
		case !ok:
		case schema.Minimum != nil && number < *schema.Minimum, schema.Maximum != nil && number > *schema.Maximum:
			return models.Invalid(field, "must be between %v and %v", bound(schema.Minimum), bound(schema.Maximum))
		}
	}
	return nil
}

func itemsOf(schema Schema) Schema {
	if schema.Items == nil {
		return Schema{}
	}
	return *schema.Items
}

// bound writes an end of a range.
func bound(v *float64) string {
	if v == nil {
		return "any number"
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

// checkPlaceholders refuses a placeholder that names no field of the type. Types
// whose own texts have placeholders of another meaning take any.
func (n *Node) checkPlaceholders(field, text string) error {
	if n.Templates {
		return nil
	}
	for _, match := range placeholder.FindAllStringSubmatch(text, -1) {
		if _, known := n.presetField(match[1]); !known {
			return models.Invalid(field, "holds {{%s}}, which is no field of %s", match[1], n.Type)
		}
	}
	return nil
}

// Unusable says why settings cannot be used on this install; "" when they can.
func (n *Node) Unusable(settings map[string]any) string {
	if len(n.Remote) == 0 {
		return ""
	}
	if !n.Offered() {
		return n.Type + " " + n.UnavailableReason()
	}
	name, _ := settings["provider"].(string)
	if n.Remote[name] != nil && !slices.Contains(n.Providers, name) {
		return n.Missing(name)
	}
	if err := n.checkModel("", settings, false); err != nil {
		return "This install does not have the model that the preset names"
	}
	return ""
}
