package jobs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"atelier/jobs"
	"atelier/jobs/mail"
	"atelier/jobs/mail/mailtest"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
)

const base = "https://atelier.example"

// post is an install with a mail server, a school and its owner.
type post struct {
	*house
	t        *testing.T
	server   *mailtest.Server
	mail     *jobs.Mail
	accounts *account.Service
	orgs     *org.Service
	school   *org.Organization
}

func newPost(t *testing.T) *post {
	h := newHouse(t)
	accounts := &account.Service{DB: h.db, SessionKey: []byte(strings.Repeat("k", 32)), SignUpMode: "open", Mail: true}
	p := &post{
		house: h, t: t, server: mailtest.New(t), accounts: accounts,
		orgs: &org.Service{DB: h.db, Accounts: accounts, AutoApprove: true, Mail: true, PublicURL: base},
	}
	sender, err := mail.NewSender(p.server.URL(), "Atelier <no-reply@atelier.example>")
	p.ok(err)
	sender.Patience = 8 * time.Second // a mail that the server took meanwhile would come twice
	p.mail = &jobs.Mail{Sender: sender, PublicURL: base, Accounts: accounts, Orgs: p.orgs}
	yes := true
	p.school, err = p.orgs.CreateOrganization(h.ctx, org.CreateOrganizationInput{Name: "North", Kind: org.School, AcceptTerms: &yes})
	p.ok(err)
	return p
}

func (p *post) ok(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *post) invite(emails ...string) *org.InvitationBatch {
	p.t.Helper()
	batch, err := p.orgs.Invitations().Create(p.ctx, p.school.ID, org.CreateInvitationsInput{Emails: emails})
	p.ok(err)
	for _, send := range batch.Sends {
		if send.Outcome() != org.SendSent || send.Link != nil {
			p.t.Fatalf("row %+v", send)
		}
	}
	return batch
}

func (p *post) found(batch *org.InvitationBatch) *org.InvitationBatch {
	p.t.Helper()
	found, err := p.orgs.Invitations().FindBatch(p.ctx, batch.ID)
	p.ok(err)
	return found
}

// settled waits until no mail of a call waits; hurry tries failed ones at once.
func (p *post) settled(batch *org.InvitationBatch, hurry bool) *org.InvitationBatch {
	p.t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for {
		found := p.found(batch)
		if found.Waiting() == 0 {
			return found
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%d mails wait", found.Waiting())
		}
		if hurry {
			p.exec(p.t, `UPDATE river_job SET state = 'available', scheduled_at = now() WHERE state = 'retryable'`)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// outcomes are the statuses and errors of a call's rows, with how many have them.
func outcomes(batch *org.InvitationBatch) string {
	counts := map[string]int{}
	for _, send := range batch.Sends {
		outcome := string(send.Status)
		if send.Error != nil {
			outcome += " " + *send.Error
		}
		counts[outcome]++
	}
	return fmt.Sprint(counts)
}

func people(n int) (emails []string) {
	for i := range n {
		emails = append(emails, fmt.Sprintf("p%d@example.com", i))
	}
	return emails
}

// A call of 200 goes on whatever becomes of single addresses, and no row says
// more than what is so.
func TestBulkInvitations(t *testing.T) {
	p := newPost(t)
	p.server.Answer = func(to string, attempt int) int {
		switch {
		case to == "p1@example.com":
			return 550
		case to == "p2@example.com" && attempt == 1, to == "p3@example.com":
			return 451
		case to == "p4@example.com" && attempt == 1:
			return 0
		}
		return 250
	}
	batch := p.invite(people(200)...)
	if got := outcomes(p.found(batch)); got != "map[queued:200]" {
		t.Fatalf("before: %s", got)
	}
	page, err := p.orgs.Invitations().List(p.ctx, p.school.ID, org.InvitationFilter{}, models.Page{})
	p.ok(err)
	var revoked *org.Invitation
	for _, i := range page.Nodes {
		if i.Email == "p199@example.com" {
			revoked = i
		}
	}
	p.ok(p.orgs.Invitations().Revoke(p.ctx, revoked.ID))

	frames, err := p.orgs.Invitations().WatchBatch(p.ctx, batch.ID)
	p.ok(err)
	p.run(t, jobs.Config{Mail: p.mail})
	after := p.settled(batch, true)
	if got := outcomes(after); got != "map[failed mail_refused:1 failed mail_undeliverable:1 failed not_needed:1 sent:197]" {
		t.Fatalf("after: %s", got)
	}
	if n := len(p.server.Mails()); n != 197 || len(p.server.To("p199@example.com")) != 0 {
		t.Errorf("%d mails arrived", n)
	}
	last := batch
	for frame := range frames { // ends by itself when none waits
		last = frame
	}
	if last.Waiting() != 0 {
		t.Errorf("the last frame says that %d wait", last.Waiting())
	}

	t.Run("retry", func(t *testing.T) {
		p.server.Answer = nil
		again, err := p.orgs.Invitations().Retry(p.ctx, batch.ID)
		p.ok(err)
		if after.Retryable() != 2 || len(again.Sends) != 2 {
			t.Fatalf("%d of %d sent again", len(again.Sends), after.Retryable())
		}
		if got := outcomes(p.settled(again, false)); got != "map[sent:2]" {
			t.Errorf("again: %s", got)
		}
		_, err = p.orgs.Invitations().Retry(p.ctx, again.ID)
		if !models.HasCode(err, models.CodeValidation) {
			t.Errorf("nothing to send again: %v", err)
		}
	})
}

func TestInvitationIsMailed(t *testing.T) {
	p := newPost(t)
	p.run(t, jobs.Config{Mail: p.mail})
	p.invite("mina@example.com")
	m := p.server.Await("mina@example.com", 1)
	link := m.Link("/invitations/")
	token, ok := strings.CutPrefix(link, base+"/invitations/")
	if !ok || m.Subject != "Invitation to North" || !strings.Contains(m.Text, "A invites you to North") || !strings.Contains(m.HTML, link) {
		t.Fatalf("mail %+v", m)
	}
	for _, table := range []string{"invitations", "invitation_sends", "river_job", "audit_entries"} {
		if n := p.count(t, `SELECT count(*) FROM `+table+` t WHERE t::text LIKE ?`, "%"+token+"%"); n != 0 {
			t.Errorf("%s holds the token", table)
		}
	}
	found, err := p.orgs.Invitations().FindByToken(context.Background(), token)
	p.ok(err)
	if found.State != org.InvitationOpen {
		t.Errorf("the link shows %+v", found)
	}

	page, err := p.orgs.Invitations().List(p.ctx, p.school.ID, org.InvitationFilter{}, models.Page{})
	p.ok(err)
	send, err := p.orgs.Invitations().Resend(p.ctx, page.Nodes[0].ID, false)
	p.ok(err)
	if send.Outcome() != org.SendSent || send.Link != nil {
		t.Errorf("resent %+v", send)
	}
	_, err = p.orgs.Invitations().FindByToken(context.Background(), token)
	if !models.HasCode(err, models.CodeInvitationNotFound) {
		t.Errorf("the old link: %v", err)
	}
	second := p.server.Await("mina@example.com", 2)
	send, err = p.orgs.Invitations().Resend(p.ctx, page.Nodes[0].ID, true)
	p.ok(err)
	if send.Status != org.SendLinkOnly || send.Link == nil || *send.Link == second.Link("/invitations/") {
		t.Errorf("for the clipboard %+v", send)
	}
}

// What changed before a mail leaves is not mailed.
func TestMailsThatAreNoLongerNeeded(t *testing.T) {
	p := newPost(t)
	first := p.invite("mina@example.com", "tom@example.com")
	second := p.invite("mina@example.com")
	p.run(t, jobs.Config{Mail: p.mail})
	p.settled(second, false)
	if got := outcomes(p.settled(first, false)); got != "map[failed not_needed:1 sent:1]" {
		t.Errorf("the first call: %s", got)
	}
	if n := len(p.server.To("mina@example.com")); n != 1 {
		t.Errorf("%d mails", n)
	}
}

func TestSuspendedOrganizationSendsNothing(t *testing.T) {
	p := newPost(t)
	batch := p.invite(people(5)...)
	p.exec(t, `UPDATE organizations SET status = 'suspended'`)
	p.run(t, jobs.Config{Mail: p.mail})
	if got := outcomes(p.settled(batch, false)); got != "map[failed org_not_active:5]" || len(p.server.Mails()) != 0 {
		t.Errorf("%s, %d mails", got, len(p.server.Mails()))
	}
}

func TestSignUpMails(t *testing.T) {
	p := newPost(t)
	p.run(t, jobs.Config{Mail: p.mail})
	visitor := models.WithActor(context.Background(), models.Actor{Kind: models.Anonymous, IP: "192.0.2.1"})
	signUp := func(email string) {
		t.Helper()
		result, err := p.accounts.SignUp(visitor, account.SignUpInput{Email: email, Password: "correct horse", DisplayName: "Mina"})
		p.ok(err)
		if result.SignedIn != nil {
			t.Fatal("signed in before the address was confirmed")
		}
	}
	token := func(m mailtest.Mail, path string) string {
		t.Helper()
		token, ok := strings.CutPrefix(m.Link(path), base+path+"?token=")
		if !ok {
			t.Fatalf("mail %q", m.Text)
		}
		return token
	}
	signUp("mina@example.com")
	_, err := p.accounts.Addresses().Verify(visitor, token(p.server.Await("mina@example.com", 1), "/verify-email"))
	p.ok(err)
	signUp("mina@example.com")
	if m := p.server.Await("mina@example.com", 2); m.Link("token") != "" || m.Link("/login") == "" {
		t.Errorf("to somebody who has an account: %q", m.Text)
	}
	p.ok(p.accounts.Passwords().Forgot(visitor, "nobody@example.com"))
	p.ok(p.accounts.Passwords().Forgot(visitor, "mina@example.com"))
	_, err = p.accounts.Passwords().Reset(visitor, token(p.server.Await("mina@example.com", 3), "/reset-password"), "another password")
	p.ok(err)
	if n := len(p.server.To("nobody@example.com")); n != 0 {
		t.Errorf("an address without an account got %d mails", n)
	}
}
