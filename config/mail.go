package config

import (
	"errors"
	"net/mail"
	"net/url"
)

var mailVariables = Group{"Mail", []Variable{
	{"SMTP_URL", "", "smtp://user:pass@host:port (or smtps://); unset: no mail is sent",
		parseSMTPURL},
	{"MAIL_FROM", "", "sender of every mail: an address, or Name <address>",
		into(func(c *Config) *string { return &c.MailFrom }, parseSender)},
}}

func parseSMTPURL(c *Config, s string) error {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "smtp" && u.Scheme != "smtps") || u.Hostname() == "" {
		return errors.New("must be smtp://user:pass@host:port, or the same with smtps")
	}
	c.SMTPURL = u
	return nil
}

func parseSender(s string) (string, error) {
	if _, err := mail.ParseAddress(s); err != nil {
		return "", errors.New("must be an address, or Name <address>")
	}
	return s, nil
}
