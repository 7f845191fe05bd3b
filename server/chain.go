package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"atelier/graph"
	"atelier/inbound"
	"atelier/mcp"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/tracing"
	"atelier/rest"
	"atelier/web"
)

// chain is what every request of every face passes through: request id, log
// line, panic guard, headers that guard the answer, and who acts.
type chain struct {
	Resolver *graph.Resolver
	DB       *models.DB
	// PublicURL is where programs find out how to get a token.
	PublicURL string
	// TrustedProxies are the addresses whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// SessionCookie is the console's cookie with the session JWT. It counts on
	// /graphql and the console, never on /v1.
	SessionCookie string
	// Organizations is whether workspaces can be selected at all.
	Organizations bool
	// Secure is whether the install is reached by https alone.
	Secure bool
	// Places is how many visitors are worked for at once, SparePlaces how many more while no one
	// who is signed in asks for anything.
	Places, SparePlaces int
	// Cheap are the paths, by how they begin, that are answered without work.
	Cheap []string
	// Search is the one of them that takes work.
	Search string
	// Page answers a browser's request that was not let in.
	Page func(http.ResponseWriter, *http.Request, *models.Error)
	// Cross refuses what a page of another site sends with the console's cookie.
	Cross *http.CrossOriginProtection
	// Count counts a request that was answered; nil counts none.
	Count func(ctx context.Context, route, method string, status int, took time.Duration)

	unbelieved sync.Once // a proxy on this machine that is not trusted was told of
	unreadable sync.Once // a peer that a trusted proxy named in no known notation was told of
	once       sync.Once
	door       *admission
	entry      sync.Once
	arrivals   *inbound.Ledger
	origins    originCache
}

// endRequest says of a request what became of it. The route stands for its
// address, which may hold a token.
func endRequest(span *tracing.Span, route, method, id string, status int) {
	if span == nil {
		return
	}
	method = knownMethod(method)
	span.Rename(method + " " + route)
	span.Text("http.request.method", method)
	span.Text("http.route", route)
	span.Number("http.response.status_code", status)
	span.Text("atelier.request.id", id)
	if status >= http.StatusInternalServerError {
		span.Fail(http.StatusText(status))
	}
	span.End()
}

var saneRequestID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`)

// Wrap puts the chain in front of a handler.
func (c *chain) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		made := models.NewID(c.DB.Clock.Now())
		id := r.Header.Get("X-Request-Id")
		if !saneRequestID.MatchString(id) {
			id = made.String()
		}
		ctx, span := tracing.StartRequest(r.Context(), made, r.Header.Get("Traceparent"))
		ctx = models.WithLog(rest.WithRequestID(ctx, id), slog.String("request_id", id))
		ctx, route := withRoute(ctx)
		ctx = models.WithAllowances(ctx)
		ctx = graph.WithLoaders(ctx, c.Resolver)
		rec := &recorder{ResponseWriter: w, ctx: ctx, pace: pacedAnswer{control: http.NewResponseController(w)}}
		rec.challenge = func(h http.Header, status int) {
			rest.Challenge(h, r.URL.Path, status, c.PublicURL, r.Header.Get("Authorization") != "")
		}
		rec.Header().Set("X-Request-Id", id)
		c.guard(rec.Header())
		started := time.Now()
		defer func() {
			if fault := recover(); fault != nil && fault != http.ErrAbortHandler {
				slog.ErrorContext(ctx, "panic", "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
				if !rec.wrote {
					c.guard(rec.Header())
					rest.WriteProblem(rec, r.WithContext(ctx), models.Err(models.CodeInternal, "Something failed on our side. Try once more in a moment."))
				}
			}
			took := time.Since(started)
			if c.Count != nil {
				c.Count(ctx, *route, r.Method, rec.status, took)
			}
			if rec.token != (models.ID{}) {
				c.Resolver.Accounts.APITokens().NoteCall(account.APICall{
					TokenID: rec.token, CalledAt: c.DB.Clock.Now(), Method: r.Method, Path: redact(r.URL.Path), Status: rec.status,
					DurationUs: took.Microseconds(), IP: rec.ip,
				})
			}
			slog.InfoContext(ctx, "request", "method", r.Method, "path", redact(r.URL.Path),
				"status", rec.status, "bytes", rec.bytes, "duration", took.Round(time.Microsecond))
			endRequest(span, *route, r.Method, id, rec.status)
		}()
		if !c.answerPreflight(rec, r) {
			c.admit(rec, r.WithContext(ctx), next)
		}
		if !rec.wrote {
			rec.WriteHeader(http.StatusOK)
		}
		rec.pace.during(0, func() {}) // for what is left to be sent
	})
}

// identify finds out who sent the request: a bearer token anywhere, the
// console's cookie everywhere but on /v1 and /mcp, and never for a page of another site.
func (c *chain) identify(ctx context.Context, r *http.Request) rest.Identity {
	identity := rest.Identity{Actor: models.Actor{Kind: models.Anonymous}, Workspace: sentWorkspace(r)}
	api := strings.HasPrefix(r.URL.Path, "/v1/") || r.URL.Path == mcp.Path
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	sent := strings.EqualFold(scheme, "Bearer")
	switch {
	case sent:
	case r.Header.Get("Authorization") != "":
		identity.Refusal = models.Err(models.CodeUnauthorized, "Send Authorization: Bearer <token>")
		return identity
	case !api:
		if cookie, err := r.Cookie(c.SessionCookie); err == nil {
			token = cookie.Value
		}
		if token != "" && c.Cross.Check(r) != nil {
			identity.Refusal = errOtherSite
			return identity
		}
	}
	if token == "" {
		if sent {
			identity.Refusal = models.Err(models.CodeUnauthorized, "The bearer token is empty")
		}
		return identity
	}
	credentials, err := c.Resolver.Accounts.Authenticate(ctx, token)
	if err != nil {
		identity.Refusal = err
		return identity
	}
	if credentials.Refusal != nil && r.URL.Path != rest.SignOutPath {
		identity.Refusal, identity.Actor.Refusal = credentials.Refusal, credentials.Refusal
		return identity
	}
	identity.Actor, identity.LastWorkspace = credentials.Actor, credentials.LastWorkspaceID
	if c.Organizations {
		identity.Bound = credentials.BoundWorkspaceID
	}
	return identity
}

// errOtherSite refuses that a page of another site acts by a cookie, on every route alike.
var errOtherSite = models.Err(models.CodeForbidden, "A page of another site sent this. Only pages of this install act by its cookie; programs send a bearer token.")

// sentWorkspace is the header as it came; several are one malformed value.
func sentWorkspace(r *http.Request) *string {
	values, sent := r.Header["X-Service-Workspace"]
	if !sent {
		return nil
	}
	value := strings.Join(values, ",")
	return &value
}

// Select puts the workspace that the header names into the actor, for /graphql.
func (c *chain) Select(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		identity := rest.IdentityFrom(r.Context())
		if identity.Refusal != nil {
			rest.WriteProblem(w, r, identity.Refusal)
			return
		}
		wanted, err := identity.Wanted()
		if err != nil && c.Organizations {
			rest.WriteProblem(w, r, err)
			return
		}
		c.enter(w, r, next, wanted, false)
	})
}

// SelectByAddress puts the workspace that the address of a page names into the
// actor, for the console. Pages about more than that workspace are shown also
// to those who cannot select it.
func (c *chain) SelectByAddress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		viewer := web.SpaceOf(r)
		if viewer.Workspace == "" {
			c.enter(w, r, next, nil, true)
			return
		}
		id, err := models.ParseID("in", viewer.Workspace)
		if err != nil {
			c.turnAway(w, r, models.Err(models.CodeNotFound, "There is no such place"))
			return
		}
		c.enter(w, r, next, &id, !viewer.Only)
	})
}

// enter serves a request in a workspace. One that cannot be selected is none
// where tolerant, else the request is refused.
func (c *chain) enter(w http.ResponseWriter, r *http.Request, next http.Handler, wanted *models.ID, tolerant bool) {
	if !c.Organizations {
		wanted = nil
	}
	ctx, err := rest.SelectWorkspace(r.Context(), c.Resolver, rest.IdentityFrom(r.Context()), wanted, tolerant)
	if err != nil {
		c.turnAway(w, r, err)
		return
	}
	next.ServeHTTP(w, r.WithContext(ctx))
}

var clientForms = regexp.MustCompile(`^(sdk|cli|extension)/[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$`)

// clientName is the value of X-Service-Client when it has one of the three forms.
func clientName(s string) string {
	if clientForms.MatchString(s) {
		return s
	}
	return ""
}

var secretPaths = regexp.MustCompile(`^(/v1/webhooks/|/invitations/|/v1/invitations/by-token/|/media/|/v1/invitations/|/join/)[^/]+`)

// redact keeps tokens and join codes that stand in a path out of the log.
func redact(path string) string { return secretPaths.ReplaceAllString(path, "${1}…") }

// recorder remembers what was answered and sends the RateLimit headers of the
// tightest limit that the request met.
type recorder struct {
	http.ResponseWriter
	ctx    context.Context
	status int
	bytes  int
	wrote  bool
	pace   pacedAnswer
	// challenge adds to a refusal where a program gets a token.
	challenge func(h http.Header, status int)
	place     *place // of a visitor, until the answer begins
	// token is the personal token that the request showed, ip where it came from.
	token models.ID
	ip    string
}

// WriteHeader adds the RateLimit headers and keeps private what is not public.
func (w *recorder) WriteHeader(status int) {
	if !w.wrote {
		w.wrote, w.status = true, status
		keepPrivate(w.Header(), status)
		if w.challenge != nil {
			w.challenge(w.Header(), status)
		}
		w.place.leave()
		if a := models.TightestAllowance(w.ctx); a != nil {
			w.Header().Set("RateLimit-Limit", strconv.Itoa(a.Limit))
			w.Header().Set("RateLimit-Remaining", strconv.Itoa(a.Remaining))
			w.Header().Set("RateLimit-Reset", strconv.Itoa(models.RetrySeconds(a.Reset)))
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts.
func (w *recorder) Write(b []byte) (int, error) {
	if !w.wrote {
		w.WriteHeader(http.StatusOK)
	}
	var n int
	var err error
	w.pace.during(len(b), func() { n, err = w.ResponseWriter.Write(b) })
	w.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush lets streams pass.
func (w *recorder) Flush() { _ = w.FlushError() }

// FlushError tells when the client is gone, or reads too slowly.
func (w *recorder) FlushError() (err error) {
	if !w.wrote {
		w.WriteHeader(http.StatusOK)
	}
	w.pace.during(0, func() { err = http.NewResponseController(w.ResponseWriter).Flush() })
	return err
}
