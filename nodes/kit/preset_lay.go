package kit

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// LayPreset is settings with a preset under them: what they leave empty comes from the
// preset. In a text of the preset {{field}} is the settings' own value of that field; a
// text that holds {{its own field}} is laid over the value that it takes in. Placeholders
// that name no field of the type stay as they are.
func (n *Node) LayPreset(input, preset map[string]any) map[string]any {
	if len(preset) == 0 {
		return input
	}
	laid := maps.Clone(input)
	if laid == nil {
		laid = map[string]any{}
	}
	spoken := n.namesVoice(input)
	for name, value := range preset {
		if _, known := n.InputSchema.Properties.Find(name); !known || n.LibraryKind(name) == namesPreset || spoken && saysWho[name] {
			continue
		}
		text, isText := value.(string)
		if isText {
			var takesOwn bool
			value, takesOwn = n.fillIn(text, name, input)
			if takesOwn || IsEmpty(input[name]) {
				laid[name] = value
			}
			continue
		}
		if IsEmpty(input[name]) {
			laid[name] = value
		}
	}
	return laid
}

// saysWho are the fields that say who speaks: a preset's give way together to a voice of the library
// that the node names itself.
var saysWho = map[string]bool{"voice": true, "speaker": true, "provider": true, "model": true}

// namesVoice tells whether settings name a voice of the library.
func (n *Node) namesVoice(input map[string]any) bool {
	return slices.ContainsFunc(n.InputSchema.Properties, func(p Property) bool {
		return n.LibraryKind(p.Name) == NamesVoice && !IsEmpty(input[p.Name])
	})
}

// LayPrice is LayPreset for the fields alone that decide the price.
func (n *Node) LayPrice(input, preset map[string]any) map[string]any {
	deciding := maps.Clone(preset)
	maps.DeleteFunc(deciding, func(name string, _ any) bool { return !n.SetsPrice(name) })
	return n.LayPreset(input, deciding)
}

// fillIn puts values in the place of placeholders; takesOwn tells that one of them is
// the field's own. It leaves off once the text has outgrown what any field takes.
func (n *Node) fillIn(text, name string, input map[string]any) (filled string, takesOwn bool) {
	size := len(text)
	filled = placeholder.ReplaceAllStringFunc(text, func(found string) string {
		field := placeholder.FindStringSubmatch(found)[1]
		if _, known := n.InputSchema.Properties.Find(field); !known {
			return found
		}
		takesOwn = takesOwn || field == name
		value, _ := input[field].(string)
		if size > MaxText*utf8.UTFMax {
			return ""
		}
		size += len(value)
		return value
	})
	if takesOwn && IsEmpty(input[name]) { // nothing stood before ", watercolor"
		filled = strings.TrimLeft(filled, " ,;.\n")
		filled = strings.TrimRight(filled, " ,;\n")
	}
	return filled, takesOwn
}

// IsEmpty tells whether settings leave a value to others.
func IsEmpty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	}
	return false
}

// NamesPreset tells whether settings name a preset, so that what is required may come from it.
func NamesPreset(input map[string]any) bool {
	return !IsEmpty(input[presetField.Name])
}

// HowOf are the elements in an output and how each was used, by their ids.
func HowOf(out map[string]any) map[string]string {
	how := map[string]string{}
	entries, _ := out["elements"].([]any)
	for _, entry := range entries {
		of, _ := entry.(map[string]any)
		id, _ := of["id"].(string)
		if word, _ := of["how"].(string); id != "" && slices.Contains([]string{"trained", "pictures", "drawn", "words"}, word) {
			how[id] = word
		}
	}
	return how
}
