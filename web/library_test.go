package web

import (
	"strings"
	"testing"

	"atelier/web/frame"
)

// TestElementsAreFiltered follows search and tag of a shelf.
func TestElementsAreFiltered(t *testing.T) {
	f := newFake(t).with("Element.tags", []any{"hero"}).with("Element.name", "Ben").with("Element.handle", "ben")
	body := get(f, "/library/characters?q=be&tag=hero").Body.String()
	if got := frame.JSONOf(f.last(t, "Elements").Variables); !strings.Contains(got, `"query":"be"`) || !strings.Contains(got, `"tag":"hero"`) {
		t.Errorf("asked for %s", got)
	}
	for _, want := range []string{"@ben", `href="/library/characters?q=be"`, `href="/library/characters/` + someID + `"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestElementIsGenerated sends the form of a new character.
func TestElementIsGenerated(t *testing.T) {
	f := newFake(t)
	w := post(f, "/library/characters/generate", "form", "generate", "description", "an old man", "views", "portrait", "views", "side", "name", "Ben")
	if w.Code != 303 || w.Header().Get("Location") != "/library/characters/"+someID+"?run="+someID {
		t.Fatalf("%d %s", w.Code, w.Header().Get("Location"))
	}
	got := frame.JSONOf(f.last(t, "GenerateElement").Variables)
	for _, want := range []string{`"kind":"character"`, `"views":["portrait","side"]`, `"description":"an old man"`, `"name":"Ben"`} {
		if !strings.Contains(got, want) {
			t.Errorf("sent %s, not %s", got, want)
		}
	}
	f.refuse("GenerateElement", "validation_error", 400, map[string]any{"field": "description", "message": "description must not be empty"})
	w = post(f, "/library/characters/generate", "form", "generate", "views", "side")
	if w.Code != 400 || !strings.Contains(w.Body.String(), "The description must not be empty") {
		t.Errorf("%d without the reason", w.Code)
	}
}

// TestElementIsChanged keeps attributes that no field is for, and empties what was emptied.
func TestElementIsChanged(t *testing.T) {
	f := newFake(t)
	w := post(f, "/library/characters/"+someID+"/edit", "version", "7", "name", "Ben", "handle", "ben", "attr-age", "old", "attr-hairColor", "",
		"attributes", "scar: left cheek", "tags", "hero, Old ", "voiceId", "")
	if w.Code != 303 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	got := frame.JSONOf(f.last(t, "UpdateElement").Variables)
	for _, want := range []string{`"attributes":{"age":"old","scar":"left cheek"}`, `"tags":["hero","Old"]`, `"version":7`, `"voiceId":null`} {
		if !strings.Contains(got, want) {
			t.Errorf("sent %s, not %s", got, want)
		}
	}
	if w = post(f, "/library/characters/"+someID+"/edit", "name", "Ben", "attributes", "no colon"); w.Code != 400 {
		t.Errorf("%d for attributes without a name", w.Code)
	}
}

// TestElementIsDeletedWithItsResults says what goes, and erases the results only where the box is ticked.
func TestElementIsDeletedWithItsResults(t *testing.T) {
	f := newFake(t).with("Element.name", "Ben").with("ElementTraining.provider", "replicate")
	path := "/library/characters/" + someID + "/delete"
	body := get(f, path).Body.String()
	for _, want := range []string{"7 pictures of it", "at Replicate", "7 workflows name it", "7 runs used it", "Erase the results too"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	for box, want := range map[string]string{"": `"results":false`, "on": `"results":true`} {
		if w := post(f, path, "results", box); w.Code != 303 {
			t.Fatalf("%d", w.Code)
		}
		if got := frame.JSONOf(f.last(t, "DeleteElement").Variables); !strings.Contains(got, want) {
			t.Errorf("sent %s, not %s", got, want)
		}
	}
}

// TestConsentIsGivenAndWithdrawn posts both answers.
func TestConsentIsGivenAndWithdrawn(t *testing.T) {
	f := newFake(t).with("ConsentItem.kind", "face")
	if body := get(f, "/consents").Body.String(); !strings.Contains(body, `action="/library/faces/`+someID+`/consent"`) {
		t.Error("nobody can agree")
	}
	for answer, want := range map[string]string{"true": `"confirmed":true`, "false": `"confirmed":false`} {
		if w := post(f, "/library/faces/"+someID+"/consent", "confirmed", answer); w.Code != 303 {
			t.Fatalf("%d", w.Code)
		}
		if got := frame.JSONOf(f.last(t, "GiveConsent").Variables); !strings.Contains(got, want) {
			t.Errorf("sent %s, not %s", got, want)
		}
	}
}

// TestFaceNeedsPictureAndConsent refuses what the service would refuse, before anything is kept.
func TestFaceNeedsPictureAndConsent(t *testing.T) {
	f := newFake(t)
	if w := post(f, "/library/faces", "form", "bring", "name", "Ben"); w.Code != 400 || !strings.Contains(w.Body.String(), "Say who is depicted.") {
		t.Errorf("%d without a consent", w.Code)
	}
	if w := post(f, "/library/faces", "form", "bring", "name", "Ben", "subject", "self", "confirmed", "on"); w.Code != 400 || !strings.Contains(w.Body.String(), "Choose a picture of the face.") {
		t.Errorf("%d without a picture", w.Code)
	}
	w := post(f, "/library/faces", "form", "bring", "name", "Ben", "subject", "minor", "confirmed", "on", "basis", "binder 4, page 2", "validUntil", "2027-07-31", "url", "https://a.example/ben.png")
	if w.Code != 303 {
		t.Fatalf("%d", w.Code)
	}
	if got := frame.JSONOf(f.last(t, "CreateElement").Variables); !strings.Contains(got, `"validUntil":"2027-07-31T23:59:59Z"`) || !strings.Contains(got, `"providers":false`) {
		t.Errorf("sent %s", got)
	}
}

// TestPromptHelperGoesOn carries the answers so far, and leads back to the field.
func TestPromptHelperGoesOn(t *testing.T) {
	f := newFake(t).with("PromptHelp.prompt", "a fox, watercolour").with("PromptQuestion.part", "light").with("PromptHelp.target", "generate-image")
	w := post(f, "/prompt-helper", "idea", "a fox", "target", "generate-image", "part-style", "watercolour", "part-mood", "~", "part-light-own", "dim", "back", "/app/poster", "field", "in-x")
	if w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if got := frame.JSONOf(f.last(t, "PromptHelp").Variables); !strings.Contains(got, `"answers":{"light":"dim","mood":"","style":"watercolour"}`) {
		t.Errorf("sent %s", got)
	}
	for _, want := range []string{`name="part-style" value="watercolour"`, `name="part-mood" value="~"`, `href="/app/poster?in-x=a+fox%2C+watercolour"`, "data-prompt-text"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("no %s", want)
		}
	}
	if w = post(f, "/prompt-helper/make", "target", "generate-character", "prompt", "a fox"); w.Header().Get("Location") != "/library/characters/new?description=a+fox" {
		t.Errorf("a character is made at %s", w.Header().Get("Location"))
	}
	if w = post(f, "/prompt-helper/make", "target", "generate-image", "prompt", "a fox", "settings", `{"seed":7}`); w.Header().Get("Location") != "/make/generate-image?job="+someID {
		t.Errorf("a picture is made at %s", w.Header().Get("Location"))
	}
	if got := frame.JSONOf(f.last(t, "MakeNow").Variables); !strings.Contains(got, `"prompt":"a fox"`) || !strings.Contains(got, `"seed":7`) {
		t.Errorf("ran %s", got)
	}
}

// TestPickersOfferTheLibrary draws fields that name elements, and reads what was chosen.
func TestPickersOfferTheLibrary(t *testing.T) {
	schema := map[string]any{"type": "object", "properties": map[string]any{
		"characterIds": map[string]any{"type": "array", "items": map[string]any{"type": "string", "format": "uuid"}, "x-control": "character"},
		"presetId":     map[string]any{"type": "string", "format": "uuid", "x-control": "preset"},
		"prompt":       map[string]any{"type": "string", "format": "textarea"},
	}}
	f := newFake(t).with("NodeType.type", "generate-image").with("NodeType.inputSchema", schema).with("WorkflowNode.type", "generate-image").
		with("WorkflowNode.id", "picture").with("WorkflowNode.data", map[string]any{}).with("Element.name", "Ben").with("Element.handle", "ben").
		with("NodePreset.nodeType", "generate-image").with("NodePreset.name", "Watercolour")
	path := "/workflows/" + someID + "/nodes/edit?node=picture"
	body := get(f, path).Body.String()
	for _, want := range []string{
		"Ben (@ben)", `name="in-characterIds" value="` + someID + `"`, "Watercolour", "Help me with the words", `data-prompt-help="f-in-prompt"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	w := post(f, "/workflows/"+someID+"/nodes/edit", "node", "picture", "form", "fields", "version", "7", "in-characterIds-listed", "1", "in-characterIds", someID, "in-presetId", someID)
	if w.Code != 303 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if got := frame.JSONOf(f.last(t, "SaveGraph").Variables); !strings.Contains(got, `"characterIds":["`+someID+`"]`) || !strings.Contains(got, `"presetId":"`+someID+`"`) {
		t.Errorf("saved %s", got)
	}
}

// TestCloningSaysWhatIsMissing shows no form that could not be sent.
func TestCloningSaysWhatIsMissing(t *testing.T) {
	f := newFake(t).with("VoiceCloning.offered", false).with("VoiceCloning.missing", "Set OPENAI_API_KEY.")
	body := get(f, "/voices/new").Body.String()
	if !strings.Contains(body, "Set OPENAI_API_KEY.") || strings.Contains(body, "Clone the voice") {
		t.Error("a form for what is not offered")
	}
}
