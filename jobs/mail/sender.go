// Package mail writes and sends the service's mails: letters.go holds their
// words, layout.templ how they look, sender.go speaks to the mail server.
package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"time"

	smtp "github.com/wneessen/go-mail"
)

// patience is how long the mail server may take, unless it is changed.
const patience = 20 * time.Second

// Sender hands mails to one mail server.
type Sender struct {
	// Patience is how long the server may take for each of connecting and
	// taking a mail.
	Patience time.Duration

	host    string
	from    *mail.Address
	options []smtp.Option
}

// NewSender reads smtp://user:pass@host:port (STARTTLS where the server has
// it) or smtps://, and the address that every mail is from.
func NewSender(server *url.URL, from string) (*Sender, error) {
	sender, err := mail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("MAIL_FROM: %w", err)
	}
	options := []smtp.Option{smtp.WithoutNoop()}
	if server.Scheme == "smtps" {
		options = append(options, smtp.WithSSLPort(false))
	} else {
		options = append(options, smtp.WithTLSPortPolicy(smtp.TLSOpportunistic))
	}
	if server.Port() != "" {
		port, err := strconv.Atoi(server.Port())
		if err != nil {
			return nil, fmt.Errorf("SMTP_URL: %w", err)
		}
		options = append(options, smtp.WithPort(port))
	}
	if password, ok := server.User.Password(); ok {
		options = append(options, smtp.WithSMTPAuth(authentication(server)), smtp.WithUsername(server.User.Username()), smtp.WithPassword(password))
	}
	s := &Sender{Patience: patience, host: server.Hostname(), from: sender, options: options}
	_, err = s.client()
	return s, err
}

func (s *Sender) client() (*smtp.Client, error) {
	return smtp.NewClient(s.host, append(slices.Clone(s.options), smtp.WithTimeout(s.Patience))...)
}

// authentication is the best that the server offers. Without TLS a password is
// sent as it is to this machine alone.
func authentication(server *url.URL) smtp.SMTPAuthType {
	address, err := netip.ParseAddr(server.Hostname())
	if server.Scheme == "smtp" && (server.Hostname() == "localhost" || err == nil && address.IsLoopback()) {
		return smtp.SMTPAuthPlainNoEnc
	}
	return smtp.SMTPAuthAutoDiscover
}

// RefusedError says that the server will never take the mail.
type RefusedError struct{ Status int }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the mail server refused the mail (%d)", e.Status)
}

// Send hands a mail to the server. A *RefusedError is final; any other error
// may pass. Errors hold no address and no link.
func (s *Sender) Send(ctx context.Context, to string, letter Letter) error {
	message, err := s.message(ctx, to, letter)
	if err != nil {
		return &RefusedError{}
	}
	client, err := s.client()
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, message)
	if err == nil || message.IsDelivered() { // what fails after the server took it does not matter
		return nil
	}
	return describe(err)
}

// Check signs in at the server and sends nothing.
func (s *Sender) Check(ctx context.Context) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	if err := client.DialWithContext(ctx); err != nil {
		return describe(err)
	}
	return client.Close()
}

// describe says what failed without repeating what was sent.
func describe(err error) error {
	var refused *smtp.SendError
	var timeout net.Error
	switch {
	case errors.As(err, &refused) && refused.ErrorCode() >= 500 && (refused.Reason == smtp.ErrSMTPRcptTo || refused.Reason == smtp.ErrSMTPData || refused.Reason == smtp.ErrSMTPDataClose):
		return &RefusedError{Status: refused.ErrorCode()}
	case errors.As(err, &refused) && refused.ErrorCode() > 0:
		return fmt.Errorf("the mail server answered %d (%s)", refused.ErrorCode(), refused.Reason)
	case errors.As(err, &timeout) && timeout.Timeout():
		return errors.New("the mail server did not answer in time")
	case errors.As(err, &refused):
		return fmt.Errorf("the mail server went away (%s)", refused.Reason)
	}
	return fmt.Errorf("the mail server is not to be reached: %w", err)
}

// message is the letter as text and as HTML.
func (s *Sender) message(ctx context.Context, to string, letter Letter) (*smtp.Msg, error) {
	page, err := letter.html(ctx)
	if err != nil {
		return nil, err
	}
	m := smtp.NewMsg()
	m.FromMailAddress(s.from)
	if err := m.To(to); err != nil {
		return nil, err
	}
	m.Subject(letter.Subject)
	m.SetDate()
	m.SetMessageID()
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetGenHeader("X-Auto-Response-Suppress", "All")
	text := letter.text()
	var plain []smtp.PartOption
	if isASCII(text) { // leaves links whole in the source
		plain = append(plain, smtp.WithPartEncoding(smtp.NoEncoding))
	}
	m.SetBodyString(smtp.TypeTextPlain, text, plain...)
	m.AddAlternativeString(smtp.TypeTextHTML, page)
	return m, nil
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
