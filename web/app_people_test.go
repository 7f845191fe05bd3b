package web

import (
	"strings"
	"testing"
)

// Admins of a workspace see who made something with an app, and who did not; others see no list.
func TestPeopleOfAnApp(t *testing.T) {
	f := newFake(t).school().with("AppPerson.latestUrl", "https://atelier.example/media/fox.png")
	body := get(f, "/apps/"+someID).Body.String()
	for _, part := range []string{"Who made what with it", "2 of 2 have run it", `href="/runs/` + someID + `"`, `src="/media/fox.png"`, "Show to the class", "/apps/" + someID + "/show"} {
		if !strings.Contains(body, part) {
			t.Errorf("no %q in %s", part, body)
		}
	}
	f.with("AppPerson.latestId", nil).with("AppPerson.latestUrl", nil).with("AppPerson.latestAt", nil).with("AppPerson.runs", 0)
	if body = get(f, "/apps/"+someID).Body.String(); !strings.Contains(body, "0 of 2 have run it") || !strings.Contains(body, "Not yet") {
		t.Error("no one ran it:", body)
	}
	if body = get(f.with("App.people", nil), "/apps/"+someID).Body.String(); strings.Contains(body, "Who made what with it") {
		t.Error("a list for who runs no workspace:", body)
	}
	if body = get(f.with("App.workspaceId", nil), "/apps/"+someID).Body.String(); !strings.Contains(body, "Show the address") {
		t.Error("in a personal space:", body)
	}
}

func TestProjectorOfAnApp(t *testing.T) {
	f := newFake(t).with("App.slug", "poster").with("App.name", "Poster").with("AppAdmin.isActive", true)
	w := get(f, "/apps/"+someID+"/show")
	if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, "atelier.example/<wbr>app/<wbr>poster") || !strings.Contains(body, "QR code of the address") || !strings.Contains(body, "data-projector") {
		t.Errorf("%d %s", w.Code, body)
	}
	checkPage(t, "projector of an app", w)
	if body := get(f.with("AppAdmin.isActive", false), "/apps/"+someID+"/show").Body.String(); !strings.Contains(body, "switched off") || strings.Contains(body, "poster<") {
		t.Error("switched off:", body)
	}
	if w := get(f.with("App.admin", nil), "/apps/"+someID+"/show"); w.Code != 404 {
		t.Errorf("for who does not manage it: %d", w.Code)
	}
}

// The editor is told whose draft it keeps, and brings the question about one along, hidden.
func TestEditorAsksAboutADraft(t *testing.T) {
	body := get(newFake(t), "/workflows/"+someID+"/editor").Body.String()
	for _, part := range []string{`&#34;account&#34;:&#34;` + someID, `&#34;id&#34;:&#34;` + someID, "data-draft hidden", "data-draft-restore", "data-draft-discard"} {
		if !strings.Contains(body, part) {
			t.Errorf("no %s in %s", part, body)
		}
	}
}
