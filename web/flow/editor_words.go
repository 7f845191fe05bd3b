package flow

import (
	"context"
	"strings"
	"time"

	"atelier/web/locale"
)

// editorWords are the sentences of the editor's script by the names that it knows them by (web/editor/words.js). It puts
// what they are about in the places of {1}, {2} and {3}. A pair is for one and for many of a thing; {1} is their number.
func editorWords(ctx context.Context) map[string]any {
	words := map[string]any{}
	for _, some := range []map[string]any{
		editorGraphWords(ctx), editorNodeWords(ctx), editorFieldWords(ctx), editorRuleWords(ctx), editorStateWords(ctx),
	} {
		for name, text := range some {
			words[name] = text
		}
	}
	return words
}

// editorGraphWords are what is said of the drawing, of the list and of the catalogue.
func editorGraphWords(ctx context.Context) map[string]any {
	return map[string]any{
		"wrong":       t(ctx, "Needs a look"),
		"everything":  t(ctx, "Everything in it"),
		"added":       t(ctx, "%s added", "{1}"),
		"addedHere":   t(ctx, "%s added. It is selected.", "{1}"),
		"feeds":       t(ctx, "%s feeds %s", "{1}", "{2}"),
		"feedsAll":    t(ctx, "feeds %s", "{1}"),
		"unfit":       t(ctx, "%s of %s does not take what %s makes", "{1}", "{2}", "{3}"),
		"connected":   t(ctx, "Connected"),
		"connectedTo": t(ctx, "Connected to %s", "{1}"),
		"madeImage":   t(ctx, "The last run made a picture"),
		"madeVideo":   t(ctx, "The last run made a video"),
		"madeAudio":   t(ctx, "The last run made a sound"),
		"madeText":    t(ctx, "The last run made a text"),
		"sound":       t(ctx, "A sound: play it under Run"),

		"categories": map[string]string{
			"trigger": t(ctx, "Triggers"), "flow": tc(ctx, "kind of node", "Flow"), "ai": categoryTitle(ctx, "ai"), "text": t(ctx, "Text"),
			"image": t(ctx, "Images"), "video": t(ctx, "Video"), "audio": t(ctx, "Audio"), "3d": "3D", "input": t(ctx, "Files"),
			"data": t(ctx, "Data"), "output": t(ctx, "Outputs"),
		},
		"noKind": t(ctx, "No node does that."),

		"found":   []string{t(ctx, "1 kind of node, Enter adds %s", "{2}"), t(ctx, "%s kinds of nodes, Enter adds %s", "{1}", "{2}")},
		"addKind": t(ctx, "Add %s", "{1}"),
		"credits": t(ctx, "Credits"),
	}
}

// editorNodeWords are those of the form of a node.
func editorNodeWords(ctx context.Context) map[string]any {
	return map[string]any{
		"connection":      t(ctx, "Connection"),
		"feedsWhole":      t(ctx, "%s feeds %s.", "{1}", "{2}"),
		"feedsField":      t(ctx, "%s feeds %s, %s.", "{1}", "{2}", "{3}"),
		"disconnect":      t(ctx, "Disconnect"),
		"disconnectThis":  t(ctx, "Disconnect %s", "{1}"),
		"disconnected":    t(ctx, "Disconnected"),
		"nodes":           []string{t(ctx, "1 node"), t(ctx, "%s nodes", "{1}")},
		"duplicate":       t(ctx, "Duplicate"),
		"delete":          t(ctx, "Delete"),
		"deleted":         t(ctx, "Deleted"),
		"nothingSelected": t(ctx, "Nothing is selected"),
		"select":          t(ctx, "Select a node to set its fields and to say what feeds them."),
		"addFirst":        t(ctx, "Add a node from the catalogue. / leads there."),
		"keys": t(ctx, "Enter on a node opens its form. Arrow keys move it, Delete removes it, Ctrl C and Ctrl V copy it, also into "+
			"another tab, Ctrl Z takes a step back. ? shows all keys."),
		"unknownKind":      t(ctx, "The kind %s is not known here.", "{1}"),
		"try":              t(ctx, "Try this node"),
		"savePreset":       t(ctx, "Save as preset…"),
		"optional":         t(ctx, "optional"),
		"connectMore":      t(ctx, "Connect…"),
		"connectMoreThis":  t(ctx, "Connect… (%s)", "{1}"),
		"promptHelp":       t(ctx, "Help me with the words"),
		"fedBy":            t(ctx, "Connected to %s", "{1}"),
		"fedByOutput":      t(ctx, "Connected to %s, its %s", "{1}", "{2}"),
		"keepIt":           t(ctx, "Keep connection"),
		"nothing":          t(ctx, "Nothing"),
		"changeConnection": t(ctx, "Change connection"),
		"connect":          t(ctx, "Connect"),
		"connectThis":      t(ctx, "Connect (%s)", "{1}"),
		"more":             t(ctx, "Name, id, review, mappings"),
		"name":             t(ctx, "Name"),
		"id":               t(ctx, "Id"),
		"idHint":           t(ctx, "The API calls the node by it."),
		"inGroup":          t(ctx, "In the group"),
		"hold":             t(ctx, "Hold its result for review"),
		"mappings":         t(ctx, "Field mappings"),
		"mappingsHint":     t(ctx, "%s feeds a field without a line.", `{ "width": { "nodeId": "photo", "output": "width" } }`),
		"taken":            t(ctx, "%s is taken", "{1}"),
		"idNeeded":         t(ctx, "An id is needed"),
		"none":             t(ctx, "None"),
	}
}

// editorFieldWords are those of the controls of fields.
func editorFieldWords(ctx context.Context) map[string]any {
	return map[string]any{
		"gone":            t(ctx, "One that you may not see, or that is gone"),
		"noThing":         t(ctx, "There is none yet."),
		"library":         t(ctx, "Open the library"),
		"notSet":          t(ctx, "Not set"),
		"asUsual":         t(ctx, "As usual (%s)", "{1}"),
		"otherId":         t(ctx, "Id of another"),
		"other":           t(ctx, "Another, by its id…"),
		"foreignKey":      t(ctx, "One that is not yours, or is deleted"),
		"credentials":     t(ctx, "Your credentials"),
		"range":           t(ctx, "From %s to %s. Another value is brought into that range when it runs.", "{1}", "{2}"),
		"slider":          t(ctx, "%s, slider", "{1}"),
		"picker":          t(ctx, "%s, picker", "{1}"),
		"upload":          t(ctx, "Upload a file for %s", "{1}"),
		"uploading":       t(ctx, "Uploading…"),
		"uploaded":        t(ctx, "Uploaded."),
		"oneInALine":      t(ctx, "One in a line"),
		"noJSON":          t(ctx, "This is not JSON yet: %s", "{1}"),
		"remove":          t(ctx, "Remove"),
		"removeThis":      t(ctx, "Remove %s", "{1}"),
		"newValue":        t(ctx, "Name of a new value"),
		"newValueExample": tc(ctx, "example", "name"),
		"addValue":        t(ctx, "Add a value"),
		"plan":            t(ctx, "The plan as JSON"),
	}
}

// editorRuleWords are those of the rules of a schedule.
func editorRuleWords(ctx context.Context) map[string]any {
	words := map[string]any{
		"minutes": t(ctx, "Every few minutes"), "hours": t(ctx, "Every few hours"), "days": t(ctx, "Every few days"), "weeks": t(ctx, "On days of the week"),
		"months": t(ctx, "On a day of the month"), "cron": t(ctx, "By an expression"),
		"hour": tc(ctx, "of a clock", "Hour"), "minute": tc(ctx, "of a clock", "Minute"), "dayOfMonth": t(ctx, "Day of the month"),
		"choose":     t(ctx, "Choose…"),
		"rule":       t(ctx, "Rule %s", "{1}"),
		"runs":       tc(ctx, "a schedule", "Runs"),
		"every":      t(ctx, "Every how many (1 to %s)", "{1}"),
		"onDays":     t(ctx, "On these days"),
		"expression": t(ctx, "Expression"),
		"cronHint":   t(ctx, "Minute, hour, day of month, month, day of week. All of them must match; 0 and 7 are Sunday."),
		"removeRule": t(ctx, "Remove rule %s", "{1}"),
		"addRule":    t(ctx, "Add a rule"),
	}
	days := make([]string, 7)
	for day := range days {
		days[day] = locale.ShortWeekday(ctx, time.Weekday(day))
	}
	words["weekdays"] = days
	return words
}

// editorStateWords are what is said of saving, checking, running and copying, and of the graph as text.
func editorStateWords(ctx context.Context) map[string]any {
	return map[string]any{
		"readOnly":      t(ctx, "You can look, but not change it"),
		"unsaved":       t(ctx, "Unsaved changes"),
		"saved":         t(ctx, "Saved, version %s", "{1}"),
		"savedAs":       t(ctx, "Saved as version %s", "{1}"),
		"saving":        t(ctx, "Saving…"),
		"nothingToSave": t(ctx, "There is nothing to save"),
		"problems":      []string{t(ctx, "1 thing to put right"), t(ctx, "%s things to put right", "{1}")},
		"warnings": []string{
			t(ctx, "Can be saved, but a run would fail: 1 thing to put right"),
			t(ctx, "Can be saved, but a run would fail: %s things to put right", "{1}"),
		},
		"valid":       t(ctx, "Valid. A run costs about %s.", "{1}"),
		"started":     t(ctx, "The run has started"),
		"alone":       t(ctx, "%s runs by itself", "{1}"),
		"copied":      []string{t(ctx, "1 node copied"), t(ctx, "%s nodes copied", "{1}")},
		"duplicated":  []string{t(ctx, "1 node duplicated"), t(ctx, "%s nodes duplicated", "{1}")},
		"pasted":      []string{t(ctx, "1 node pasted"), t(ctx, "%s nodes pasted", "{1}")},
		"noClipboard": t(ctx, "There are no nodes on the clipboard. Copy some first, here or in another tab."),

		"graphForm":   t(ctx, "A graph is %s", `{ "nodes": [...], "edges": [...] }`),
		"nodeNeeds":   t(ctx, "Node %s needs an id and a type", "{1}"),
		"idTwice":     t(ctx, "The id %s is used twice", "{1}"),
		"edgeNeeds":   t(ctx, "Edge %s needs a source and a target", "{1}"),
		"drawingKept": t(ctx, "%s. The drawing stays as it was until this can be read.", "{1}"),

		"failed":      t(ctx, "That did not work. Try once more in a moment."),
		"unreachable": t(ctx, "The service cannot be reached. What you made is still here."),
		"signedOut":   t(ctx, "You are signed out. Sign in in another tab, then go on here."),
	}
}

// keyNames are what stands on keys of an English keyboard.
var keyNames = map[string]string{
	"Ctrl": markc("key", "Ctrl"), "Shift": markc("key", "Shift"), "Enter": markc("key", "Enter"), "Delete": markc("key", "Delete"), "click": markc("key", "click"),
}

// keyName is a key, or several at once, as it stands on the reader's keyboard.
func keyName(ctx context.Context, keys string) string {
	names := strings.Fields(keys)
	for i, name := range names {
		if known := keyNames[name]; known != "" {
			names[i] = tc(ctx, "key", known)
		}
	}
	return strings.Join(names, " ")
}
