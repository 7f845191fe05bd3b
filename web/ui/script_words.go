package ui

import (
	"context"
	"encoding/json"
)

// scriptWords are what app.js says, by the names that it knows; "{}" is a number.
func scriptWords(ctx context.Context) string {
	return inJSON(map[string]string{
		"none": t(ctx, "With the selected"), "one": t(ctx, "1 selected"), "many": t(ctx, "%s selected", "{}"),
		"copied": t(ctx, "Copied"), "byHand": t(ctx, "Select and copy by hand"),
		"keysOn": t(ctx, "Keyboard shortcuts are on"), "keysOff": t(ctx, "Keyboard shortcuts are off"),
		"helper": t(ctx, "Prompt helper"), "close": t(ctx, "Close"), "moment": t(ctx, "One moment…"), "use": t(ctx, "Use it here"),
		"filled": t(ctx, "The prompt is filled in"), "viewer": t(ctx, "The viewer could not be loaded. Try again when you are online."),
		"interrupted": t(ctx, "Updates are interrupted. This page tries again by itself."),
	})
}

// inJSON are words as a script reads them from an attribute.
func inJSON(words map[string]string) string {
	text, _ := json.Marshal(words) // texts are always JSON
	return string(text)
}
