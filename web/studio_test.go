package web

import (
	"net/http"
	"strings"
	"testing"

	"atelier/web/frame"
)

const otherID = "0193f2c1-77aa-7c02-b9d1-1f0b6e2a8e05"

// holds fails for each part that a text lacks.
func holds(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %s", part)
		}
	}
}

// TestProductionAsksOnceWhereItsSpaceIsNamed counts the operations of the pages that the console itself links to.
func TestProductionAsksOnceWhereItsSpaceIsNamed(t *testing.T) {
	for _, page := range []string{"", "/render", "/breakdown", "/print", "/shots/" + someID + "/share"} {
		f := newFake(t).school()
		if w := get(f, "/studio/"+someID+page+"?in="+someID); w.Code != 200 || len(f.calls) != 1 {
			t.Errorf("%s: %d, asked %v", page, w.Code, f.calls)
		}
	}
}

func TestProductionsAreFiltered(t *testing.T) {
	f := newFake(t).with("Production.name", "The door")
	body := get(f, "/studio?q=do&status=stale&mine=1").Body.String()
	holds(t, frame.JSONOf(f.last(t, "Productions").Variables), `"query":"do"`, `"status":"stale"`, `"mine":true`)
	holds(t, body, "The door", `href="/studio/`+someID+`?in=`+someID+`"`)
	if get(f, "/studio?status=nonsense"); strings.Contains(frame.JSONOf(f.last(t, "Productions").Variables), "nonsense") {
		t.Error("an unknown status is asked for")
	}
}

func TestProductionIsBegun(t *testing.T) {
	f := newFake(t).with("Production.name", "The door")
	w := post(f, "/workspaces/"+someID+"/studio", "name", "The door", "script", "One.\r\nTwo.", "language", "en", "aspectRatio", "16:9", "resolution", "480p", "pipelineId", "")
	if w.Code != 303 || w.Header().Get("Location") != "/studio/"+someID+"/breakdown?in="+someID {
		t.Fatalf("%d %s", w.Code, w.Header().Get("Location"))
	}
	holds(t, frame.JSONOf(f.last(t, "CreateProduction").Variables), `"script":"One.\nTwo."`, `"resolution":"480p"`)
}

// TestBreakdownNamesWhoIsUnknown carries the names to the page of the production, and asks before shots give way.
func TestBreakdownNamesWhoIsUnknown(t *testing.T) {
	f := newFake(t).with("UnmatchedName.name", "Mia").with("UnmatchedName.kind", "character").with("ScriptBreakdown.job", nil)
	path := "/studio/" + someID
	w := post(f, path+"/breakdown", "secondsPerShot", "2.5", "maxShots", "12", "replace", "on", "return", path+"?in="+someID)
	to := w.Header().Get("Location")
	if w.Code != 303 || !strings.Contains(to, "new=character~7~Mia") {
		t.Fatalf("%d %s", w.Code, to)
	}
	holds(t, frame.JSONOf(f.last(t, "BreakDownScript").Variables), `"secondsPerShot":2.5`, `"maxShots":12`, `"replace":true`)
	holds(t, get(f, to).Body.String(), "/library/characters/new?name=Mia", "Make a character")
	if body := get(f, path+"?new=nonsense~1~Zoltan&new=character~x~Zoltan").Body.String(); strings.Contains(body, "Names that your library") {
		t.Error("names are taken that no breakdown says")
	}
	f.refuse("BreakDownScript", "validation_error", 400, map[string]any{"field": "replace", "message": "replace must be true: shots are there"})
	if w = post(f, path+"/breakdown"); w.Code != 400 || !strings.Contains(w.Body.String(), "f-replace-error") {
		t.Errorf("%d without the question", w.Code)
	}
	if w = post(f, path+"/breakdown", "secondsPerShot", "long"); w.Code != 400 {
		t.Errorf("%d for no number", w.Code)
	}
}

func TestShotsAreOrdered(t *testing.T) {
	f := newFake(t)
	path := "/studio/" + someID + "/order?in=" + someID
	for _, sent := range [][]string{
		{"shot", someID, "shot", otherID, "move", "down:" + someID},
		{"shot", someID, "shot", otherID, "move", "up:" + otherID},
		{"shot", otherID, "shot", someID, "moved", otherID},
	} {
		w := post(f, path, sent...)
		if to := w.Header().Get("Location"); w.Code != 303 || !strings.HasPrefix(to, "/studio/"+someID+"?in="+someID+"#shot-") {
			t.Fatalf("%d %s", w.Code, to)
		}
		holds(t, frame.JSONOf(f.last(t, "OrderShots").Variables), `"shotIds":["`+otherID+`","`+someID+`"]`)
	}
	f.refuse("OrderShots", "validation_error", 400, map[string]any{"field": "shotIds"})
	if w := post(f, path, "shot", someID); w.Code != 400 || !strings.Contains(w.Body.String(), "Someone added or deleted a shot meanwhile.") {
		t.Errorf("%d without what to do", w.Code)
	}
}

// TestShotIsChanged sends the whole form, and says at its field what is wrong.
func TestShotIsChanged(t *testing.T) {
	f := newFake(t)
	path := "/studio/" + someID + "/shots/" + someID
	w := post(f, path, "version", "7", "title", "", "action", "A door", "dialogue", "Who is there?", "speakerId", otherID, "voiceId", "", "characterIds", someID,
		"locationId", "", "size", "close", "angle", "low", "movement", "push-in", "duration", "1,5", "prompt", "", "negativePrompt", "", "locked", "on", "notes", "")
	if w.Code != 303 || w.Header().Get("Location") != "/studio/"+someID+"#shot-"+someID {
		t.Fatalf("%d %s", w.Code, w.Header().Get("Location"))
	}
	holds(t, frame.JSONOf(f.last(t, "UpdateShot").Variables), `"version":7`, `"duration":1.5`, `"camera":{"angle":"low","movement":"push-in","size":"close"}`,
		`"voiceId":null`, `"speakerId":"`+otherID+`"`, `"objectIds":[]`, `"locked":true`, `"skip":false`, `"ownImageUrl":null`)
	f.refuse("UpdateShot", "validation_error", 400, map[string]any{"field": "camera.angle", "message": "camera.angle must be one of eye, high, low, overhead"})
	if w = post(f, path, "angle", "x"); w.Code != 400 || !strings.Contains(w.Body.String(), `href="#f-angle"`) {
		t.Errorf("%d without the field", w.Code)
	}
	if w = get(f, "/studio/"+someID+"/shots/"+otherID); w.Code != 404 {
		t.Errorf("%d for a shot of another production", w.Code)
	}
}

// TestRenderSaysItsPriceFirst estimates what the address asks for, and begins that with a ceiling.
func TestRenderSaysItsPriceFirst(t *testing.T) {
	f := newFake(t).school().with("Production.status", "ready").with("RenderEstimate.refused", 0)
	path := "/studio/" + someID + "/render"
	body := get(f, path+"?in="+someID+"&stage=image&shot="+someID).Body.String()
	holds(t, frame.JSONOf(f.last(t, "ProductionPage").Variables), `"stage":"image"`, `"shotIds":["`+someID+`"]`)
	holds(t, body, "about 12.5 credits", "Art 9b has 12.5 credits left", `name="maxCredits"`, `name="stage" value="image"`)
	w := post(f, path+"?in="+someID, "stage", "image", "shot", someID, "maxCredits", "3")
	if w.Code != 303 {
		t.Fatalf("%d", w.Code)
	}
	holds(t, frame.JSONOf(f.last(t, "RenderProduction").Variables), `"maxCredits":3`, `"stage":"image"`, `"shotIds":["`+someID+`"]`)
	f.refuse("RenderProduction", "validation_error", 400, map[string]any{"field": "maxCredits", "message": "maxCredits is less than this would cost, which is 12.5"})
	if w = post(f, path, "maxCredits", "3"); w.Code != 400 || !strings.Contains(w.Body.String(), `href="#f-maxCredits"`) {
		t.Errorf("%d without the field", w.Code)
	}
	f.refuse("RenderProduction", "validation_error", 400, map[string]any{"field": "shots." + someID + ".locationId", "message": "shots." + someID + ".locationId may not be used"})
	if w = post(f, path); w.Code != 400 || strings.Contains(w.Body.String(), "shots."+someID) {
		t.Errorf("%d, or an id in what is said", w.Code)
	}
}

func TestShotIsShownAndTakenBack(t *testing.T) {
	f := newFake(t)
	path := "/studio/" + someID + "/shots/" + someID + "/share"
	if w := post(f, path, "shared", "1", "until", "2026-12-20"); w.Code != 303 {
		t.Fatalf("%d", w.Code)
	}
	holds(t, frame.JSONOf(f.last(t, "ShareShot").Variables), `"shared":true`, `"until":"2026-12-20T23:59:59Z"`)
	if w := post(f, path, "shared", "0"); w.Code != 303 {
		t.Fatalf("%d", w.Code)
	}
	holds(t, frame.JSONOf(f.last(t, "ShareShot").Variables), `"shared":false`)
	if w := post(f, path, "shared", "1", "until", "soon"); w.Code != 400 {
		t.Errorf("%d for no day", w.Code)
	}
	f.refuse("ShareShot", "forbidden", 403, nil)
	if w := post(f, path, "shared", "1"); w.Code != 403 || !strings.Contains(w.Body.String(), "depicts a minor") {
		t.Errorf("%d without the reason", w.Code)
	}
}

// TestPublicShotIsForEverybody needs no session, and is not kept by search engines.
func TestPublicShotIsForEverybody(t *testing.T) {
	f := newFake(t).with("PublicShot.title", "A door").with("PublicShot.videoUrl", "https://atelier.example/media/a.mp4?until=1&sig=x")
	w := get(f, "/shots/"+someID)
	if len(f.calls) != 1 || w.Code != 200 || !strings.Contains(w.Header().Get("X-Robots-Tag"), "noindex") {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	holds(t, w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'", "media-src 'self'")
	holds(t, w.Body.String(), "A door", `src="/media/a.mp4?until=1&amp;sig=x"`)
	for code, status := range map[string]int{"not_found": 404, "validation_error": 400} {
		f.refuse("PublicShot", code, status, nil)
		if w = get(f, "/shots/"+someID); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "Nothing here") {
			t.Errorf("%s: %d", code, w.Code)
		}
	}
}

// TestPipelineIsChanged shows the fields of the types that the address names, and reads them by stage.
func TestPipelineIsChanged(t *testing.T) {
	f := newFake(t).with("NodeType.type", "generate-image").with("PipelineStage.nodeType", "generate-image").with("PipelineStage.settings", map[string]any{"style": "ink"}).
		with("NodeType.inputSchema", map[string]any{"properties": map[string]any{
			"style": map[string]any{"type": "string"}, "prompt": map[string]any{"type": "string"}, "characterIds": map[string]any{"type": "array", "x-control": "character"},
		}})
	path := "/studio/pipelines/" + someID + "/edit"
	body := get(f, path+"?cut=&speech=component").Body.String()
	holds(t, body, `name="image-in-style"`, `name="speech-workflow"`)
	if strings.Contains(body, `name="image-in-prompt"`) || strings.Contains(body, `image-in-characterIds`) || strings.Contains(body, `name="cut-preset"`) {
		t.Error("fields are shown that the shots fill in, or of a stage that is not there")
	}
	w := post(f, path, "version", "7", "name", "Ours", "description", "", "image", "generate-image", "image-in-style", "chalk", "image-preset", "", "speech", "", "clip", "", "cut", "")
	if w.Code != 303 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	holds(t, frame.JSONOf(f.last(t, "UpdatePipeline").Variables), `"image":{"nodeType":"generate-image","settings":{"style":"chalk"}}`, `"version":7`)
	f.refuse("UpdatePipeline", "validation_error", 400, map[string]any{"field": "stages.image.settings.style", "message": "stages.image.settings.style is unknown"})
	if w = post(f, path, "image", "generate-image", "image-in-style", "x"); w.Code != 400 || !strings.Contains(w.Body.String(), `href="#f-image-in-style"`) {
		t.Errorf("%d without the field", w.Code)
	}
}
