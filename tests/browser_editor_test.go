//go:build !race

package tests

import (
	"encoding/json"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// newGraph makes an empty workflow and opens its editor.
func (v *tab) newGraph(name string) {
	v.t.Helper()
	v.open("/workflows/new")
	v.fill("Name", name)
	v.click("label", "Empty")
	v.press("Create and open the editor")
	v.ready()
}

// ready waits until the editor can be worked with.
func (v *tab) ready() {
	v.t.Helper()
	v.until("the editor", `document.querySelector("#editor")?.dataset.ready === "true"`)
}

// where is the middle of an element, as it stands in the view.
func (v *tab) where(selector string) (x, y float64) {
	v.t.Helper()
	v.until(selector, "Boolean(document.querySelector("+quote(selector)+"))")
	var last [2]float64
	for {
		v.settle()
		at, err := ask[[2]float64](v, `(() => { const r = document.querySelector(`+quote(selector)+`).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
		if err != nil {
			v.t.Fatal(err)
		}
		if at == last {
			return at[0], at[1]
		}
		last = at
	}
}

// drag presses the mouse at one element and lets go at another, moved by an offset.
func (v *tab) drag(from, to string, dx, dy float64) {
	v.t.Helper()
	x1, y1 := v.where(from)
	x2, y2 := v.where(to)
	x2, y2 = x2+dx, y2+dy
	press := []chromedp.MouseOption{chromedp.ButtonLeft}
	v.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x1, y1),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x1, y1, press...))
	for i := 1.0; i <= 6; i++ {
		v.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x1+(x2-x1)*i/6, y1+(y2-y1)*i/6, press...))
	}
	v.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x2, y2, press...))
	v.settle()
}

// card is the selector of a node on the canvas.
func card(id string) string { return `.ed-node[data-node="` + id + `"]` }

// graphNow is the graph as the editor has it.
func (v *tab) graphNow() (g struct {
	Nodes []struct {
		ID, Type string
		Position struct{ X, Y float64 }
		Data     map[string]any
	}
	Edges []struct{ Source, Target, TargetHandle string }
}) {
	v.t.Helper()
	text, err := ask[string](v, `document.querySelector("#ed-json").value`)
	if err == nil {
		err = json.Unmarshal([]byte(text), &g)
	}
	if err != nil {
		v.t.Fatalf("%v in %s", err, text)
	}
	return g
}

// writeJSON changes the text of the JSON view by an expression on it, as typing does.
func (v *tab) writeJSON(change string) {
	v.t.Helper()
	if _, err := ask[bool](v, `((area) => { area.value = area.value`+change+`; area.dispatchEvent(new Event("input", {bubbles: true})); return true; })(document.querySelector("#ed-json"))`); err != nil {
		v.t.Fatal(err)
	}
}

// ran waits for the end of the run in the panel, and for the picture it made.
func (v *tab) ran() {
	v.t.Helper()
	v.until("the end of the run", `document.querySelector("[data-run-state]")?.dataset.runState === "completed"`)
	v.until("the picture", `[...document.querySelectorAll("#ed-panel-run img")].some((i) => i.complete && i.naturalWidth === 1024)`)
	v.sees("Completed", "2 credits")
}

// TestEditorByMouse builds, checks, saves and runs a workflow with the mouse.
func TestEditorByMouse(t *testing.T) {
	p := startService(t)
	begin(t, p.URL)
	v := startBrowser(t, "editor").visitor("Mara", p.URL)
	v.signIn("mara")
	v.newGraph("Postcard")
	v.look("editor-empty")

	v.click("button", "Add Text")
	v.fill("Text", "a lighthouse")
	v.click("button", "Add Template")
	v.fill("Template", "{{subject}}, wide brush strokes")
	v.until("a place for the value", `document.querySelector(`+quote(card("template-text"))+`).innerText.includes("Subject")`)
	v.click("button", "Add Generate image")
	v.drag(card("text")+" .source", card("template-text")+" .ed-port:nth-child(2) .target", 0, 0)
	v.drag(card("template-text")+" .source", card("generate-image"), 0, 0)
	v.until("two connections", `JSON.parse(document.querySelector("#ed-json").value).edges.length === 2`)
	g := v.graphNow()
	if len(g.Nodes) != 3 || g.Edges[0].Source != "text" || g.Edges[0].TargetHandle != "values.subject" || g.Edges[1].Target != "generate-image" || g.Edges[1].TargetHandle != "" {
		t.Fatalf("%+v", g)
	}
	v.look("editor")

	x := g.Nodes[2].Position.X
	v.drag(card("generate-image")+" .ed-head b", card("generate-image")+" .ed-head b", 30, 60)
	v.until("the node moved", `JSON.parse(document.querySelector("#ed-json").value).nodes[2].position.x !== `+jsonNumber(x))
	v.click("button", "Undo")
	v.until("the node back", `JSON.parse(document.querySelector("#ed-json").value).nodes[2].position.x === `+jsonNumber(x))
	v.click("button", "Redo")
	v.click("button", "Arrange")
	v.sees("Unsaved changes", "Valid. A run costs about 2 credits.")

	v.click("css", card("template-text")+" .ed-head b")
	v.click("button", "Duplicate")
	v.until("a copy", `JSON.parse(document.querySelector("#ed-json").value).nodes.length === 4`)
	v.click("button", "Delete")
	v.until("no copy", `JSON.parse(document.querySelector("#ed-json").value).nodes.length === 3`)

	v.click("css", card("generate-image")+" .ed-head b")
	v.fill("Seed", "7")
	v.click("css", "#ed-tab-json")
	v.until("the seed in the JSON", `document.querySelector("#ed-json").value.includes('"seed": 7')`)
	v.writeJSON(`.replace('"seed": 7', '"seed": "many"')`)
	v.sees("1 thing to put right")
	v.until("the node marked", `document.querySelector(`+quote(card("generate-image"))+`).classList.contains("wrong")`)
	v.click("css", "#ed-tab-node")
	v.until("the field marked", `document.querySelector("#ed-f-seed").closest(".field").classList.contains("wrong")`)
	v.look("editor-wrong")
	v.fill("Seed", "7")
	v.sees("Valid. A run costs about 2 credits.")
	v.writeJSON(`.replace('"edges": [', '"edges": [{"id": "odd", "source": "text", "target": "generate-image", "targetHandle": "referenceImage"},')`)
	v.sees("a run would fail", "Reference picture of Generate image got a text, it takes a picture")
	v.click("button", "Undo")
	v.sees("Valid. A run costs about 2 credits.")

	v.until("a draft", hasDraft)
	v.click("button", "Save")
	v.sees("Saved, version 2")
	v.until("no draft", `!`+hasDraft)
	v.click("button", "Run…")
	v.until("the form of the run", `document.querySelector("#ed-run[open] form")`)
	v.until("room above the dialog", `document.querySelector("#ed-run").getBoundingClientRect().top >= 24`)
	v.look("editor-run-form")
	v.fill("Text", "a fox")
	v.click("css", "#ed-run button.primary")
	v.ran()
	v.until("the state on the canvas", `document.querySelectorAll(".ed-node.state-ok").length === 3`)
	v.until("the picture in its node", `[...document.querySelectorAll(".ed-node .ed-result img")].some((i) => i.complete && i.naturalWidth > 0)`)
	v.click("button", "Show everything")
	v.until("names that can be read", `[...document.querySelectorAll(".ed-node .ed-head b")].every((b) =>
		parseFloat(getComputedStyle(b).fontSize) * new DOMMatrix(getComputedStyle(document.querySelector(".ed-view")).transform).a >= 12)`)
	v.sees("a fox, wide brush strokes")
	v.look("editor-ran")
	v.click("button", "List")
	v.look("editor-list")
	v.click("css", "#ed-tab-json")
	v.look("editor-json")

	// The next one at this browser finds nothing of it.
	v.writeJSON(`.replace('"seed": 7', '"seed": 8')`)
	v.until("another draft", hasDraft)
	v.agrees()
	v.leave(func() {
		if _, err := ask[bool](v, `(document.querySelector("form[action='/auth/sign-out'] button").click(), true)`); err != nil {
			t.Fatal(err)
		}
	})
	v.until("no draft of a person who has signed out", `!`+hasDraft)
}

// agrees answers yes when the page asks whether to leave what is not saved.
func (v *tab) agrees() {
	v.t.Helper()
	err := chromedp.Listen(v.ctx, func(event any) {
		if _, asks := event.(*page.EventJavascriptDialogOpening); asks {
			go func() {
				_, _ = chromedp.Call(v.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
			}()
		}
	})
	if err != nil {
		v.t.Fatal(err)
	}
}

// hasDraft is whether the browser keeps changes that are not saved.
const hasDraft = `Object.keys(localStorage).some((key) => key.startsWith("atelier.draft."))`

func jsonNumber(x float64) string { b, _ := json.Marshal(x); return string(b) }

// pick says what feeds a field: it types the beginning of a node's name in the select, and presses the button behind it.
func (v *tab) pick(field, text, want string) {
	v.t.Helper()
	v.focus("the select of "+field, `[id="ed-from-`+field+`"]`)
	v.keys(text + kb.Tab + kb.Enter)
	v.until(field+" fed", `JSON.parse(document.querySelector("#ed-json").value).edges.some((e) => e.source === `+quote(want)+`)`)
}

// addByKeys adds a node from the catalogue, and ends in the first field of its form.
func (v *tab) addByKeys(name, field string) {
	v.t.Helper()
	v.keys("/")
	// What was sent as a key after the slash moved the focus is typed there by the protocol, but not by a keyboard.
	v.until("the search", `document.activeElement.matches("[data-catalogue] input") && (document.activeElement.select(), true)`)
	v.keys(name + kb.Enter)
	v.until("the form of "+name, `document.activeElement.id === `+quote(field))
}

// TestEditorByKeyboard builds, saves and runs a workflow without a mouse.
func TestEditorByKeyboard(t *testing.T) {
	p := startService(t)
	begin(t, p.URL)
	v := startBrowser(t, "editor-keys").visitor("Mara", p.URL)
	v.signIn("mara")
	v.newGraph("Postcard")
	v.until("nothing to run", `document.querySelector('[data-do="run"]').matches('[aria-disabled="true"][title^="Add a node"]')`)

	v.addByKeys("text", "ed-f-text")
	v.until("something to run", `document.querySelector('[data-do="run"]').matches('[aria-disabled="false"]')`)
	v.keys("a heron" + kb.Escape)
	v.until("the node in focus", `document.activeElement.matches('`+card("text")+`')`)
	v.addByKeys("template", "ed-f-template")
	v.keys("{{bird}} in ink" + kb.Escape)
	v.until("the second node in focus", `document.activeElement.matches('`+card("template-text")+`')`)
	v.keys(kb.Enter)
	v.until("its form", `document.activeElement.id === "ed-f-template"`)
	v.pick("values.bird", "Text", "text")
	v.focus("the template", "#ed-f-template")
	v.keys(kb.Escape)
	v.addByKeys("generate image", "ed-f-prompt")
	v.pick("prompt", "Temp", "template-text")
	v.copies()
	g := v.graphNow()
	if len(g.Nodes) != 3 || len(g.Edges) != 2 || g.Edges[0].TargetHandle != "values.bird" || g.Edges[1].Source != "template-text" || g.Edges[1].Target != "generate-image" {
		t.Fatalf("%+v", g)
	}
	v.focus("a node", card("generate-image"))
	v.keys(kb.ArrowDown + kb.ArrowDown)
	v.until("it moved", `JSON.parse(document.querySelector("#ed-json").value).nodes[2].position.y === `+jsonNumber(g.Nodes[2].Position.Y+32))
	v.keys(kb.Delete)
	v.until("it is gone", `JSON.parse(document.querySelector("#ed-json").value).nodes.length === 2 && document.activeElement.matches(".ed-node")`)
	v.control("z")
	v.until("it is back", `JSON.parse(document.querySelector("#ed-json").value).edges.length === 2`)
	v.sees("Valid. A run costs about 2 credits.")
	v.control("s")
	v.sees("Saved, version 2")
	v.control(kb.Enter)
	v.until("the form of the run", `document.querySelector("#ed-run[open] form")?.contains(document.activeElement)`)
	v.focus("the button", "#ed-run button.primary")
	v.keys(kb.Enter)
	v.ran()
}

// copies copies two nodes through the clipboard and takes that back: they stand on no other node, with their connection.
// The catalogue is one stop of the tab key.
func (v *tab) copies() {
	v.t.Helper()
	v.until("one stop", `document.querySelectorAll("[data-catalogue] :is(input, button):not([tabindex='-1'])").length === 1`)
	if _, err := ask[bool](v, `(() => {
		const board = new DataTransfer(), event = (kind) => new ClipboardEvent(kind, {clipboardData: board, bubbles: true, cancelable: true});
		document.activeElement.blur();
		for (const [i, id] of ["text", "template-text"].entries()) document.querySelector('.ed-node[data-node="' + id + '"]').dispatchEvent(new MouseEvent("click", {bubbles: true, ctrlKey: i > 0}));
		document.dispatchEvent(event("copy"));
		return document.dispatchEvent(event("paste"));
	})()`); err != nil {
		v.t.Fatal(err)
	}
	v.until("the copies", `(() => {
		const graph = JSON.parse(document.querySelector("#ed-json").value), boxes = [...document.querySelectorAll(".ed-node")].map((el) => el.getBoundingClientRect());
		return graph.nodes.length === 5 && graph.edges.length === 3 && boxes.every((a, i) => boxes.every((b, j) => i === j
			|| a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top));
	})()`)
	v.control("z")
	v.until("no copies", `JSON.parse(document.querySelector("#ed-json").value).nodes.length === 3`)
}

// control presses a key while Control is held.
func (v *tab) control(key string) {
	v.t.Helper()
	v.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// TestWorkPagesObeyTheRules looks at the pages around the editor, and at the editor without script.
func TestWorkPagesObeyTheRules(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := begin(t, p.URL)
	s.publish()
	b := startBrowser(t, "work")
	v := b.visitor("Mara", p.URL)
	v.signIn("mara")
	flow := "/workflows/" + s.workflow
	v.open(flow + "/editor")
	v.ready()
	v.look("editor of a workflow that is published")
	v.open(flow + "/publish")
	v.until("the preview beside the form", `document.querySelector("#preview select")`)
	v.click("css", `input[name="expose"][value="topic.text"]`)
	v.click("css", `input[name="expose"][value="picture.aspectRatio"]`)
	v.until("an empty preview", `document.querySelector("#preview").innerText.includes("The form has no fields")`)
	v.click("css", `input[name="expose"][value="topic.text"]`)
	v.until("the field in the preview", `document.querySelector("#preview textarea")?.value === "a lighthouse"`)
	v.click("css", `input[name="expose"][value="picture.aspectRatio"]`)
	v.click("button", "Move Aspect ratio of")
	v.until("the choice before the text", `document.querySelector("#preview .form").querySelector("select, textarea").matches("select")`)
	v.look("publish")
	v.open(flow + "/editor")
	v.ready()
	v.click("css", "#ed-tab-json")
	v.writeJSON(`.replace(/"text": "[^"]*"/, '"text": "a stork"')`)
	v.sees("Unsaved changes")
	v.click("button", "Save")
	v.sees("Saved, version 2")
	v.open(flow + "/versions")
	v.look("versions")
	v.follow("Version 1")
	v.sees("What has changed since", "a stork")
	v.look("version")
	v.press("Restore this version")
	v.sees("Version 1 is restored, as version 3.")
	v.press("Run")
	v.until("the end of the run", `document.querySelector("#main").innerText.includes("4 of 4")`)
	v.look("run")
	for name, path := range map[string]string{"runs": "/workspaces/" + s.class + "/runs?status=completed", "runs of nothing": "/workspaces/" + s.class + "/runs?status=failed", "jobs": "/jobs", "jobs failed": "/jobs?status=failed"} {
		v.open(path)
		v.look(name)
	}
	v.open("/workspaces/" + s.class + "/runs")
	v.sees("Poster")
	for name, path := range map[string]string{
		"sharing": flow + "/sharing?add=b", "nodes": flow + "/nodes", "node": flow + "/nodes/edit?node=picture", "spaces": "/spaces",
		"request more": "/workspaces/" + s.class + "/request", "allocate": "/orgs/" + s.school + "/credits/allocate", "shared with me": "/shared",
	} {
		v.open(path)
		v.look(name)
	}
	held := s.owner.in(s.class).post("/v1/workflows", object{"name": "Held", "edges": []object{},
		"nodes": []object{{"id": "a", "type": "text", "data": object{"text": "Look at me", "holdForReview": true}}}}).want(201).text("data.id")
	v.open("/workflows/" + held)
	v.press("Run")
	v.sees("Held for review.")
	v.look("run that waits")
	v.follow("Look at what it made")
	v.sees("Look at me", "Approve")
	v.look("job that waits")
	v.press("Approve")
	v.sees("Completed")

	plain := b.withoutScript("Mara without script", p.URL)
	plain.signIn("mara")
	plain.open(flow + "/editor")
	plain.sees("The editor draws with script.", "Resize")
	plain.follow("The list of its nodes")
	plain.byForms()
	plain.open("/jobs")
	plain.sees("Generate image", "Completed")
}

// byForms builds on a graph without script: every form one change.
func (v *tab) byForms() {
	v.t.Helper()
	v.choose("What it does", "Combine text")
	v.choose("Connected to", "Text")
	v.press("Add the node")
	v.sees("Combine text is added.", "feeds")
	v.fill("Name of the node", "Two texts")
	v.press("Save the node")
	v.sees("The node is saved.")
	v.press("Disconnect")
	v.sees("It is disconnected.", "No other node feeds it.")
	v.choose("What feeds it", "Text")
	v.press("Connect")
	v.sees("It is connected.")
	v.follow("All nodes")
	v.sees("Two texts")
	v.press("Up: move Two texts up")
	v.sees("It is moved.")
	v.press("Remove Two texts")
	v.sees("The node is removed.")
}
