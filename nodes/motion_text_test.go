//go:build !race

package nodes

import (
	"encoding/json"
	"testing"
)

// TestSlotTextKeepsItsStyle looks at Lottie's own slots, which players put in
// the place of the text: font and size must come along.
func TestSlotTextKeepsItsStyle(t *testing.T) {
	s := newShelf()
	document := func(own string) map[string]any {
		var animation map[string]any
		raw := `{"v":"5.7.0","fr":30,"ip":0,"op":60,"w":9,"h":9,"layers":[{"ty":5,"t":{"d":{"sid":"title","k":[{"t":0,"s":{"t":"Old","s":20,"f":"Bold"}}]}}}]` + own + `}`
		if err := json.Unmarshal([]byte(raw), &animation); err != nil {
			t.Fatal(err)
		}
		return animation
	}
	for own, want := range map[string]string{
		"": `{"title":{"p":{"k":[{"s":{"f":"Bold","s":20,"t":"New"},"t":0}]}}}`,
		`,"slots":{"title":{"p":{"k":[{"t":0,"s":{"t":"Old","s":30,"f":"Thin"}}]}}}`: `{"title":{"p":{"k":[{"s":{"f":"Thin","s":30,"t":"New"},"t":0}]}}}`,
	} {
		out := must(t, s, "motion", map[string]any{"motionPlan": map[string]any{
			"animation": document(own), "slots": map[string]any{"title": map[string]any{"type": "text", "value": "Old"}}, "slotValues": map[string]any{"title": "New"},
		}})
		var made struct{ Slots json.RawMessage }
		if err := json.Unmarshal(s.files[out["url"].(string)], &made); err != nil || string(made.Slots) != want {
			t.Errorf("%s, %v, want %s", made.Slots, err, want)
		}
	}
}
