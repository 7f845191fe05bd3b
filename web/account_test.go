package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// The field for the operators' code is there for the first operator, and for
// the one who was asked for it.
func TestSignUpAsksForTheOperatorCode(t *testing.T) {
	const field = `name="operatorCode"`
	f := newFake(t).with("Install.signUp", "open").with("Install.awaitsOperatorCode", false)
	if strings.Contains(get(f, "/sign-up").Body.String(), field) {
		t.Error("everyone is asked for the code")
	}
	if !strings.Contains(get(f.with("Install.awaitsOperatorCode", true), "/sign-up").Body.String(), field) {
		t.Error("the first operator is not asked for the code")
	}
	f.with("Install.awaitsOperatorCode", false).refuse("SignUp", "validation_error", 400, map[string]any{"field": "operatorCode"})
	w := post(f, "/auth/sign-up", "email", "op@example.com", "password", "long enough", "displayName", "Op")
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), field) {
		t.Errorf("a second operator: %d", w.Code)
	}
	post(f, "/auth/sign-up", "email", "op@example.com", "password", "long enough", "displayName", "Op", "operatorCode", "c0de", "idempotency_key", "k")
	if sent := f.last(t, "SignUp"); !strings.Contains(fmt.Sprint(sent.Variables), "operatorCode:c0de") || sent.Key != "" {
		t.Errorf("sent %s with the key %q", sent.Variables, sent.Key)
	}
	f = newFake(t).with("Profile.isOperator", false)
	told := func(code string) bool {
		w := post(f, "/auth/sign-up", "email", "mara@example.com", "password", "long enough", "displayName", "Mara", "operatorCode", code, "next", "/account")
		return strings.Contains(flashed(t, f, w), "mara@example.com is not one of PLATFORM_OPERATOR_EMAILS.")
	}
	if !told("c0de") || told("") {
		t.Error("a code beside an address that is no operator's")
	}
	if f.with("Profile.isOperator", true); told("c0de") {
		t.Error("the operator is told of an address that is none")
	}
}

func TestAccountSecurity(t *testing.T) {
	f := newFake(t).with("Profile.mayProveOperator", true).with("Profile.hasPassword", true).with("Session.current", false).with("Session.place", "192.0.2.…")
	body := get(f, "/account").Body.String()
	for _, part := range []string{`action="/account/password"`, `action="/account/operator"`, `action="/account/sign-out-everywhere"`, "192.0.2.…", "/end"} {
		if !strings.Contains(body, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	f = newFake(t).with("Profile.mayProveOperator", false).with("Profile.hasPassword", false).with("Session.current", true)
	body = get(f, "/account").Body.String()
	for _, part := range []string{`action="/account/password"`, `action="/account/operator"`, `/end"`} {
		if strings.Contains(body, part) {
			t.Errorf("the page has %s", part)
		}
	}
}

func TestChangePassword(t *testing.T) {
	f := newFake(t).with("Profile.hasPassword", true)
	w := post(f, "/account/password", "form", "password", "currentPassword", " old ", "newPassword", " new one ", "revokeTokens", "on", "idempotency_key", "k")
	sent := f.last(t, "ChangePassword")
	if w.Header().Get("Location") != "/account" || sent.Key != "" || fmt.Sprint(sent.Variables) != "map[input:map[currentPassword: old  newPassword: new one  revokeTokens:true]]" {
		t.Errorf("%d, sent %s with the key %q", w.Code, sent.Variables, sent.Key)
	}
	f.refuse("ChangePassword", "validation_error", 400, map[string]any{"field": "currentPassword"})
	w = post(f, "/account/password", "form", "password", "currentPassword", "s3cret old", "newPassword", "s3cret new")
	if body := w.Body.String(); w.Code != http.StatusBadRequest || !strings.Contains(body, "Your password was not changed.") || strings.Contains(body, "s3cret") {
		t.Errorf("a wrong password: %d %s", w.Code, body)
	}
	f.refuse("ChangePassword", "rate_limit_exceeded", 429, map[string]any{"retryAfter": 9})
	w = post(f, "/account/password", "form", "password", "currentPassword", "a", "newPassword", "b")
	if strings.Count(w.Body.String(), "data-retry-after") != 1 || w.Header().Get("Retry-After") != "9" {
		t.Errorf("too many: %d", w.Code)
	}
}

func TestSignOutEverywhere(t *testing.T) {
	f := newFake(t)
	w := post(f, "/account/sign-out-everywhere")
	if c := cookie(w, "__Host-atelier_session"); w.Header().Get("Location") != "/login" || c == nil || c.MaxAge >= 0 {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	if w := post(f, "/account/sessions/"+someID+"/end"); w.Header().Get("Location") != "/account" || !strings.Contains(fmt.Sprint(f.last(t, "EndSession").Variables), someID) {
		t.Errorf("ending one: %d", w.Code)
	}
	if w := post(f, "/account/operator", "operatorCode", " c0de "); w.Header().Get("Location") != "/operator" || fmt.Sprint(f.last(t, "ProveOperator").Variables) != "map[operatorCode:c0de]" {
		t.Errorf("the code: %d", w.Code)
	}
}

// The workflows of a token are called by their names, in whatever space they are; those that the person cannot see are counted.
func TestATokenNamesItsWorkflows(t *testing.T) {
	f := newFake(t).with("Workflow.name", "Poster of the week")
	if body := get(f, "/tokens/"+someID).Body.String(); !strings.Contains(body, `href="/workflows/`+someID+`"`) || !strings.Contains(body, "Poster of the week") {
		t.Error(body)
	}
	f.with("ApiToken.workflows", 0)
	if body := get(f, "/tokens/"+someID).Body.String(); !strings.Contains(body, "2 more workflows that it may use are gone") {
		t.Error(body)
	}
}

func TestAnAddressStaysWithoutMail(t *testing.T) {
	body := get(newFake(t).with("Install.mail", false), "/account/email").Body.String()
	if strings.Contains(body, `name="email"`) || !strings.Contains(body, "the address of an account cannot be changed") {
		t.Error(body)
	}
}
