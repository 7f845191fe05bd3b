package frame

import "atelier/web/ui"

// shelves are the parts of the library, with their lists.
var shelves = []ui.NavItem{
	{Text: "Characters", Href: "/library/characters"}, {Text: "Creatures", Href: "/library/creatures"}, {Text: "Objects", Href: "/library/objects"},
	{Text: "Locations", Href: "/library/locations"}, {Text: "Faces", Href: "/library/faces"}, {Text: "Voices", Href: "/voices"},
	{Text: "Presets", Href: "/presets"}, {Text: "Prompt helper", Href: "/prompt-helper"}, {Text: "Consents", Href: "/consents"},
}

// libraryTabs are the tabs with the one of a list lit.
func libraryTabs(here func(string) string, current string) []ui.NavItem {
	out := make([]ui.NavItem, 0, len(shelves))
	for _, s := range shelves {
		out = append(out, ui.NavItem{Text: s.Text, Href: here(s.Href), Current: s.Href == current})
	}
	return out
}
