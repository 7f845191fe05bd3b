package frame

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"atelier/web/apidoc"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// Config is what the console needs of its surroundings.
type Config struct {
	Executor Executor
	// PublicURL is the base of links, without a slash at its end.
	PublicURL string
	// SecureCookies is true where PublicURL is https.
	SecureCookies bool
	// Development shows the storybook to everyone; else it is the operators'.
	Development bool
	// SignInBrowser is the name of the cookie with the secret of a browser in which an external sign-in began.
	SignInBrowser string
	// Passkeys tells whether people can sign in with them.
	Passkeys bool
	// Upload keeps files that people choose in the form of an app; without it they give addresses.
	Upload Uploader
	// Arriving counts the room of files as they come, until done; take says when there is none left. nil counts nothing.
	Arriving func(ctx context.Context) (counted context.Context, take func(bytes int64) error, done func(), err error)
	// Export is everything that is kept of an element or a voice (of kind voice), as a file of that name; nil offers none.
	Export func(ctx context.Context, kind, id string) (file io.WriterTo, name string, err error)
	// ExportProduction is a production in a format (json, csv, srt, vtt, zip), as a file of that content type and name; nil
	// offers none.
	ExportProduction func(ctx context.Context, id, format string) (file io.WriterTo, contentType, name string, err error)
	// ExportResults are the results of those ids that the one who asks may see, as a file of that name; nil offers none.
	ExportResults func(ctx context.Context, ids []string) (file io.WriterTo, name string, err error)
	// Takeout is everything that is stored of the person who asks, or of an organization of theirs, as a file of that name;
	// nil offers none.
	Takeout func(ctx context.Context, organization string) (file io.WriterTo, name string, err error)
	// Document is the OpenAPI document of /v1; nil has no pages on it.
	Document func() ([]byte, error)
	// Statements are the texts that people confirm with a consent, by who is depicted.
	Statements []Statement
	// InWorkspace is the context of a request that works in another workspace than its address says, or in the personal
	// space where the id is empty; nil leaves it.
	InWorkspace func(ctx context.Context, workspace string) (context.Context, error)
	// Picture keeps the picture that a person chose of themselves.
	Picture func(ctx context.Context, file io.Reader) error
	// Logo keeps the picture that an operator chose as the logo of the install.
	Logo func(ctx context.Context, file io.Reader) error
	// Look is how pages look by what operators set; nil leaves the program's own.
	Look func(ctx context.Context) ui.Look
	// Confirmed is the context of a request that confirmed its session itself; nil leaves it.
	Confirmed func(ctx context.Context) context.Context
	// RunMonths is for how many whole months behind the current one the install keeps runs; 0 keeps all.
	RunMonths int
	// MaxUnkept is up to how many runs are counted that an organization would keep no longer; one more stands for all that are more.
	MaxUnkept int
	// Zone is that of readers whose own no one knows; nil shows them UTC.
	Zone *time.Location
	// Log takes failures that are no one's refusal; slog.Default when nil.
	Log *slog.Logger
	// Now is time.Now when nil.
	Now func() time.Time
}

// Statement is what is confirmed about one subject of a consent, in one language and version of the texts.
type Statement struct{ Version, Language, Subject, Text string }

// Console is the pages of the service. The session and the selected workspace are in the context of each request,
// put there by the chain in front; the console reads no session itself.
type Console struct {
	// Config is what New was given, with what it left out.
	Config Config
	// Client is what the calls of package query go through.
	Client client
	cross  *http.CrossOriginProtection
	// PasskeySlot is what a form that confirms a session needs for a passkey: it
	// fills the field ConfirmPasskey. nil leaves passkeys out.
	PasskeySlot func() templ.Component
	// APIReference is what the document of the API says, made when a page first needs it.
	APIReference func() (*apidoc.Reference, error)
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
	read := sync.OnceValues(func() (*apidoc.Reference, error) { return apidoc.Read(config.Document) })
	c := &Console{APIReference: read, Config: config, Client: client{config.Executor}, cross: http.NewCrossOriginProtection()}
	if err := c.cross.AddTrustedOrigin(config.PublicURL); err != nil {
		config.Log.Warn("PUBLIC_URL is no origin; forms are checked against the request's host alone", "error", err)
	}
	return c
}

// Now is the time, as the configuration tells it.
func (c *Console) Now() time.Time { return c.Config.Now() }
