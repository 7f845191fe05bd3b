package nodes

import (
	"context"
	"strings"

	"atelier/humantext"
)

var splitTextNode = &Node{
	Type: "split-text", Label: "Split text", Category: "text", OutputType: "data",
	Description:  "Cuts a text into pieces.",
	Capabilities: []string{"text"},
	InputSchema: object(
		area("text", "Text", "The text to cut.").required(),
		choice("by", "Cut at", "Where one piece ends and the next begins.", "lines", "paragraphs", "sentences", "separator"),
		line("separator", "Separator", "Used when cutting at a separator.").or(","),
		toggle("trim", "Trim", "Removes blanks around the pieces, and empty pieces.", true),
		integer("index", "Piece", "Passes this piece on as text, counted from 1; empty passes all on.", 1, 10_000),
	),
	MainInput: "text", MainOutput: "items", Inline: true, Pool: Cheap,
	Run: splitText,
}

// maxPieces bounds what a text is cut into.
const maxPieces = 20_000

func splitText(_ context.Context, in *Call) (Output, error) {
	text := humantext.LineEnds(in.text("text"))
	var pieces []string
	switch in.text("by") {
	case "paragraphs":
		pieces = strings.SplitN(text, "\n\n", cutAt)
	case "sentences":
		pieces = sentences(text, cutAt)
	case "separator":
		if in.text("separator") == "" {
			return nil, failf("The separator is empty").hint("Write the separator at which to cut.")
		}
		pieces = strings.SplitN(text, in.text("separator"), cutAt)
	default:
		pieces = strings.SplitN(text, "\n", cutAt)
	}
	items := []any{}
	for _, piece := range pieces {
		if in.flag("trim") {
			piece = strings.TrimSpace(piece)
		}
		if piece != "" || !in.flag("trim") {
			items = append(items, piece)
		}
	}
	if len(items) > maxPieces || len(pieces) == cutAt {
		return nil, failf("The text has more than %d pieces", maxPieces).hint("Cut a shorter text, or cut it elsewhere.")
	}
	out := Output{"items": items, "data": items, "count": len(items)}
	if in.has("index") {
		i := in.integer("index")
		if i > len(items) {
			return nil, failf("There is no piece %d, only %d", i, len(items))
		}
		out["text"] = items[i-1]
	}
	return out, nil
}

// cutAt is where cutting ends: there may be empty pieces that do not count.
const cutAt = 5 * maxPieces
