package jobs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"atelier/jobs"
	"atelier/models"
	"atelier/models/account"
)

var visitors int

// visitorOn is a person without a session, on a page in a language, each in a network of their own: mails to one address
// that a network causes are few.
func visitorOn(language string) context.Context {
	visitors++
	return models.WithActor(context.Background(), models.Actor{Kind: models.Anonymous, IP: fmt.Sprintf("192.0.2.%d", visitors), PageLanguage: language})
}

func (p *post) choose(address string, language *string) {
	p.t.Helper()
	p.exec(p.t, `UPDATE users SET language = ? WHERE email = ?`, language, address)
}

// A mail is in the language that the account has chosen when it is sent; without a choice in that of the page on which the
// person signed in last, and that of the page on which it was asked for where there is no account.
func TestMailsFollowTheReader(t *testing.T) {
	p := newPost(t)
	const mina = "mina@example.com"
	subject := func(n int, want string) {
		t.Helper()
		if m := p.server.Await(mina, n); m.Subject != want {
			t.Fatalf("mail %d has the subject %q, want %q", n, m.Subject, want)
		}
	}
	forgot := func(page string) {
		t.Helper()
		p.ok(p.accounts.Passwords().Forgot(visitorOn(page), mina))
	}
	stop := p.run(t, jobs.Config{Mail: p.mail})
	_, err := p.accounts.SignUp(visitorOn("de"), account.SignUpInput{Email: mina, Password: "correct horse", DisplayName: "Mina"})
	p.ok(err)
	subject(1, "Adresse bestätigen")
	_, token, _ := strings.Cut(p.server.Await(mina, 1).Link("/verify-email"), "token=")
	_, err = p.accounts.Addresses().Verify(visitorOn("fr"), token)
	p.ok(err)

	forgot("")
	subject(2, "Choisissez un nouveau mot de passe") // as the page on which she signed in
	forgot("es")
	subject(3, "Choisissez un nouveau mot de passe")
	_, err = p.accounts.SignIn(visitorOn(""), account.SignInInput{Email: mina, Password: "correct horse"})
	p.ok(err) // by a program, which has no page
	forgot("")
	subject(4, "Choisissez un nouveau mot de passe")
	de, es := "de", "es"
	p.choose(mina, &de)
	forgot("fr")
	subject(5, "Neues Passwort wählen")

	stop()
	forgot("")
	p.choose(mina, &es) // before the mail that waits has left
	p.run(t, jobs.Config{Mail: p.mail})
	subject(6, "Elige una contraseña nueva")
	p.choose(mina, nil)
	_, err = p.accounts.SignIn(visitorOn("en"), account.SignInInput{Email: mina, Password: "correct horse"})
	p.ok(err)
	forgot("")
	subject(7, "Choose a new password")
}

// An invitation is in the language of its reader's account, else in that of the one who invites.
func TestInvitationsFollowTheReader(t *testing.T) {
	p := newPost(t)
	p.run(t, jobs.Config{Mail: p.mail})
	p.invite("one@example.com")
	if m := p.server.Await("one@example.com", 1); m.Subject != "Invitation to North" {
		t.Errorf("of an inviter who chose nothing: %q", m.Subject)
	}
	fr, de := "fr", "de"
	p.choose("a@example.com", &fr)
	p.exec(t, `INSERT INTO users (id, email, address, display_name, language, created_at, updated_at)
		VALUES (gen_random_uuid(), 'tom@example.com', 'tom@example.com', 'Tom', ?, now(), now())`, de)
	p.invite("two@example.com", "tom@example.com")
	if m := p.server.Await("two@example.com", 1); m.Subject != "Invitation à North" || !strings.Contains(m.Text, "A vous invite à rejoindre North.") {
		t.Errorf("to one without an account: %q, %q", m.Subject, m.Text)
	}
	if m := p.server.Await("tom@example.com", 1); m.Subject != "Einladung: North" || !strings.Contains(m.HTML, `lang="de"`) {
		t.Errorf("to one who reads German: %q, %q", m.Subject, m.HTML)
	}
}
