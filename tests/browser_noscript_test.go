//go:build !race

package tests

import (
	"strings"
	"testing"
)

// TestWithoutScript goes the central ways in a browser that runs no script: sign up, create a school,
// join a class, run an app, and see the result by loading the page again.
func TestWithoutScript(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := begin(t, p.URL)
	s.publish()
	v := startBrowser(t, "without-script").withoutScript("Cleo", p.URL)

	v.open("/")
	if on, err := ask[bool](v, "'htmx' in window"); err != nil || on {
		t.Fatalf("script runs (%v)", err)
	}
	v.follow("Create an account")
	v.fill("Your name", "Cleo")
	v.fill("Email address", "cleo@example.com")
	v.fill("Password", password)
	v.press("Create the account")

	v.open("/orgs/new")
	v.fill("Name", "Lakeside School")
	v.click("css", `input[name="acceptTerms"]`)
	v.press("Create the organization")
	v.sees("Lakeside School", "Waiting for approval.")
	school := strings.TrimPrefix(v.path(), "/orgs/")
	s.operator.graphql(`mutation($id: ID!) { approveOrganization(id: $id) { status } }`, object{"id": school})
	v.open("/orgs/" + school)
	v.follow("Create a class")
	v.fill("Name", "Music 7a")
	v.press("Create the class")
	v.sees("Music 7a was created.")
	class := v.path()
	v.open(class + "/join-code")
	v.press("Make a code")
	v.follow("Show to the class")
	v.sees("Music 7a", "have joined")

	v.open(class + "/archive")
	v.press("Archive")
	v.sees("Music 7a is archived.")

	v.open("/join")
	v.fill("Code", s.code)
	v.press("Join")
	v.sees("Welcome to Art 9b.")

	v.open("/app/poster")
	v.fill("Text", "a hare")
	v.press("Run")
	run := v.path()
	s.finished(s.signIn("cleo"), run[strings.LastIndex(run, "/")+1:], "completed")
	v.open(run)
	v.until("the picture", `[...document.querySelectorAll("#main img")].some((i) => i.complete && i.naturalWidth === 320)`)
	v.sees("2.5 credits")
	v.shoot("result")

	v.click("css", "details.user summary")
	v.press("Sign out")
	v.sees("You are signed out.")
}

// signIn is a client for an account that exists.
func (s *story) signIn(name string) client {
	s.t.Helper()
	r := s.visitor.post("/auth/sign-in", object{"email": name + "@example.com", "password": password}).want(200)
	return s.visitor.with(r.text("data.token"))
}
