package frame

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// Config is what the console needs of its surroundings.
type Config struct {
	Executor Executor
	// PublicURL is the base of links, without a slash at its end.
	PublicURL string
	// SecureCookies is true where PublicURL is https.
	SecureCookies bool
	// Development shows the storybook to everybody; else it is the operators'.
	Development bool
	SignIn      SignIn
	// Upload keeps files that people choose in the form of an app; without it they give addresses.
	Upload Uploader
	// Picture keeps the picture that somebody chose of themselves.
	Picture func(ctx context.Context, file io.Reader) error
	// Zone is that of readers whose own nobody knows; nil shows them UTC.
	Zone *time.Location
	// Log takes failures that are nobody's refusal; slog.Default when nil.
	Log *slog.Logger
	// Now is time.Now when nil.
	Now func() time.Time
}

// SignIn is what the sign-in page offers. The zero value offers the form for address and password alone.
type SignIn struct {
	// ExternalOnly hides that form; it stays at /login?billing=1 (contract 3, "Authentication").
	ExternalOnly bool
	// Providers are buttons that lead to an external sign-in.
	Providers []SignInProvider
}

// SignInProvider is one button: "Sign in with Northgate", and the path that starts it.
type SignInProvider struct{ Label, Path string }

// Console is the pages of the service. The session and the selected workspace are in the context of each request,
// put there by the chain in front; the console reads no session itself.
type Console struct {
	// Config is what New was given, with what it left out.
	Config Config
	// Client is what the calls of package query go through.
	Client client
	cross  *http.CrossOriginProtection
}

// New makes the console.
func New(config Config) *Console {
	config.PublicURL = strings.TrimSuffix(config.PublicURL, "/")
	if config.Log == nil {
		config.Log = slog.Default()
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	c := &Console{Config: config, Client: client{config.Executor}, cross: http.NewCrossOriginProtection()}
	if err := c.cross.AddTrustedOrigin(config.PublicURL); err != nil {
		config.Log.Warn("PUBLIC_URL is no origin; forms are checked against the request's host alone", "error", err)
	}
	return c
}

// Now is the time, as the configuration tells it.
func (c *Console) Now() time.Time { return c.Config.Now() }
