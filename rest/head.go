package rest

import (
	"net/http"

	"github.com/gorilla/mux"
)

// always is the rule of a GET that HEAD never stands for.
func always(*http.Request) bool { return true }

// acts is the rule of a route whose GET does something by a request, or never ends:
// HEAD, which scanners and previews send, must not. Nil lets HEAD stand for GET.
func (r route) acts() func(*http.Request) bool {
	if r.Stream {
		return always
	}
	return r.Acts
}

// HeadAsGet answers HEAD as GET wherever a router has no HEAD of its own, and GET
// does nothing: net/http leaves the body out and keeps status and headers. What
// else counts requests counts it as that GET.
func (a *API) HeadAsGet(router *mux.Router) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead && !has(router, r, http.MethodHead) && a.headStandsFor(router, r) {
			asked := *r
			asked.Method = http.MethodGet
			r = &asked
		}
		router.ServeHTTP(w, r)
	})
}

// headStandsFor tells whether a path has a GET that HEAD may stand for.
func (a *API) headStandsFor(router *mux.Router, r *http.Request) bool {
	asked, match := *r, mux.RouteMatch{}
	asked.Method = http.MethodGet
	if !router.Match(&asked, &match) || match.MatchErr != nil || match.Route == nil {
		return false
	}
	path, err := match.Route.GetPathTemplate()
	if err != nil {
		return false
	}
	acts := a.acting[path]
	return acts == nil || !acts(r)
}

// has tells whether a router has a method for the path of a request, sent as it
// was or as a form.
func has(router *mux.Router, r *http.Request, method string) bool {
	asked := *r
	asked.Method = method
	for _, form := range []bool{false, true} {
		if form {
			asked.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		}
		if match := (mux.RouteMatch{}); router.Match(&asked, &match) && match.MatchErr == nil {
			return true
		}
	}
	return false
}

// methodsOf are the methods that a path has, in the order of RFC 9110.
func (a *API) methodsOf(router *mux.Router, r *http.Request) (methods []string) {
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
		if has(router, r, method) || method == http.MethodHead && a.headStandsFor(router, r) {
			methods = append(methods, method)
		}
	}
	return methods
}
