//go:build !race

package tests

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"atelier/models/dbtest"

	"github.com/chromedp/cdproto/webauthn"
	"github.com/jackc/pgx/v5"
)

// startLocal starts a service whose PUBLIC_URL has a host name, without which there are no passkeys.
func startLocal(t *testing.T, databaseURL string) *program {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	listen := freeAddress(t)
	_, port, err := net.SplitHostPort(listen)
	if err != nil {
		t.Fatal(err)
	}
	p := startOnNothing(t, path, "http://localhost:"+port)
	p.env = append(p.env, "LISTEN_ADDR="+listen, "PUBLIC_URL="+p.URL, "DATA_DIR="+t.TempDir(), "DATABASE_URL="+databaseURL)
	p.start()
	t.Cleanup(p.stop)
	return p
}

// startOnNothing is a program that is not started yet.
func startOnNothing(t *testing.T, path, url string) *program {
	return &program{t: t, URL: url, args: []string{path, "serve"}, env: []string{
		"PLATFORM_OPERATOR_EMAILS=op@example.com", "OPERATOR_CODE=" + operatorCode, "EGRESS_ALLOW_CIDRS=127.0.0.1/32",
	}}
}

// withPasskeys gives the browser a device that keeps passkeys and verifies its person, unless told otherwise.
func (v *tab) withPasskeys() webauthn.AuthenticatorID {
	v.t.Helper()
	call(v, webauthn.Enable, webauthn.EnableParams{})
	return call(v, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: "ctap2", Transport: "internal", HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		DefaultBackupEligibility: true, DefaultBackupState: true,
	}}).AuthenticatorID
}

// verifies sets whether the device finds out that it is its person.
func (v *tab) verifies(device webauthn.AuthenticatorID, is bool) {
	v.t.Helper()
	call(v, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: device, IsUserVerified: is})
}

// TestPasskeyPages adds a passkey to an account by hand, and uses it for everything that it is for; every page on the way
// is looked at.
func TestPasskeyPages(t *testing.T) {
	t.Parallel()
	databaseURL := dbtest.NewURL(t)
	p := startLocal(t, databaseURL)
	client{t: t, URL: p.URL}.post("/auth/sign-up", object{"email": "mara@example.com", "password": password, "displayName": "Mara"}).want(201)
	b := startBrowser(t, "passkeys")
	v := b.visitor("Mara", p.URL)
	device := v.withPasskeys()
	v.signIn("mara")
	v.open("/account/security")
	v.sees("Passkeys")
	v.look("security without passkeys")
	v.press("Add a passkey")
	v.sees("is added.", "On several devices", "not used yet", "None is left.")
	v.look("security with a passkey")

	v.click("button", "Add a passkey")
	v.sees("has a passkey for your account already")
	v.look("passkey excluded")

	v.open("/account/security")
	v.follow("Rename")
	v.look("passkey rename")
	v.fill("Name", "My laptop")
	v.press("Save")
	v.sees("My laptop")

	// Signing in: with the passkey alone, and after the password.
	v.open("/account")
	v.signsOut()
	v.open("/login?next=/account/security")
	v.sees("Sign in with a passkey")
	v.look("login with passkeys")
	v.press("Sign in with a passkey")
	v.sees("My laptop", "last used")
	v.signsOut()
	v.verifies(device, false)
	v.open("/login")
	v.click("button", "Sign in with a passkey")
	v.sees("No passkey answered")
	v.look("login without an answer")
	v.verifies(device, true)
	v.signIn("mara")
	v.sees("Use a passkey")
	v.look("second step with a passkey")
	v.press("Use a passkey")
	v.open("/account/security")
	v.sees("My laptop")

	// An hour later, the passkey confirms that it is still its person.
	ages(t, databaseURL)
	v.willRefuse(http.StatusForbidden)
	v.press("Add a passkey")
	v.sees("Confirm that it is you")
	v.look("confirm with a passkey")
	v.press("Confirm with a passkey")
	v.sees("My laptop")

	// Deleting asks first; an hour later it asks who does it, and goes on.
	v.follow("Delete…")
	v.sees("It is your only second factor")
	v.look("passkey delete")
	ages(t, databaseURL)
	v.willRefuse(http.StatusForbidden)
	v.press("Delete the passkey")
	v.sees("Confirm that it is you")
	v.press("Confirm with a passkey")
	v.sees("The passkey is deleted here.", "Add a passkey")

	// It is refused now, whatever the device still offers.
	v.open("/account")
	v.signsOut()
	v.open("/login")
	v.willRefuse(http.StatusUnauthorized)
	v.press("Sign in with a passkey")
	v.sees("This passkey is not known here")
	v.look("login passkey refused")

	plain := b.withoutScript("no script", p.URL)
	plain.open("/login")
	plain.sees("Passkeys need JavaScript")
}

// signsOut leaves by the cookie, as a form of the menu would.
func (v *tab) signsOut() {
	v.t.Helper()
	v.leave(func() {
		if _, err := ask[bool](v, `(() => { const f = document.createElement("form"); f.method = "post"; f.action = "/auth/sign-out"; document.body.append(f); f.submit(); return true; })()`); err != nil {
			v.t.Fatal(err)
		}
	})
	if !strings.HasPrefix(v.path(), "/login") {
		v.t.Fatalf("signed out to %s", v.path())
	}
}

// ages lets two hours pass for every session.
func ages(t *testing.T, databaseURL string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), `UPDATE sessions SET created_at = created_at - interval '2 hours', confirmed_at = confirmed_at - interval '2 hours'`); err != nil {
		t.Fatal(err)
	}
}
