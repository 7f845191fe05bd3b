package nodegraph

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"atelier/models"
)

// The bounds of a field path, wherever one is named: in overrides and inputs,
// handles of edges, field mappings, parameters, and forms of apps.
const (
	MaxPathParts      = 10
	MaxPathCharacters = 200
)

// fieldPath is the name of a field, taken apart: a property of a node's data or
// output, and with dots what lies within it. A slot is one part.
type fieldPath []string

// What a name is refused for; the words go behind it.
var (
	errPathLong  = fmt.Errorf("must have at most %d characters", MaxPathCharacters)
	errPathParts = fmt.Errorf("must have at most %d parts between its dots", MaxPathParts)
	errPathDeep  = fmt.Errorf("would hold values that nest beyond %d levels", models.MaxJSONDepth)
)

// parsePath is the only way from a text to a path.
func parsePath(name string) (fieldPath, error) {
	if len(name) > MaxPathCharacters*utf8.UTFMax || utf8.RuneCountInString(name) > MaxPathCharacters {
		return nil, errPathLong
	}
	if _, slot := slotName(name); slot {
		return fieldPath{name}, nil
	}
	if strings.Count(name, ".") >= MaxPathParts {
		return nil, errPathParts
	}
	return strings.Split(name, "."), nil
}

// checkPath refuses a name that is to be saved or set with validation_error.
func checkPath(at, name string) error {
	if _, err := parsePath(name); err != nil {
		return models.Invalid(at, "%s", err)
	}
	return nil
}

// CheckNames refuses the names of fields in a node's data that no run could set: of its
// parameters, of the inputs of a component, and of the slots of an animation. prefix
// stands before names in messages.
func CheckNames(prefix, nodeType string, data map[string]any) error {
	for i, name := range parameterNames(&Node{Data: data}) {
		if err := checkPath(fmt.Sprintf("%sparameters[%d].name", prefix, i), name); err != nil {
			return err
		}
	}
	switch nodeType {
	case ComponentType:
		given, _ := data["inputs"].(map[string]any)
		return checkInner(prefix+"inputs", given)
	case motionType:
		plan, _ := data[planField].(map[string]any)
		for _, part := range []string{"slots", "slotValues"} {
			named, _ := plan[part].(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(named)) {
				if err := checkPath(prefix+planField+"."+part+"."+name, slotPrefix+name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkInner refuses inputs of a component, by node and field (<node>.<field>, or nested),
// that no node inside could take; see fieldsFor.
func checkInner(at string, given map[string]any) error {
	if len(given) > maxRunValues {
		return models.Invalid(at, "must be at most %d", maxRunValues)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		node, field, dotted := strings.Cut(name, ".")
		if !dotted {
			field = node
		}
		if err := checkPath(at+"."+name, field); err != nil {
			return err
		}
		below, _ := given[name].(map[string]any)
		if dotted || len(below) == 0 {
			continue
		}
		if len(below) > maxRunValues {
			return models.Invalid(at+"."+name, "must be at most %d", maxRunValues)
		}
		for _, field := range slices.Sorted(maps.Keys(below)) {
			if err := checkPath(at+"."+name+"."+field, field); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookupPath reads a field of a node's data or output.
func lookupPath(data map[string]any, name string) (any, bool) {
	path, err := parsePath(name)
	if err != nil {
		return nil, false
	}
	for _, part := range path[:len(path)-1] {
		data, _ = data[part].(map[string]any)
	}
	value, ok := data[path[len(path)-1]]
	return value, ok
}

// head is the property of a node that a name leads into.
func head(name string) string {
	path, err := parsePath(name)
	if err != nil {
		return name
	}
	return path[0]
}

// overlay sets fields in data that others share: the maps on the way to a field
// are copied, each once, so that many fields cost no more than the data.
type overlay struct {
	data  map[string]any
	below map[string]*overlay
}

func overlayOf(data map[string]any) *overlay {
	if data = maps.Clone(data); data == nil {
		data = map[string]any{}
	}
	return &overlay{data, map[string]*overlay{}}
}

// set sets a field by its name; refusals as setIn.
func (o *overlay) set(name string, value any) error {
	path, err := parsePath(name)
	if err != nil {
		return err
	}
	return o.setIn(path, value)
}

// setIn refuses a value that would make the data nest too deep, for the engine
// keeps and encodes whatever is in there.
func (o *overlay) setIn(path fieldPath, value any) error {
	if len(path)+models.JSONDepth(value) > models.MaxJSONDepth {
		return errPathDeep
	}
	for _, part := range path[:len(path)-1] {
		if o.below[part] == nil {
			inner, _ := o.data[part].(map[string]any)
			o.below[part] = overlayOf(inner)
			o.data[part] = o.below[part].data
		}
		o = o.below[part]
	}
	last := path[len(path)-1]
	o.data[last] = value
	delete(o.below, last)
	return nil
}

// setPath is data with one field set; the given data stays as it is.
func setPath(data map[string]any, name string, value any) (map[string]any, error) {
	o := overlayOf(data)
	return o.data, o.set(name, value)
}
