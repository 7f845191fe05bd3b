package tests

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/mux"

	"atelier/web"
)

// parameterForm is a parameter with the form that it must have.
var parameterForm = regexp.MustCompile(`(\{\w+):(?:[^{}]|\{[^{}]*\})*\}`)

// consolePages are the addresses of the console that are read, as its router has them.
func consolePages(t testing.TB) (pages []string) {
	t.Helper()
	router := mux.NewRouter()
	web.New(web.Config{PublicURL: "http://localhost", Now: time.Now}).Routes(router)
	err := router.Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		template, err := route.GetPathTemplate()
		methods, _ := route.GetMethods()
		if err == nil && slices.Contains(methods, http.MethodGet) {
			pages = append(pages, template)
		}
		return nil
	})
	if err != nil || len(pages) < 40 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	return pages
}

// endless are streams, downloads, and the check of a whole audit log: their
// length is that of the whole list.
func endless(template string) bool {
	for _, part := range []string{"/live", "/joined", ".csv", ".jsonl", "/export", "/print", "/verify"} {
		if strings.Contains(template, part) {
			return true
		}
	}
	return false
}
