package developer

import (
	"net/http"

	"atelier/web/apidoc"
	"atelier/web/frame"

	"github.com/gorilla/mux"
)

// Reference lists the groups of calls.
func (p Pages) Reference(w http.ResponseWriter, r *http.Request) error {
	made, err := p.APIReference()
	if err != nil {
		return err
	}
	return p.show(w, r, t(r.Context(), "API reference"), always(referenceContent(made)))
}

// group is the group that the address names.
func (p Pages) group(r *http.Request) (apidoc.Group, error) {
	made, err := p.APIReference()
	if err != nil {
		return apidoc.Group{}, err
	}
	for _, g := range made.Groups {
		if g.Slug == mux.Vars(r)["group"] {
			return g, nil
		}
	}
	return apidoc.Group{}, frame.ErrNotFound
}

// ReferenceGroup lists the calls of one group.
func (p Pages) ReferenceGroup(w http.ResponseWriter, r *http.Request) error {
	g, err := p.group(r)
	if err != nil {
		return err
	}
	return p.show(w, r, g.Name, always(groupContent(g)))
}

// ReferenceCall describes one call.
func (p Pages) ReferenceCall(w http.ResponseWriter, r *http.Request) error {
	g, err := p.group(r)
	if err != nil {
		return err
	}
	for _, c := range g.Calls {
		if c.ID == mux.Vars(r)["call"] {
			return p.show(w, r, c.Summary, always(callContent(g, c, p.Config.PublicURL)))
		}
	}
	return frame.ErrNotFound
}
