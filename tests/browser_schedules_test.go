//go:build !race

package tests

import (
	"encoding/json"
	"reflect"
	"testing"
)

// dataOf is what a saved workflow says about a node.
func dataOf(t *testing.T, who client, workflow, node string) map[string]any {
	t.Helper()
	var saved struct {
		Data struct {
			Nodes []struct {
				ID   string
				Data map[string]any
			}
		}
	}
	if err := json.Unmarshal(who.get("/v1/workflows/"+workflow).want(200).Body, &saved); err != nil {
		t.Fatal(err)
	}
	for _, n := range saved.Data.Nodes {
		if n.ID == node {
			return n.Data
		}
	}
	t.Fatalf("no node %s", node)
	return nil
}

// same tells that a value is what this JSON says.
func same(t *testing.T, what string, got any, want string) {
	t.Helper()
	var wanted any
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, wanted) {
		t.Errorf("%s: %v, want %s", what, got, want)
	}
}

// inspect chooses a node on the canvas, which may still move into the view; shown is what
// is there of it then.
func (v *tab) inspect(node, shown string) {
	v.t.Helper()
	for try := 0; ; try++ {
		v.click("css", card(node)+" .ed-head b")
		v.settle()
		if ok, err := ask[bool](v, "Boolean(document.querySelector("+quote(shown)+"))"); err == nil && ok {
			return
		}
		if try == 10 {
			v.t.Fatalf("%s is not chosen", node)
		}
	}
}

// TestRulesAndKeysOfNodes fills in when a schedule runs, and the key that a node sends
// with, in the editor and on the plain pages.
func TestRulesAndKeysOfNodes(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := begin(t, p.URL)
	room := s.owner.in(s.class)
	workflow := room.post("/v1/workflows", object{
		"name": "Bells", "visibility": "private", "edges": []object{{"id": "e", "source": "bell", "target": "words"}, {"id": "f", "source": "words", "target": "out"}},
		"nodes": []object{
			{"id": "bell", "type": "schedule-trigger", "data": object{}},
			{"id": "words", "type": "text", "data": object{"text": "ding"}},
			{"id": "out", "type": "webhook-output", "data": object{"url": "https://example.com/hook"}},
		},
	}).want(201).text("data.id")
	var keys []string
	for _, name := range []string{"Church", "School"} {
		keys = append(keys, s.owner.post("/v1/credentials", object{"name": name, "headerName": "X-Bell", "key": "secret", "kind": "plain"}).want(201).text("data.id"))
	}
	data := func(node string) map[string]any { return dataOf(t, room, workflow, node) }
	v := startBrowser(t, "schedules").visitor("Mara", p.URL)
	v.signIn("mara")

	t.Run("editor", func(t *testing.T) {
		v.open("/workflows/" + workflow + "/editor")
		v.ready()
		v.inspect("bell", "#ed-f-rules-add")
		v.click("button", "Add a rule")
		v.until("the first rule", `document.querySelector("#ed-f-rules-0-kind")?.value === "weeks"`)
		v.click("label", "Thu")
		v.fill("Hour", "7")
		v.fill("Minute", "45")
		v.look("rules in the editor")
		v.click("button", "Add a rule")
		v.until("the second rule", `document.querySelector("#ed-f-rules-1-kind")`)
		v.until("another unit", `(() => { const k = document.querySelector("#ed-f-rules-1-kind"); k.value = "cron"; k.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
		v.fill("Expression", "0 12 1 * *")
		v.until("both rules in the graph", `JSON.parse(document.querySelector("#ed-json").value).nodes[0].data.rules?.[1]?.cron === "0 12 1 * *"`)
		v.inspect("out", "#ed-f-credentialId")
		v.until("the keys to choose from", `document.querySelector("#ed-f-credentialId")?.options.length === 3`)
		v.choose("Credential", "Church")
		v.click("button", "Save")
		v.sees("Saved, version 2")
		same(t, "rules", data("bell")["rules"], `[{"kind":"weeks","every":1,"weekdays":[1,4],"hour":7,"minute":45},{"kind":"cron","cron":"0 12 1 * *"}]`)
		if got := data("out")["credentialId"]; got != keys[0] {
			t.Errorf("the key is %v, want %s", got, keys[0])
		}
		v.inspect("bell", "#ed-f-rules-add")
		v.click("button", "Remove rule 1")
		v.until("one rule", `JSON.parse(document.querySelector("#ed-json").value).nodes[0].data.rules?.length === 1`)
		v.click("button", "Save")
		v.sees("Saved, version 3")
		same(t, "one rule", data("bell")["rules"], `[{"kind":"cron","cron":"0 12 1 * *"}]`)
	})

	t.Run("plain forms", func(t *testing.T) {
		v.open("/workflows/" + workflow + "/nodes/edit?node=bell")
		v.look("rules in the plain form")
		v.until("what was saved", `document.querySelector("[name='rules.0.cron'], [name$='.0.cron']").value === "0 12 1 * *"`)
		v.until("another unit", `(() => { const k = document.querySelector("[name$='.0.kind']"); k.value = "months"; k.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
		for field, value := range map[string]string{"every": "2", "dayOfMonth": "31", "hour": "25", "minute": "0"} {
			v.until(field, `(() => { document.querySelector("[name$='.0.`+field+`']").value = "`+value+`"; return true; })()`)
		}
		v.press("Save the node")
		v.until("a parked schedule or a refusal", `document.querySelector(".error, .note, [role=alert], [role=status]")`)
		v.open("/workflows/" + workflow + "/nodes/edit?node=bell")
		v.until("the hour", `(() => { const h = document.querySelector("[name$='.0.hour']"); if (!h) return false; h.value = "9"; return true; })()`)
		v.press("Save the node")
		if rules, _ := data("bell")["rules"].([]any); len(rules) != 1 {
			t.Errorf("rules %v", rules)
		}
		v.open("/workflows/" + workflow + "/nodes/edit?node=out")
		v.look("a key in the plain form")
		v.choose("Credential", "School")
		v.press("Save the node")
		if got := data("out")["credentialId"]; got != keys[1] {
			t.Errorf("the key is %v, want %s", got, keys[1])
		}
	})
}
