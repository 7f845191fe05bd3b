package mail

import (
	"context"
	"net/url"
	"strings"
	"time"

	"atelier/models/account"
	"atelier/models/org"
)

// Letter is a mail in words. Both of its forms are made from it.
type Letter struct {
	Subject    string
	Paragraphs []string
	// Action is the one thing to do; none when its URL is empty.
	Action Action
	// Small is what stands at the end.
	Small []string
}

// Action is a link with what it does.
type Action struct{ Text, URL string }

// text is the letter as plain text.
func (l Letter) text() string {
	parts := append([]string{}, l.Paragraphs...)
	if l.Action.URL != "" {
		parts = append(parts, l.Action.Text+":\r\n"+l.Action.URL)
	}
	return strings.Join(append(parts, l.Small...), "\r\n\r\n") + "\r\n"
}

// html is the letter as a page.
func (l Letter) html(ctx context.Context) (string, error) {
	var b strings.Builder
	err := layout(l).Render(ctx, &b)
	return b.String(), err
}

// until writes a moment for people who may be anywhere.
func until(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04") + " UTC" }

// AccountLetter is the mail about a person's own account. base is PUBLIC_URL.
func AccountLetter(base string, l *account.Letter) Letter {
	link := func(path string) string { return base + path + "?token=" + url.QueryEscape(l.Token) }
	switch l.Kind {
	case account.LetterConfirm:
		return Letter{
			Subject:    "Confirm your address",
			Paragraphs: []string{"Hello,", "Somebody, hopefully you, signed up at " + base + " with this address. Confirm it to finish; your account exists from then on."},
			Action:     Action{"Confirm the address", link("/verify-email")},
			Small:      []string{"The link works once, until " + until(l.Expires) + ". If it was not you, do nothing: without the link there is no account."},
		}
	case account.LetterExists:
		return Letter{
			Subject:    "You have an account already",
			Paragraphs: []string{"Hello,", "Somebody, hopefully you, tried to sign up at " + base + " with this address. It has an account already, so nothing was changed."},
			Action:     Action{"Sign in", base + "/login"},
			Small:      []string{"If you forgot the password, ask for a new one at " + base + "/forgot-password."},
		}
	case account.LetterUninvited:
		return Letter{
			Subject:    "New accounts need an invitation",
			Paragraphs: []string{"Hello,", "Somebody, hopefully you, tried to sign up at " + base + " with this address. New accounts need an invitation there, and none is open for this address."},
			Small:      []string{"Ask whoever wants you there to invite this address, then sign up once more."},
		}
	case account.LetterReset:
		return Letter{
			Subject:    "Choose a new password",
			Paragraphs: []string{"Hello,", "Somebody, hopefully you, asked for a new password at " + base + "."},
			Action:     Action{"Choose a new password", link("/reset-password")},
			Small:      []string{"The link works once, until " + until(l.Expires) + ". If it was not you, do nothing: your password stays as it is."},
		}
	case account.LetterAddressConfirm:
		return Letter{
			Subject:    "Confirm your new address",
			Paragraphs: []string{"Hello,", "You asked to use this address for your account at " + base + ". Confirm it, and you sign in with it from then on."},
			Action:     Action{"Confirm the new address", link("/account/email/confirm")},
			Small:      []string{"The link works once, until " + until(l.Expires) + ". If it was not you, do nothing: the account keeps its address."},
		}
	case account.LetterAddressTaken:
		return Letter{
			Subject:    "This address has an account already",
			Paragraphs: []string{"Hello,", "Another account at " + base + " was to get this address. It has an account of its own already, so nothing was changed."},
			Action:     Action{"Sign in", base + "/login"},
			Small:      []string{"If it was not you, do nothing."},
		}
	case account.LetterAddressAsked:
		return Letter{
			Subject:    "Your address is about to change",
			Paragraphs: []string{"Hello,", "You asked to sign in at " + base + " with another address. It changes once the new address is confirmed by the link that we sent there."},
			Action:     Action{"Change your password", base + "/account/security"},
			Small:      []string{"If it was not you, change your password at once and end all other sessions: the person who asked for it is signed in as you."},
		}
	case account.LetterAddressChanged:
		return Letter{
			Subject:    "Your address was changed",
			Paragraphs: []string{"Hello,", "Your account at " + base + " has another address now. This one no longer signs you in."},
			Small:      []string{"If it was not you, write to the people who run " + base + " at once."},
		}
	}
	return Letter{
		Subject:    "You sign in without a password",
		Paragraphs: []string{"Hello,", "Somebody, hopefully you, asked for a new password at " + base + ". Your account has none: it signs in through your organization's own sign-in."},
		Action:     Action{"Go to the sign-in page", base + "/login"},
	}
}

// InvitationLetter is the mail that invites.
func InvitationLetter(l *org.InvitationLetter) Letter {
	where := l.OrgName
	if l.WorkspaceName != nil {
		where = *l.WorkspaceName + " at " + l.OrgName
	}
	hello := "Hello,"
	if l.Name != "" {
		hello = "Hello " + l.Name + ","
	}
	return Letter{
		Subject:    "Invitation to " + where,
		Paragraphs: []string{hello, l.InviterName + " invites you to " + where + "."},
		Action:     Action{"See the invitation", l.Link},
		Small: []string{
			"The invitation is for this address alone, and open until " + until(l.Expires) + ".",
			"If you do not know " + l.InviterName + ", do nothing: nobody is added without accepting.",
		},
	}
}
