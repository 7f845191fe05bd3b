//go:build !race

package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestEveryPageRendersHostileNames(t *testing.T) {
	worlds := map[string]func(*fake) *fake{
		"everything":   func(f *fake) *fake { return f },
		"nothing":      func(f *fake) *fake { return emptied(f) },
		"member":       func(f *fake) *fake { return powerless(f) },
		"no org":       func(f *fake) *fake { return f.with("Profile.memberships", nil) },
		"unavailable":  func(f *fake) *fake { return f.with("Memberships.unavailable", true) },
		"suspended":    func(f *fake) *fake { return f.with("Organization.status", "suspended") },
		"own archived": func(f *fake) *fake { return f.school().with("Workspace.archived", true) },
	}
	for world, build := range worlds {
		t.Run(world, func(t *testing.T) {
			f := build(newFake(t))
			for _, path := range pages(t) {
				addresses := []string{path}
				if world == "everything" { // a query is read alike in every world
					addresses = append(addresses, path+"?after=x&archived=1&sheet=slips&status=active")
				}
				for _, address := range addresses {
					w := get(f, address)
					if w.Code >= 300 && w.Code < 400 && (path == "/login" || path == "/login/second-step" || path == "/projects" || world == "nothing" && path == "/orgs/"+someID) || // an operator who is no member
						world == "no org" && w.Code == http.StatusNotFound || world == "nothing" && w.Code == http.StatusNotFound && strings.HasPrefix(path, "/apps/") {
						continue
					}
					if kind, ok := strings.CutPrefix(path, "/library/"); ok && w.Code == http.StatusSeeOther && !strings.HasPrefix(kind, "characters/") {
						break // an element has its pages under its own kind
					}
					if world == "nothing" && w.Code == http.StatusNotFound {
						continue // what the page is about stands in a list that is empty here
					}
					blocked := strings.HasPrefix(path, "/embed/") && w.Code == http.StatusForbidden // no origin may frame it
					if w.Code != http.StatusOK && !blocked {
						t.Errorf("GET %s: %d %s", address, w.Code, &f.log)
						f.log.Reset()
						continue
					}
					checkPage(t, address, w)
				}
			}
		})
	}
}

func emptied(f *fake) *fake {
	for name, def := range f.schema.Types {
		for _, field := range def.Fields {
			switch {
			case field.Type.Elem != nil:
				f.set[name+"."+field.Name] = 0
			case !field.Type.NonNull && name != "Query" && field.Name != "memberships":
				f.set[name+"."+field.Name] = nil
			}
		}
	}
	return f
}
