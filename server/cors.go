package server

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"atelier/mcp"
	"atelier/models"
	"atelier/rest"
)

// Browsers may call /v1 and /mcp from the sites that connected apps registered, and from
// no other. A preflight carries no token: it is answered for the origins of all
// apps. The answer itself is readable by a site only when the token is of an app
// that registered that very origin; for sessions and personal tokens, whose place
// is a server, never. Cookies do not count there, so credentials are never
// allowed.
const (
	corsMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"
	corsHeaders = "Authorization, Content-Type, Idempotency-Key, X-Service-Workspace, X-Service-Client, If-None-Match, X-Request-Id, Last-Event-ID, " +
		"Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name"
	corsExposed = "X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Idempotency-Replayed, ETag, Mcp-Session-Id"
	// corsMaxAge is how long a browser keeps a preflight's answer, in seconds.
	corsMaxAge = "600"
)

const (
	// originsFor is how long it is remembered whether an origin is registered.
	originsFor = 2 * time.Second
	// maxOrigins bounds what is remembered.
	maxOrigins = 5_000
	// maxOrigin is more than a registered one can have.
	maxOrigin = 300
)

// originCache remembers for a while which origins are registered, so that a flood
// of preflights is no flood of queries. Of origins that are not known yet each
// question waits among the visitors.
type originCache struct {
	mu    sync.Mutex
	facts map[string]originFact
}

type originFact struct {
	registered bool
	until      time.Time
}

func (o *originCache) get(name string, now time.Time) (registered, known bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	fact, found := o.facts[name]
	return fact.registered, found && now.Before(fact.until)
}

func (o *originCache) put(name string, registered bool, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.facts == nil || len(o.facts) >= maxOrigins {
		o.facts = map[string]originFact{}
	}
	o.facts[name] = originFact{registered, now.Add(originsFor)}
}

// registered tells whether a live app registered an origin: the app, or any for nil.
func (c *chain) registered(ctx context.Context, app *models.ID, origin string) bool {
	name, now := origin, c.DB.Clock.Now()
	if app != nil {
		name = app.String() + " " + origin
	}
	if registered, known := c.origins.get(name, now); known {
		return registered
	}
	registered, err := c.Resolver.OAuth.OriginAllowed(ctx, origin, app)
	if err != nil {
		slog.WarnContext(ctx, "the origins of apps are not to be had", "error", err)
		return false
	}
	c.origins.put(name, registered, now)
	return registered
}

// originOf is the site whose page sends the request; "" for none, and where sites
// do not count.
func originOf(r *http.Request) string {
	sent := r.Header["Origin"]
	if len(sent) != 1 || len(sent[0]) > maxOrigin || !strings.Contains(sent[0], "://") ||
		!strings.HasPrefix(r.URL.Path, "/v1/") && r.URL.Path != mcp.Path {
		return ""
	}
	return sent[0]
}

func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// answerPreflight answers at once what needs no look-up: preflights of origins
// that are known, and of the documents that every site may read.
func (c *chain) answerPreflight(w http.ResponseWriter, r *http.Request) bool {
	if !isPreflight(r) {
		return false
	}
	if rest.AnyOrigin(r.URL.Path) && r.Header.Get("Origin") != "" {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Allow-Methods", "GET, HEAD")
		h.Set("Access-Control-Allow-Headers", "*")
		h.Set("Access-Control-Max-Age", corsMaxAge)
		w.WriteHeader(http.StatusNoContent)
		return true
	}
	origin := originOf(r)
	if registered, known := c.origins.get(origin, c.DB.Clock.Now()); origin == "" || !known || !registered {
		return false
	}
	allowPreflight(w, origin)
	return true
}

func allowPreflight(w http.ResponseWriter, origin string) {
	h := w.Header()
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", corsMethods)
	h.Set("Access-Control-Allow-Headers", corsHeaders)
	h.Set("Access-Control-Max-Age", corsMaxAge)
	w.WriteHeader(http.StatusNoContent)
}

// crossOrigin serves a request whose sender is known, and says whether the page
// that sent it may read the answer. What may not is answered all the same.
func (c *chain) crossOrigin(w http.ResponseWriter, r *http.Request, next http.Handler) {
	origin := originOf(r)
	switch {
	case rest.AnyOrigin(r.URL.Path) && r.Header.Get("Authorization") == "":
		w.Header().Set("Access-Control-Allow-Origin", "*")
	case origin == "":
	case isPreflight(r):
		if c.registered(r.Context(), nil, origin) {
			allowPreflight(w, origin)
			return
		}
		w.Header().Add("Vary", "Origin")
	default:
		w.Header().Add("Vary", "Origin")
		if c.mayRead(r, origin) {
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Set("Access-Control-Expose-Headers", corsExposed)
		}
	}
	next.ServeHTTP(w, r)
}

// mayRead tells whether pages of a site may read the answer: with the token of an
// app that registered the site, and what is asked without a token before there is one.
func (c *chain) mayRead(r *http.Request, origin string) bool {
	if app := rest.IdentityFrom(r.Context()).Actor.OfApp(); app != nil {
		return c.registered(r.Context(), app, origin)
	}
	return r.Header.Get("Authorization") == "" && forSitesOfApps(r) && c.registered(r.Context(), nil, origin)
}

// forSitesOfApps tells of what the pages of apps ask without a token: for one, and
// for what is public.
func forSitesOfApps(r *http.Request) bool {
	path := r.URL.Path
	if r.Method == http.MethodPost {
		return path == rest.OAuthTokenPath || path == rest.OAuthRevokePath
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	slug, ofApp := strings.CutPrefix(path, "/v1/app/")
	return path == "/v1/models" || path == "/v1/nodes" || strings.HasPrefix(path, "/v1/nodes/") || ofApp && !strings.Contains(slug, "/")
}
