package account

import (
	"cmp"
	"context"
	"time"

	"atelier/models"

	"github.com/riverqueue/river"
)

// MailQueue is River's queue of everything that is mailed, so that a mail
// server that hangs holds up nothing else.
const MailQueue = "mail"

// MailAttempts is how often a mail is tried; MailRetry says when.
const MailAttempts = 8

// MailOptions are how a mail is enqueued.
func MailOptions() *river.InsertOpts {
	return &river.InsertOpts{Queue: MailQueue, MaxAttempts: MailAttempts}
}

// mailWaits follow the failed attempts: a server that greylists lets the
// second or third try pass, one that is down has most of a day to come back.
var mailWaits = []time.Duration{
	30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour,
}

// MailRetry is how long to wait after a number of failed attempts.
func MailRetry(attempts int) time.Duration {
	return mailWaits[min(max(attempts, 1), len(mailWaits))-1]
}

// SignUpMail is the job that answers a sign-up by mail: with a link that
// confirms the address, or with what is the case instead.
type SignUpMail struct {
	SignUpID models.ID `json:"signUpId"`
	// Language is that of the page on which a person signed up.
	Language string `json:"language,omitempty"`
}

func (SignUpMail) Kind() string { return "mail_sign_up" }

// ResetMail is the job that answers a forgotten password. It exists for every
// address alike; an address without an account gets no mail.
type ResetMail struct {
	Email string `json:"email"`
	// Language is that of the page on which a person asked.
	Language string `json:"language,omitempty"`
}

func (ResetMail) Kind() string { return "mail_reset" }

// LetterKind is what a mail to a person is about.
type LetterKind string

const (
	LetterConfirm   LetterKind = "confirm"   // follow the link to finish signing up
	LetterExists    LetterKind = "exists"    // the address has an account already
	LetterUninvited LetterKind = "uninvited" // new accounts need an invitation here
	LetterReset     LetterKind = "reset"     // follow the link to choose a password
	LetterExternal  LetterKind = "external"  // the account signs in through a provider

	// Of a change of an account's address: to the new one, with a link; to it where it has an account of its own; to the
	// old one, and to it once more when it is done.
	LetterAddressConfirm LetterKind = "address_confirm"
	LetterAddressTaken   LetterKind = "address_taken"
	LetterAddressAsked   LetterKind = "address_asked"
	LetterAddressChanged LetterKind = "address_changed"
)

// Reader is how a person reads: in which language, and in which time zone; empty where no one knows it.
type Reader struct{ Language, TimeZone string }

// Reader is how the account's person reads mails: in the language that they chose, else in that of the page on which
// they signed in last.
func (u *User) Reader() Reader {
	return Reader{Language: cmp.Or(models.Deref(u.Language), models.Deref(u.PageLanguage)), TimeZone: models.Deref(u.TimeZone)}
}

// Or is the reader, in another language where no one knows theirs.
func (r Reader) Or(language string) Reader {
	r.Language = cmp.Or(r.Language, language)
	return r
}

// Letter is a mail to be written: to whom, about what, and the link's token,
// which is known nowhere else. It names no one: the person who caused it may have
// chosen the name.
type Letter struct {
	Kind    LetterKind
	Address string
	Reader  Reader
	Token   string
	Expires time.Time
}

// requireMail hides the routes that need mail on installs without it.
func (s *Service) requireMail() error {
	if s.Mail {
		return nil
	}
	return models.Err(models.CodeNotFound, "This install sends no mail, so there is nothing here")
}

// How often a network may cause mail to an address, whether or not it has an
// account; an address gets mail, from everywhere together, save from networks
// where its account was signed in; and a network causes mail, or tries a mailed token.
var (
	mailsToAddress  = models.Limit{Name: "mail.address.network", Max: 5, Per: time.Hour}
	mailsOfAddress  = models.Limit{Name: "mail.address", Max: 20, Per: time.Hour}
	mailsOfNetwork  = models.Limit{Name: "mail.ip", Max: 60, Per: time.Hour}
	tokensOfNetwork = models.Limit{Name: "mail.token.ip", Max: 30, Per: time.Minute}
)

// countMail counts a mail that a person causes: rate_limit_exceeded.
func (s *Service) countMail(ctx context.Context, email string) error {
	network := models.ActorFrom(ctx).Network()
	counted := []models.Attempt{{Limit: mailsToAddress, Key: email + " " + network}}
	if network != "" {
		counted = append(counted, models.Attempt{Limit: mailsOfNetwork, Key: network})
	}
	_, err := s.countKnown(ctx, email, models.Attempt{Limit: mailsOfAddress, Key: email}, counted)
	return err
}
