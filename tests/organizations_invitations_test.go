//go:build !race

package tests

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"atelier/jobs/mail/mailtest"
)

var errNoMail = errors.New("the mail has not come")

// confirm follows the link that a sign-up was mailed.
func confirm(c client, server *mailtest.Server, email string) *reply {
	c.t.Helper()
	link, err := url.Parse(server.Await(email, 1).Link("token="))
	if err != nil {
		c.t.Fatal(err)
	}
	return c.post("/auth/verify-email", object{"token": link.Query().Get("token")}).want(200)
}

// People who sign up, forget their passwords, invite and accept by mail.
func TestInvitationStory(t *testing.T) {
	server := mailtest.New(t)
	p := startService(t, "SMTP_URL="+server.URL().String(), "MAIL_FROM=Atelier <no-reply@example.com>", "ORG_AUTO_APPROVE=true", "LOG_LEVEL=debug")
	visitor := client{t: t, URL: p.URL}
	person := func(name string) client {
		body := object{"email": name + "@example.com", "password": "correct horse", "displayName": name}
		first := visitor.post("/auth/sign-up", body).want(202)
		session := confirm(visitor, server, name+"@example.com")
		again := visitor.post("/auth/sign-up", body).want(202)
		if string(first.Body) != string(again.Body) {
			t.Errorf("signing up answers %s, then %s", first.Body, again.Body)
		}
		return visitor.with(session.text("data.token"))
	}
	ada, mina, eve := person("ada"), person("mina"), person("eve")
	school := ada.post("/v1/orgs", object{"name": "North", "kind": "school", "acceptTerms": true}).want(201).text("data.id")
	room := ada.post("/v1/orgs/"+school+"/workspaces", object{"name": "Room"}).want(201).text("data.id")

	sent := ada.post("/v1/orgs/"+school+"/invitations", object{"emails": []string{"MINA@example.com", "nonsense"}, "workspaceId": room}).want(201)
	if sent.text("data.0.status") != "sent" || sent.path("data.0.link") != nil || sent.text("data.1.error") != "invalid_email" {
		t.Fatalf("invited: %s", sent.Body)
	}
	var link string
	eventually(t, func() error {
		for _, m := range server.To("mina@example.com") {
			if found := m.Link("/invitations/"); found != "" {
				link = found
				return nil
			}
		}
		return errNoMail
	})
	token := strings.TrimPrefix(link, p.URL+"/invitations/")

	// A program that opens links, twice, uses nothing up and learns no address.
	for range 2 {
		page, err := http.Get(link)
		if err != nil {
			t.Fatal(err)
		}
		body := string(readAll(page.Body))
		page.Body.Close()
		if page.StatusCode != 200 || page.Header.Get("Referrer-Policy") != "no-referrer" || strings.Contains(body, "mina@example.com") || !strings.Contains(body, "m***@example.com") {
			t.Fatalf("the page of the link: %d %v", page.StatusCode, page.Header)
		}
	}
	lookup := visitor.get("/v1/invitations/by-token/" + token).want(200)
	if lookup.text("data.state") != "open" || lookup.text("data.inviterName") != "ada" || lookup.text("data.workspaceName") != "Room" || lookup.Header.Get("RateLimit-Limit") != "60" {
		t.Errorf("lookup: %s", lookup.Body)
	}
	accept := "/v1/invitations/" + token + "/accept"
	eve.post(accept, nil).wantError(400, "email_mismatch")
	visitor.post(accept, nil).wantError(401, "unauthorized")
	joined := mina.in("0193f2c1-77aa-7c02-b9d1-1f0b6e2a8e04").post(accept, nil).want(200) // a stale selection does not matter
	if joined.text("data.organizationId") != school || joined.text("data.workspaceId") != room {
		t.Errorf("accepted: %s", joined.Body)
	}
	mina.post(accept, nil).wantError(400, "invitation_accepted")
	mina.in(room).get("/v1/projects").want(200)

	visitor.post("/auth/forgot-password", object{"email": "mina@example.com"}).want(202)
	var reset string
	eventually(t, func() error {
		for _, m := range server.To("mina@example.com") {
			if found := m.Link("/reset-password"); found != "" {
				_, reset, _ = strings.Cut(found, "token=")
				return nil
			}
		}
		return errNoMail
	})
	visitor.post("/auth/reset-password", object{"token": reset, "password": "another horse"}).want(200)
	mina.get("/v1/me").wantError(401, "unauthorized")

	for _, secret := range []string{token, reset} {
		if len(secret) != 43 || strings.Contains(p.log.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	if found := regexp.MustCompile(`[a-z]+@example\.com`).FindString(p.log.String()); found != "" {
		t.Errorf("the log holds %s", found)
	}
}

// SIGN_UP=invited: without mail, the one who has the link of an open invitation may sign up.
func TestSignUpByInvitation(t *testing.T) {
	p := startService(t, "SIGN_UP=open", "ORG_AUTO_APPROVE=true")
	visitor := client{t: t, URL: p.URL}
	ada := visitor.with(visitor.post("/auth/sign-up", object{"email": "ada@example.com", "password": "correct horse", "displayName": "ada"}).want(201).text("data.token"))
	team := ada.post("/v1/orgs", object{"name": "North", "kind": "team"}).want(201).text("data.id")
	link := ada.post("/v1/orgs/"+team+"/invitations", object{"emails": []string{"mina@example.com"}}).want(201).text("data.0.link")
	token := link[strings.LastIndexByte(link, '/')+1:]
	p.stop()
	p.env = append(p.env, "SIGN_UP=invited")
	p.start()
	signUp := func(email string, more object) *reply {
		body := object{"email": email, "password": "correct horse", "displayName": "x"}
		for key, value := range more {
			body[key] = value
		}
		return visitor.post("/auth/sign-up", body)
	}
	signUp("eve@example.com", nil).wantError(403, "forbidden")
	signUp("eve@example.com", object{"invitationToken": token}).wantError(403, "forbidden")
	signUp("mina@example.com", nil).wantError(403, "forbidden")
	signUp("mina@example.com", object{"invitationToken": ""}).wantError(403, "forbidden")
	signUp("mina@example.com", object{"invitationToken": "guess"}).wantError(403, "forbidden")
	mina := visitor.with(signUp("mina@example.com", object{"invitationToken": token}).want(201).text("data.token"))
	mina.post("/v1/invitations/"+token+"/accept", nil).want(200)
	visitor.post("/auth/verify-email", object{"token": "x"}).wantError(404, "not_found")
}
