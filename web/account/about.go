package account

import (
	"net/http"

	"atelier/web/assets"
	"atelier/web/ui"
)

// Accessibility is the statement on keyboard use and accessibility; anyone may read it.
func (c Pages) Accessibility(w http.ResponseWriter, r *http.Request) error {
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Keyboard and accessibility"), Wide: true}, accessibilityContent())
}

// Licences lists what is built into the pages and under which licence.
func (c Pages) Licences(w http.ResponseWriter, r *http.Request) error {
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Licences"), Wide: true}, licencesContent(assets.Licences()))
}
