package web

import (
	"net/http"
	"strings"
	"testing"

	"atelier/web/frame"
)

func TestSharingSendsOneOfIdAndAddress(t *testing.T) {
	f := newFake(t)
	path := "/workflows/" + someID + "/sharing"
	for _, c := range []struct {
		sent []string
		want string
	}{
		{[]string{"email", " Ada@example.com ", "role", "editor"}, `{"email":"Ada@example.com","role":"editor"}`},
		{[]string{"user", someID, "role", "viewer"}, `{"role":"viewer","userId":"` + someID + `"}`},
	} {
		if w := post(f, path, c.sent...); w.Code != http.StatusSeeOther || w.Header().Get("Location") != path {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if got := frame.JSONOf(f.last(t, "AddCollaborator").Variables["input"]); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestAnUnknownAddressIsAFieldToPutRight(t *testing.T) {
	f := newFake(t)
	f.refuse("AddCollaborator", "not_found", http.StatusNotFound, map[string]any{"message": "Account not found"})
	w := post(f, "/workflows/"+someID+"/sharing", "email", "nobody@example.com", "role", "viewer")
	if body := w.Body.String(); w.Code != http.StatusBadRequest || !strings.Contains(body, "has an account here") || !strings.Contains(body, `value="nobody@example.com"`) {
		t.Errorf("%d %s", w.Code, body)
	}
}

func TestSharingSaysWhyRunningIsOff(t *testing.T) {
	f := newFake(t).with("Workflow.whyNotRun", "You are outside.").with("WorkflowPermissions.share", false)
	body := get(f, "/workflows/"+someID+"/sharing").Body.String()
	if !strings.Contains(body, "You are outside.") || strings.Contains(body, `name="email"`) {
		t.Error(body)
	}
	f = newFake(t).with("WorkflowPermissions.run", false).with("Workflow.whyNotRun", "You are outside.")
	if body := get(f, "/workflows/"+someID).Body.String(); !strings.Contains(body, "You are outside.") {
		t.Error(body)
	}
}

// Anyone who leaves lands where they are still admitted.
func TestLeavingASharedWorkflow(t *testing.T) {
	f := newFake(t)
	f.with("Profile.id", someID)
	path := "/workflows/" + someID + "/sharing/" + someID + "/remove"
	if body := get(f, path).Body.String(); !strings.Contains(body, "Leave it") || !strings.Contains(body, `name="own"`) {
		t.Error(body)
	}
	if w := post(f, path, "own", "1"); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/shared" {
		t.Errorf("%d %s", w.Code, w.Header())
	}
}

// Where there are no organizations nothing is shared, and no page offers it.
func TestNoSharingWithoutOrganizations(t *testing.T) {
	body := get(newFake(t).with("Profile.memberships", nil), "/workflows/"+someID).Body.String()
	if strings.Contains(body, "/sharing") || strings.Contains(body, `href="/shared"`) {
		t.Error("a page offers to share")
	}
}
