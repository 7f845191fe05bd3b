package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"atelier/inbound"
	"atelier/mcp"
	"atelier/models"
	"atelier/models/trigger"
	"atelier/rest"
	"atelier/web/frame"
	"atelier/web/locale"
)

// admission is what stands between the network and the routes: who is known is
// let through, everyone else waits among the visitors.
type admission struct {
	visitors *visitors

	mu sync.Mutex
	// known are hashes of credentials that counted when they were last looked
	// at, in two generations of which the older is dropped. They only decide
	// about the waiting: each request is authenticated again.
	known, older map[[32]byte]bool
}

// maxKnown bounds a generation.
const maxKnown = 20_000

func newAdmission(places, spare int) *admission {
	return &admission{visitors: newVisitors(places, spare), known: map[[32]byte]bool{}}
}

func (a *admission) knows(credential [32]byte) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.known[credential] || a.older[credential]
}

func (a *admission) note(credential [32]byte, counts bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !counts {
		delete(a.known, credential)
		delete(a.older, credential)
		return
	}
	if len(a.known) >= maxKnown {
		a.known, a.older = map[[32]byte]bool{}, a.known
	}
	a.known[credential] = true
}

// credential is the hash of what a request shows for itself.
func (c *chain) credential(r *http.Request) [32]byte {
	if strings.HasPrefix(r.URL.Path, trigger.WebhookPath) {
		return sha256.Sum256([]byte("trigger " + r.URL.Path))
	}
	shown := r.Header.Get("Authorization")
	if cookie, err := r.Cookie(c.SessionCookie); shown == "" && err == nil {
		shown = "cookie " + cookie.Value
	}
	return sha256.Sum256([]byte(shown))
}

// admit finds out who acts and hands the request on: at once for a person who
// is known, after waiting for a place for anyone else.
func (c *chain) admit(w *recorder, r *http.Request, next http.Handler) {
	ip := c.clientIP(r)
	actor := models.Actor{Kind: models.Anonymous, RequestID: rest.RequestID(r.Context()), IP: ip, UserAgent: models.CutUserAgent(r.UserAgent())}
	paceBody(w.ResponseWriter, r)
	if c.cheap(r.URL.Path) {
		next.ServeHTTP(w, r.WithContext(rest.WithIdentity(r.Context(), rest.Identity{Actor: actor})))
		return
	}
	ctx := r.Context()
	if r.URL.Path == rest.SignOutPath {
		ctx = models.FromReserve(ctx)
	}
	credential := c.credential(r)
	if !c.admission().knows(credential) {
		body, err := arrive(r)
		var place *place
		if err == nil {
			place, err = c.admission().visitors.enter(ctx, models.Network(ip))
		}
		if err != nil {
			c.turnAway(w, r.WithContext(rest.WithIdentity(ctx, rest.Identity{Actor: actor})), err)
			return
		}
		w.place, body.place = place, place
		ctx = models.WithSlotRelease(ctx, place.outside)
		defer place.leave()
	}
	identity := c.identify(models.WithActor(ctx, actor), r)
	if _, known := models.AsError(identity.Refusal); identity.Refusal != nil && !known {
		c.turnAway(w, r.WithContext(rest.WithIdentity(ctx, identity)), identity.Refusal)
		return
	}
	signedIn := identity.Actor.SignedIn()
	if trigger := strings.HasPrefix(r.URL.Path, trigger.WebhookPath); trigger { // its token stands in the path
		defer func() {
			c.admission().note(credential, w.status != http.StatusNotFound && w.status != http.StatusMethodNotAllowed)
		}()
	} else {
		c.admission().note(credential, signedIn)
	}
	if signedIn {
		c.admission().visitors.signedIn.Store(time.Now().UnixNano())
		w.place.leave()
	}
	if identity.Actor.Kind == models.ByToken { // an app's access token has an id, too, but no log of calls
		w.token, w.ip = identity.Actor.TokenID, ip
	}
	identity.Actor.RequestID, identity.Actor.IP, identity.Actor.UserAgent = actor.RequestID, ip, actor.UserAgent
	identity.Actor.Client = clientName(r.Header.Get("X-Service-Client"))
	ctx = locale.WithChoice(ctx, identity.Actor.Language)
	if !signedIn {
		identity.Actor.PageLanguage = pageLanguage(r)
	}
	r, arrival := c.ledger().Enter(w, r.WithContext(rest.WithIdentity(ctx, identity)), sender(identity.Actor, ip))
	defer arrival.Leave()
	if err := checkAddress(r); err != nil {
		c.turnAway(w, r, err)
		return
	}
	c.crossOrigin(w, r, next)
}

// pageLanguage is the language of the page that a visitor is on; empty for programs that ask for none.
func pageLanguage(r *http.Request) string {
	if r.Header.Get("Accept-Language") == "" && frame.CookieValue(r, frame.LanguageCookie) == "" {
		return ""
	}
	return frame.LanguageOf(r).Code
}

// checkAddress judges the text of an address. One of /v1 is judged there, behind
// the credentials.
func checkAddress(r *http.Request) error {
	if strings.HasPrefix(r.URL.Path, "/v1/") {
		return nil
	}
	if err := inbound.CheckParameter("address", r.URL.Path); err != nil {
		return err
	}
	return inbound.CheckQuery(r.URL)
}

// sender is who answers for what a request brings: an account, or the network of
// an anonymous request.
func sender(actor models.Actor, ip string) string {
	if actor.SignedIn() {
		return "account " + actor.UserID.String()
	}
	return "network " + models.Network(ip)
}

// ledger is what is on its way into the process.
func (c *chain) ledger() *inbound.Ledger {
	c.entry.Do(func() { c.arrivals = inbound.NewLedger() })
	return c.arrivals
}

func (c *chain) admission() *admission {
	c.once.Do(func() { c.door = newAdmission(max(1, c.Places), c.SparePlaces) })
	return c.door
}

// cheap tells whether a path is answered without work: files of the program,
// and whether it is up. A search among them is work.
func (c *chain) cheap(path string) bool {
	return path != c.Search && slices.ContainsFunc(c.Cheap, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}

// turnAway answers a request that was not let in, in the form of its face.
func (c *chain) turnAway(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) {
		return // the client has left
	}
	refusal, known := models.AsError(err)
	if c.Page == nil || ofProgram(r) || !known && refusal.Code == models.CodeInternal {
		rest.WriteProblem(w, r, err)
		return
	}
	c.Page(w, r, refusal)
}

// programs are the paths whose clients are programs.
var programs = []string{"/v1", "/graphql", mcp.Path, "/.well-known/", "/media/", "/payments/"}

// ofProgram tells a program's request from a browser's: below /auth/ browsers send forms.
func ofProgram(r *http.Request) bool {
	for _, prefix := range programs {
		if strings.HasPrefix(r.URL.Path, prefix) {
			return true
		}
	}
	form := strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") ||
		strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data")
	return strings.HasPrefix(r.URL.Path, "/auth/") && r.Method == http.MethodPost && !form
}
