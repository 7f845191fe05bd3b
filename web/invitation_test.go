package web

import (
	"bytes"
	"fmt"
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
	f.with("InvitationPreviewRow.email", "a@example.com")
	w := post(f, org+"/invite/preview", "emails", "Mina Lang <a@example.com>\nb@example.com", "workspace", someID, "as", "admin")
	input := f.last(t, "InvitePreview").Variables["input"].(map[string]any)
	if w.Code != 200 || frame.JSONOf(input) != `{"emails":["a@example.com","b@example.com"],"names":["Mina Lang",""],"orgRole":"member","workspaceId":"`+someID+`","workspaceRole":"admin"}` {
		t.Fatalf("%d, asked with %v", w.Code, frame.JSONOf(input))
	}
	body := w.Body.String()
	if !strings.Contains(body, "the old one stops working") || !strings.Contains(body, `name="as" value="admin"`) || !strings.Contains(body, "Send 2 invitations") ||
		!strings.Contains(body, "<dd dir=\"auto\">Teacher</dd>") || !strings.Contains(body, "<dd dir=\"auto\">Art 9b</dd>") || !strings.Contains(body, "2 invited again") {
		t.Errorf("the second step: %s", body)
	}
	if !strings.Contains(body, `name="list" value="Mina Lang &lt;a@example.com&gt;`) {
		t.Errorf("the name is lost: %s", body)
	}
	checkPage(t, "preview", w)

	w = get(f, org+"/invite?workspace="+someID)
	if body := w.Body.String(); !strings.Contains(body, `<option value="`+someID+`" selected`) || !strings.Contains(body, "Invite people to ") {
		t.Errorf("the class of the address is not chosen: %s", body)
	}

	w = post(f, org+"/invite/change", "emails", "a@example.com", "list", "a@example.com\nnonsense", "as", "admin")
	if w.Code != 200 || !strings.Contains(w.Body.String(), ">a@example.com\nnonsense</textarea>") || !strings.Contains(w.Body.String(), `name="as" value="admin" checked`) {
		t.Errorf("changing the list: %d %s", w.Code, w.Body)
	}
	post(f, org+"/invite/preview", "emails", "a@example.com", "as", "orgadmin")
	if input := f.last(t, "InvitePreview").Variables["input"].(map[string]any); input["orgRole"] != "admin" || input["workspaceRole"] != nil {
		t.Errorf("an admin of the school: %v", input)
	}

	w = post(f, org+"/invite", "emails", "a@example.com", "as", "admin") // mailed: watched at its own address
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

	f = newFake(t).school().with("InvitationSend.link", "https://atelier.example/invitations/t0ken").with("InvitationSend.email", "a@example.com").
		with("InvitationBatch.workspaceName", "Art 9b")
	w = post(f, org+"/invite", "emails", "a@example.com")
	body = w.Body.String()
	if w.Code != 200 || strings.Count(body, "invitations/t0ken") < 4 || !strings.Contains(body, "shown once") || !strings.Contains(body, `class="slip"`) ||
		!strings.Contains(body, "<h2 dir=\"auto\">Art 9b</h2>") || !strings.Contains(body, "data-print") {
		t.Errorf("links: %d %s", w.Code, body)
	}
	checkPage(t, "links", w)
	for name, c := range map[string]struct {
		role, code any
		closes     any
		typed      bool
	}{
		"students, by a code that stays open": {"member", true, nil, true}, "a code that is off": {"member", false, nil, false},
		"a code that closes first": {"member", true, "2026-11-20T09:00:00.000Z", false}, "teachers": {"admin", true, nil, false},
	} {
		f.with("InvitationBatch.workspaceRole", c.role).with("JoinCode.enabled", c.code).with("JoinCode.closesAt", c.closes)
		body := post(f, org+"/invite", "emails", "a@example.com").Body.String()
		if strings.Contains(body, "Without a camera: open atelier.example/join and type") != c.typed || strings.Contains(body, "K7QM-2XPA") != c.typed {
			t.Errorf("%s: %s", name, body)
		}
	}

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
	names := f.last(t, "InvitePreview").Variables["input"].(map[string]any)["names"].([]any)
	if len(emails) != 2 || emails[1] != "b@example.com" || names[1] != "Mina" {
		t.Errorf("asked for %v, %v", emails, names)
	}
}

// What a file holds is read in the encoding that it has, and the preview says how; columns of others' addresses are
// left out until they are chosen.
func TestInviteFromSpreadsheets(t *testing.T) {
	send := func(f *fake, fields map[string][]string, file string) *httptest.ResponseRecorder {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		for name, values := range fields {
			for _, value := range values {
				_ = form.WriteField(name, value)
			}
		}
		if file != "" {
			part, _ := form.CreateFormFile("file", "class.csv")
			_, _ = part.Write([]byte(file))
		}
		_ = form.Close()
		r := httptest.NewRequest(http.MethodPost, "/orgs/"+someID+"/invite/preview", &body)
		r.Header.Set("Content-Type", form.FormDataContentType())
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		return do(f, r)
	}
	f := newFake(t).school()
	w := send(f, nil, "Name;Email;Guardian email\r\nJos\xe9;o'brien@example.com;mum@example.com\r\n")
	body := w.Body.String()
	for _, want := range []string{"read as Windows-1252", "from the column “Email”", "Left out: 1 address in the column “Guardian email”", `name="take"`, `name="apart" value="mum@example.com"`} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing: %s", want, body)
		}
	}
	checkPage(t, "preview", w)
	input := f.last(t, "InvitePreview").Variables["input"].(map[string]any)
	if fmt.Sprint(input["emails"], input["names"]) != "[o'brien@example.com] [José]" {
		t.Errorf("asked for %v", input)
	}
	send(f, map[string][]string{"emails": {"José <o'brien@example.com>"}, "apart": {"mum@example.com"}, "apart-title": {"Guardian email"}, "apart-asked": {"0"}, "take": {"0"}}, "")
	if input = f.last(t, "InvitePreview").Variables["input"].(map[string]any); fmt.Sprint(input["emails"]) != "[o'brien@example.com mum@example.com]" {
		t.Errorf("chosen: %v", input)
	}
	if w = send(f, nil, "Ann,ann@example.com,mum@example.com"); w.Code != 200 || !strings.Contains(w.Body.String(), "Which addresses are meant?") {
		t.Errorf("asked about: %d %s", w.Code, w.Body)
	}
	if w = send(f, nil, "PK\x03\x04"); w.Code != 400 || !strings.Contains(w.Body.String(), "ZIP archive") {
		t.Errorf("a ZIP: %d %s", w.Code, w.Body)
	}
}

func TestInviteTableIsSafe(t *testing.T) {
	w := post(newFake(t), "/orgs/"+someID+"/invite/table", "name", "Mina", "email", "=1+1@example.com", "link", `https://x/"y`)
	if got := w.Body.String(); got != "name,email,link\r\nMina,'=1+1@example.com,\"https://x/\"\"y\"\r\n" || !strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment") {
		t.Errorf("%q", got)
	}
}

// A table for Excel is written as the person's language has it.
func TestTablesForExcel(t *testing.T) {
	for language, want := range map[string]string{
		"": "\ufeffname,email,link\r\nZoë,z@example.com,https://x/\r\n", "en-GB,de;q=0.5": "\ufeffname,email,link\r\nZoë,z@example.com,https://x/\r\n",
		"de-DE,en;q=0.5": "\ufeffname;email;link\r\nZoë;z@example.com;https://x/\r\n", "es-MX": "\ufeffname,email,link\r\nZoë,z@example.com,https://x/\r\n", "nonsense;;": "\ufeffname,email,link\r\nZoë,z@example.com,https://x/\r\n",
	} {
		r := httptest.NewRequest(http.MethodPost, "/orgs/"+someID+"/invite/table", strings.NewReader("name=Zo%C3%AB&email=z@example.com&link=https://x/&for=excel"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Accept-Language", language)
		if got := do(newFake(t), r).Body.String(); got != want {
			t.Errorf("%s: %q", language, got)
		}
	}
}

func TestInvitationList(t *testing.T) {
	base := "/orgs/" + someID + "/invitations"
	one := base + "/" + someID
	f := newFake(t).school().with("InvitationSend.link", nil).with("InvitationSend.email", "a@example.com").with("Invitation.name", "Mina Lang")
	if w := get(f, base+"?state=expired&q=mina"); w.Code != 200 || f.last(t, "Invitations").Variables["status"] != "expired" || f.last(t, "Invitations").Variables["search"] != "mina" {
		t.Errorf("%d %v", w.Code, f.last(t, "Invitations").Variables)
	}
	if get(f, base+"?state=withdrawn"); f.last(t, "Invitations").Variables["status"] != "revoked" {
		t.Errorf("withdrawn: %v", f.last(t, "Invitations").Variables)
	}
	for mail, action := range map[bool]string{true: ">Send again<", false: ">New link…<"} {
		if body := get(f.with("Install.mail", mail), base).Body.String(); !strings.Contains(body, action) || strings.Contains(body, ">Send again<") != mail {
			t.Errorf("with mail %v: %s", mail, body)
		}
	}
	for action, words := range map[string]string{
		"resend": "Send the invitation of Mina Lang again?", "link": "Make a new link for Mina Lang?", "withdraw": "Withdraw the invitation of Mina Lang?",
	} {
		f.with("Install.mail", true)
		w := get(f, one+"/"+action+"?return="+base+"%3Fstate%3Dexpired")
		if body := w.Body.String(); !strings.Contains(body, words) || !strings.Contains(body, "stops working at once") || !strings.Contains(body, `name="return" value="`+base+`?state=expired"`) {
			t.Errorf("asking for %s: %d %s", action, w.Code, body)
		}
	}
	for _, c := range f.calls {
		if c.Operation == "ResendInvitation" || c.Operation == "RevokeInvitation" {
			t.Errorf("a question called %s", c.Operation)
		}
	}
	if w := post(f, one+"/resend"); w.Code != 303 || f.last(t, "ResendInvitation").Variables["linkOnly"] != false {
		t.Errorf("resend: %d", w.Code)
	}
	if w := post(f, one+"/withdraw", "return", base+"?q=mina"); w.Code != 303 || w.Header().Get("Location") != base+"?q=mina" {
		t.Errorf("withdraw: %d", w.Code)
	}
	if w := post(f, one+"/withdraw", "return", "https://evil.example/"); w.Header().Get("Location") != base {
		t.Errorf("leads to %s", w.Header().Get("Location"))
	}
	f.with("InvitationSend.link", "https://atelier.example/invitations/t0ken")
	w := post(f, one+"/link")
	if w.Code != 200 || !strings.Contains(w.Body.String(), "invitations/t0ken") || f.last(t, "ResendInvitation").Variables["linkOnly"] != true {
		t.Errorf("link: %d %s", w.Code, w.Body)
	}
	checkPage(t, "link", w)
	f.refuse("RevokeInvitation", "invitation_accepted", 400, nil)
	if w := post(f, one+"/withdraw"); w.Code != 400 || !strings.Contains(w.Body.String(), "Refused") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// What several invitations lose is asked once, and nothing happens before.
func TestSeveralInvitations(t *testing.T) {
	base := "/orgs/" + someID + "/invitations"
	f := newFake(t).school().with("InvitationSend.link", nil).with("InvitationSend.email", "a@example.com")
	w := post(f, base, "action", "withdraw", "invitation", someID, "invitation", someID, "return", base+"?q=a")
	if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, "Withdraw 2 invitations?") || strings.Count(body, `name="invitation"`) != 2 || !strings.Contains(body, `name="sure"`) {
		t.Errorf("asking: %d %s", w.Code, body)
	}
	for _, c := range f.calls {
		if c.Operation == "RevokeInvitation" {
			t.Error("withdrawn before anybody was asked")
		}
	}
	w = post(f, base, "action", "withdraw", "invitation", someID, "invitation", someID, "return", base+"?q=a", "sure", "1")
	if w.Code != 303 || w.Header().Get("Location") != base+"?q=a" {
		t.Errorf("withdraw some: %d %s", w.Code, w.Header().Get("Location"))
	}
	f.with("InvitationSend.link", "https://atelier.example/invitations/t0ken")
	w = post(f, base, "action", "link", "invitation", someID, "sure", "1")
	if w.Code != 200 || !strings.Contains(w.Body.String(), "invitations/t0ken") || f.last(t, "ResendInvitation").Variables["linkOnly"] != true {
		t.Errorf("new links for some: %d", w.Code)
	}
	if w := post(f, base, "action", "withdraw", "sure", "1"); w.Code != 400 || !strings.Contains(w.Body.String(), "Select the invitations first.") {
		t.Errorf("nothing selected: %d", w.Code)
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
	f.with("InvitationLookup.state", "open").with("InvitationLookup.forCaller", false).with("User.email", "tom@example.com")
	if body := get(f, path).Body.String(); strings.Contains(body, `/accept"`) || !strings.Contains(body, `class="btn primary" type="submit">Use another account`) {
		t.Errorf("another account may accept: %s", body)
	}
	f.with("InvitationLookup.forCaller", true)
	for _, c := range f.calls { // opening the link changes nothing
		if c.Operation != "InvitationByToken" && c.Operation != "Frame" {
			t.Errorf("opening it called %s", c.Operation)
		}
	}
	w := post(f, path+"/accept")
	if w.Code != 303 || f.last(t, "AcceptInvitation").Variables["token"] != "t0ken" || w.Header().Get("Location") != "/workspaces/"+someID {
		t.Errorf("accepting: %d", w.Code)
	}
	f.refuse("AcceptInvitation", "email_mismatch", 400, map[string]any{"message": "It is for someone else."})
	if w := post(f, path+"/accept"); w.Code != 400 || !strings.Contains(w.Body.String(), "It is for someone else.") {
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
	if w := get(f, "/verify-email"); w.Code != 404 {
		t.Errorf("confirming an address without mail: %d", w.Code)
	}
	if w := get(f, "/reset-password"); w.Code != 200 { // an operator may have handed over a link
		t.Errorf("a new password without mail: %d", w.Code)
	}
	if w := get(f, "/forgot-password"); w.Code != 200 || strings.Contains(w.Body.String(), `name="email"`) || !strings.Contains(w.Body.String(), "mail") {
		t.Errorf("a forgotten password without mail: %d %s", w.Code, w.Body)
	}
	t.Run("signing up waits for the mail, and goes on from there", func(t *testing.T) {
		f := newFake(t).with("SignUpResult.signedIn", nil)
		w := post(f, "/auth/sign-up", "email", "a@example.com", "password", "long enough", "displayName", "A", "next", "/invitations/x")
		if c := cookie(w, frame.NextCookie); w.Code != 200 || c == nil || c.Value != "/invitations/x" || !strings.Contains(w.Body.String(), "Look into your mail") {
			t.Errorf("%d %v", w.Code, w.Result().Cookies())
		}
	})
}
