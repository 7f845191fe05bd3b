package web

import (
	"net/http"

	"atelier/web/assets"
	"atelier/web/ui"
)

// accessibility is the statement on keyboard use and accessibility; anybody may read it.
func (c *Console) accessibility(w http.ResponseWriter, r *http.Request) error {
	return c.bare(w, r, ui.BareProps{Title: "Keyboard and accessibility", Wide: true}, accessibilityContent())
}

// licences lists what is built into the pages and under which licence.
func (c *Console) licences(w http.ResponseWriter, r *http.Request) error {
	return c.bare(w, r, ui.BareProps{Title: "Licences", Wide: true}, licencesContent(assets.Licences()))
}
