package frame

import (
	"context"

	"atelier/web/ui"
)

// shelves are the parts of the library, with their lists.
var shelves = []ui.NavItem{
	{Text: mark("Characters"), Href: "/library/characters"}, {Text: mark("Creatures"), Href: "/library/creatures"}, {Text: mark("Objects"), Href: "/library/objects"},
	{Text: mark("Locations"), Href: "/library/locations"}, {Text: mark("Faces"), Href: "/library/faces"}, {Text: mark("Voices"), Href: "/voices"},
	{Text: mark("Presets"), Href: "/presets"}, {Text: mark("Prompt helper"), Href: "/prompt-helper"}, {Text: mark("Consents"), Href: "/consents"},
}

// libraryTabs are the tabs with the one of a list lit.
func libraryTabs(ctx context.Context, here func(string) string, current string) []ui.NavItem {
	out := make([]ui.NavItem, 0, len(shelves))
	for _, s := range shelves {
		out = append(out, ui.NavItem{Text: t(ctx, s.Text), Href: here(s.Href), Current: s.Href == current})
	}
	return out
}
