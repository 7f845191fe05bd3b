package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// appAnswers are the answers about published apps that visitors got, by slug. Each is for one state of its app, which is read at
// every request, so that what was changed or taken back anywhere is so at once.
type appAnswers struct {
	mu    sync.Mutex
	bytes int
	kept  map[string]*appAnswer
}

type appAnswer struct {
	state, tag, contentType string
	body                    []byte
}

// Bounds of what is remembered: of one answer, and of all together; beyond it all are forgotten.
const (
	maxAppAnswer  = 1 << 20
	maxAppAnswers = 32 << 20
	// appCaching lets anyone keep a published app who asks each time whether it is still so.
	appCaching = "public, no-cache"
)

func (a *appAnswers) find(slug, state string) *appAnswer {
	a.mu.Lock()
	defer a.mu.Unlock()
	if answer := a.kept[slug]; answer != nil && answer.state == state {
		return answer
	}
	return nil
}

func (a *appAnswers) keep(slug string, answer *appAnswer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bytes+len(answer.body) > maxAppAnswers || a.kept == nil {
		a.bytes, a.kept = 0, map[string]*appAnswer{}
	}
	if before := a.kept[slug]; before != nil {
		a.bytes -= len(before.body)
	}
	a.bytes += len(answer.body)
	a.kept[slug] = answer
}

var publicAppPath = regexp.MustCompile(`^/v1/app/[a-z0-9-]{1,50}$`)

// RememberApps answers visitors who read a published app with the bytes of the last answer while the app is as it was then. All
// else goes on. It is a middleware of the router, which makes its handler for each request, so what it keeps is the API's.
func (a *API) RememberApps(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		identity := IdentityFrom(r.Context())
		if r.Method != http.MethodGet && r.Method != http.MethodHead || r.URL.RawQuery != "" || !publicAppPath.MatchString(r.URL.Path) ||
			identity.Actor.SignedIn() || identity.Refusal != nil || identity.Workspace != nil {
			next.ServeHTTP(w, r)
			return
		}
		slug := strings.TrimPrefix(r.URL.Path, "/v1/app/")
		state, err := a.Resolver.Flows.Apps().State(r.Context(), slug)
		if err != nil || state == "" {
			next.ServeHTTP(w, r)
			return
		}
		answer := a.apps.find(slug, state)
		if answer == nil {
			caught := &bufferedResponse{header: w.Header(), status: http.StatusOK}
			next.ServeHTTP(caught, r)
			if caught.status != http.StatusOK {
				caught.send(w)
				return
			}
			sum := sha256.Sum256(caught.body.Bytes())
			answer = &appAnswer{state, strconv.Quote(hex.EncodeToString(sum[:16])), w.Header().Get("Content-Type"), caught.body.Bytes()}
			if len(answer.body) <= maxAppAnswer {
				a.apps.keep(slug, answer)
			}
		}
		header := w.Header()
		header.Set("Cache-Control", appCaching)
		header.Add("Vary", "Authorization")
		header.Set("ETag", answer.tag)
		if (Poll{IfNoneMatch: r.Header.Get("If-None-Match")}).has(answer.tag) {
			header.Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return
		}
		header.Set("Content-Type", answer.contentType)
		_, _ = w.Write(answer.body)
	})
}
