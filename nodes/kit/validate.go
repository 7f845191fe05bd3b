package kit

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"atelier/models"
)

// Validate checks complete settings, such as the body of POST /v1/<type>:
// types, options, addresses, lengths and required fields. Numbers out of range
// pass, for Clamp adjusts them. prefix stands before field names in messages,
// for example "settings."; refusals are validation_error and name the field.
func (n *Node) Validate(prefix string, input map[string]any) error {
	if err := n.checkModel(prefix, input, true); err != nil {
		return err
	}
	for _, name := range n.InputSchema.Required {
		if value, ok := Lookup(input, name); !ok || value == nil || value == "" {
			return models.Invalid(prefix+name, "is required")
		}
	}
	if err := checkFields(prefix, n.InputSchema, input, true); err != nil {
		return err
	}
	if err := n.checkTogether(prefix, input); err != nil || n.Check == nil {
		return err
	}
	return n.Check(prefix, input)
}

// ValidateData checks the data of a node in a workflow that is being saved: a
// value of the wrong type, too long or outside the options is refused; a field
// may be missing or empty, since an edge may feed it or the author may not be
// done; addresses are judged when the node runs.
func (n *Node) ValidateData(prefix string, data map[string]any) error {
	if n.Lax {
		return nil
	}
	if err := n.checkModel(prefix, data, false); err != nil {
		return err
	}
	if err := checkFields(prefix, n.InputSchema, data, false); err != nil {
		return err
	}
	return n.checkTogether(prefix, data)
}

// checkFields checks what is there; unknown names and nulls pass.
func checkFields(prefix string, schema Schema, input map[string]any, complete bool) error {
	for _, p := range schema.Properties {
		value, ok := input[p.Name]
		if !ok || value == nil {
			continue
		}
		if err := CheckValue(prefix+p.Name, p.Schema, value, complete); err != nil {
			return err
		}
	}
	if schema.Additional != nil {
		for name, value := range input {
			if _, known := schema.Properties.Find(name); known || value == nil {
				continue
			}
			if err := CheckValue(prefix+name, *schema.Additional, value, complete); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckValue compares one value with its schema.
func CheckValue(field string, schema Schema, value any, complete bool) error {
	switch schema.Type {
	case "string":
		s, ok := value.(string)
		if !ok {
			return models.Invalid(field, "must be a text")
		}
		return checkText(field, schema, s, complete)
	case "number", "integer":
		v, ok := ToNumber(value)
		if !ok {
			return models.Invalid(field, "must be a number")
		}
		if schema.Type == "integer" && v != float64(int64(v)) {
			return models.Invalid(field, "must be a whole number")
		}
	case "boolean":
		if _, ok := value.(bool); !ok {
			return models.Invalid(field, "must be true or false")
		}
	case "array":
		return checkList(field, schema, value, complete)
	case "object":
		fields, ok := value.(map[string]any)
		if !ok {
			return models.Invalid(field, "must be an object")
		}
		for _, name := range schema.Required {
			if complete && (fields[name] == nil || fields[name] == "") {
				return models.Invalid(field+"."+name, "is required")
			}
		}
		return checkFields(field+".", schema, fields, complete)
	}
	return nil
}

func checkText(field string, schema Schema, s string, complete bool) error {
	switch {
	case !utf8.ValidString(s):
		return models.Invalid(field, "must be valid UTF-8")
	case schema.MaxLength > 0 && utf8.RuneCountInString(s) > schema.MaxLength:
		return models.Invalid(field, "must be at most %d characters long", schema.MaxLength)
	case len(schema.Enum) > 0 && !slices.Contains(schema.Enum, s) && (complete || s != ""):
		return models.Invalid(field, "must be one of %s", strings.Join(schema.Enum, ", "))
	case schema.Format == uuidFormat && s != "" && !isUUID(s):
		return models.Invalid(field, "must be a UUID")
	case schema.Format == "uri" && complete && s != "" && !IsAddress(s):
		return models.Invalid(field, "must be a web address")
	case schema.Control == "color" && !IsColor(s) && (complete || s != ""):
		return models.Invalid(field, "must be a colour such as #3366ff")
	}
	return nil
}

func checkList(field string, schema Schema, value any, complete bool) error {
	items, ok := value.([]any)
	if !ok {
		return models.Invalid(field, "must be a list")
	}
	if complete && len(items) < schema.MinItems {
		return tooFew(field, schema.MinItems)
	}
	if schema.MaxItems > 0 && len(items) > schema.MaxItems {
		return models.Invalid(field, "must have at most %d entries", schema.MaxItems)
	}
	for i, item := range items {
		if err := CheckValue(field+"["+strconv.Itoa(i)+"]", *schema.Items, item, complete); err != nil {
			return err
		}
	}
	return nil
}

func tooFew(field string, least int) error {
	if least == 1 {
		return models.Invalid(field, "must have at least one entry")
	}
	return models.Invalid(field, "must have at least %d entries", least)
}

// IsAddress tells whether s is an absolute http or https URL with a host and
// without a user; which hosts may be reached is the client's decision.
func IsAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

func isUUID(s string) bool {
	_, err := models.ParseID("", s)
	return err == nil
}

// Lookup reads a dotted path.
func Lookup(input map[string]any, path string) (any, bool) {
	head, rest, dotted := strings.Cut(path, ".")
	value, ok := input[head]
	if !ok || !dotted {
		return value, ok
	}
	inner, ok := value.(map[string]any)
	if !ok {
		return nil, false
	}
	return Lookup(inner, rest)
}
