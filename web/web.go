package web

import (
	"io"
	"net/http"

	"atelier/web/account"
	"atelier/web/apidoc"
	"atelier/web/assets"
	"atelier/web/community"
	"atelier/web/developer"
	"atelier/web/docs"
	"atelier/web/event"
	"atelier/web/flow"
	"atelier/web/frame"
	"atelier/web/library"
	"atelier/web/operator"
	"atelier/web/org"
	"atelier/web/studio"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// What others need of the console's frame.
type (
	// Config is what the console needs of its surroundings.
	Config = frame.Config
	// Look is what operators set of how pages look.
	Look = ui.Look
	// Statement is what is confirmed about one subject of a consent.
	Statement = frame.Statement
	// Error is a refusal of the service, or of the console itself.
	Error = frame.Error
)

// Space is what the address of a page says of where to work.
type Space = frame.Space

// SpaceOf is where the address of a page says to work; the request has been routed.
func SpaceOf(r *http.Request) Space { return frame.SpaceOf(r) }

// SessionCookie is the name of the cookie that holds the session JWT.
func SessionCookie(secure bool) string { return frame.SessionCookie(secure) }

// TakeSecretMark tells whether an answer shows a secret, so that it is not compressed, and takes the mark of that off.
func TakeSecretMark(h http.Header) bool { return frame.TakeSecretMark(h) }

// Console is the pages of the service.
type Console struct{ *frame.Console }

// New makes the console.
func New(config Config) *Console {
	c := &Console{frame.New(config)}
	c.PasskeySlot = account.PasskeySlot
	return c
}

// Routes registers every page of the console: those of each area stand in its routes.go.
func (c *Console) Routes(router *mux.Router) {
	on := c.On(router)
	router.PathPrefix(assets.Prefix).Handler(assets.Handler())
	router.HandleFunc("/favicon.ico", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, assets.URL("icon.svg"), http.StatusTemporaryRedirect)
	}).Methods(http.MethodGet, http.MethodHead)
	router.HandleFunc(ui.AccentPath, accent).Methods(http.MethodGet, http.MethodHead)
	account.Routes(on, c.Console)
	org.Routes(on, c.Console)
	operator.Routes(on, c.Console)
	flow.Routes(on, c.Console)
	library.Routes(on, c.Console)
	community.Routes(on, c.Console)
	studio.Routes(on, c.Console)
	event.Routes(on, c.Console)
	developer.Routes(on, c.Console)
	docs.New(docs.Config{Reference: c.APIReference, Document: c.Config.Document, PublicURL: c.Config.PublicURL}).Routes(router)
}

const (
	// DocsPrefix is where the documentation is.
	DocsPrefix = docs.Prefix
	// DocsSearch is where it is searched.
	DocsSearch = docs.SearchAddress
)

// WriteDocs writes the documentation as files into a folder; document describes the API.
func WriteDocs(folder string, document []byte) error {
	given := func() ([]byte, error) { return document, nil }
	reference := func() (*apidoc.Reference, error) { return apidoc.Read(given) }
	return docs.New(docs.Config{Reference: reference, Document: given, PublicURL: exampleURL, Apart: true}).Write(folder)
}

// exampleURL stands in examples that belong to no install.
const exampleURL = "https://atelier.example.org"

// accent is the style sheet of a color; what its address says decides all of it.
func accent(w http.ResponseWriter, r *http.Request) {
	css, _ := ui.AccentCSS(r.URL.Query().Get("color")) // empty for what is no color
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, css)
}

// NotFound is the page for addresses that no one serves.
func (c *Console) NotFound() http.Handler {
	return c.Serve(func(http.ResponseWriter, *http.Request) error { return frame.ErrNotFound })
}
