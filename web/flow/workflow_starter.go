package flow

import (
	"context"
	"strings"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/ui"
)

// starter is a workflow to begin with.
type starter struct{ Name, Title, Text, Graph string }

var starters = []starter{
	{Name: "picture", Title: mark("Text to picture"), Text: mark("A subject fills a template, the template becomes a picture, the picture is made small."), Graph: `{
  "nodes": [
    {"id": "subject", "type": "text", "position": {"x": 0, "y": 0}, "data": {"text": "a lighthouse above a stormy sea"}},
    {"id": "prompt", "type": "template-text", "position": {"x": 240, "y": 0}, "data": {"template": "{{subject}}, wide brush strokes, evening light"}},
    {"id": "picture", "type": "generate-image", "position": {"x": 480, "y": 0}, "data": {"aspectRatio": "4:3", "resolution": "1K"}},
    {"id": "small", "type": "resize-image", "position": {"x": 720, "y": 0}, "data": {"width": 512}}
  ],
  "edges": [
    {"id": "e1", "source": "subject", "target": "prompt", "targetHandle": "values.subject"},
    {"id": "e2", "source": "prompt", "target": "picture"},
    {"id": "e3", "source": "picture", "target": "small"}
  ]
}`},
	{Name: "letter", Title: mark("Letter from a template"), Text: mark("A name and a reason fill a letter. It costs nothing."), Graph: `{
  "nodes": [
    {"id": "name", "type": "text", "position": {"x": 0, "y": 0}, "data": {"text": "Ada"}},
    {"id": "reason", "type": "text", "position": {"x": 0, "y": 100}, "data": {"text": "your talk on engines"}},
    {"id": "letter", "type": "template-text", "position": {"x": 240, "y": 50}, "data": {"template": "Dear {{name}},\n\nthank you for {{reason}}.\n"}}
  ],
  "edges": [
    {"id": "e1", "source": "name", "target": "letter", "targetHandle": "values.name"},
    {"id": "e2", "source": "reason", "target": "letter", "targetHandle": "values.reason"}
  ]
}`},
	{Name: "empty", Title: mark("Empty"), Text: mark("A blank canvas: you add every node yourself."), Graph: `{"nodes": [], "edges": []}`},
}

// starterTexts are what stands in the nodes of a starter to be read by people. Painters of this install read English.
var starterTexts = []string{markc("letter", "your talk on engines"), markc("letter", "Dear {{name}},\n\nthank you for {{reason}}.\n")}

// graph is the graph of a starter, with its texts in the reader's language.
func (s starter) graph(ctx context.Context) string {
	out := s.Graph
	for _, text := range starterTexts {
		out = strings.ReplaceAll(out, frame.JSONOf(text), frame.JSONOf(locale.Word(ctx, "letter", text)))
	}
	return out
}

func starterOptions(ctx context.Context) []ui.Option {
	var out []ui.Option
	for _, s := range starters {
		out = append(out, ui.Option{Value: s.Name, Text: t(ctx, s.Title), Hint: t(ctx, s.Text)})
	}
	return out
}
