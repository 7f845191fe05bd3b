package frame

import (
	"errors"
	"mime/multipart"
	"net/http"
	"net/url"

	"atelier/inbound"

	"github.com/gorilla/mux"
)

// maxGraphForm bounds a form that holds a graph: 5 MiB of JSON (open points, "Jobs and single nodes"), of which a form
// writes quotes and brackets as three characters each.
const maxGraphForm = 16 << 20

// Large registers a form that may hold a whole graph.
func (on Routes) Large(path string, h Action) {
	on.router.Handle(path, on.console.serveLarge(h)).Methods(http.MethodPost).
		MatcherFunc(func(r *http.Request, _ *mux.RouteMatch) bool { return isForm(r) })
}

// serveLarge reads a large form of a person who is signed in, and hands it on. Visitors' forms keep the usual limit.
func (c *Console) serveLarge(h Action) http.Handler {
	next, refuse := c.Serve(h), c.Serve(func(http.ResponseWriter, *http.Request) error {
		return Refusal(http.StatusRequestEntityTooLarge, "payload_too_large", mark("A workflow may have at most 5 MiB. Nothing was saved."))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.cross.Check(r) != nil || !c.SignedIn(r) {
			next.ServeHTTP(w, r)
			return
		}
		var refused *inbound.Refusal
		if errors.As(inbound.Form(r, maxGraphForm), &refused) && refused.Status == http.StatusRequestEntityTooLarge {
			r.PostForm, r.MultipartForm = url.Values{}, &multipart.Form{} // nothing more of it is read
			refuse.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
