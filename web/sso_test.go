package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestExternalSignInArrives follows a one-time token from the address into a cookie, and from there into a session.
func TestExternalSignInArrives(t *testing.T) {
	f := newFake(t).with("SignedIn.expiresAt", "2026-11-21T12:00:00.000Z")
	w := get(f, "/sso?sso_token=one-time&next=%2Forgs%3Fx%3D1")
	kept := cookie(w, "__Host-atelier_arrival")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/sso" || kept == nil || !kept.HttpOnly || !kept.Secure || len(f.calls) != 0 {
		t.Fatalf("%d %v, %d calls", w.Code, w.Header(), len(f.calls))
	}
	with := func(method string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, map[string]string{"GET": "/sso", "POST": "/auth/sso/exchange"}[method], nil)
		if method == "POST" {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		for _, c := range cookies {
			r.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
		}
		return do(f, r)
	}
	page := with("GET", kept)
	if page.Code != 200 || !strings.Contains(page.Body.String(), "data-sent-by-itself") || strings.Contains(page.Body.String(), "one-time") || page.Header().Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("the page: %d %v %s", page.Code, page.Header(), page.Body)
	}
	in := with("POST", kept)
	if in.Header().Get("Location") != "/orgs?x=1" || cookie(in, "__Host-atelier_session") == nil || cookie(in, "__Host-atelier_arrival").MaxAge >= 0 ||
		f.last(t, "ExchangeSsoToken").Variables["token"] != "one-time" {
		t.Errorf("the exchange: %d %v", in.Code, in.Header())
	}
	f.refuse("ExchangeSsoToken", "rate_limit_exceeded", 429, map[string]any{"retryAfter": 12})
	waits := with("POST", kept)
	if waits.Code != 429 || waits.Header().Get("Retry-After") != "12" || !strings.Contains(waits.Body.String(), `data-retry-after="12"`) || strings.Contains(waits.Body.String(), "data-sent-by-itself") ||
		cookie(waits, "__Host-atelier_arrival") != nil {
		t.Errorf("beyond the limit: %d %v", waits.Code, waits.Header())
	}
	f.refuse("ExchangeSsoToken", "unauthorized", 401, nil)
	used := with("POST", kept)
	if used.Code != 401 || !strings.Contains(used.Body.String(), "You are not signed in") || cookie(used, "__Host-atelier_arrival").MaxAge >= 0 {
		t.Errorf("used: %d %v", used.Code, used.Header())
	}
	for _, odd := range []string{"", "x", "~", "%%~", "b25l", strings.Repeat("A", 4000) + "~"} {
		if w := with("POST", &http.Cookie{Name: "__Host-atelier_arrival", Value: odd}); w.Code != 401 {
			t.Errorf("the cookie %q: %d", odd, w.Code)
		}
	}
	for _, next := range []string{"//evil.example", "%2F%5Cevil.example", "https:%2F%2Fevil.example"} {
		f := newFake(t)
		w := get(f, "/sso?sso_token=x&next="+next)
		r := httptest.NewRequest("POST", "/auth/sso/exchange", nil)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.AddCookie(cookie(w, "__Host-atelier_arrival"))
		if w := do(f, r); w.Header().Get("Location") != "/projects" {
			t.Errorf("next %q leads to %q", next, w.Header().Get("Location"))
		}
	}
}

// TestSignInPageByProfile looks at which ways the sign-in page shows, and in which order.
func TestSignInPageByProfile(t *testing.T) {
	page := func(address string, methods ...string) string {
		f := newFake(t).with("SignInOffer.methods", methods).with("SignInProvider.label", "Northgate").with("SignInProvider.path", "/v1/sso/north")
		f.refuse("Frame", "unauthorized", 401, nil)
		return get(f, address).Body.String()
	}
	const form, button = `name="password"`, `href="/v1/sso/north?next=%2Forgs"`
	for address, want := range map[string]bool{"/login?next=/orgs": false, "/login?next=/orgs&billing=1": true} {
		body := page(address, "sso")
		if strings.Contains(body, form) != want || strings.Contains(body, button) == want || strings.Contains(body, "Create an account") {
			t.Errorf("%s of an install with external sign-in alone: %s", address, body)
		}
	}
	first, second := page("/login?next=/orgs", "sso", "email"), page("/login?next=/orgs&billing=1", "email", "sso")
	if !strings.Contains(first, button) || strings.Index(first, button) > strings.Index(first, form) || !strings.Contains(second, form) || strings.Index(second, form) > strings.Index(second, button) {
		t.Error("the ways do not stand in the order of the profile")
	}
}
