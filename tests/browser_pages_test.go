//go:build !race

package tests

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// signIn enters with an account that exists.
func (v *tab) signIn(name string) {
	v.t.Helper()
	v.open("/login")
	v.fill("Email address", name+"@example.com")
	v.fill("Password", password)
	v.press("Sign in")
}

// TestPagesObeyTheRules looks at the pages that the story does not pass: public ones, refusals, questions, settings.
func TestPagesObeyTheRules(t *testing.T) {
	t.Parallel()
	p := startService(t, "DEVELOPMENT=true")
	s := begin(t, p.URL)
	s.publish()
	b := startBrowser(t, "pages")

	visitor := b.visitor("visitor", p.URL)
	for name, path := range map[string]string{
		"front": "/", "login": "/login", "sign up": "/sign-up", "join": "/join", "storybook": "/storybook",
		"accessibility": "/accessibility", "licences": "/licences", "app for visitors": "/app/poster",
		"docs": "/docs", "docs guide": "/docs/guides/teacher", "docs table": "/docs/configuration", "docs calls": "/docs/reference/app-runs",
		"docs code": "/docs/errors/budget_exceeded", "docs found": "/docs/search?q=join+code",
	} {
		visitor.open(path)
		visitor.look(name)
	}
	visitor.open("/login")
	visitor.fill("Email address", "mara@example.com")
	visitor.fill("Password", "not this one")
	visitor.willRefuse(http.StatusUnauthorized)
	visitor.press("Sign in")
	visitor.sees("The address or the password is wrong.")
	visitor.look("login refused")
	visitor.refused("nothing here", "/nowhere", http.StatusNotFound)
	visitor.refused("no such app", "/app/nothing", http.StatusNotFound)

	owner := b.visitor("Mara", p.URL)
	owner.signIn("mara")
	school, class := "/orgs/"+s.school, "/workspaces/"+s.class
	for name, path := range map[string]string{
		"organizations": "/orgs", "account": "/account", "tokens": "/tokens", "token new": "/tokens/new", "apps": "/apps", "more": "/more",
		"credits": school + "/credits", "packs": school + "/credits/buy", "purchases": school + "/purchases",
		"classes": school + "/workspaces", "school settings": school + "/settings", "class settings": class + "/edit",
		"class archive": class + "/archive", "code rotate": class + "/join-code/rotate",
		"usage": school + "/usage", "usage by model": school + "/usage?group=model&range=90", "usage run by run": school + "/usage?group=runs",
		"usage wrong": school + "/usage?tz=Mars&from=2020-01-01&to=2026-01-01&member=x", "class usage": class + "/usage?group=member",
		"workflow": "/workflows/" + s.workflow, "workflow delete": "/workflows/" + s.workflow + "/delete",
	} {
		owner.open(path)
		owner.look(name)
	}
	owner.keepsRuns(school)
	owner.refused("nothing here inside", "/nowhere", http.StatusNotFound)
	owner.refused("operators only", "/operator", http.StatusForbidden)
	owner.refused("health for operators only", "/operator/health", http.StatusForbidden)

	student := b.visitor("Ada", p.URL)
	student.signIn("ada")
	student.open(class)
	student.look("class as student")
	student.open(class + "/usage")
	student.look("class usage as student")
	student.refused("owners only", school+"/audit", http.StatusForbidden)

	operator := b.visitor("Op", p.URL)
	operator.signIn("op")
	operator.open("/operator/orgs/" + s.school + "/suspend")
	operator.look("school suspend")
	operator.open("/operator/health")
	operator.look("health")

	owner.buys(school)
	operator.confirms(owner.path())
	owner.open(owner.path() + "/receipt")
	owner.look("receipt")
}

// keepsRuns chooses for how long the runs of an organization are kept, and reads in the log that it did.
func (v *tab) keepsRuns(school string) {
	v.t.Helper()
	v.open(school + "/settings")
	v.follow("Old runs")
	v.sees("Runs are kept until they are deleted by hand.")
	v.choose("Keep runs for", "6 months")
	v.press("Save")
	v.sees("Runs are kept for the current month and 6 whole months before it.")
	v.look("old runs")
	v.open(school + "/audit")
	v.sees("changed the settings of Northgate School: Months for which runs are kept from “as usual” to “6”")
}

// buys orders a pack, and looks at the page that says how it is paid.
func (v *tab) buys(school string) {
	v.t.Helper()
	v.open(school + "/credits/buy")
	if _, err := ask[bool](v, `(document.querySelector("input[name=pack]").click(), true)`); err != nil {
		v.t.Fatal(err)
	}
	v.press("Buy this pack")
	v.sees("Awaiting payment.")
	v.look("purchase that waits")
}

// confirms looks at what operators do with a purchase, and confirms it.
func (v *tab) confirms(purchase string) {
	v.t.Helper()
	for name, path := range map[string]string{
		"operator's purchases": "/operator/purchases", "operator's organizations": "/operator/orgs?sort=name", "operator's people": "/operator/people",
		"purchase for operators": purchase, "payment question": purchase + "/confirm",
	} {
		v.open(path)
		v.look(name)
	}
	v.open(purchase + "/confirm")
	v.press("Confirm the payment")
	v.sees("went into the pool")
	v.open(purchase + "/refund")
	v.look("refund")
}

// refused opens an address that answers with an error, and looks at its page.
func (v *tab) refused(name, path string, status int) {
	v.t.Helper()
	v.willRefuse(status)
	v.open(path)
	v.look(name)
}

// TestConsoleIsHeard checks the checks: what a page must not do is noticed.
func TestConsoleIsHeard(t *testing.T) {
	p := startService(t)
	v := startBrowser(t, "heard").visitor("visitor", p.URL)
	v.open("/login")
	if _, err := ask[bool](v, `(document.body.insertAdjacentHTML("beforeend", "<p style='color:red'>x</p>"), setTimeout(() => missing()), console.error("said"), true)`); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Content Security Policy", "missing is not defined", "said"} {
		eventually(t, func() error { return v.heard(part) })
	}
	v.forget()

	script, err := rules()
	if err != nil {
		t.Fatal(err)
	}
	faults := map[string]string{
		`<p id="fault" style="width: 9in">wide</p>`:                                              "px wider than its window",
		`<p id="fault" style="width: 3em; overflow-wrap: anywhere">and incomprehensible too</p>`: "the word incomprehensible is broken",
		`<p id="fault" style="font-size: 11px">small</p>`:                                        "text of 11.0 px: small",
		`<button id="fault" style="height: 20px; min-height: 0">low</button>`:                    "a target of 20 px: low",
	}
	v.size(320, 900)
	call(v, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true})
	v.open("/login")
	for fault, sentence := range faults {
		for _, html := range []string{fault, ""} {
			found, err := ask[[]string](v, `(document.querySelector("#fault")?.remove(), document.querySelector("main").insertAdjacentHTML("beforeend", `+quote(html)+`), `+script+`)`)
			if err != nil || strings.Contains(strings.Join(found, "\n"), sentence) != (html != "") {
				t.Errorf("of %s is said: %q, %v", html, found, err)
			}
		}
	}
}
