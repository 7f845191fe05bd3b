//go:build !race

package tests

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
)

// TestSecondFactorPages sets an authenticator app up by hand, signs in with it and with a recovery code, requires it of
// an organization, and has an operator take it off; every page on the way is looked at.
func TestSecondFactorPages(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := begin(t, p.URL)
	b := startBrowser(t, "second-factor")
	mara := b.visitor("Mara", p.URL)
	mara.signIn("mara")
	mara.open("/orgs/" + s.school + "/settings/sign-in")
	mara.look("settings sign-in")
	mara.willRefuse(http.StatusForbidden)
	mara.press("Ask everyone for a second factor")
	mara.sees("Set up a second factor of your own first")

	mara.open("/account")
	mara.follow("Security")
	mara.look("security off")
	mara.press("Set up an authenticator app")
	mara.sees("Scan the picture")
	mara.look("app")
	secret, err := ask[string](mara, `document.querySelector(".secret code").textContent`)
	if err != nil {
		t.Fatal(err)
	}
	secret = strings.ReplaceAll(secret, " ", "")
	code := func(ahead time.Duration) string {
		code, err := totp.GenerateCode(secret, time.Now().Add(ahead))
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	mara.fill("Code that the app shows", code(-10*time.Minute))
	mara.willRefuse(http.StatusBadRequest)
	mara.press("Turn it on")
	mara.sees("The app is not in use yet.")
	mara.look("app refused")
	mara.fill("Code that the app shows", code(0))
	mara.press("Turn it on")
	mara.sees("They are shown once.")
	mara.look("recovery codes")
	recovery, err := ask[string](mara, `document.querySelector(".recovery-codes code").textContent`)
	if err != nil {
		t.Fatal(err)
	}
	mara.follow("I have kept them")
	mara.sees("10 codes are left.")
	mara.look("security on")

	mara.open("/orgs/" + s.school + "/settings/sign-in")
	mara.press("Ask everyone for a second factor")
	mara.sees("need a second factor from now on")
	mara.look("settings sign-in on")

	again := b.visitor("Mara again", p.URL)
	again.signIn("mara")
	again.sees("Second step")
	again.look("second step")
	again.fill("Code of your authenticator app", code(-10*time.Minute))
	again.willRefuse(http.StatusBadRequest)
	again.press("Sign in")
	again.sees("You are not signed in.")
	again.look("second step refused")
	again.click("css", "details summary")
	again.fill("Recovery code", strings.ToLower(recovery))
	again.press("Sign in with it")
	again.open("/account/security")
	again.sees("9 codes are left.")
	again.open("/account/confirm?next=/account/security")
	again.look("confirm")
	again.fill("Your password", "not this one")
	again.willRefuse(http.StatusBadRequest)
	again.press("Confirm")
	again.sees("It is not confirmed.")
	again.fill("Your password", password)
	again.press("Confirm")
	again.sees("9 codes are left.")

	// A person of the school without one.
	ada := b.visitor("Ada", p.URL)
	ada.willRefuse(http.StatusForbidden) // the class, where she arrives
	ada.signIn("ada")
	ada.open("/account/security")
	ada.sees("A second factor is asked for.")
	ada.look("security asked")
	ada.refused("set up first", "/workspaces/"+s.class, http.StatusForbidden)
	ada.sees("Set up a second factor first")
}
