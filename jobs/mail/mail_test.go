package mail_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"atelier/jobs/mail"
	"atelier/jobs/mail/mailtest"
	"atelier/models/account"
	"atelier/models/org"
)

const hostile = "<script>alert(1)</script> \u202e\"'& 𝓝😀"

var letter = mail.Letter{
	Subject: "Hello " + hostile, Paragraphs: []string{"First " + hostile, "Second"},
	Action: mail.Action{Text: "Open", URL: "https://atelier.example/x?token=abc_-DEF"}, Small: []string{"."},
}

func newSender(t *testing.T, server *mailtest.Server) *mail.Sender {
	t.Helper()
	sender, err := mail.NewSender(server.URL(), "Atelier <no-reply@atelier.example>")
	if err != nil {
		t.Fatal(err)
	}
	return sender
}

func TestSend(t *testing.T) {
	server := mailtest.New(t)
	if err := newSender(t, server).Send(context.Background(), "mina@example.com", letter); err != nil {
		t.Fatal(err)
	}
	m := server.Mails()[0]
	if m.To != "mina@example.com" || m.Subject != letter.Subject || m.Header.Get("From") != `"Atelier" <no-reply@atelier.example>` ||
		m.Header.Get("Auto-Submitted") != "auto-generated" || m.Header.Get("Date") == "" || m.Header.Get("Message-Id") == "" {
		t.Errorf("header %v", m.Header)
	}
	if !strings.Contains(m.Text, "First "+hostile) || m.Link("token=") != letter.Action.URL {
		t.Errorf("text %q", m.Text)
	}
	if strings.Contains(m.HTML, "<script>") || !strings.Contains(m.HTML, "&lt;script&gt;") || !strings.Contains(m.HTML, `href="`+letter.Action.URL+`"`) {
		t.Errorf("page %q", m.HTML)
	}
}

// A link stands whole in the source of a mail whose words are ASCII.
func TestLinksStayWhole(t *testing.T) {
	server := mailtest.New(t)
	plain := mail.Letter{Subject: "x", Paragraphs: []string{"x"}, Action: mail.Action{Text: "Open", URL: "https://atelier.example/invitations/" + strings.Repeat("x", 200)}}
	if err := newSender(t, server).Send(context.Background(), "mina@example.com", plain); err != nil {
		t.Fatal(err)
	}
	if raw := server.Mails()[0].Raw; !strings.Contains(raw, "\r\n"+plain.Action.URL+"\r\n") {
		t.Errorf("source %q", raw)
	}
}

func TestRefusals(t *testing.T) {
	server := mailtest.New(t)
	server.Answer = func(to string, _ int) int {
		return map[string]int{"no@example.com": 550, "later@example.com": 451, "full@example.com": 552}[to]
	}
	sender := newSender(t, server)
	for to, final := range map[string]bool{"no@example.com": true, "full@example.com": true, "later@example.com": false} {
		err := sender.Send(context.Background(), to, letter)
		var refused *mail.RefusedError
		if err == nil || errors.As(err, &refused) != final || strings.Contains(err.Error(), "example.com") {
			t.Errorf("%s: %v", to, err)
		}
	}
	server.Close()
	err := sender.Send(context.Background(), "mina@example.com", letter)
	var refused *mail.RefusedError
	if err == nil || errors.As(err, &refused) {
		t.Errorf("without a server: %v", err)
	}
}

func TestBadSettings(t *testing.T) {
	server := &url.URL{Scheme: "smtp", Host: "localhost:25"}
	if _, err := mail.NewSender(server, "nobody"); err == nil {
		t.Error("a sender that is no address")
	}
	for _, address := range []string{"smtp://user:pass@127.0.0.1:2525", "smtps://user:pass@mail.example", "smtp://mail.example"} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := mail.NewSender(u, "a@example.com"); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// Every letter says where it comes from, and leads where it says.
func TestLetters(t *testing.T) {
	for kind, link := range map[account.LetterKind]string{
		account.LetterConfirm: base + "/verify-email?token=t0ken", account.LetterExists: base + "/login", account.LetterUninvited: "",
		account.LetterReset: base + "/reset-password?token=t0ken", account.LetterExternal: base + "/login",
	} {
		l := mail.AccountLetter(context.Background(), base, &account.Letter{Kind: kind, Token: "t0ken", Expires: expires})
		all := strings.Join(append(l.Paragraphs, l.Small...), " ")
		if l.Action.URL != link || l.Subject == "" || !strings.Contains(all, base) {
			t.Errorf("%s: %+v", kind, l)
		}
	}
	room := "Room"
	l := mail.InvitationLetter(context.Background(), &org.InvitationLetter{OrgName: "North", InviterName: "Ada", WorkspaceName: &room, Link: base + "/invitations/t", Expires: expires})
	if l.Subject != "Invitation to Room at North" || l.Action.URL != base+"/invitations/t" || !strings.Contains(strings.Join(l.Small, " "), "2 March 2026, 09:00 UTC") {
		t.Errorf("invitation %+v", l)
	}
}
