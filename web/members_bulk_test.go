package web

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"atelier/web/frame"
)

const anotherID = "0193f2c1-77aa-7c02-b9d1-1f0b6e2a8e05"

// flashed follows a redirect: the page that the last action led to.
func flashed(t *testing.T, f *fake, w *httptest.ResponseRecorder) string {
	t.Helper()
	if w.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return get(f, w.Header().Get("Location"), w.Result().Cookies()...).Body.String()
}

func TestBulkChangesEachPersonAlone(t *testing.T) {
	base := "/orgs/" + someID + "/members"
	for _, c := range []struct{ action, role, status, input, says, undo string }{
		{"suspend", "member", "active", `{"status":"suspended"}`, "2 people are suspended.", "reactivate"},
		{"reactivate", "member", "suspended", `{"status":"active"}`, "2 people are active again.", "suspend"},
		{"admin", "member", "active", `{"role":"admin"}`, "2 people are admins now.", "member"},
		{"member", "admin", "active", `{"role":"member"}`, "2 people are no admins any more.", "admin"},
	} {
		f := newFake(t).with("User.id", anotherID).with("OrganizationMember.role", c.role).with("OrganizationMember.status", c.status)
		w := post(f, base+"/bulk", "user", someID, "user", someID, "user", anotherID, "action", c.action, "return", base+"?q=mi&sort=name")
		if back := w.Header().Get("Location"); back != base+"?q=mi&sort=name" {
			t.Errorf("%s leads to %q", c.action, back)
		}
		body := flashed(t, f, w)
		if !strings.Contains(body, c.says) || !strings.Contains(body, `name="action" value="`+c.undo+`"`) || !strings.Contains(body, "Undo") {
			t.Errorf("%s: %s", c.action, body)
		}
		calls := 0
		for _, call := range f.calls {
			if call.Operation == "UpdateMember" {
				if got := frame.JSONOf(call.Variables["input"]); got != c.input {
					t.Errorf("%s sends %s, want %s", c.action, got, c.input)
				}
				calls++
			}
		}
		if calls != 2 {
			t.Errorf("%s: %d people were changed", c.action, calls)
		}
	}
}

func TestBulkLeavesAloneWhoIsSoAlready(t *testing.T) {
	f := newFake(t).with("OrganizationMember.status", "suspended")
	body := flashed(t, f, post(f, "/orgs/"+someID+"/members/bulk", "user", someID, "action", "suspend"))
	if !strings.Contains(body, "Nothing was changed.") || strings.Contains(body, ">Undo<") {
		t.Error(body)
	}
}

func TestBulkTellsEachRefusal(t *testing.T) {
	f := newFake(t).with("OrganizationMember.status", "active")
	f.refuse("UpdateMember", "validation_error", http.StatusBadRequest, map[string]any{"message": "That is the owner."})
	body := flashed(t, f, post(f, "/orgs/"+someID+"/members/bulk", "user", someID, "action", "suspend"))
	if !strings.Contains(body, "Nothing was changed.") || !strings.Contains(body, "That is the owner.") || !strings.Contains(body, `class="note warn"`) {
		t.Error(body)
	}
}

func TestBulkRemovalAsksFirst(t *testing.T) {
	f := newFake(t)
	base := "/orgs/" + someID + "/members/bulk"
	w := post(f, base, "user", someID, "action", "remove")
	if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, "Remove 1 person?") || !strings.Contains(body, `name="sure"`) {
		t.Errorf("%d %s", w.Code, body)
	}
	for _, c := range f.calls {
		if c.Operation == "RemoveMember" {
			t.Error("somebody was removed without a question")
		}
	}
	post(f, base, "user", someID, "action", "remove", "sure", "1")
	f.last(t, "RemoveMember")
}

func TestBulkNeedsPeopleAndAnAction(t *testing.T) {
	for _, sent := range [][]string{{"action", "suspend"}, {"user", someID, "action", "promote"}} {
		f := newFake(t)
		if w := post(f, "/orgs/"+someID+"/members/bulk", sent...); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "Select ") {
			t.Errorf("%v: %d %s", sent, w.Code, w.Body)
		}
	}
}

func TestSelectingEverybodyNeedsNoScript(t *testing.T) {
	f := newFake(t).with("OrganizationMember.role", "member").with("Profile.id", anotherID)
	path := "/orgs/" + someID + "/members"
	box := regexp.MustCompile(`<input type="checkbox" name="user"[^>]*>`)
	body := get(f, path).Body.String()
	if found := box.FindString(body); found == "" || strings.Contains(found, "checked") || !strings.Contains(body, "all=1") {
		t.Errorf("%q in %s", found, body)
	}
	body = get(f, path+"?all=1").Body.String()
	if found := box.FindString(body); !strings.Contains(found, " checked") || !strings.Contains(body, "Select no one") {
		t.Errorf("%q in %s", found, body)
	}
}
