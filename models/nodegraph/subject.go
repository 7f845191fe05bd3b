package nodegraph

import (
	"slices"
	"strings"
)

// maxInSubject bounds what a run is about, in characters: it stands in titles.
const maxInSubject = 120

// wordFields are the fields in which people say in words what they want.
var wordFields = []string{"prompt", "text", "topic", "title", "subject", "description", "content", "caption", "message", "name"}

// Subject is what a run is about: the first text among the inputs that a person
// fills in, on one line; "" when there is none.
func Subject(all Nodes, inputs []Input) string {
	byID := make(map[string]*Node, len(all))
	for _, n := range all {
		byID[n.ID] = n
	}
	for _, input := range inputs {
		n := byID[input.NodeID]
		if n == nil || !saysInWords(input.Field) {
			continue
		}
		value, _ := valueOf(n, input.Field)
		text, _ := value.(string)
		if words := oneLine(text); words != "" {
			return words
		}
	}
	return ""
}

func saysInWords(field string) bool {
	if _, slot := slotName(field); slot {
		return !strings.HasPrefix(field, slotPrefix+"color")
	}
	return slices.Contains(wordFields, field[strings.LastIndexByte(field, '.')+1:])
}

// WordsOf is what one node was asked for: the first text of its settings in which people say what they want; "" when
// there is none.
func WordsOf(data map[string]any) string {
	for _, field := range wordFields {
		text, _ := data[field].(string)
		if words := oneLine(text); words != "" {
			return words
		}
	}
	return ""
}
