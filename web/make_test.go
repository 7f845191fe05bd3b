package web

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"atelier/web/frame"
)

const makeSchema = `{"type":"object","required":["prompt"],"x-order":["prompt","quality","seed","imageUrl","negative"],"properties":{
	"prompt":{"type":"string","title":"Prompt","format":"textarea"},
	"quality":{"type":"string","title":"Quality","enum":["draft","pro"],"default":"pro"},
	"seed":{"type":"integer","title":"Seed"},
	"imageUrl":{"type":"string","title":"Picture","format":"uri","x-control":"image"},
	"negative":{"type":"boolean","title":"Negative","default":true}}}`

func making(t *testing.T) *fake {
	var schema map[string]any
	if err := json.Unmarshal([]byte(makeSchema), &schema); err != nil {
		t.Fatal(err)
	}
	f := newFake(t).with("NodeType.inputSchema", schema).with("NodeType.type", "some-type").with("NodeType.label", "Some type").
		with("NodeType.pricedBy", []any{"quality"}).with("NodeType.capabilities", []any{}).with("NodeType.category", "image")
	return f.with("NodeEstimate.credits", 3).with("NodeEstimate.metered", false).with("NodeEstimate.model", nil).
		with("AppPayment.refusalCode", nil).with("AppPayment.refusal", nil).with("AppPayment.creditsLeft", 97.5).with("AppPayment.ownLeft", nil)
}

func TestMakeListFindsTypes(t *testing.T) {
	f := making(t).with("NodeType.description", "Paints a fox")
	for address, want := range map[string]bool{"/make": true, "/make?q=FOX+paints": true, "/make?q=dog": false, "/make?category=image": true, "/make?category=video": false} {
		body := get(f, address).Body.String()
		if strings.Contains(body, `href="/make/some-type"`) != want {
			t.Errorf("%s: found is not %v", address, want)
		}
	}
	if body := get(f.with("NodeType.runsAlone", false), "/make").Body.String(); strings.Contains(body, "/make/some-type") {
		t.Error("what cannot run alone is offered")
	}
	f = making(t).with("NodeType.type", "generate-character")
	if body := get(f, "/make").Body.String(); !strings.Contains(body, `href="/library/characters/new"`) {
		t.Error("a generator does not lead to its shelf")
	}
	if w := get(f, "/make/generate-character"); w.Code != 303 || w.Header().Get("Location") != "/library/characters/new" {
		t.Errorf("%d %s", w.Code, w.Header().Get("Location"))
	}
}

// TestFirstCardsAreDrawn: each of those that most people begin with, in the page itself; those below are not.
func TestFirstCardsAreDrawn(t *testing.T) {
	for _, kind := range []string{"generate-image", "generate-character", "text-card", "animate-image", "text-to-speech", "3d-scene"} {
		f := making(t).with("NodeType.type", kind)
		body := get(f, "/make").Body.String()
		if drawn := strings.Count(body, `<svg class="make-art"`); drawn == 0 || drawn*2 != strings.Count(body, `<li class="make-card">`) || strings.Contains(body, "<image") {
			t.Errorf("%s: %d drawings", kind, drawn)
		}
	}
}

// TestMotionIsExplainedInWords: the field for a whole animation names no field of the API.
func TestMotionIsExplainedInWords(t *testing.T) {
	f := making(t)
	f.set["NodeType.inputSchema"] = map[string]any{"type": "object", "properties": map[string]any{"motionPlan": map[string]any{
		"type": "object", "title": "Motion plan", "x-control": "motion", "description": "{ animation, slots: { name: { type, value } }, slotValues }",
	}}}
	if body := get(f, "/make/some-type").Body.String(); strings.Contains(body, "slotValues") || !strings.Contains(body, "An animation (Lottie) as JSON") {
		t.Error("the hint is that of the API")
	}
}

func TestMakeFormTellsThePrice(t *testing.T) {
	f := making(t)
	body := get(f, "/make/some-type?in-quality=%22draft%22&in-prompt=a+fox").Body.String()
	if got := frame.JSONOf(f.last(t, "MakeEstimate").Variables); !strings.Contains(got, `"input":{"quality":"draft"}`) {
		t.Errorf("asked for %s", got)
	}
	for _, want := range []string{"It costs 3 credits. You pay from your personal space, with 97.5 credits left.", ">a fox</textarea>", `hx-include="#make [name=&#39;in-quality&#39;]"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	part := post(f, "/make/some-type/price", "in-quality", `"draft"`, "in-prompt", "not asked about")
	if got := frame.JSONOf(f.last(t, "MakeEstimate").Variables); part.Code != 200 || !strings.Contains(got, `"input":{"quality":"draft"}`) || strings.Contains(part.Body.String(), "<html") {
		t.Errorf("%d, asked for %s", part.Code, got)
	}
	whole := post(f, "/make/some-type", "step", "price", "in-quality", `"draft"`, "in-prompt", "a hare").Body.String()
	if !strings.Contains(whole, "The price of these settings:") || !strings.Contains(whole, ">a hare</textarea>") {
		t.Error("without script the price comes without what was typed")
	}
	for code, want := range map[string]string{
		"insufficient_app_credits": "Your personal credits do not cover a run.", "personal_space_disabled": "Your personal space is closed.", "anything_else": "It cannot be run here.",
	} {
		body := get(making(t).with("AppPayment.refusalCode", code), "/make/some-type").Body.String()
		if !strings.Contains(body, want) {
			t.Errorf("%s: no %q", code, want)
		}
	}
}

func TestMakeSendsWhatWasFilledIn(t *testing.T) {
	f := making(t)
	send := func(pairs ...string) *httptest.ResponseRecorder { return post(f, "/make/some-type", pairs...) }
	w := send("in-prompt", "a fox", "in-quality", `"pro"`, "in-seed", "7", "in-imageUrl", "")
	if w.Code != 303 || w.Header().Get("Location") != "/make/some-type?job="+someID {
		t.Fatalf("%d %s %s", w.Code, w.Header().Get("Location"), w.Body)
	}
	if got := frame.JSONOf(f.last(t, "MakeIt").Variables); !strings.Contains(got, `"settings":{"negative":false,"prompt":"a fox","seed":7}`) {
		t.Errorf("sent %s", got)
	}
	if w = send("in-prompt", " ", "in-negative", "on"); w.Code != 400 || !strings.Contains(w.Body.String(), "Prompt is needed.") {
		t.Errorf("%d without a prompt", w.Code)
	}
	if w = send("in-prompt", "a fox", "in-seed", "many"); w.Code != 400 || !strings.Contains(w.Body.String(), "Seed must be a number.") {
		t.Errorf("%d for a seed that is none", w.Code)
	}
	f.refuse("MakeIt", "validation_error", 400, map[string]any{"field": "imageUrl", "message": "imageUrl must be an address"})
	if w = send("in-prompt", "a fox"); w.Code != 400 || !strings.Contains(w.Body.String(), "Picture: The address of the picture must be an address") {
		t.Errorf("%d, the refusal is not at its field", w.Code)
	}
	f.refuse("MakeIt", "budget_exceeded", 402, map[string]any{"message": "The budget does not cover it."})
	if w = send("in-prompt", "a fox"); w.Code != 402 || !strings.Contains(w.Body.String(), "It was not made.") || !strings.Contains(w.Body.String(), ">a fox</textarea>") {
		t.Errorf("%d where the credits are missing", w.Code)
	}
}

// TestMakeAsksForAFileThatIsNeeded refuses in the form what would fail as a job.
func TestMakeAsksForAFileThatIsNeeded(t *testing.T) {
	f := making(t)
	f.set["NodeType.inputSchema"].(map[string]any)["required"] = []any{"prompt", "imageUrl"}
	body := get(f, "/make/some-type").Body.String()
	_, label, _ := strings.Cut(body, `for="f-in-imageUrl"`)
	if label, _, _ = strings.Cut(label, "</label>"); label == "" || strings.Contains(label, "optional") {
		t.Errorf("the picture is called optional, or not there: %q", label)
	}
	if w := post(f, "/make/some-type", "in-prompt", "a fox", "in-imageUrl", ""); w.Code != 400 || !strings.Contains(w.Body.String(), "Picture is needed.") {
		t.Errorf("%d without a picture", w.Code)
	}
	if w := post(f, "/make/some-type", "in-prompt", "a fox", "in-imageUrl", "https://a.example/b.png"); w.Code != 303 {
		t.Errorf("%d with a picture", w.Code)
	}
}

// TestMakeAgain fills the form with an earlier job, and follows the one that was begun.
func TestMakeAgain(t *testing.T) {
	f := making(t).with("Job.jobType", "some-type").with("Job.inputData", map[string]any{"prompt": "an owl", "quality": "draft", "negative": false})
	body := get(f, "/make/some-type?again="+someID).Body.String()
	for _, want := range []string{">an owl</textarea>", "The settings of the earlier one are filled in."} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	f.with("Job.status", "processing")
	body = get(f, "/make/some-type?job="+someID).Body.String()
	if !strings.Contains(body, `hx-sse:connect="/jobs/`+someID+`/live?part=made"`) || !strings.Contains(body, `http-equiv="refresh"`) {
		t.Error("the job is not followed")
	}
	body = get(making(t).with("Job.jobType", "another"), "/make/some-type?again="+someID).Body.String()
	if strings.Contains(body, "are filled in") {
		t.Error("a job of another type fills the form")
	}
}

func TestJobOffersWhatIsNext(t *testing.T) {
	f := making(t).with("Job.jobType", "some-type").with("Job.status", "completed").with("Job.workspaceId", nil).
		with("Job.inputData", map[string]any{"prompt": "an owl"}).with("NodeType.outputType", "image").
		with("Job.outputData", map[string]any{"imageUrl": "https://atelier.example/media/a.png", "warnings": []any{"It is dark"}, "notUnderstood": []any{"blorf"}})
	body := get(f, "/jobs/"+someID).Body.String()
	for _, want := range []string{
		`href="/make/some-type?again=` + someID, `href="/keep/` + someID, `action="/presets/new"`, `value="{&#34;prompt&#34;:&#34;an owl&#34;}"`, "It is dark.", "blorf.",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	if body = get(f.with("NodeType.capabilities", []any{"outbound"}), "/jobs/"+someID).Body.String(); strings.Contains(body, "/presets/new") {
		t.Error("what sends to the outside is offered as a preset")
	}
}

func TestKeepingAPicture(t *testing.T) {
	f := making(t).with("Job.jobType", "some-type").with("Job.status", "completed").with("NodeType.outputType", "image").
		with("Job.outputData", map[string]any{"imageUrl": "https://atelier.example/media/a.png"}).with("Element.access", "edit")
	if body := get(f, "/keep/"+someID).Body.String(); !strings.Contains(body, "As a new element") || !strings.Contains(body, "As a picture of one that is there") {
		t.Error("the page offers nothing")
	}
	w := post(f, "/keep/"+someID, "form", "new", "picture", "/media/a.png", "kind", "creature", "name", "Owl")
	if got := frame.JSONOf(f.last(t, "CreateElement").Variables); w.Code != 303 || w.Header().Get("Location") != "/library/creatures/"+someID ||
		!strings.Contains(got, `"imageUrls":["https://atelier.example/media/a.png"]`) {
		t.Errorf("%d %s, sent %s", w.Code, w.Header().Get("Location"), got)
	}
	w = post(f, "/keep/"+someID, "form", "add", "picture", "/media/a.png", "element", someID)
	if got := frame.JSONOf(f.last(t, "AddElementImage").Variables); w.Code != 303 || !strings.Contains(got, `"url":"https://atelier.example/media/a.png"`) {
		t.Errorf("%d, sent %s", w.Code, got)
	}
	for _, wrong := range [][]string{
		{"form", "new", "picture", "/media/other.png", "kind", "creature", "name", "Owl"}, {"form", "new", "picture", "/media/a.png", "kind", "face", "name", "Owl"},
		{"form", "add", "picture", "/media/a.png", "element", "nobody"},
	} {
		if w := post(f, "/keep/"+someID, wrong...); w.Code != 400 {
			t.Errorf("%v: %d", wrong, w.Code)
		}
	}
	if w := get(f.with("Job.outputData", map[string]any{"text": "words"}), "/keep/"+someID); !strings.Contains(w.Body.String(), "made no picture") {
		t.Errorf("%d where there is no picture", w.Code)
	}
}
