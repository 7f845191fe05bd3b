//go:build !race

package tests

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"atelier/jobs/mail/mailtest"
)

// A person who signs up on a German page gets German mails, until the account has another language.
func TestMailsInTheLanguageOfTheirReader(t *testing.T) {
	server := mailtest.New(t)
	p := startService(t, "SMTP_URL="+server.URL().String(), "MAIL_FROM=Atelier <no-reply@example.com>", "ORG_AUTO_APPROVE=true")
	visitor := client{t: t, URL: p.URL}
	const mina = "mina@example.com"
	subject := func(n int, want string) {
		t.Helper()
		if m := server.Await(mina, n); m.Subject != want {
			t.Fatalf("mail %d has the subject %q, want %q", n, m.Subject, want)
		}
	}
	german := visitor.sending("Accept-Language", "de-AT, en;q=0.5")
	german.post("/auth/sign-up", object{"email": mina, "password": "correct horse", "displayName": "Mina"}).want(202)
	subject(1, "Adresse bestätigen")
	account := visitor.with(confirm(german, server, mina).text("data.token"))

	form := url.Values{"email": {mina}}
	request, err := http.NewRequest(http.MethodPost, p.URL+"/auth/forgot-password", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept-Language", "es")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	subject(2, "Neues Passwort wählen") // as the page on which she signed in

	account.post("/graphql", object{"query": `mutation { updateProfile(input: { language: "fr" }) { language } }`}).want(200)
	german.post("/auth/forgot-password", object{"email": mina}).want(202)
	subject(3, "Choisissez un nouveau mot de passe")

	school := account.post("/v1/orgs", object{"name": "North", "kind": "school", "acceptTerms": true}).want(201).text("data.id")
	account.post("/v1/orgs/"+school+"/invitations", object{"emails": []string{"tom@example.com"}}).want(201)
	invitation := server.Await("tom@example.com", 1)
	if invitation.Subject != "Invitation à North" || !strings.Contains(invitation.Text, "Mina vous invite à rejoindre North.") {
		t.Errorf("the invitation is %q, %q", invitation.Subject, invitation.Text)
	}
	visitor.post("/auth/sign-up", object{"email": "tom@example.com", "password": "correct horse", "displayName": "Tom"}).want(202)
	_, token, _ := strings.Cut(server.Await("tom@example.com", 2).Link("token="), "token=")
	tom := visitor.with(visitor.post("/auth/verify-email", object{"token": token}).want(200).text("data.token"))
	tom.post("/v1"+strings.TrimPrefix(invitation.Link("/invitations/"), p.URL)+"/accept", nil).want(200)

	told := account.post("/graphql", object{"query": `{
		notifications(first: 1) { nodes { de: sentence(language: "de") en: sentence } } notificationChoices { kind label(language: "es") }
	}`}).want(200)
	if told.text("data.notifications.nodes.0.de") != "Tom hat Ihre Einladung zu North angenommen." ||
		told.text("data.notifications.nodes.0.en") != "Tom accepted your invitation to North." || told.text("data.notificationChoices.0.label") != "Alguien te pide créditos" {
		t.Errorf("told %s", told.Body)
	}
}
