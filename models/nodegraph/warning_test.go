//go:build !race

package nodegraph

import "testing"

// What a run would fail at is told before it begins, and keeps no graph from being saved.
func TestWarningsOfWhatARunWouldFailAt(t *testing.T) {
	words := func(text string) *Node { return node("words", "text", map[string]any{"text": text}) }
	painted := node("paint", "generate-image", map[string]any{"prompt": "a fox"})
	for name, tt := range map[string]struct {
		all   Nodes
		edges Edges
		want  string
	}{
		"a text as a picture":    {Nodes{words("a fox"), painted}, Edges{handle(edge("words", "paint"), "", "referenceImage")}, "nodes.paint.data.referenceImage got a text, it takes a picture"},
		"an address":             {Nodes{words("https://files.example/fox.png"), painted}, Edges{handle(edge("words", "paint"), "", "referenceImage")}, ""},
		"a picture as a picture": {Nodes{node("sky", "generate-image", map[string]any{"prompt": "a sky"}), painted}, Edges{handle(edge("sky", "paint"), "", "referenceImage")}, ""},
		"an empty prompt":        {Nodes{node("paint", "generate-image", map[string]any{"prompt": " "})}, nil, "nodes.paint.data.prompt is empty: fill it in, or connect something to it"},
		"a fed prompt":           {Nodes{words("a fox"), node("paint", "generate-image", nil)}, Edges{edge("words", "paint")}, ""},
		"a preset":               {Nodes{node("paint", "generate-image", map[string]any{"presetId": "01890000-0000-7000-8000-000000000001"})}, nil, ""},
		"no preset":              {Nodes{node("paint", "generate-image", map[string]any{"presetId": ""})}, nil, "nodes.paint.data.prompt is empty: fill it in, or connect something to it"},
		"nothing wrong":          {Nodes{painted}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, p := range Warnings(nil, tt.all, tt.edges) {
				got += p.Field + " " + p.Message
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if err := Validate(nil, tt.all, tt.edges); err != nil {
				t.Errorf("it cannot be saved: %v", err)
			}
		})
	}
}
