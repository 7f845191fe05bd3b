package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"atelier/web/frame"
)

const peopleOf = "/workspaces/" + someID + "/members"

func TestBulkInAClass(t *testing.T) {
	for _, c := range []struct{ action, status, input, says, undo string }{
		{"suspend", "active", `{"status":"suspended"}`, "2 people are suspended here.", "reactivate"},
		{"reactivate", "suspended", `{"status":"active"}`, "2 people are active here again.", "suspend"},
	} {
		f := newFake(t).school().with("User.id", anotherID).with("WorkspaceMember.status", c.status)
		w := post(f, peopleOf+"/bulk", "user", someID, "user", anotherID, "action", c.action, "return", peopleOf+"?sort=name")
		if back := w.Header().Get("Location"); back != peopleOf+"?sort=name" {
			t.Errorf("%s leads to %q", c.action, back)
		}
		body := flashed(t, f, w)
		if !strings.Contains(body, c.says) || !strings.Contains(body, `name="action" value="`+c.undo+`"`) {
			t.Errorf("%s: %s", c.action, body)
		}
		if got := frame.JSONOf(f.last(t, "UpdateWorkspaceMember").Variables["input"]); got != c.input {
			t.Errorf("%s sends %s", c.action, got)
		}
		body = flashed(t, f.with("WorkspaceMember.status", map[string]string{"active": "suspended", "suspended": "active"}[c.status]),
			post(f, peopleOf+"/bulk", "user", someID, "action", c.action))
		if !strings.Contains(body, "Nothing was changed.") {
			t.Errorf("%s once more: %s", c.action, body)
		}
	}
}

func TestBulkRemovalInAClassAsksFirst(t *testing.T) {
	f := newFake(t).school()
	w := post(f, peopleOf+"/bulk", "user", someID, "action", "remove")
	if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, "Remove 1 person from Art 9b?") || f.called("RemoveWorkspaceMember") {
		t.Errorf("%d %s", w.Code, body)
	}
	body := flashed(t, f, post(f, peopleOf+"/bulk", "user", someID, "action", "remove", "sure", "1"))
	if !strings.Contains(body, "Mina Lang is removed from here.") || !f.called("RemoveWorkspaceMember") {
		t.Error(body)
	}
}

func TestBulkMove(t *testing.T) {
	f := newFake(t).school().with("WorkspaceMember.status", "active").with("WorkspaceMember.role", "member").with("Workspace.id", anotherID)
	w := post(f, peopleOf+"/bulk", "user", someID, "action", "move")
	if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, "Move 1 person") || !strings.Contains(body, `name="to"`) || f.called("AddWorkspaceMember") {
		t.Errorf("%d %s", w.Code, body)
	}
	w = post(f, peopleOf+"/bulk", "user", someID, "action", "move", "to", anotherID)
	body := flashed(t, f, w)
	if !strings.Contains(body, "Mina Lang is in Art 9b now.") || !strings.Contains(body, `action="/workspaces/`+anotherID+`/members/bulk"`) ||
		!strings.Contains(body, `name="to" value="`+someID+`"`) {
		t.Error(body)
	}
	if add := f.last(t, "AddWorkspaceMember"); add.Variables["id"] != anotherID || f.last(t, "RemoveWorkspaceMember").Variables["id"] != someID {
		t.Errorf("moved by %v", f.calls)
	}

	// A refusal of the one leaves the person where they are; of who is there already, it does not.
	f = newFake(t).school().with("WorkspaceMember.status", "active")
	f.refuse("AddWorkspaceMember", "insufficient_role", http.StatusForbidden, map[string]any{"message": "Not yours."})
	body = flashed(t, f, post(f, peopleOf+"/bulk", "user", someID, "action", "move", "to", anotherID))
	if !strings.Contains(body, "Nothing was changed.") || f.called("RemoveWorkspaceMember") {
		t.Error(body)
	}
	f = newFake(t).school().with("WorkspaceMember.status", "active")
	f.refuse("AddWorkspaceMember", "already_a_member", http.StatusConflict, nil)
	if post(f, peopleOf+"/bulk", "user", someID, "action", "move", "to", anotherID); !f.called("RemoveWorkspaceMember") {
		t.Error("who is there already is not taken off this list")
	}
	f = newFake(t).school().with("WorkspaceMember.status", "suspended")
	body = flashed(t, f, post(f, peopleOf+"/bulk", "user", someID, "action", "move", "to", anotherID))
	if !strings.Contains(body, "Mina Lang is suspended here and was not moved.") || f.called("AddWorkspaceMember") {
		t.Error(body)
	}
	if w := post(f, peopleOf+"/bulk", "user", someID, "action", "move", "to", someID); w.Code != http.StatusBadRequest {
		t.Errorf("moved to where they are: %d", w.Code)
	}
}

// Boxes are for those who can be changed: not for the owner, and not for oneself.
func TestBulkBoxesOfAClass(t *testing.T) {
	for name, c := range map[string]struct {
		self, role string
		manage     bool
		boxes      bool
	}{
		"a student": {anotherID, "member", true, true}, "oneself": {someID, "member", true, false},
		"the owner": {anotherID, "owner", true, false}, "an archived class": {anotherID, "member", false, false},
	} {
		f := newFake(t).school().with("Profile.id", c.self).with("WorkspaceMember.organizationRole", c.role).with("WorkspacePermissions.manageMembers", c.manage).
			with("Workspace.role", "admin")
		if body := get(f, peopleOf).Body.String(); strings.Contains(body, `form="bulk-people"`) != c.boxes {
			t.Errorf("%s: %s", name, body)
		}
	}
}

func TestSpacesAreCards(t *testing.T) {
	f := newFake(t).school().with("Result.kind", "image").with("Result.createdAt", aTime).with("WorkspaceGlance.requests", 1)
	body := get(f, "/spaces").Body.String()
	for _, part := range []string{`href="/workspaces/` + someID + `"`, "1 request for credits", "7 results to review", "/community/review", "12.5 credits left", "Last result: 2 h ago", "Personal space"} {
		if !strings.Contains(body, part) {
			t.Errorf("no %q in %s", part, body)
		}
	}
	if body = get(f.with("Workspace.glance", nil), "/spaces").Body.String(); strings.Contains(body, "to review") || !strings.Contains(body, "Art 9b") {
		t.Error("who is suspended:", body)
	}
}

// called tells whether an operation was sent.
func (f *fake) called(operation string) bool {
	return slices.ContainsFunc(f.calls, func(c call) bool { return c.Operation == operation })
}
