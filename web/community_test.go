package web

import (
	"strings"
	"testing"

	"atelier/web/frame"
)

// sent are the variables that an operation was asked with last, which have parts.
func (f *fake) sent(t *testing.T, operation string, parts ...string) {
	t.Helper()
	got := frame.JSONOf(f.last(t, operation).Variables)
	for _, want := range parts {
		if !strings.Contains(got, want) {
			t.Errorf("%s sent %s, not %s", operation, got, want)
		}
	}
}

// TestGalleryBeginsWithTheWorkspace follows the filters of the gallery, and whose posts it shows.
func TestGalleryBeginsWithTheWorkspace(t *testing.T) {
	f := newFake(t).school().with("CommunityPost.tags", []any{"story"})
	get(f, "/workspaces/"+someID+"/community")
	f.sent(t, "Community", `"from":"workspace"`, `"sort":null`)
	body := get(f, "/workspaces/"+someID+"/community?from=everyone&kind=preset&category=art&tag=ink&q=sea&sort=popular").Body.String()
	f.sent(t, "Community", `"from":"everyone"`, `"kind":"preset"`, `"category":"art"`, `"tag":"ink"`, `"query":"sea"`, `"sort":"popular"`)
	for _, want := range []string{`href="/community/` + someID + `?in=` + someID + `"`, `name="from" value="everyone"`, `aria-label="Whose posts"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	body = get(f, "/community").Body.String()
	f.sent(t, "Community", `"from":null`)
	if strings.Contains(body, "Whose posts") {
		t.Error("the personal space asks whose posts")
	}
	empty := newFake(t).with("CommunityPostConnection.nodes", 0)
	if body := get(empty, "/community?q=sea").Body.String(); !strings.Contains(body, "No post fits these filters.") {
		t.Error("nothing is found, and nothing says so")
	}
}

// TestPostIsPosted sends the form, says what happens with an audience, and keeps what was typed in a refused one.
func TestPostIsPosted(t *testing.T) {
	f := newFake(t).school().with("PostChoices.refusal", nil).with("AudienceChoice.refusal", nil).with("AudienceChoice.audience", "workspace").
		with("AudienceChoice.waits", true).with("CommunityPost.status", "pending_review").with("CommunityPost.title", "Ben")
	form := "/community/post?kind=character&source=" + someID
	if body := get(f, form).Body.String(); !strings.Contains(body, "It waits for your teacher first.") {
		t.Errorf("it does not say that it waits: %s", body)
	}
	f.sent(t, "PostChoices", `"kind":"character"`, `"source":"`+someID+`"`)
	w := post(f, "/community/post?in="+someID, "kind", "character", "source", someID, "title", "Ben", "description", "", "category", "art", "tags", "a, b",
		"license", "cc0", "audience", "workspace")
	if w.Code != 303 || w.Header().Get("Location") != "/community/"+someID+"?in="+someID {
		t.Fatalf("%d %s", w.Code, w.Header().Get("Location"))
	}
	f.sent(t, "PostToCommunity", `"kind":"character"`, `"tags":["a","b"]`, `"license":"cc0"`, `"audience":"workspace"`, `"category":"art"`)
	f.refuse("PostToCommunity", "validation_error", 400, map[string]any{"field": "title", "message": "title must be 1 to 100 characters"})
	w = post(f, "/community/post", "kind", "character", "source", someID, "title", "", "description", "A hero of mine")
	if body := w.Body.String(); w.Code != 400 || !strings.Contains(body, "A hero of mine") || !strings.Contains(body, "1 to 100 characters") {
		t.Errorf("%d without what was typed", w.Code)
	}
	f = newFake(t).with("PostChoices.refusal", "This is what depicts a person, which is never posted")
	if body := get(f, form).Body.String(); !strings.Contains(body, "This is what depicts a person") || strings.Contains(body, `name="license"`) {
		t.Error("what is never posted has a form")
	}
}

// TestPostIsUsed leads to the copy, of an app to the app.
func TestPostIsUsed(t *testing.T) {
	f := newFake(t).with("UsedPost.slug", nil).with("UsedPost.kind", "location")
	if w := post(f, "/community/"+someID+"/use"); w.Header().Get("Location") != "/library/locations/"+someID {
		t.Error(w.Header().Get("Location"))
	}
	f.with("UsedPost.kind", "app").with("UsedPost.slug", "poster")
	if w := post(f, "/community/"+someID+"/use?in="+someID); w.Header().Get("Location") != "/app/poster?in="+someID {
		t.Error(w.Header().Get("Location"))
	}
	f.refuse("UsePost", "forbidden", 403, nil)
	if w := post(f, "/community/"+someID+"/use"); w.Code != 403 {
		t.Errorf("%d for what nobody copies", w.Code)
	}
}

// TestPostsAreDecidedAbout does the same to many posts; a refusal of one stops no other.
func TestPostsAreDecidedAbout(t *testing.T) {
	f := newFake(t).school()
	w := post(f, "/workspaces/"+someID+"/community/review", "post", "a", "post", "b", "action", "reject", "reason", "No names")
	if w.Code != 303 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	decided := 0
	for _, c := range f.calls {
		if c.Operation == "ModeratePost" {
			decided++
		}
	}
	f.sent(t, "ModeratePost", `"id":"b"`, `"action":"reject"`, `"reason":"No names"`)
	if decided != 2 {
		t.Errorf("%d posts decided about", decided)
	}
	for _, form := range [][]string{{"action", "approve"}, {"post", "a"}, {"post", "a", "action", "praise"}} {
		if w := post(f, "/community/review", form...); w.Code != 400 {
			t.Errorf("%v: %d", form, w.Code)
		}
	}
}

// TestReportNeedsAReason keeps who reported out of what is said.
func TestReportNeedsAReason(t *testing.T) {
	f := newFake(t)
	if w := post(f, "/community/"+someID+"/report", "details", "It is my sister"); w.Code != 400 || !strings.Contains(w.Body.String(), "It is my sister") {
		t.Errorf("%d without a reason", w.Code)
	}
	if w := post(f, "/community/"+someID+"/report", "reason", "privacy"); w.Code != 303 || w.Header().Get("Location") != "/community" {
		t.Errorf("%d %s", w.Code, w.Header().Get("Location"))
	}
	f.sent(t, "ReportPost", `"reason":"privacy"`)
}
