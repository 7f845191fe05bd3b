package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"atelier/web/frame"
)

const anotherID = "0193f2c1-77aa-7c02-b9d1-1f0b6e2a8e05"

func TestBulkChangesEachPersonAlone(t *testing.T) {
	base := "/orgs/" + someID + "/members/bulk"
	for action, want := range map[string]string{
		"suspend": `{"status":"suspended"}`, "reactivate": `{"status":"active"}`, "admin": `{"role":"admin"}`, "member": `{"role":"member"}`,
	} {
		f := newFake(t).with("User.id", anotherID)
		w := post(f, base, "user", someID, "user", someID, "user", anotherID, "action", action)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "2 of 2 people changed") {
			t.Fatalf("%s: %d %s", action, w.Code, w.Body)
		}
		calls := 0
		for _, c := range f.calls {
			if c.Operation == "UpdateMember" {
				if got := frame.JSONOf(c.Variables["input"]); got != want {
					t.Errorf("%s sends %s, want %s", action, got, want)
				}
				calls++
			}
		}
		if calls != 2 {
			t.Errorf("%s: %d people were changed", action, calls)
		}
	}
}

func TestBulkTellsEachRefusal(t *testing.T) {
	f := newFake(t)
	f.refuse("UpdateMember", "validation_error", http.StatusBadRequest, map[string]any{"message": "That is the owner."})
	body := post(f, "/orgs/"+someID+"/members/bulk", "user", someID, "action", "suspend").Body.String()
	if !strings.Contains(body, "0 of 1 person changed") || !strings.Contains(body, "That is the owner.") {
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
	if found := box.FindString(body); !strings.Contains(found, " checked") || !strings.Contains(body, "Select nobody") {
		t.Errorf("%q in %s", found, body)
	}
}
