package web

import (
	"net/http"

	"github.com/gorilla/mux"
)

// routes registers pages: GET for what is shown, POST for what is done.
type routes struct {
	console *Console
	router  *mux.Router
}

func (on routes) get(path string, h action) {
	on.router.Handle(path, on.console.serve(h)).Methods(http.MethodGet, http.MethodHead)
}

// post registers a form. Only form content types match, for programs post JSON to some of the same addresses.
func (on routes) post(path string, h action) {
	on.router.Handle(path, on.console.serve(h)).Methods(http.MethodPost).
		MatcherFunc(func(r *http.Request, _ *mux.RouteMatch) bool { return isForm(r) })
}
