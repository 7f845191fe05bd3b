package frame

import (
	"net/http"

	"github.com/gorilla/mux"
)

// Routes registers pages: GET for what is shown, POST for what is done.
type Routes struct {
	console *Console
	router  *mux.Router
}

// On registers pages of the console with a router.
func (c *Console) On(router *mux.Router) Routes { return Routes{c, router} }

// Get registers what is shown.
func (on Routes) Get(path string, h Action) {
	on.router.Handle(path, on.console.Serve(h)).Methods(http.MethodGet, http.MethodHead)
}

// Post registers a form. Only form content types match, for programs post JSON to some of the same addresses.
func (on Routes) Post(path string, h Action) {
	on.router.Handle(path, on.console.Serve(h)).Methods(http.MethodPost).
		MatcherFunc(func(r *http.Request, _ *mux.RouteMatch) bool { return isForm(r) })
}
