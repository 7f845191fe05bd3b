package nodes

import (
	"context"
	"strings"

	"atelier/humantext"
	"atelier/nodes/kit"
)

var splitTextNode = &kit.Node{
	Type: "split-text", Label: "Split text", Category: "text", OutputType: "data",
	Description:  "Cuts a text into pieces.",
	Capabilities: []string{"text"},
	InputSchema: kit.Object(
		kit.Area("text", "Text", "The text to cut.").Required(),
		kit.Choice("by", "Cut at", "Where one piece ends and the next begins.", "lines", "paragraphs", "sentences", "separator"),
		kit.Line("separator", "Separator", "Used when cutting at a separator.").Or(","),
		kit.Toggle("trim", "Trim", "Removes blanks around the pieces, and empty pieces.", true),
		kit.Integer("index", "Piece", "Passes this piece on as text, counted from 1; empty passes all on.", 1, 10_000),
	),
	MainInput: "text", MainOutput: "items", Inline: true, Pool: kit.Cheap,
	Run: splitText,
}

// maxPieces bounds what a text is cut into.
const maxPieces = 20_000

func splitText(_ context.Context, in *kit.Call) (kit.Output, error) {
	text := humantext.LineEnds(in.Text("text"))
	var pieces []string
	switch in.Text("by") {
	case "paragraphs":
		pieces = strings.SplitN(text, "\n\n", cutAt)
	case "sentences":
		pieces = kit.Sentences(text, cutAt)
	case "separator":
		if in.Text("separator") == "" {
			return nil, kit.Failf("The separator is empty").WithHint("Write the separator at which to cut.")
		}
		pieces = strings.SplitN(text, in.Text("separator"), cutAt)
	default:
		pieces = strings.SplitN(text, "\n", cutAt)
	}
	items := []any{}
	for _, piece := range pieces {
		if in.Flag("trim") {
			piece = strings.TrimSpace(piece)
		}
		if piece != "" || !in.Flag("trim") {
			items = append(items, piece)
		}
	}
	if len(items) > maxPieces || len(pieces) == cutAt {
		return nil, kit.Failf("The text has more than %d pieces", maxPieces).WithHint("Cut a shorter text, or cut it elsewhere.")
	}
	out := kit.Output{"items": items, "data": items, "count": len(items)}
	if in.Has("index") {
		i := in.Integer("index")
		if i > len(items) {
			return nil, kit.Failf("There is no piece %d, only %d", i, len(items))
		}
		out["text"] = items[i-1]
	}
	return out, nil
}

// cutAt is where cutting ends: there may be empty pieces that do not count.
const cutAt = 5 * maxPieces
