package server

import "testing"

// Files and pages that are ready are let in without turns; a search of them waits for one.
func TestCheapPaths(t *testing.T) {
	c := &chain{Cheap: []string{"/assets/", "/docs"}, Search: "/docs/search"}
	for path, want := range map[string]bool{"/assets/app.css": true, "/docs": true, "/docs/guides/teacher": true, "/docs/search.json": true, "/docs/search": false, "/v1/me": false} {
		if got := c.cheap(path); got != want {
			t.Errorf("%s: cheap is %t", path, got)
		}
	}
}
