//go:build !race

package tests

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// afternoon is the first afternoon of a school, lived in browsers: each person has one of their own.
type afternoon struct {
	t                                    testing.TB
	browser                              *browser
	url, hook                            string
	operator, owner, ada, ben            *tab
	school, class, code, workflow, joins string
	clicks                               int // of all, until the first student is in
}

// signUp makes an account in a browser.
func (v *tab) signUp(name string) {
	v.t.Helper()
	v.open("/")
	v.follow("Create an account")
	v.look("sign-up")
	v.fill("Your name", name)
	v.fill("Email address", strings.ToLower(name)+"@example.com")
	v.fill("Password", password)
	if name == "Op" {
		v.fill("Operator code", operatorCode)
	}
	v.press("Create the account")
}

// found: a visitor sees a fresh install, signs up, and founds a school that waits for approval.
func (a *afternoon) found() {
	a.owner = a.browser.visitor("Mara", a.url)
	v := a.owner
	v.open("/")
	v.sees("A new install", "PLATFORM_OPERATOR_EMAILS")
	v.look("first-run")
	v.signUp("Mara")
	v.sees("Workflows")
	v.look("workflows-empty")
	v.open("/")
	v.look("start")
	v.follow("create an organization")
	v.look("organization-new")
	v.fill("Name", "Northgate School")
	v.sees("northgate-school")
	v.willRefuse(400)
	v.press("Create the organization")
	v.sees("The organization was not created.")
	v.look("organization-refused")
	v.click("css", `input[name="acceptTerms"]`)
	v.press("Create the organization")
	v.sees("Waiting for approval.", "visible to its owner alone", "An operator needs to approve it.")
	v.look("organization-pending")
	a.school = v.path()
}

// approve: the operator approves the school and grants it credits.
func (a *afternoon) approve() {
	a.operator = a.browser.visitor("Op", a.url)
	v := a.operator
	v.signUp("Op")
	v.open("/operator")
	v.sees("Northgate School")
	v.look("operator")
	v.press("Approve Northgate School")
	v.sees("Northgate School is active now.")
	v.open("/operator/orgs?status=active")
	v.look("operator-active")
	v.follow("Grant credits to Northgate School")
	v.look("grant")
	v.fill("Amount", "500")
	v.fill("Reason", "A first afternoon")
	v.press("Grant the credits")
	v.sees("500 credits")
}

// furnish: the owner makes a class with credits and a join code, and shows the code to the room.
func (a *afternoon) furnish() {
	v := a.owner
	v.open(a.school)
	v.sees("500")
	v.look("overview-new")
	v.follow("Create a class")
	v.look("class-new")
	v.fill("Name", "Art 9b")
	v.press("Create the class")
	v.sees("Art 9b was created.")
	a.class = v.path()
	v.look("class-budget-empty")
	v.open(a.school + "/credits/allocate")
	v.choose("Class", "Art 9b")
	v.fill("Amount", "200")
	v.sees("500", "300")
	v.look("allocate")
	v.press("Move the credits")
	v.sees("The pool holds 300 now.")
	v.look("credits")

	v.open(a.class + "/join-code")
	v.look("join-code-none")
	v.open(a.class)
	v.press("Make a code")
	v.look("join-code")
	v.follow("Show to the class")
	a.clicks = v.clicks + a.operator.clicks
	v.sees("Art 9b", "have joined")
	v.look("projector")
	a.readProjector()
	v.open(a.class + "/join-code/print")
	v.look("join-code-poster")
	v.open(a.class + "/join-code/print?sheet=slips")
	v.look("join-code-slips")
}

// readProjector reads the code as the room does, and the QR code as a phone does.
func (a *afternoon) readProjector() {
	a.t.Helper()
	v := a.owner
	shown, err := ask[string](v, `document.querySelector("[data-code] .joincode-letters").innerText.trim()`)
	if err != nil {
		a.t.Fatal(err)
	}
	a.code = shown
	picture, err := chromedp.Run(v.ctx, chromedp.Screenshot(chromedp.CSS("svg.qr")))
	if err != nil {
		a.t.Fatal(err)
	}
	file := filepath.Join(a.t.TempDir(), "qr.png")
	if err := os.WriteFile(file, picture, 0o600); err != nil {
		a.t.Fatal(err)
	}
	out, err := exec.Command("zbarimg", "--quiet", "--raw", file).Output()
	if err != nil {
		a.t.Fatalf("zbarimg, which scripts/setup test installs, cannot read the projector: %v", err)
	}
	a.joins = string(bytes.TrimSpace(out))
	if bare := strings.NewReplacer("-", "", " ", "").Replace(shown); len(bare) != 8 || !strings.HasPrefix(a.joins, a.url+"/join/") || strings.ReplaceAll(a.joins[len(a.url+"/join/"):], "-", "") != bare {
		a.t.Fatalf("the projector shows %q, its QR code %q", shown, a.joins)
	}
}

// arrive: one student types the code in lower case, another opens the link of the QR code.
func (a *afternoon) arrive() {
	bare := strings.ToLower(strings.NewReplacer("-", "", " ", "").Replace(a.code))
	a.ada = a.browser.visitor("Ada", a.url)
	a.ada.signUp("Ada")
	a.ada.open("/join")
	a.ada.look("join")
	a.ada.fill("Code", bare[:4]+"-"+bare[4:])
	a.ada.press("Join")
	a.ada.sees("Welcome to Art 9b.")
	a.ada.look("class-as-student")

	a.owner.open(a.class + "/join-code/show")
	a.owner.until("one who joined", `document.querySelector("output").innerText === "1"`)

	a.ben = a.browser.visitor("Ben", a.url)
	v := a.ben
	v.open(a.joins)
	v.press("Join")
	v.look("login-to-join")
	v.follow("Create an account")
	v.fill("Your name", "Ben")
	v.fill("Email address", "ben@example.com")
	v.fill("Password", password)
	v.press("Create the account")
	v.look("join-with-code")
	v.press("Join")
	v.sees("Welcome to Art 9b.")
	if a.clicks += v.clicks; a.clicks > 20 {
		a.t.Errorf("from the empty page to the first student in a class it takes %d clicks, more than 20", a.clicks)
	}

	a.owner.until("two who joined", `document.querySelector("output").innerText === "2"`)
	a.owner.open(a.school + "/members")
	a.owner.sees("Ada", "Ben")
	a.owner.look("people")
	a.owner.open(a.class + "/members")
	a.owner.sees("Ada", "Ben", "Student")
	a.owner.look("class-members")
}

// teach: the teacher saves a workflow in the class, publishes it as an app, and adds a webhook endpoint.
func (a *afternoon) teach() {
	v := a.owner
	v.open(a.class + "/workflows/new")
	v.look("workflow-new")
	v.fill("Name", "Poster")
	v.click("label", "Import")
	graph, _ := json.Marshal(object{"nodes": lesson["nodes"], "edges": lesson["edges"]})
	v.paste("Or paste a graph", string(graph))
	v.press("Create and open the editor")
	v.sees("Poster is created.")
	a.workflow = v.path()
	v.look("workflow")

	v.open(a.workflow + "/publish")
	v.until("the text in the form", `document.querySelector('input[name="expose"][value="topic.text"]').checked`)
	v.click("css", `input[name="expose"][value="picture.aspectRatio"]`)
	v.choose("Main result", "esize")
	v.look("publish")
	v.press("Preview the form")
	v.sees("Nothing is saved yet")
	v.look("publish-preview")
	v.press("Publish as an app")
	v.sees("Poster is published as version 1.")
	v.look("app-settings")

	v.open("/webhooks")
	v.look("webhooks-empty")
	v.follow("Add an endpoint")
	v.look("webhook-new")
	v.fill("Address", a.hook)
	v.press("Add the endpoint")
	v.sees("Signing secret")
	v.look("webhook-secret")
	v.follow("I have copied it")
	v.look("webhook")
}

// run: a student runs the app, watches it, and sees the picture.
func (a *afternoon) run() {
	v := a.ada
	v.open("/app/poster")
	v.look("app")
	v.fill("Text", "a fox")
	v.press("Run")
	v.until("the picture", `[...document.querySelectorAll("#main img")].some((i) => i.complete && i.naturalWidth === 320 && i.naturalHeight === 200)`)
	v.sees("What went in", "Steps", "2.5 credits")
	v.look("app-run")
	v.open("/app/poster/runs")
	v.look("app-runs")

	v = a.owner
	v.open(a.workflow)
	v.press("Run")
	v.look("run-at-work")
	v.until("the end of the run", `document.querySelector("#main").innerText.includes("Completed") || document.querySelector("#main").innerText.includes("Done")`)
	v.look("run")
}

// refuse: a run that would exceed what is left of the budget does not start.
func (a *afternoon) refuse() {
	v := a.owner
	v.open(a.school + "/credits/allocate")
	v.choose("Class", "Art 9b")
	v.click("label", "Take back")
	v.fill("Amount", "194")
	v.press("Move the credits")
	v.sees("The pool holds 494 now.")

	v = a.ben
	v.open("/app/poster")
	v.willRefuse(402)
	v.press("Run")
	v.sees("It was not run.")
	v.look("app-run-refused")
}

// account: what has happened can be read: deliveries and their attempts, audit log, budget, runs.
func (a *afternoon) account() {
	v := a.owner
	v.open("/webhooks")
	v.sees("127.0.0.1")
	v.look("webhooks")
	v.leave(func() { v.click("css", `tbody a[href^="/webhooks/"]`) })
	v.look("webhook-deliveries")
	v.leave(func() { v.click("css", `tbody tr:last-child a[href*="/deliveries/"]`) })
	v.sees("503", "204")
	v.look("delivery")

	v.open(a.school + "/audit")
	v.sees("Northgate School", "Art 9b")
	v.look("audit")
	v.open(a.class + "/budget")
	v.sees("Spent", "Ada", "2.5")
	v.look("class-budget")
	v.open(a.class + "/runs")
	v.sees("Poster")
	v.look("runs")
	v.open(a.school)
	v.look("overview")
}

func TestAfternoonInBrowsers(t *testing.T) {
	hooks := newReceiver(t, 2)
	p := startService(t, "SSL_CERT_FILE="+hooks.roots, "DELIVERY_BACKOFF=100ms,200ms,400ms,800ms")
	a := &afternoon{t: t, browser: startBrowser(t, "story"), url: p.URL, hook: hooks.URL + "/events"}
	a.found()
	a.approve()
	a.furnish()
	a.arrive()
	a.teach()
	a.run()
	a.refuse()
	a.account()
}
