package nodegraph

import (
	"slices"
	"strings"

	"atelier/nodes"
	"atelier/nodes/kit"
)

// Warnings is what saving a graph allows and its next run would fail at: fields that are needed and empty, and files
// for which a text, or another kind of file, is drawn in. At most 50.
func Warnings(kinds *nodes.Catalogue, all Nodes, edges Edges) []*Problem {
	byID, err := indexNodes(all)
	if err != nil {
		return []*Problem{}
	}
	found := []*Problem{}
	feeds := map[string][]Feed{}
	for _, feed := range Feeds(all, edges) {
		feeds[feed.Target] = append(feeds[feed.Target], feed)
	}
	for _, n := range all {
		kind, known := kinds.Find(n.Type)
		if !known || kind.Control {
			continue
		}
		for _, p := range kind.InputSchema.Properties {
			at := "nodes." + n.ID + ".data." + p.Name
			feed, fed := feedOf(feeds[n.ID], p.Name)
			switch {
			case fed:
				if got := mismatch(p.Schema, byID[feed.Source], feed); got != "" {
					found = append(found, &Problem{Message: "got " + a(got) + ", it takes " + a(takes(p.Schema)), Field: at, NodeID: &n.ID})
				}
			case p.Needed && empty(n.Data[p.Name]) && !kit.NamesPreset(n.Data):
				found = append(found, &Problem{Message: "is empty: fill it in, or connect something to it", Field: at, NodeID: &n.ID})
			}
			if len(found) == maxProblems {
				return found
			}
		}
	}
	return found
}

// feedOf is what is drawn into a field, as a whole or into a part of it.
func feedOf(all []Feed, field string) (Feed, bool) {
	i := slices.IndexFunc(all, func(f Feed) bool { return f.Touches(field) })
	if i < 0 {
		return Feed{}, false
	}
	return all[i], true
}

// takes is the kind of file that a field is of; empty for any other field.
func takes(s kit.Schema) string {
	if s.Items != nil {
		s = *s.Items
	}
	if slices.Contains([]string{"image", "video", "audio"}, s.Control) {
		return s.Control
	}
	return ""
}

// mismatch is what a source yields where that cannot be what the field takes. An address that was typed into a text
// may be one of a file, and a sound may be taken from a video.
func mismatch(s kit.Schema, source *Node, feed Feed) string {
	kind, known := nodes.Find(typeOf(source))
	if takes(s) == "" || !known || feed.Output != "" && feed.Output != kind.MainOutput {
		return ""
	}
	wrong := map[string][]string{"image": {"text", "audio"}, "video": {"text", "audio"}, "audio": {"text", "image"}}
	if !slices.Contains(wrong[takes(s)], kind.OutputType) {
		return ""
	}
	if typed, _ := source.Data["text"].(string); kind.OutputType == "text" && (strings.HasPrefix(typed, "http") || strings.Contains(typed, "{{")) {
		return ""
	}
	return kind.OutputType
}

func typeOf(n *Node) string {
	if n == nil {
		return ""
	}
	return n.Type
}

func a(kind string) string {
	switch kind {
	case "image":
		return "a picture"
	case "audio":
		return "a sound"
	}
	return "a " + kind
}

func empty(value any) bool {
	s, isText := value.(string)
	return kit.IsEmpty(value) || isText && strings.TrimSpace(s) == ""
}
