package web

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"atelier/web/frame"

	"github.com/gorilla/mux"
)

func cookie(w *httptest.ResponseRecorder, name string) *http.Cookie {
	for _, c := range w.Result().Cookies() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func TestSignIn(t *testing.T) {
	t.Run("sets the session and leads on", func(t *testing.T) {
		f := newFake(t).with("SignedIn.token", "jwt").with("SignedIn.expiresAt", "2026-11-21T12:00:00.000Z")
		w := post(f, "/auth/sign-in", "email", "a@example.com", "password", "  secret words ", "next", "/orgs?x=1")
		c := cookie(w, "__Host-atelier_session")
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/orgs?x=1" || c == nil {
			t.Fatalf("%d %v", w.Code, w.Header())
		}
		if c.Value != "jwt" || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || c.MaxAge != 86400 {
			t.Errorf("cookie %+v", c)
		}
		if got := f.last(t, "SignIn").Variables["input"].(map[string]any)["password"]; got != "  secret words " {
			t.Errorf("password %q: it must stay as typed", got)
		}
	})
	t.Run("refuses foreign next", func(t *testing.T) {
		for _, next := range []string{"//evil.example", `/\evil.example`, "https://evil.example", "/\tevil.example"} {
			if w := post(newFake(t), "/auth/sign-in", "email", "a", "password", "b", "next", next); w.Header().Get("Location") != "/projects" {
				t.Errorf("next %q leads to %q", next, w.Header().Get("Location"))
			}
		}
	})
	t.Run("wrong password", func(t *testing.T) {
		f := newFake(t)
		f.refuse("SignIn", "unauthorized", 401, nil)
		w := post(f, "/auth/sign-in", "email", "a@example.com", "password", "wrongwrong")
		body := w.Body.String()
		if w.Code != http.StatusUnauthorized || !strings.Contains(body, "data-error-summary") || !strings.Contains(body, `value="a@example.com"`) || strings.Contains(body, "wrongwrong") {
			t.Errorf("%d %s", w.Code, body)
		}
	})
	t.Run("too many", func(t *testing.T) {
		f := newFake(t)
		f.refuse("SignIn", "rate_limit_exceeded", 429, map[string]any{"retryAfter": 29.2})
		w := post(f, "/auth/sign-in", "email", "a", "password", "b")
		if w.Code != 429 || w.Header().Get("Retry-After") != "30" || !strings.Contains(w.Body.String(), `data-retry-after="30"`) {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	})
	t.Run("JSON is not ours", func(t *testing.T) {
		r := httptest.NewRequest(http.MethodPost, "/auth/sign-in", strings.NewReader(`{}`))
		r.Header.Set("Content-Type", "application/json")
		if w := do(newFake(t), r); w.Code != http.StatusNotFound {
			t.Errorf("%d", w.Code)
		}
	})
}

func TestSignUpThatNeedsMail(t *testing.T) {
	f := newFake(t).with("SignUpResult.signedIn", nil)
	w := post(f, "/auth/sign-up", "email", "a@example.com", "password", "long enough", "displayName", "A")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Look into your mail") || cookie(w, "__Host-atelier_session") != nil {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestSignOutForgetsEverything(t *testing.T) {
	f := newFake(t)
	f.refuse("SignOut", "unauthorized", 401, nil)
	w := post(f, "/auth/sign-out")
	if c := cookie(w, "__Host-atelier_session"); c == nil || c.MaxAge >= 0 {
		t.Errorf("it stays: %v", c)
	}
}

func TestVisitorsAreSentToTheSignInPage(t *testing.T) {
	f := newFake(t)
	for _, operation := range []string{"Members", "CreateWorkspace", "JoinWorkspace", "Home", "Frame"} {
		f.refuse(operation, "unauthorized", 401, nil)
	}
	if w := get(f, "/orgs/"+someID+"/members?after=x"); w.Header().Get("Location") != "/login?next="+url.QueryEscape("/orgs/"+someID+"/members?after=x") {
		t.Errorf("%d %s", w.Code, w.Header().Get("Location"))
	}
	if w := post(f, "/join", "code", "k7qm 2xpa"); w.Header().Get("Location") != "/login?next="+url.QueryEscape("/join/K7QM-2XPA") {
		t.Errorf("joining leads to %s", w.Header().Get("Location"))
	}
	if w := get(f, "/"); w.Code != 200 || !strings.Contains(w.Body.String(), "A new install") {
		t.Errorf("a fresh install: %d", w.Code)
	}
	if w := get(f.with("Install.fresh", false), "/"); w.Code != 200 || !strings.Contains(w.Body.String(), "Sign in") {
		t.Errorf("the front page: %d", w.Code)
	}
	if w := get(f, "/login?next=/orgs"); w.Code != 200 || !strings.Contains(w.Body.String(), `name="next" value="/orgs"`) {
		t.Errorf("the sign-in page: %d", w.Code)
	}
}

// The guide of a new install stays until an operator has an account and an organization is approved.
func TestTheGuideStaysUntilTheInstallIsInUse(t *testing.T) {
	f := newFake(t).with("Install.fresh", false).with("Install.awaitsOperatorCode", false)
	f.refuse("Home", "unauthorized", 401, nil)
	for step, want := range map[any]string{
		"name_operator": "No one is named as its operator yet.", "operator_account": "Its operator has no account yet.", "approve_organization": "It has no organization yet.", nil: "",
	} {
		body := get(f.with("Install.nextStep", step), "/").Body.String()
		if strings.Contains(body, "A new install") != (step != nil) || !strings.Contains(body, want) || !strings.Contains(body, `href="/login"`) {
			t.Errorf("at the step %v the page does not say %q", step, want)
		}
	}
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	for name, headers := range map[string]map[string]string{
		"Sec-Fetch-Site": {"Sec-Fetch-Site": "cross-site"},
		"same-site":      {"Sec-Fetch-Site": "same-site"},
		"Origin":         {"Origin": "https://evil.example"},
		"Origin null":    {"Origin": "null"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			r := httptest.NewRequest(http.MethodPost, "/theme", strings.NewReader("theme=dark"))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			for k, v := range headers {
				r.Header.Set(k, v)
			}
			w := do(f, r)
			for _, c := range f.calls {
				if c.Operation != "Frame" {
					t.Errorf("%s was called", c.Operation)
				}
			}
			if w.Code != http.StatusForbidden {
				t.Errorf("%d", w.Code)
			}
		})
	}
	r := httptest.NewRequest(http.MethodPost, "/theme", strings.NewReader("theme=dark"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "https://atelier.example") // the public address, behind a proxy that changed the host
	if w := do(newFake(t), r); w.Code != http.StatusSeeOther {
		t.Errorf("own form: %d", w.Code)
	}
}

func TestRefusedFormsComeBackFilledIn(t *testing.T) {
	org, ws := "/orgs/"+someID, "/workspaces/"+someID
	cases := []struct {
		path, operation, code, field string
		status                       int
		values                       []string
	}{
		{"/orgs", "CreateOrganization", "terms_required", "acceptTerms", 400, []string{"name", "Northgate <b>", "kind", "school"}},
		{"/orgs", "CreateOrganization", "name_taken", "slug", 409, []string{"name", "X", "kind", "team", "slug", "taken"}},
		{org + "/workspaces", "CreateWorkspace", "validation_error", "name", 400, []string{"name", "", "description", "what <i>"}},
		{ws + "/edit", "UpdateWorkspace", "validation_error", "name", 400, []string{"name", "", "description", "d"}},
		{org + "/settings", "UpdateOrganization", "validation_error", "settings.allowed_email_domains", 400, []string{"settings.allowed_email_domains", "a.example", "add", "nonsense"}},
		{org + "/settings", "UpdateOrganization", "validation_error", "settings.vocabulary_overrides", 400, []string{"word.member", "<b>"}},
		{"/join", "JoinWorkspace", "join_code_invalid", "code", 400, []string{"code", "k7qm-2xpd"}},
		{"/join", "JoinWorkspace", "domain_not_allowed", "", 403, []string{"code", "k7qm-2xpd"}},
		{org + "/credits/allocate", "Allocate", "validation_error", "amount", 400, []string{"workspace", someID, "direction", "give", "amount", "12.5"}},
		{"/operator/orgs/" + someID + "/suspend", "SuspendOrganization", "validation_error", "reason", 400, []string{"reason", " "}},
		{"/operator/grant", "GrantCredits", "validation_error", "amount", 400, []string{"kind", "user", "to", someID, "amount", "5", "reason", "r"}},
		{"/account", "UpdateProfile", "validation_error", "displayName", 400, []string{"displayName", "A"}},
		{ws + "/join-code/enable", "ChangeJoinCode", "org_not_active", "", 403, nil},
		{ws + "/archive", "ArchiveWorkspace", "org_not_active", "", 403, nil},
	}
	for _, tc := range cases {
		t.Run(tc.path+" "+tc.code, func(t *testing.T) {
			f := newFake(t).school()
			f.refuse(tc.operation, tc.code, tc.status, map[string]any{"field": tc.field, "message": "That is why."})
			w := post(f, tc.path, tc.values...)
			body := w.Body.String()
			wantReason := "That is why."
			if said := map[string]string{"terms_required": "A school needs this", "name_taken": "This short name is taken."}[tc.code]; said != "" {
				wantReason = said
			}
			if tc.code == "join_code_invalid" { // in words for a person who is in nothing yet
				wantReason = "Nothing can be joined with this code."
			}
			if w.Code != tc.status || !strings.Contains(body, "data-error-summary") || !strings.Contains(body, wantReason) {
				t.Fatalf("%d %s", w.Code, body)
			}
			if tc.field != "" && !strings.Contains(body, `class="error"`) {
				t.Errorf("no error beside the field %s", tc.field)
			}
			checkPage(t, tc.path, w)
		})
	}
}

func TestActionsThatWorkSayWhatHappened(t *testing.T) {
	f := newFake(t).school()
	w := post(f, "/workspaces/"+someID+"/join-code/disable")
	if w.Code != http.StatusSeeOther || f.last(t, "ChangeJoinCode").Variables["action"] != "disable" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	flash := cookie(w, "atelier_flash")
	next := get(f, w.Header().Get("Location"), flash)
	if !strings.Contains(next.Body.String(), "No one can join with it.") {
		t.Error("the next page does not say it")
	}
	if c := cookie(next, "atelier_flash"); c == nil || c.MaxAge >= 0 {
		t.Error("it would be said again")
	}
}

// Where a person works is in the address: what one tab shows says nothing about another.
func TestTheAddressSaysWhereToWork(t *testing.T) {
	f := newFake(t).school().with("Profile.lastWorkspaceId", someID)
	for path, want := range map[string]string{
		"/workspaces/" + someID + "/apps":      `href="/workspaces/` + someID + `/runs"`,
		"/workspaces/" + someID + "/workflows": `href="/workspaces/` + someID + `/workflows/new"`,
		"/workflows":                           `href="/workflows/new"`,
		"/account":                             `href="/workspaces/` + someID + `/runs"`, // about no space: the one that was open last
	} {
		if body := get(f, path).Body.String(); !strings.Contains(body, want) {
			t.Errorf("%s lacks %s", path, want)
		}
	}
	if body := get(f, "/runs").Body.String(); !strings.Contains(body, `class="target" href="/workspaces/`+someID+`/runs"`) {
		t.Error("switching does not lead to the same list")
	}
	for path, want := range map[string]frame.Space{
		"/workspaces/" + someID + "/runs":    {Workspace: someID, Only: true},
		"/workspaces/" + someID + "/members": {Workspace: someID},
		"/app/poster?in=" + someID:           {Workspace: someID, Only: true},
		"/app/poster?in=personal":            {},
		"/app/poster":                        {},
		"/orgs/" + someID:                    {},
	} {
		var got frame.Space
		router := mux.NewRouter()
		testRoutes(router, func(_ http.ResponseWriter, r *http.Request) { got = frame.SpaceOf(r) })
		router.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
		if got != want {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

// testRoutes answers every page of the console with one function.
func testRoutes(router *mux.Router, h http.HandlerFunc) {
	router.Use(func(http.Handler) http.Handler { return h })
	New(Config{PublicURL: "https://atelier.example"}).Routes(router)
}

func TestLanding(t *testing.T) {
	owner := func(f *fake) *fake { return f.school().with("OrganizationPermissions.readCredits", true) }
	member := func(f *fake) *fake { return powerless(f.school()) }
	for name, tc := range map[string]struct {
		world *fake
		want  string
	}{
		"owner":              {owner(newFake(t)), "/orgs/" + someID},
		"owner and operator": {owner(newFake(t)).with("Profile.isOperator", true), "/orgs/" + someID},
		"student":            {member(newFake(t)).with("Memberships.more", false), "/workspaces/" + someID},
		"of many":            {member(newFake(t)).with("Memberships.workspaces", 3), "/spaces"},
		"operator":           {newFake(t).with("Memberships.organizations", 0).with("Memberships.workspaces", 0).with("Profile.isOperator", true), "/operator"},
		"nobody yet":         {newFake(t).with("Memberships.organizations", 0).with("Memberships.workspaces", 0).with("Profile.isOperator", false), "/"},
		"no organizations":   {newFake(t).with("Profile.memberships", nil), "/"},
	} {
		t.Run(name, func(t *testing.T) {
			f := tc.world
			if tc.want != "/spaces" && tc.want != "/" && tc.want != "/operator" {
				f = f.with("Memberships.organizations", 1).with("Memberships.workspaces", 1)
			}
			if name != "owner and operator" && name != "operator" {
				f = f.with("Profile.isOperator", false)
			}
			if w := get(f, frame.Landing); w.Code != http.StatusSeeOther || w.Header().Get("Location") != tc.want {
				t.Errorf("%d %s, want %s", w.Code, w.Header().Get("Location"), tc.want)
			}
		})
	}
}

func TestErrorPages(t *testing.T) {
	for _, tc := range []struct {
		code, says string
		status     int
	}{
		{"not_found", "There is nothing at this address", 404},
		{"insufficient_role", "You may not do this", 403},
		{"stale_version", "Another change came first", 409},
		{"rate_limit_exceeded", "tries again by itself in 60 seconds", 429},
		{"internal_error", "It is not your doing", 500},
	} {
		t.Run(tc.code, func(t *testing.T) {
			f := newFake(t)
			f.refuse("Audit", tc.code, tc.status, nil)
			w := get(f, "/orgs/"+someID+"/audit")
			if w.Code != tc.status || !strings.Contains(w.Body.String(), tc.says) || !strings.Contains(w.Body.String(), "req-1") {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			checkPage(t, tc.code, w)
		})
	}
	if w := get(newFake(t), "/no/such/page"); w.Code != 404 || w.Header().Get("Content-Security-Policy") == "" {
		t.Errorf("unknown address: %d", w.Code)
	}
}

func TestTheOrganizationsWordsAreUsed(t *testing.T) {
	f := newFake(t).school().with("Workspace.role", "admin")
	for path, says := range map[string]string{
		"/orgs/" + someID:                   "Create a first class",
		"/orgs/" + someID + "/workspaces":   "New class",
		"/workspaces/" + someID:             "All students",
		"/workspaces/" + someID + "/budget": "By student",
	} {
		body := get(f.with("OrganizationCredits.pool", 0.0), path).Body.String()
		if !strings.Contains(body, "Classes") || !strings.Contains(body, "Teacher") {
			t.Errorf("%s: the school's words are missing", path)
		}
		if !strings.Contains(body, says) && path != "/orgs/"+someID {
			t.Errorf("%s does not say %q", path, says)
		}
	}
}

func TestBanners(t *testing.T) {
	for status, says := range map[string]string{"pending": "Waiting for approval.", "suspended": "Suspended by an operator."} {
		body := get(newFake(t).school().with("Organization.status", status), "/orgs/"+someID).Body.String()
		if !strings.Contains(body, says) {
			t.Errorf("%s: no banner", status)
		}
	}
}

func TestAMemberSeesTheirOwnBudget(t *testing.T) {
	f := powerless(newFake(t).school()).with("OwnBudget.headroom", 3.0).with("WorkspaceBudget.headroom", 40.5).with("OwnBudget.cap", 10.0)
	f.with("OwnBudget.spent", 7.0).with("OwnBudget.reserved", 0.0)
	for _, path := range []string{"", "/budget"} {
		body := get(f, "/workspaces/"+someID+path).Body.String()
		if !strings.Contains(body, `<b class="num">3</b> of 10 credits left`) || strings.Contains(body, "By student") || strings.Contains(body, "join-code") {
			t.Errorf("%q: the own share is missing, or more than that is shown", path)
		}
	}
	f.with("OwnBudget.cap", nil).with("OwnBudget.headroom", nil)
	if body := get(f, "/workspaces/"+someID).Body.String(); !strings.Contains(body, `<b class="num">40.5</b> credits left`) {
		t.Error("without a cap everyone shares what is left")
	}
}

// Those who run a workspace find what waits for them, and the way to answer.
func TestHomeSaysWhatNeedsYou(t *testing.T) {
	f := newFake(t).school().with("Workspace.role", "admin").with("CreditRequest.amount", 20.0).with("CreditRequest.cap", 5.0)
	body := get(f, "/workspaces/"+someID).Body.String()
	if strings.Contains(body, "asks for 20 credits") {
		t.Error("the own request waits for oneself")
	}
	f.with("Profile.id", "0193f2c1-77aa-7c02-b9d1-1f0b6e2a8e05")
	body = get(f, "/workspaces/"+someID).Body.String()
	for _, says := range []string{"What needs you", "asks for 20 credits", "/requests/" + someID + "/grant", "reached their limit", "Let students join"} {
		if !strings.Contains(body, says) {
			t.Errorf("the home does not say %q", says)
		}
	}
	path := "/workspaces/" + someID + "/requests/" + someID
	if w := post(f, path+"/grant", "amount", "12.5", "name", "Mina"); w.Code != 303 || f.last(t, "GrantCreditRequest").Variables["amount"] != 12.5 {
		t.Errorf("granting: %d %v", w.Code, f.last(t, "GrantCreditRequest").Variables)
	}
	if w := post(f, path+"/grant", "amount", "much"); w.Code != 400 {
		t.Errorf("granting nonsense: %d", w.Code)
	}
	if w := post(f, path+"/close"); w.Code != 303 || f.last(t, "CloseCreditRequest").Variables["id"] != someID {
		t.Errorf("declining: %d", w.Code)
	}
	f.refuse("WorkspaceHome", "member_suspended", 403, nil)
	if w := get(f, "/workspaces/"+someID); w.Code != 403 || !strings.Contains(w.Body.String(), "work as before") {
		t.Errorf("somebody suspended: %d", w.Code)
	}
}

func TestProjector(t *testing.T) {
	f := newFake(t).school().with("JoinCode.enabled", true)
	body := get(f, "/workspaces/"+someID+"/join-code/show").Body.String()
	if !strings.Contains(body, "K7QM-2XPA") || strings.Contains(body, "<nav") || strings.Contains(body, "Mina") || !strings.Contains(body, "atelier.example/join") {
		t.Error(body)
	}
	for _, page := range []string{"show", "print", "print?sheet=slips"} {
		off := get(f.with("JoinCode.enabled", false), "/workspaces/"+someID+"/join-code/"+page).Body.String()
		if strings.Contains(off, "K7QM") {
			t.Errorf("%s shows a code that is switched off", page)
		}
	}
}

func TestRotatingWhilePeopleJoinNeedsTheName(t *testing.T) {
	f := newFake(t).school().with("JoinCode.enabled", true)
	rotate := "/workspaces/" + someID + "/join-code/rotate"
	if w := post(f, rotate, "typed_name", "Art"); w.Code != 400 || !strings.Contains(w.Body.String(), "That is not its name.") {
		t.Fatalf("%d", w.Code)
	}
	if w := post(f, rotate, "typed_name", "Art 9b"); w.Code != http.StatusSeeOther {
		t.Fatalf("%d", w.Code)
	}
	if w := post(f.with("JoinCode.joinedToday", 0), rotate); w.Code != http.StatusSeeOther {
		t.Fatalf("with nobody joining: %d", w.Code)
	}
}

func TestJoiningInACrowd(t *testing.T) {
	f := newFake(t)
	f.refuse("JoinWorkspace", "rate_limit_exceeded", 429, map[string]any{"retryAfter": 12})
	w := post(f, "/join", "code", "k7qm 2xpd")
	body := w.Body.String()
	if w.Code != 429 || w.Header().Get("Retry-After") != "12" || !strings.Contains(body, `data-retry-after="12"`) || !strings.Contains(body, `content="12;url=/join/K7QM-2XPD"`) {
		t.Errorf("%d %s", w.Code, body)
	}
}

func TestAllocating(t *testing.T) {
	f := newFake(t).school().with("OrganizationCredits.pool", 400.0).with("Allocation.headroom", 20.0)
	path := "/orgs/" + someID + "/credits/allocate"
	w := post(f, path, "workspace", someID, "direction", "give", "amount", "150", "step", "preview")
	if !strings.Contains(w.Body.String(), "Pool 400 → 250;") || !strings.Contains(w.Body.String(), "20 left → 170.") {
		t.Errorf("preview: %s", w.Body)
	}
	w = get(f, "/orgs/"+someID+"/credits/preview?workspace="+someID+"&direction=back&amount=20.001")
	if !strings.Contains(w.Body.String(), "Only 20 can be taken back") {
		t.Errorf("preview: %s", w.Body)
	}
	post(f, path, "workspace", someID, "direction", "back", "amount", "1,000.5")
	if got := f.last(t, "Allocate").Variables["delta"]; got != -1000.5 {
		t.Errorf("delta %v", got)
	}
	if w = post(f, path, "workspace", someID, "direction", "back", "amount", "-3"); w.Code != 400 {
		t.Errorf("a negative amount: %d", w.Code)
	}
	if w = post(f, path, "direction", "back", "amount", "3"); w.Code != 400 {
		t.Errorf("no workspace: %d", w.Code)
	}
	f.refuse("Allocate", "validation_error", 400, map[string]any{"field": "delta", "message": "delta must not be zero"})
	if w = post(f, path, "workspace", someID, "amount", "3"); !strings.Contains(w.Body.String(), "The amount must not be zero.") {
		t.Errorf("the field's name is repeated: %s", w.Body)
	}
}

func TestSettingsKeepUnsetAndFalseApart(t *testing.T) {
	f := newFake(t).school().with("Setting.source", "organization").with("Setting.key", "member_caps_enabled").with("Setting.value", false)
	body := get(f, "/orgs/"+someID+"/settings/rules").Body.String()
	chosen := `name="settings.member_caps_enabled" value="false" checked>`
	if !strings.Contains(body, chosen) || !strings.Contains(body, `class="from-chip here">set here</span>`) || !strings.Contains(body, `name="reset" value="member_caps_enabled"`) {
		t.Error("false is not shown as set")
	}
	body = get(f.with("Setting.source", "default"), "/orgs/"+someID+"/settings/rules").Body.String()
	if !strings.Contains(body, chosen) || !strings.Contains(body, `class="from-chip">school default</span>`) || strings.Contains(body, `name="reset" value="member_caps_enabled"`) {
		t.Error("the default is not shown as falling through")
	}
	body = get(f.with("Setting.source", "organization"), "/workspaces/"+someID+"/edit").Body.String()
	if !strings.Contains(body, chosen) || !strings.Contains(body, `class="from-chip">from Northgate</span>`) {
		t.Error("a class does not say where the value comes from")
	}
	post(f, "/orgs/"+someID+"/settings", "name", "Northgate", "settings.member_caps_enabled", "false", "settings.admin_access", `"edit"`,
		"settings.personal_space_enabled", "", "settings.allowed_email_domains", " a.example\r\nb.example ", "word.workspace", "Studio")
	sent := f.last(t, "UpdateOrganization").Variables["input"].(map[string]any)["settings"]
	want := map[string]any{
		"member_caps_enabled": false, "admin_access": "edit", "personal_space_enabled": nil,
		"allowed_email_domains": []any{"a.example", "b.example"}, "vocabulary_overrides": map[string]any{"workspace": "Studio"},
	}
	if !reflect.DeepEqual(sent, want) {
		t.Errorf("sent %v", sent)
	}
}

// A rule that was sent as it was is left alone; Reset lets it fall through, Keep sets what falls through.
func TestSettingsSendWhatChanged(t *testing.T) {
	f := newFake(t).school().with("Organization.kind", "school").with("Setting.source", "organization").with("Setting.key", "member_caps_enabled").
		with("Setting.value", false).with("Setting.inherited", true).with("Setting.inheritedFrom", "default").with("SettingOverride.key", "member_caps_enabled")
	settings := func(operation string) string {
		return frame.JSONOf(f.last(t, operation).Variables["input"].(map[string]any)["settings"])
	}
	org, ws := "/orgs/"+someID, "/workspaces/"+someID
	post(f, org+"/settings", "settings.admin_access", `"edit"`, "was.admin_access", `"edit"`, "settings.member_caps_enabled", "true", "was.member_caps_enabled", "false")
	if got := settings("UpdateOrganization"); got != `{"member_caps_enabled":true}` {
		t.Errorf("sent %s", got)
	}
	for _, test := range []struct{ path, name, value, operation, want string }{
		{org + "/settings/reset", "reset", "member_caps_enabled", "UpdateOrganization", `{"member_caps_enabled":null}`},
		{org + "/settings/reset", "reset", "allowed_email_domains", "UpdateOrganization", `{"allowed_email_domains":null}`},
		{org + "/settings/reset", "reset", "nonsense", "UpdateOrganization", `{}`},
		{ws + "/edit/reset", "keep", "member_caps_enabled", "UpdateWorkspace", `{"member_caps_enabled":false}`},
	} {
		if w := post(f, test.path, test.name, test.value); w.Code != 303 || settings(test.operation) != test.want {
			t.Errorf("%s %s: %d, sent %s", test.name, test.value, w.Code, settings(test.operation))
		}
	}
	w := post(f, org+"/settings/rules/preview", "settings.member_caps_enabled", "true", "version", "2026-11-20T09:00:00Z")
	body := w.Body.String()
	if w.Code != 200 || !strings.Contains(body, "Teachers can set how many credits each student may spend.") || !strings.Contains(body, "Until now: No one has a cap") ||
		!strings.Contains(body, "7 classes of 7 keep their own.") || !strings.Contains(body, `name="version" value="2026-11-20T09:00:00Z"`) {
		t.Errorf("the preview: %d %s", w.Code, body)
	}
	checkPage(t, "preview of rules", w)
	if w := post(f, ws+"/edit/preview", "settings.member_caps_enabled", "false"); !strings.Contains(w.Body.String(), "Nothing changes for anyone.") {
		t.Errorf("a preview of nothing: %s", w.Body)
	}
	for _, c := range f.calls[len(f.calls)-2:] {
		if c.Operation == "UpdateOrganization" || c.Operation == "UpdateWorkspace" {
			t.Errorf("a preview called %s", c.Operation)
		}
	}
}

func TestDomainsAreEditedOneByOne(t *testing.T) {
	f := newFake(t).school()
	const field = "settings.allowed_email_domains"
	for _, test := range []struct {
		pairs []string
		want  string
	}{
		{[]string{field, "a.example\nb.example", "add", "@c.example, a.example"}, `["a.example","b.example","c.example"]`},
		{[]string{field, "a.example\nb.example", "remove", "a.example"}, `["b.example"]`},
		{[]string{field, "a.example", "remove", "a.example"}, `null`},
	} {
		w := post(f, "/orgs/"+someID+"/settings", append(test.pairs, "version", "2026-11-20T09:00:00Z")...)
		sent := f.last(t, "UpdateOrganization").Variables["input"].(map[string]any)
		if got := frame.JSONOf(sent["settings"]); got != `{"allowed_email_domains":`+test.want+`}` || sent["name"] != nil || sent["unchangedSince"] == nil {
			t.Errorf("sent %s", frame.JSONOf(sent))
		}
		if w.Header().Get("Location") != "/orgs/"+someID+"/settings/domains" {
			t.Errorf("leads to %s", w.Header().Get("Location"))
		}
	}
	f.refuse("UpdateOrganization", "stale_version", http.StatusConflict, nil)
	if w := post(f, "/orgs/"+someID+"/settings", field, "a.example", "add", "b.example"); w.Code != 409 || !strings.Contains(w.Body.String(), "a.example, b.example") {
		t.Errorf("stale: %d %s", w.Code, w.Body)
	}
}

func TestWordsAreEditedInPairs(t *testing.T) {
	f := newFake(t).school().with("Setting.key", "vocabulary_overrides").with("Setting.source", "organization").
		with("Setting.value", map[string]any{"workspace": "Studio", "workspaces": "Studios", "member": "Pupil", "term": "Quarter"})
	page := get(f, "/orgs/"+someID+"/settings/words").Body.String()
	if !strings.Contains(page, `name="word.workspace" placeholder="Class" value="Studio"`) && !strings.Contains(page, `value="Studio"`) || !strings.Contains(page, `name="word.term" value="Quarter"`) {
		t.Errorf("the words: %s", page)
	}
	post(f, "/orgs/"+someID+"/settings/reset", "reset", "word.workspace")
	if got := frame.JSONOf(f.last(t, "UpdateOrganization").Variables["input"]); got != `{"settings":{"vocabulary_overrides":{"member":"Pupil","term":"Quarter"}}}` {
		t.Errorf("reset sent %s", got)
	}
	w := post(f, "/orgs/"+someID+"/settings/words/preview", "word.workspace", "Atelier", "word.members", "")
	if w.Code != 200 || !strings.Contains(w.Body.String(), "</b>, atelier of Northgate") || !strings.Contains(w.Body.String(), "27 students") {
		t.Errorf("the preview: %d %s", w.Code, w.Body)
	}
	checkPage(t, "preview of words", w)
}

// Anyone who may change nothing sees values as text and one sentence why, and no field.
func TestSettingsThatCannotBeChangedAreText(t *testing.T) {
	f := powerless(newFake(t).school())
	main := func(body string) string {
		_, main, _ := strings.Cut(body, "<main")
		main, _, _ = strings.Cut(main, "</main>")
		return main
	}
	for _, path := range []string{"/orgs/" + someID + "/settings", "/orgs/" + someID + "/settings/words", "/orgs/" + someID + "/settings/rules", "/orgs/" + someID + "/settings/domains", "/workspaces/" + someID + "/edit"} {
		body := main(get(f, path).Body.String())
		if strings.Count(body, "You can read this, not change it.") != 1 || strings.Contains(body, `class="input"`) || strings.Contains(body, "type=\"radio\"") || strings.Contains(body, "disabled") {
			t.Errorf("%s: %s", path, body)
		}
	}
	if body := main(get(f, "/orgs/"+someID+"/workspaces/new").Body.String()); strings.Contains(body, "<form") || !strings.Contains(body, "Ask Mina Lang") {
		t.Errorf("a form that would be refused: %s", body)
	}
	f.with("Organization.status", "suspended")
	if body := main(get(f, "/orgs/"+someID+"/workspaces/new").Body.String()); strings.Contains(body, "<form") || !strings.Contains(body, "No class can be made") {
		t.Errorf("a form of a suspended school: %s", body)
	}
}

func TestLiveCount(t *testing.T) {
	f := newFake(t).school().with("JoinCode.enabled", true).with("JoinCode.joinedToday", 3)
	_, router := testConsole(f)
	server := httptest.NewServer(router)
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/workspaces/"+someID+"/join-code/show/joined", nil)
	res, err := server.Client().Do(r)
	if err != nil || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(err, res)
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	expect := func(want ...string) {
		t.Helper()
		for _, w := range want {
			if !lines.Scan() || strings.TrimSpace(lines.Text()) != w {
				t.Fatalf("%q, want %q", lines.Text(), w)
			}
		}
	}
	expect("data: 3", "")
	f.mu.Lock()
	f.set["JoinCode.joinedToday"], f.set["JoinCode.enabled"] = 4, false
	f.mu.Unlock()
	f.ticks <- struct{}{}
	expect("data: 4", "", "event: done", "data: done", "")
	if lines.Scan() {
		t.Errorf("more after the end: %q", lines.Text())
	}
}

func TestLiveEndsWhenTheCallerMayNoLongerSee(t *testing.T) {
	f := newFake(t).school().with("JoinCode.enabled", true)
	close(f.ticks)
	if w := get(f, "/workspaces/"+someID+"/join-code/show/joined"); w.Body.String() != "data: 7\n\n" {
		t.Errorf("%q", w.Body)
	}
	f.refuse("JoinedToday", "not_found", 404, nil)
	if w := get(f, "/workspaces/"+someID+"/join-code/show/joined"); w.Code != 404 {
		t.Errorf("%d", w.Code)
	}
}

func TestSwitcherStates(t *testing.T) {
	if body := get(newFake(t).with("Profile.memberships", nil), "/account").Body.String(); strings.Contains(body, `class="switcher`) {
		t.Error("absent: there is a switcher")
	}
	if body := get(newFake(t).with("Memberships.organizations", 0).with("Memberships.workspaces", 0), "/account").Body.String(); !strings.Contains(body, "You are in no organization yet.") {
		t.Error("empty: nothing is offered")
	}
	for more, offered := range map[bool]bool{true: true, false: false} {
		body := get(newFake(t).with("Memberships.more", more), "/workspaces/"+someID+"/apps").Body.String()
		if strings.Contains(body, `href="/spaces"`) != offered {
			t.Errorf("more %t: the page of all spaces is offered %t", more, !offered)
		}
	}
	if body := get(newFake(t).with("Memberships.unavailable", true), "/workspaces/"+someID+"/apps").Body.String(); !strings.Contains(body, "could not be loaded") {
		t.Error("unavailable: nothing is said")
	}
}

// A page about a workspace beyond what the switcher lists has its navigation all the same.
func TestPlaceBeyondTheSwitcher(t *testing.T) {
	f := newFake(t).school().with("Memberships.workspaces", 0).with("Memberships.organizations", 0)
	body := get(f, "/workspaces/"+someID+"/members").Body.String()
	if f.last(t, "WorkspacePlace").Variables["id"] != someID || !strings.Contains(body, `href="/orgs/`+someID+`/members"`) {
		t.Error("the navigation lacks the organization of the workspace")
	}
	f = newFake(t).school()
	get(f, "/workspaces/"+someID+"/members")
	for _, call := range f.calls {
		if call.Operation == "WorkspacePlace" {
			t.Error("what the switcher lists is asked for again")
		}
	}
}

// A page that answers 409 has the navigation and the sentence of any other one.
func TestStalePagesHaveTheFrameOfOthers(t *testing.T) {
	f := newFake(t).school().with("Memberships.workspaces", 0).with("Memberships.organizations", 0)
	for operation, sent := range map[string][]string{
		"UpdateWorkflow":     {"/workflows/" + someID, "name", "x", "graph", `{"nodes":[],"edges":[]}`, "version", "1"},
		"UpdateOrganization": {"/orgs/" + someID + "/settings", "name", "x"},
		"UpdateWorkspace":    {"/workspaces/" + someID + "/edit", "name", "x"},
	} {
		f.refuse(operation, "stale_version", http.StatusConflict, nil)
		w := post(f, sent[0], sent[1:]...)
		if w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), `href="/orgs/`+someID+`/members"`) {
			t.Errorf("%s: %d, or the navigation lacks the organization", operation, w.Code)
		}
	}
}

// A filter by workspace stays short, and what is typed chooses.
func TestWorkspaceChoices(t *testing.T) {
	f := newFake(t).school().with("PageInfo.hasNextPage", true)
	body := get(f, "/orgs/"+someID+"/members?find=art").Body.String()
	if f.last(t, "Members").Variables["find"] != "art" || !strings.Contains(body, `name="find" value="art"`) {
		t.Error("a part of a name cannot be typed")
	}
	f = newFake(t).school().with("WorkspaceConnection.nodes", 1)
	get(f, "/orgs/"+someID+"/members?find=art")
	if got := f.last(t, "Members").Variables["workspace"]; got != someID {
		t.Errorf("the only one that was found is not chosen: %v", got)
	}
}
