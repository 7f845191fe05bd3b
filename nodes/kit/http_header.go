package kit

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// MaxSecretHeader is the longest value of a secret header as it is typed, in
// bytes; sealed it fits into maxHeader.
const (
	MaxSecretHeader = 4_000
	MaxHeader       = 6_000
)

// secretWords in a header's name say that its value is a secret.
var secretWords = []string{
	"apikey", "auth", "bearer", "cookie", "credential", "jwt", "key", "passphrase", "password", "passwd",
	"secret", "session", "signature", "token",
}

// IsSecretHeader tells whether the value of a header is kept sealed, by its name.
func IsSecretHeader(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(name, word) })
}

// SealedPrefix begins a sealed value; a sealed text of models.Vault follows.
const SealedPrefix = "sealed:"

var sealedForm = regexp.MustCompile(`^sealed:v1\.[0-9a-f]{8}\.[A-Za-z0-9+/]{80}\.[A-Za-z0-9+/]{38,}$`)

// IsSealed tells whether a header's value is a sealed one, no matter who sealed it.
func IsSealed(value string) bool { return sealedForm.MatchString(value) }

// HostOf is the host and port that an address names, in lower case, and what
// was written where it names none. It is empty only for an empty address.
func HostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	port := u.Port()
	if port == "" && u.Scheme == "https" {
		port = "443"
	}
	return strings.ToLower(u.Hostname()) + ":" + port
}

// SetHeaders sets the type of what is sent, and over it the author's headers.
// What is sealed is opened here and nowhere else.
func (in *Call) SetHeaders(ctx context.Context, req *http.Request, sent any) error {
	switch sent.(type) {
	case nil:
	case string:
		req.Header.Set("Content-Type", "text/plain; charset=utf-8")
	default:
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range in.Object("headers") {
		text, _ := value.(string)
		if IsSealed(text) {
			var err error
			if text, err = in.openHeader(ctx, name, text); err != nil {
				return err
			}
		}
		req.Header.Set(name, text)
	}
	return nil
}

// openHeader is the value of a sealed header, for the address that is asked.
func (in *Call) openHeader(ctx context.Context, name, sealed string) (string, error) {
	value, ok := "", false
	if in.OpenHeader != nil {
		var err error
		if value, ok, err = in.OpenHeader(ctx, sealed, HostOf(in.Text("url"))); err != nil {
			return "", err
		}
	}
	switch {
	case !ok:
		return "", Failf("The header %s was sealed for another owner or address", name).WithHint("Type its value again. Where the address flows in, write one on the same host in the node first.")
	case !httpguts.ValidHeaderFieldValue(value):
		return "", Failf("The header %s must be one line", name).WithHint("Type its value again.")
	}
	return value, nil
}
