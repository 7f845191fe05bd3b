package mail_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/jobs/mail"
	"atelier/jobs/mail/mailtest"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/notice"
	"atelier/models/org"
	"atelier/web/locale"
)

const base = "https://atelier.example"

var expires = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// names are what people, rooms and things are called; they are the same in every language.
var names = []string{"Zyx", "Wörk", "Qtq", "Xkx", "Jfj"}

var letterKinds = []account.LetterKind{
	account.LetterConfirm, account.LetterExists, account.LetterUninvited, account.LetterReset, account.LetterExternal,
	account.LetterAddressConfirm, account.LetterAddressTaken, account.LetterAddressAsked, account.LetterAddressChanged,
}

// told are notifications of every kind, in every way in which it is said.
func told() (all []*notice.Notification) {
	id, one, some, more, none := models.ID{1}, models.Credit, 1_250*models.Credit+500, 2_000*models.Credit, models.Credits(0)
	for _, kind := range notice.Kinds {
		statuses := map[notice.Kind][]string{
			notice.CreditAnswer: {"given", "declined"}, notice.CreditsReceived: {"", "purchased", "reinstated"}, notice.CreditsTaken: {"refund", "dispute"},
			notice.OrganizationStatus: {"pending", "suspended", "reinstated", "active"},
			notice.AutomationStopped:  {"webhook", "schedule", "webhook_refused", "schedule_refused"},
			notice.PostAwaits:         {"pending_review", "reported"}, notice.PostDecided: {"visible", "rejected", "hidden"},
			notice.SecondFactorChanged: {
				string(account.TotpAdded), string(account.TotpRemoved), string(account.PasskeyAdded), string(account.PasskeyRemoved),
				string(account.RecoveryUsed), string(account.RecoveryMade), string(account.GuardReset), "",
			},
		}[kind]
		if statuses == nil {
			statuses = []string{""}
		}
		things := map[notice.Kind][]string{notice.Depicted: {"face", "voice", "character"}, notice.ConsentAwaited: {"face", "voice", "character"}}[kind]
		if things == nil {
			things = names[2:3]
		}
		for _, status := range statuses {
			for _, thing := range things {
				for variant := range 8 {
					n := &notice.Notification{Kind: kind, OrganizationID: &id, WorkspaceID: &id, SubjectID: &id, Count: 1 + variant%3, Facts: notice.Facts{
						Organization: names[0], Workspace: names[1], Person: names[3], Thing: thing, Status: status, Reason: names[4],
						Code: []string{notice.Parked, string(models.CodeRunRequiresMember), string(models.CodeBudgetExceeded),
							string(models.CodeMemberCapExceeded), string(models.CodeInsufficientCredits)}[variant%5],
						Amount: &some, Left: &one, Level: []int{0, 50, 80, 100}[variant%4],
						Month: "2026-10", Before: []*models.Credits{&one, &none, &more, &some}[variant%4],
						ByWorkspace: []notice.Spending{{Name: names[1], Amount: one}}, ByMember: []notice.Spending{{Name: names[3], Amount: some}},
					}}
					if variant%2 == 1 {
						n.WorkspaceID, n.Facts.Workspace = nil, ""
					}
					if variant == 4 {
						n.Facts.Left = &none
					}
					if variant == 6 && kind != notice.CreditsReceived {
						n.Facts.Amount = nil
					}
					all = append(all, n)
				}
			}
		}
	}
	return all
}

// letters are mails of every kind to a reader, by what they are about.
func letters(to account.Reader) map[string]mail.Letter {
	ctx := context.Background()
	all := map[string]mail.Letter{}
	for _, kind := range letterKinds {
		all["account "+string(kind)] = mail.AccountLetter(ctx, base, &account.Letter{Kind: kind, Token: "t0ken", Expires: expires, Reader: to})
	}
	for _, name := range []string{"", names[3]} {
		for _, room := range []*string{nil, &names[1]} {
			all[fmt.Sprintf("invitation %q %t", name, room != nil)] = mail.InvitationLetter(ctx, &org.InvitationLetter{
				Name: name, Reader: to, OrgName: names[0], InviterName: names[2], WorkspaceName: room, Link: base + "/invitations/t0ken", Expires: expires,
			})
		}
	}
	for i, n := range told() {
		all[fmt.Sprintf("notification %s %d", n.Kind, i)] = mail.NotificationLetter(ctx, base, &notice.Written{Name: names[3], Reader: to, Told: []*notice.Notification{n}})
	}
	for _, more := range []int{0, 1, 3} {
		all[fmt.Sprintf("notifications and %d", more)] = mail.NotificationLetter(ctx, base, &notice.Written{Name: names[3], Reader: to, Told: told()[:2], More: more})
	}
	return all
}

// sentences are everything that a letter says.
func sentences(l mail.Letter) []string {
	all := slices.Concat([]string{l.Subject}, l.Paragraphs, l.Small)
	if l.Action.URL != "" {
		all = append(all, l.Action.Text)
	}
	return all
}

// plain is a letter without accent that the mirrored language would have changed.
var plain = regexp.MustCompile(`[aeiou]`)

// Every sentence goes through the translations: in the mirrored language nothing is left but names, addresses and dates.
func TestEverySentenceOfAMailIsTranslatable(t *testing.T) {
	given := strings.NewReplacer("\u2068", "", "\u2069", "", base+"/account/notifications", "", base+"/forgot-password", "", base, "", "2 March 2026", "", "October 2026", "",
		names[0], "", names[1], "", names[2], "", names[3], "", names[4], "")
	for about, l := range letters(account.Reader{Language: "ar-XB"}) {
		for _, s := range sentences(l) {
			if left := given.Replace(s); plain.MatchString(left) {
				t.Errorf("%s says %q", about, left)
			}
		}
	}
}

// Each language has all sentences, with the links and names of the English mail.
func TestMailsAreInTheLanguageOfTheirReader(t *testing.T) {
	english := letters(account.Reader{})
	for _, code := range []string{"de", "es", "fr"} {
		for about, l := range letters(account.Reader{Language: code}) {
			of := english[about]
			if l.Language != locale.ByCode(code) || l.Action.URL != of.Action.URL || len(l.Paragraphs) != len(of.Paragraphs) || len(l.Small) != len(of.Small) {
				t.Fatalf("%s in %s: %+v", about, code, l)
			}
			same := sentences(of)
			for i, s := range sentences(l) {
				if s == same[i] {
					t.Errorf("%s in %s says %q", about, code, s)
				}
				for _, kept := range append(names, base) {
					if strings.Contains(same[i], kept) && !strings.Contains(s, kept) && !strings.Contains(about, "automation_stopped") {
						t.Errorf("%s in %s: %q lacks %s", about, code, s, kept)
					}
				}
				if strings.ContainsAny(s, "{}%") || strings.Contains(s, "\u2068") {
					t.Errorf("%s in %s: %q", about, code, s)
				}
			}
		}
	}
	for _, unknown := range []string{"", "ja", "tlh", strings.Repeat("x", 300)} {
		if l := letters(account.Reader{Language: unknown})["account reset"]; l.Subject != "Choose a new password" {
			t.Errorf("in %.10q: %q", unknown, l.Subject)
		}
	}
}

// A mail in another language arrives whole, in both of its forms.
func TestMailInGermanArrives(t *testing.T) {
	server := mailtest.New(t)
	room := "Klasse 9b"
	l := mail.InvitationLetter(context.Background(), &org.InvitationLetter{
		Name: "Mina", Reader: account.Reader{Language: "de", TimeZone: "Europe/Berlin"}, OrgName: "Nordschule", InviterName: "Änne", WorkspaceName: &room,
		Link: base + "/invitations/" + strings.Repeat("x", 90), Expires: expires,
	})
	if err := newSender(t, server).Send(context.Background(), "mina@example.com", l); err != nil {
		t.Fatal(err)
	}
	m := server.Mails()[0]
	if m.Subject != "Einladung: Klasse 9b (Nordschule)" {
		t.Errorf("subject %q", m.Subject)
	}
	for _, part := range []string{"Guten Tag Mina", "Änne lädt Sie ein, Klasse 9b (Nordschule) beizutreten.", "bis zum 2. März 2026, 10:00 offen", "Einladung ansehen", l.Action.URL} {
		if !strings.Contains(m.Text, part) || !strings.Contains(m.HTML, part) {
			t.Errorf("%q is missing in %q or %q", part, m.Text, m.HTML)
		}
	}
	if !strings.Contains(m.HTML, `<html lang="de">`) || !strings.Contains(m.Text, "Einladung ansehen:\r\n"+l.Action.URL+"\r\n") {
		t.Errorf("mail %q, %q", m.Text, m.HTML)
	}
}

// A subject beyond ASCII is an encoded word (RFC 2047), however long it is.
func TestSubjectsAreEncoded(t *testing.T) {
	server := mailtest.New(t)
	sender := newSender(t, server)
	encoded := regexp.MustCompile(`(?m)^Subject:(\r\n)? (=\?UTF-8\?[qQbB]\?[!->@-~]+\?=(\r\n )?)+\r\n`)
	for i, code := range []string{"de", "es", "fr"} {
		n := &notice.Notification{Kind: notice.EndpointOff, Facts: notice.Facts{Thing: "Übung für Schülerinnen " + strings.Repeat("é", 50)}}
		l := mail.NotificationLetter(context.Background(), base, &notice.Written{Name: "Mina", Reader: account.Reader{Language: code}, Told: []*notice.Notification{n}})
		if err := sender.Send(context.Background(), "mina@example.com", l); err != nil {
			t.Fatal(err)
		}
		m := server.Mails()[i]
		head, _, _ := strings.Cut(m.Raw, "\r\n\r\n")
		if m.Subject != l.Subject || !encoded.MatchString(head+"\r\n") {
			t.Errorf("%s: subject %q, of %q", code, m.Subject, head)
		}
		for _, line := range strings.Split(head, "\r\n") {
			if len(line) > 78+len("Subject: ") || strings.ContainsFunc(line, func(r rune) bool { return r > 126 }) {
				t.Errorf("%s: line %q", code, line)
			}
		}
	}
}
