package web

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"atelier/web/frame"
)

func TestInviteSteps(t *testing.T) {
	org := "/orgs/" + someID
	f := newFake(t).school().with("InvitationPreviewRow.verdict", "new_link").with("InvitationSend.link", nil)
	w := post(f, org+"/invite/preview", "emails", "a@example.com\nb@example.com", "workspace", someID, "workspaceRole", "admin", "orgRole", "member")
	input := f.last(t, "InvitePreview").Variables["input"].(map[string]any)
	if w.Code != 200 || len(input["emails"].([]any)) != 2 || input["workspaceId"] != someID || input["workspaceRole"] != "admin" {
		t.Fatalf("%d, asked with %v", w.Code, input)
	}
	body := w.Body.String()
	if !strings.Contains(body, "the old one stops working") || !strings.Contains(body, `name="workspaceRole" value="admin"`) || !strings.Contains(body, "Send 2 invitations") {
		t.Errorf("the second step: %s", body)
	}
	checkPage(t, "preview", w)

	w = post(f, org+"/invite/change", "emails", "a@example.com", "workspaceRole", "admin")
	if w.Code != 200 || !strings.Contains(w.Body.String(), ">a@example.com</textarea>") {
		t.Errorf("changing the list: %d", w.Code)
	}

	w = post(f, org+"/invite", "emails", "a@example.com", "workspaceRole", "admin") // mailed: watched at its own address
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != org+"/invite/"+someID {
		t.Errorf("mailed: %d %s", w.Code, w.Header().Get("Location"))
	}
	if input := f.last(t, "CreateInvitations").Variables["input"].(map[string]any); input["workspaceRole"] != nil {
		t.Errorf("a role in no workspace: %v", input)
	}
	w = get(f, org+"/invite/"+someID)
	if body := w.Body.String(); !strings.Contains(body, "<progress") || !strings.Contains(body, `http-equiv="refresh"`) || !strings.Contains(body, "/invite/"+someID+"/live") {
		t.Errorf("progress: %s", body)
	}

	f = newFake(t).school().with("InvitationSend.link", "https://atelier.example/invitations/t0ken").with("InvitationSend.email", "a@example.com")
	w = post(f, org+"/invite", "emails", "a@example.com")
	body = w.Body.String()
	if w.Code != 200 || strings.Count(body, "invitations/t0ken") < 4 || !strings.Contains(body, "shown once") || !strings.Contains(body, `class="slip"`) {
		t.Errorf("links: %d %s", w.Code, body)
	}
	checkPage(t, "links", w)

	t.Run("refused", func(t *testing.T) {
		f := newFake(t).school()
		f.refuse("CreateInvitations", "bulk_invite_cap_exceeded", 429, map[string]any{"retryAfter": 3600, "message": "Too many today."})
		w := post(f, org+"/invite", "emails", "a@example.com")
		if w.Code != 429 || !strings.Contains(w.Body.String(), "Too many today.") || !strings.Contains(w.Body.String(), ">a@example.com</textarea>") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		f.refuse("InvitePreview", "validation_error", 400, map[string]any{"field": "emails"})
		if w := post(f, org+"/invite/preview", "emails", ""); w.Code != 400 || !strings.Contains(w.Body.String(), "1 to 200 addresses") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func TestInviteFromFile(t *testing.T) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("emails", "a@example.com")
	file, _ := form.CreateFormFile("file", "class.csv")
	_, _ = file.Write([]byte("Name;Email\nMina;b@example.com\n"))
	_ = form.Close()
	r := httptest.NewRequest(http.MethodPost, "/orgs/"+someID+"/invite/preview", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	f := newFake(t).school()
	if w := do(f, r); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	emails := f.last(t, "InvitePreview").Variables["input"].(map[string]any)["emails"].([]any)
	if len(emails) != 2 || emails[1] != "b@example.com" {
		t.Errorf("asked for %v", emails)
	}
}

func TestInviteTableIsSafe(t *testing.T) {
	w := post(newFake(t), "/orgs/"+someID+"/invite/table", "email", "=1+1@example.com", "link", `https://x/"y`)
	if got := w.Body.String(); got != "email,link\r\n\"'=1+1@example.com\",\"https://x/\"\"y\"\r\n" || !strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment") {
		t.Errorf("%q", got)
	}
}

func TestInvitationList(t *testing.T) {
	base := "/orgs/" + someID + "/invitations"
	f := newFake(t).school().with("InvitationSend.link", nil).with("InvitationSend.email", "a@example.com")
	if w := get(f, base+"?state=expired"); w.Code != 200 || f.last(t, "Invitations").Variables["status"] != "expired" {
		t.Errorf("%d %v", w.Code, f.last(t, "Invitations").Variables)
	}
	if w := post(f, base+"/"+someID+"/resend"); w.Code != 303 || f.last(t, "ResendInvitation").Variables["linkOnly"] != false {
		t.Errorf("resend: %d", w.Code)
	}
	if w := post(f, base+"/"+someID+"/revoke"); w.Code != 303 || w.Header().Get("Location") != base {
		t.Errorf("revoke: %d", w.Code)
	}
	if w := post(f, base, "action", "revoke", "invitation", someID, "invitation", someID); w.Code != 303 {
		t.Errorf("revoke some: %d", w.Code)
	}
	f.with("InvitationSend.link", "https://atelier.example/invitations/t0ken")
	w := post(f, base+"/"+someID+"/link")
	if w.Code != 200 || !strings.Contains(w.Body.String(), "invitations/t0ken") || f.last(t, "ResendInvitation").Variables["linkOnly"] != true {
		t.Errorf("link: %d %s", w.Code, w.Body)
	}
	checkPage(t, "link", w)
	w = post(f, base, "action", "resend", "invitation", someID)
	if w.Code != 200 || !strings.Contains(w.Body.String(), "invitations/t0ken") {
		t.Errorf("resend some without mail: %d", w.Code)
	}
	f.refuse("RevokeInvitation", "invitation_accepted", 400, nil)
	if w := post(f, base+"/"+someID+"/revoke"); w.Code != 400 || !strings.Contains(w.Body.String(), "Refused") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestInvitationPage(t *testing.T) {
	const path = "/invitations/t0ken"
	f := newFake(t).school().with("InvitationLookup.email", "m***@example.com").with("InvitationLookup.inviterName", "Ada")
	for state, words := range map[string]string{"open": "/accept", "accepted": "accepted already", "revoked": "withdrawn", "expired": "expired. Ask"} {
		w := get(f.with("InvitationLookup.state", state), path)
		if w.Code != 200 || !strings.Contains(w.Body.String(), words) || strings.Contains(w.Body.String(), "/accept\"") != (state == "open") {
			t.Errorf("%s: %d %s", state, w.Code, w.Body)
		}
		if w.Header().Get("Referrer-Policy") != "no-referrer" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("headers %v", w.Header())
		}
		checkPage(t, path, w)
	}
	f.with("InvitationLookup.state", "open")
	for _, c := range f.calls { // opening the link changes nothing
		if c.Operation != "InvitationByToken" && c.Operation != "Frame" {
			t.Errorf("opening it called %s", c.Operation)
		}
	}
	w := post(f, path+"/accept")
	if w.Code != 303 || f.last(t, "AcceptInvitation").Variables["token"] != "t0ken" || w.Header().Get("Location") != "/workspaces/"+someID {
		t.Errorf("accepting: %d", w.Code)
	}
	f.refuse("AcceptInvitation", "email_mismatch", 400, map[string]any{"message": "It is for somebody else."})
	if w := post(f, path+"/accept"); w.Code != 400 || !strings.Contains(w.Body.String(), "It is for somebody else.") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := post(f, path+"/leave"); w.Code != 303 || w.Header().Get("Location") != "/login?next=%2Finvitations%2Ft0ken" {
		t.Errorf("another account: %s", w.Header().Get("Location"))
	}

	f.refuse("Frame", "unauthorized", 401, nil)
	f.refuse("AcceptInvitation", "unauthorized", 401, nil)
	if w := get(f, path); !strings.Contains(w.Body.String(), "/login?next=%2Finvitations%2Ft0ken") || !strings.Contains(w.Body.String(), "invitationToken=t0ken") {
		t.Errorf("for a visitor: %s", w.Body)
	}
	if w := post(f, path+"/accept"); w.Header().Get("Location") != "/login?next=%2Finvitations%2Ft0ken" {
		t.Errorf("a visitor accepts: %s", w.Header().Get("Location"))
	}
	f.refuse("InvitationByToken", "invitation_not_found", 404, nil)
	if w := get(f, path); w.Code != 404 || !strings.Contains(w.Body.String(), "latest mail") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := post(f, path+"/accept"); w.Code != 303 && w.Code != 404 {
		t.Errorf("%d", w.Code)
	}
}

func TestMailedLinks(t *testing.T) {
	f := newFake(t)
	for _, path := range []string{"/verify-email?token=t0ken", "/reset-password?token=t0ken"} {
		w := get(f, path)
		if w.Code != 200 || !strings.Contains(w.Body.String(), `name="token" value="t0ken"`) || w.Header().Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	for _, c := range f.calls {
		if c.Operation != "Visit" {
			t.Errorf("opening a link called %s", c.Operation)
		}
	}
	w := post(f, "/auth/verify-email", "token", "t0ken")
	if w.Code != 303 || w.Header().Get("Location") != "/projects" || cookie(w, "__Host-atelier_session") == nil {
		t.Errorf("verified: %d %v", w.Code, w.Header())
	}
	r := httptest.NewRequest(http.MethodPost, "/auth/reset-password", strings.NewReader("token=t0ken&password=+long+enough+"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.AddCookie(&http.Cookie{Name: frame.NextCookie, Value: "/invitations/x"})
	if w := do(f, r); w.Header().Get("Location") != "/invitations/x" || f.last(t, "ResetPassword").Variables["password"] != " long enough " {
		t.Errorf("reset leads to %q", w.Header().Get("Location"))
	}
	if w := post(f, "/auth/forgot-password", "email", "a@example.com"); w.Code != 200 || !strings.Contains(w.Body.String(), "Look into your mail") {
		t.Errorf("forgot: %d", w.Code)
	}
	f.refuse("VerifyEmail", "unauthorized", 401, nil)
	f.refuse("ResetPassword", "unauthorized", 401, nil)
	for _, path := range []string{"/auth/verify-email", "/auth/reset-password"} {
		if w := post(f, path, "token", "t0ken", "password", "long enough"); w.Code != 401 || !strings.Contains(w.Body.String(), "used already") {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	f.with("Install.mail", false)
	for _, path := range []string{"/verify-email", "/reset-password", "/forgot-password"} {
		if w := get(f, path); w.Code != 404 {
			t.Errorf("%s without mail: %d", path, w.Code)
		}
	}
	t.Run("signing up waits for the mail, and goes on from there", func(t *testing.T) {
		f := newFake(t).with("SignUpResult.signedIn", nil)
		w := post(f, "/auth/sign-up", "email", "a@example.com", "password", "long enough", "displayName", "A", "next", "/invitations/x")
		if c := cookie(w, frame.NextCookie); w.Code != 200 || c == nil || c.Value != "/invitations/x" || !strings.Contains(w.Body.String(), "Look into your mail") {
			t.Errorf("%d %v", w.Code, w.Result().Cookies())
		}
	})
}
