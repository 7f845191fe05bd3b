//go:build !race

package nodes

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"atelier/nodes/kit"
)

func TestDelayPausesAndPassesOn(t *testing.T) {
	call := &kit.Call{Input: map[string]any{"seconds": 3.0, "input": "hello"}, Now: noon, Attempt: 1}
	_, err := delayNode.Do(context.Background(), call)
	var pause *kit.Pause
	if !errors.As(err, &pause) || !pause.Until.Equal(noon.Add(3*time.Second)) {
		t.Fatalf("got %v", err)
	}
	call.State, call.Now = pause.State, noon.Add(2*time.Second)
	if _, err = delayNode.Do(context.Background(), call); !errors.As(err, &pause) || !pause.Until.Equal(noon.Add(3*time.Second)) {
		t.Fatalf("woken too early: %v", err)
	}
	call.Now = pause.Until
	out, err := delayNode.Do(context.Background(), call)
	if err != nil || out["data"] != "hello" || out["text"] != "hello" {
		t.Fatalf("got %v, %v", out, err)
	}
}

// TestAdjustmentsAreTold runs on numbers out of range, which an edge may bring
// or a workflow may have saved: the result says what was used instead.
func TestAdjustmentsAreTold(t *testing.T) {
	call := &kit.Call{Input: map[string]any{"seconds": "601", "input": "x"}, Now: noon, Attempt: 1}
	_, err := delayNode.Do(context.Background(), call)
	var pause *kit.Pause
	if !errors.As(err, &pause) || !pause.Until.Equal(noon.Add(600*time.Second)) {
		t.Fatalf("got %v", err)
	}
	call.State, call.Now = pause.State, pause.Until
	out, err := delayNode.Do(context.Background(), call)
	if got, _ := json.Marshal(out["adjustments"]); err != nil || string(got) != `[{"field":"seconds","from":601,"to":600,"reason":"must be from 0 to 600"}]` || out["seconds"] != 600.0 {
		t.Errorf("%v, %v", out, err)
	}
	if out := must(t, nil, "delay", map[string]any{"seconds": 0.0}); out["adjustments"] != nil {
		t.Errorf("got %v", out)
	}
}

func TestDelayPassesMediaOn(t *testing.T) {
	out := must(t, nil, "delay", map[string]any{"seconds": 0.0, "input": "https://x.example/a.png"})
	if out["imageUrl"] != "https://x.example/a.png" || out["url"] != out["imageUrl"] || out["text"] != nil {
		t.Fatalf("got %v", out)
	}
}

func TestPanicIsAFaultOfOurs(t *testing.T) {
	n := &kit.Node{Type: "x", InputSchema: kit.Object(), Run: func(context.Context, *kit.Call) (kit.Output, error) { panic("oh") }}
	_, err := n.Do(context.Background(), &kit.Call{})
	var f *kit.Failure
	if err == nil || errors.As(err, &f) {
		t.Fatalf("got %v", err)
	}
}

func TestInputPath(t *testing.T) {
	data := map[string]any{"parameters": []any{map[string]any{"name": "url", "type": "text"}}}
	for handle, want := range map[string]string{"": "result", "url": "values.url", "result": "result"} {
		if got := webhookOutputNode.InputPath(data, handle); got != want {
			t.Errorf("%q feeds %s, want %s", handle, got, want)
		}
	}
	if got := templateTextNode.InputPath(nil, "values.name"); got != "values.name" {
		t.Error(got)
	}
	if !combineTextNode.IsList("texts") || combineTextNode.IsList("separator") {
		t.Error("texts alone is a list")
	}
}

const plan = `{
	"animation": {"v":"5.7.0","w":100,"h":50,"fr":30,"ip":0,"op":60,"layers":[
		{"ty":4,"shapes":[{"ty":"fl","c":{"sid":"tint","a":1,"k":[]}}]},
		{"ty":5,"t":{"d":{"sid":"title","k":[{"t":0,"s":{"t":"old","f":"Inter"}}]}}}]},
	"slots": {"tint":{"type":"color","value":[1,0,0,1]},"title":{"type":"text","value":"Hi"},"speed":{"type":"number","value":2}},
	"slotValues": {"title":"Bonjour"}}`

func motionPlan(t *testing.T) map[string]any {
	t.Helper()
	var p map[string]any
	if err := json.Unmarshal([]byte(plan), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMotionFillsSlots(t *testing.T) {
	changed, err := kit.SetSlot(motionPlan(t), "tint", "#0000ff80")
	if err != nil {
		t.Fatal(err)
	}
	s := newShelf()
	out := must(t, s, "motion", map[string]any{"motionPlan": changed})
	if out["duration"] != 2.0 || out["width"] != 100.0 || s.types[out["url"].(string)] != "application/json" {
		t.Fatalf("got %v", out)
	}
	var doc struct {
		Layers []struct {
			Shapes []struct{ C struct{ K any } }
			T      struct {
				D struct {
					K []struct{ S struct{ T, F string } }
				}
			}
		}
		Slots map[string]struct{ P struct{ K any } }
	}
	if err := json.Unmarshal(s.files[out["url"].(string)], &doc); err != nil {
		t.Fatal(err)
	}
	color, _ := json.Marshal(doc.Layers[0].Shapes[0].C.K)
	text := doc.Layers[1].T.D.K[0].S
	if string(color) != "[0,0,1,0.502]" || text.T != "Bonjour" || text.F != "Inter" || doc.Slots["speed"].P.K != 2.0 {
		t.Fatalf("got %s %v %v", color, text, doc.Slots)
	}
	if motionPlan(t)["slotValues"].(map[string]any)["tint"] != nil {
		t.Fatal("SetSlot changed its input")
	}
}

func TestMotionRefusals(t *testing.T) {
	for field, value := range map[string]any{"slot:tint": "blue", "slot:speed": "fast", "slot:gone": 1.0, "slot:title": 5.0} {
		_, err := kit.SetSlot(motionPlan(t), field[len("slot:"):], value)
		wantField(t, err, field)
	}
	p := motionPlan(t)
	p["slotValues"] = map[string]any{"tint": []any{0.0, 2.0, 0.0, 1.0}}
	wantField(t, motionNode.Validate("", map[string]any{"motionPlan": p}), "motionPlan.slotValues.tint")
}
