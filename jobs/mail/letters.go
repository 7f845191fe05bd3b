package mail

import (
	"context"
	"net/url"
	"strings"
	"time"

	"atelier/models/account"
	"atelier/models/org"
	"atelier/web/locale"
)

// What is said goes through these, see docs/translation.md.
var (
	t  = locale.T
	tn = locale.N
	tc = locale.C
)

// Letter is a mail in words. Both of its forms are made from it.
type Letter struct {
	// Language is that of the words; nil is English.
	Language   *locale.Language
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
		parts = append(parts, tc(l.in(context.Background()), "what a link does, in the line above it", "%s:", l.Action.Text)+"\r\n"+l.Action.URL)
	}
	return strings.Join(append(parts, l.Small...), "\r\n\r\n") + "\r\n"
}

// html is the letter as a page.
func (l Letter) html(ctx context.Context) (string, error) {
	var b strings.Builder
	err := layout(l).Render(l.in(ctx), &b)
	return b.String(), err
}

// in is the context of what the letter says.
func (l Letter) in(ctx context.Context) context.Context {
	if l.Language == nil {
		return locale.With(ctx, locale.English)
	}
	return locale.With(ctx, l.Language)
}

// to is the context of what is written to a person: in their language, with times in their zone.
func to(ctx context.Context, reader account.Reader) context.Context {
	ctx = locale.With(ctx, locale.Choose("", reader.Language))
	zone, err := time.LoadLocation(reader.TimeZone)
	if err != nil || reader.TimeZone == "" {
		return locale.WithZone(ctx, nil)
	}
	return locale.WithZone(ctx, zone)
}

// AccountLetter is the mail about a person's own account. base is PUBLIC_URL.
func AccountLetter(ctx context.Context, base string, l *account.Letter) Letter {
	ctx = to(ctx, l.Reader)
	link := func(path string) string { return base + path + "?token=" + url.QueryEscape(l.Token) }
	until := locale.MomentInFull(ctx, l.Expires)
	letter := Letter{Language: locale.Of(ctx)}
	said := ""
	switch l.Kind {
	case account.LetterConfirm:
		letter.Subject = t(ctx, "Confirm your address")
		said = t(ctx, "Someone, hopefully you, signed up at %s with this address. Confirm it to finish; your account exists from then on.", base)
		letter.Action = Action{t(ctx, "Confirm the address"), link("/verify-email")}
		letter.Small = []string{t(ctx, "The link works once, until %s. If it was not you, do nothing: without the link there is no account.", until)}
	case account.LetterExists:
		letter.Subject = t(ctx, "You have an account already")
		said = t(ctx, "Someone, hopefully you, tried to sign up at %s with this address. It has an account already, so nothing was changed.", base)
		letter.Action = Action{t(ctx, "Sign in"), base + "/login"}
		letter.Small = []string{t(ctx, "If you forgot the password, ask for a new one at %s.", base+"/forgot-password")}
	case account.LetterUninvited:
		letter.Subject = t(ctx, "New accounts need an invitation")
		said = t(ctx, "Someone, hopefully you, tried to sign up at %s with this address. New accounts need an invitation there, and none is open for this address.", base)
		letter.Small = []string{t(ctx, "Ask the person who wants you there to invite this address, then sign up once more.")}
	case account.LetterReset:
		letter.Subject = t(ctx, "Choose a new password")
		said = t(ctx, "Someone, hopefully you, asked for a new password at %s.", base)
		letter.Action = Action{t(ctx, "Choose a new password"), link("/reset-password")}
		letter.Small = []string{t(ctx, "The link works once, until %s. If it was not you, do nothing: your password stays as it is.", until)}
	case account.LetterAddressConfirm:
		letter.Subject = t(ctx, "Confirm your new address")
		said = t(ctx, "You asked to use this address for your account at %s. Confirm it, and you sign in with it from then on.", base)
		letter.Action = Action{t(ctx, "Confirm the new address"), link("/account/email/confirm")}
		letter.Small = []string{t(ctx, "The link works once, until %s. If it was not you, do nothing: the account keeps its address.", until)}
	case account.LetterAddressTaken:
		letter.Subject = t(ctx, "This address has an account already")
		said = t(ctx, "Another account at %s was to get this address. It has an account of its own already, so nothing was changed.", base)
		letter.Action = Action{t(ctx, "Sign in"), base + "/login"}
		letter.Small = []string{t(ctx, "If it was not you, do nothing.")}
	case account.LetterAddressAsked:
		letter.Subject = t(ctx, "Your address is about to change")
		said = t(ctx, "You asked to sign in at %s with another address. It changes once the new address is confirmed by the link that we sent there.", base)
		letter.Action = Action{t(ctx, "Change your password"), base + "/account/security"}
		letter.Small = []string{t(ctx, "If it was not you, change your password at once and end all other sessions: the person who asked for it is signed in as you.")}
	case account.LetterAddressChanged:
		letter.Subject = t(ctx, "Your address was changed")
		said = t(ctx, "Your account at %s has another address now. This one no longer signs you in.", base)
		letter.Small = []string{t(ctx, "If it was not you, write to the people who run %s at once.", base)}
	default:
		letter.Subject = t(ctx, "You sign in without a password")
		said = t(ctx, "Someone, hopefully you, asked for a new password at %s. Your account has none: it signs in through your organization's own sign-in.", base)
		letter.Action = Action{t(ctx, "Go to the sign-in page"), base + "/login"}
	}
	letter.Paragraphs = []string{hello(ctx, ""), said}
	return letter
}

// hello greets a person, by their name where it is known.
func hello(ctx context.Context, name string) string {
	if name == "" {
		return t(ctx, "Hello,")
	}
	return t(ctx, "Hello %s,", name)
}

// InvitationLetter is the mail that invites.
func InvitationLetter(ctx context.Context, l *org.InvitationLetter) Letter {
	ctx = to(ctx, l.Reader)
	letter := Letter{
		Language: locale.Of(ctx),
		Action:   Action{t(ctx, "See the invitation"), l.Link},
		Small: []string{
			t(ctx, "The invitation is for this address alone, and open until %s.", locale.MomentInFull(ctx, l.Expires)),
			t(ctx, "If you do not know %s, do nothing: no one is added without accepting.", l.InviterName),
		},
	}
	var said string
	if l.WorkspaceName == nil {
		letter.Subject, said = t(ctx, "Invitation to %s", l.OrgName), t(ctx, "%s invites you to %s.", l.InviterName, l.OrgName)
	} else {
		letter.Subject = t(ctx, "Invitation to %s at %s", *l.WorkspaceName, l.OrgName)
		said = t(ctx, "%s invites you to %s at %s.", l.InviterName, *l.WorkspaceName, l.OrgName)
	}
	letter.Paragraphs = []string{hello(ctx, l.Name), said}
	return letter
}
