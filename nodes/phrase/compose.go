package phrase

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Named is an element as a prompt names it.
type Named struct {
	Kind string // character, creature, object, location or face
	// Handle stands in prompts as @handle.
	Handle string
	// Words stand for it; Negative is what is to be avoided with it.
	Words, Negative string
}

// handle is an @word. What stands before it is no letter, so that addresses of
// emails name no one.
var handle = regexp.MustCompile(`(^|[^\pL\pN_@.])@([A-Za-z0-9_]{2,30})\b`)

// Handles are the handles that a text may name, in small letters, in the order
// of their first mention.
func Handles(text string) []string {
	var found []string
	for _, match := range handle.FindAllStringSubmatch(text, -1) {
		found = append(found, strings.ToLower(match[2]))
	}
	return unique(found, len(found))
}

// maxComposed bounds, in bytes, what the words of elements add to a prompt, however often it
// names them; later mentions stay as they are.
const maxComposed = 1 << 20

// Compose is a prompt with each @handle of an element in its words, then the
// words of the elements that no handle named, and the location's last. An @word
// that is no element's stays.
func Compose(prompt string, elements []Named) string {
	used, added := make([]bool, len(elements)), 0
	composed := handle.ReplaceAllStringFunc(prompt, func(found string) string {
		at := strings.LastIndexByte(found, '@')
		i := slices.IndexFunc(elements, func(e Named) bool { return strings.EqualFold(e.Handle, found[at+1:]) })
		if i < 0 || added+len(elements[i].Words) > maxComposed {
			return found
		}
		used[i] = true
		added += len(elements[i].Words)
		return found[:at] + elements[i].Words
	})
	parts := []string{strings.TrimSpace(composed)}
	for _, location := range []bool{false, true} {
		for i, e := range elements {
			if !used[i] && (e.Kind == "location") == location {
				parts = append(parts, strings.TrimSpace(e.Words))
			}
		}
	}
	return list(parts)
}

// Avoid is what is not to be seen: the prompt's own, and what the elements say.
func Avoid(negative string, elements []Named) string {
	parts := []string{strings.TrimSpace(negative)}
	for _, e := range elements {
		parts = append(parts, strings.TrimSpace(e.Negative))
	}
	return list(unique(parts, len(parts)))
}

// list joins what is not empty with commas.
func list(parts []string) string {
	var said strings.Builder
	for _, p := range parts {
		switch {
		case p == "":
		case said.Len() == 0:
			said.WriteString(p)
		default:
			if !strings.HasSuffix(said.String(), ",") {
				said.WriteString(",")
			}
			said.WriteString(" " + p)
		}
	}
	return said.String()
}

// Words are the words of an element: its own prompt, or its description with
// those attributes that the description does not state.
func Words(kind, name, prompt, description string, attributes map[string]string) string {
	if said := strings.TrimSpace(prompt); said != "" {
		return said
	}
	description = strings.TrimRight(strings.TrimSpace(description), ".,; \n")
	stated := Attributes(kind, description).Attributes
	left := maps.Clone(attributes)
	maps.DeleteFunc(left, func(key, value string) bool {
		return strings.TrimSpace(value) == "" || strings.EqualFold(stated[key], value)
	})
	said := sayAttributes(kind, left, description == "")
	if description == "" && said == "" {
		return strings.TrimSpace(name)
	}
	return list([]string{description, said})
}

// sayAttributes puts attributes in words, those that the painter knows first and
// the others as "key: value" by their names. Alone they begin with what the
// element is.
func sayAttributes(kind string, attributes map[string]string, alone bool) string {
	left := maps.Clone(attributes)
	take := func(key string) string {
		value := strings.TrimSpace(left[key])
		delete(left, key)
		return value
	}
	of := func(noun string, keys ...string) string {
		var words []string
		for _, k := range keys {
			if v := take(k); v != "" {
				words = append(words, v)
			}
		}
		if len(words) == 0 {
			return ""
		}
		return strings.Join(append(words, noun), " ")
	}
	join := func(values ...string) string {
		return strings.Join(slices.DeleteFunc(values, func(v string) bool { return v == "" }), " ")
	}
	var parts []string
	switch kind {
	case "character":
		age, gender := take("age"), take("gender")
		if age != "" || gender != "" || alone {
			parts = append(parts, person(age, gender))
		}
		parts = append(parts, of("skin", "skin"), hairSaid(take("hairStyle"), take("hairColor")), of("eyes", "eyeColor"),
			join(take("outfitColor"), take("outfit")), take("accessory"), of("expression", "expression"), take("personality"), take("movement"))
	case "creature":
		body := join(take("temperament"), take("size"), take("bodyColor"))
		parts = append(parts, join(body, take("species")))
		if second := take("secondColor"); second != "" {
			parts = append(parts, second+" markings")
		}
		parts = append(parts, take("pattern"), has(take("wings"), "wings"), has(take("horns"), "horns"), has(take("tail"), "tail"))
	case "object":
		parts = append(parts, join(take("size"), take("era"), take("color"), take("material"), take("shape")))
	case "location":
		parts = append(parts, join(take("setting"), take("place")), take("timeOfDay"), take("weather"), take("season"), of("mood", "mood"))
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		parts = append(parts, key+": "+strings.TrimSpace(left[key]))
	}
	return list(parts)
}

func person(age, gender string) string {
	names := map[string][3]string{
		"child": {"girl", "boy", "child"}, "teen": {"teenage girl", "teenage boy", "teenager"},
		"old": {"old woman", "old man", "old person"}, "adult": {"woman", "man", "adult"}, "": {"woman", "man", "person"},
	}
	known, ok := names[age]
	switch {
	case !ok:
		return strings.TrimSpace(age + " " + gender + " person")
	case gender == "female":
		return known[0]
	case gender == "male":
		return known[1]
	case gender != "" && gender != "neutral":
		return gender + " " + known[2]
	}
	return known[2]
}

func hairSaid(style, color string) string {
	switch style {
	case "":
		if color == "" {
			return ""
		}
		return color + " hair"
	case "bald":
		return "bald"
	case "headscarf":
		return "headscarf"
	case "long", "short", "curly":
		return strings.TrimSpace(style+" "+color) + " hair"
	}
	if color == "" {
		return style
	}
	return color + " hair in " + style
}

// has says that something is there, and how: "leathery wings", "no horns".
func has(value, noun string) string {
	switch value {
	case "":
		return ""
	case "yes", "true":
		return noun
	case "none", "no", "false":
		return "no " + noun
	}
	return value + " " + noun
}
