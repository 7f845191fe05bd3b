package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"atelier/jobs/mail"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/notice"
	"atelier/models/org"
)

// mailsAtOnce is how many mails one process hands to the mail server at a time.
const mailsAtOnce = 10

// Mail is what the mails are made of; without it none leaves.
type Mail struct {
	Sender *mail.Sender
	// PublicURL is the base of links.
	PublicURL string
	Accounts  *account.Service
	Orgs      *org.Service
	Notices   *notice.Service
}

// register adds the workers of every mail.
func (m *Mail) register(workers *river.Workers) {
	river.AddWorker(workers, &mailWorker[account.SignUpMail]{sender: m.Sender, write: m.writeSignUp})
	river.AddWorker(workers, &mailWorker[account.ResetMail]{sender: m.Sender, write: m.writeReset})
	river.AddWorker(workers, &mailWorker[account.AddressMail]{sender: m.Sender, write: m.writeAddress})
	river.AddWorker(workers, &mailWorker[org.InvitationMail]{sender: m.Sender, write: m.writeInvitation, end: m.endInvitation})
	river.AddWorker(workers, &mailWorker[notice.Letter]{sender: m.Sender, write: m.writeNotifications, end: m.endNotifications})
}

// envelope is a letter with where it goes.
type envelope struct {
	to     string
	letter mail.Letter
}

// mailWorker sends one kind of mail: it writes the letter, with its token,
// hands it to the mail server and writes down what became of it.
type mailWorker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	sender *mail.Sender
	// write makes the letter; nil means that none is to be sent.
	write func(context.Context, T) (*envelope, error)
	// end is told once: reason is empty when the mail was taken.
	end func(ctx context.Context, args T, reason string) error
}

// Work sends the mail. A failure that may pass is tried again, see NextRetry.
func (w *mailWorker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	ctx = models.WithActor(ctx, models.System("mail"))
	err := w.send(ctx, job.Args)
	var refused *mail.RefusedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		slog.WarnContext(ctx, "a mail was refused", "kind", job.Kind, "job", job.ID, "error", err)
		return w.ended(ctx, job.Args, org.MailRefused)
	case job.Attempt >= job.MaxAttempts:
		return errors.Join(err, w.ended(ctx, job.Args, org.MailUndeliverable))
	}
	return err
}

func (w *mailWorker[T]) send(ctx context.Context, args T) error {
	e, err := w.write(ctx, args)
	if err != nil || e == nil {
		return err
	}
	if err := w.sender.Send(ctx, e.to, e.letter); err != nil {
		return err
	}
	return w.ended(ctx, args, "")
}

// ended writes down the outcome also when the job's own time is over.
func (w *mailWorker[T]) ended(ctx context.Context, args T, reason string) error {
	if w.end == nil {
		return nil
	}
	return w.end(context.WithoutCancel(ctx), args, reason)
}

// NextRetry is when a mail that failed is tried again.
func (w *mailWorker[T]) NextRetry(job *river.Job[T]) time.Time {
	return time.Now().Add(account.MailRetry(job.Attempt))
}

// Timeout is how long one attempt may take.
func (w *mailWorker[T]) Timeout(*river.Job[T]) time.Duration { return time.Minute }

func (m *Mail) writeSignUp(ctx context.Context, args account.SignUpMail) (*envelope, error) {
	letter, err := m.Accounts.Addresses().WriteSignUpLetter(ctx, args.SignUpID)
	return m.accountEnvelope(ctx, letter, args.Language, err)
}

func (m *Mail) writeReset(ctx context.Context, args account.ResetMail) (*envelope, error) {
	letter, err := m.Accounts.Passwords().WriteResetLetter(ctx, args.Email)
	return m.accountEnvelope(ctx, letter, args.Language, err)
}

func (m *Mail) writeAddress(ctx context.Context, args account.AddressMail) (*envelope, error) {
	letter, err := m.Accounts.Addresses().WriteChangeLetter(ctx, args)
	return m.accountEnvelope(ctx, letter, "", err)
}

// accountEnvelope is a mail about an account; page is the language of the page on which it was asked for.
func (m *Mail) accountEnvelope(ctx context.Context, letter *account.Letter, page string, err error) (*envelope, error) {
	if err != nil || letter == nil {
		return nil, err
	}
	letter.Reader = letter.Reader.Or(page)
	return &envelope{to: letter.Address, letter: mail.AccountLetter(ctx, m.PublicURL, letter)}, nil
}
