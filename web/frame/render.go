package frame

import (
	"bytes"
	"net/http"
	"strconv"

	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// Page says what a console page is and where it stands.
type Page struct {
	Title string
	// Section is the entry of the navigation that is lit.
	Section section
	// Org and Workspace are ids of what the page is about; the space that its address names when both are empty.
	Org       string
	Workspace string
	// List is the address that the page has in the personal space, where it is a list that every space has: switching
	// leads to the same list of another space.
	List string
	// Personal is set by other pages of the personal space.
	Personal bool
	// Status is that of the answer; without one 200, or that of the refused form that the page is shown for.
	Status  int
	Wide    bool
	Scripts []string
}

// Page renders content inside the shell, under the status of a refused form, if there was one.
func (c *Console) Page(w http.ResponseWriter, r *http.Request, shell query.Shell, p Page, content templ.Component) error {
	shell = c.Placed(r, shell, p.Org, p.Workspace)
	at := PlaceOf(r, shell, p.Org, p.Workspace)
	if at.Workspace != nil {
		r = r.WithContext(inSpace(r.Context(), at.Workspace.Id))
	}
	s := c.Shell(r, shell, p)
	if s.Flash = c.takeFlash(w, r); s.Flash != "" {
		s.FlashOf, s.Undo = c.takeUndo(w, r)
	}
	if p.Status == 0 {
		p.Status = FormStatus(r)
	}
	r = r.WithContext(withAddress(withPlace(r.Context(), at), r))
	r = c.inZone(w, r, shell)
	return Write(w, r, p.Status, Wrap(ui.Page(s), content))
}

// Bare renders content without navigation: signing in, joining, what a visitor may see.
func (c *Console) Bare(w http.ResponseWriter, r *http.Request, p ui.BareProps, content templ.Component) error {
	p.Theme = ThemeOf(r)
	p.Flash = c.takeFlash(w, r)
	if r.Method != http.MethodPost {
		p.Path = r.URL.RequestURI()
	}
	return Write(w, r, FormStatus(r), Wrap(ui.Bare(p), content))
}

// FormStatus is the status of the refusal that a form is shown again for, else 200.
func FormStatus(r *http.Request) int {
	if f := FormOf(r); f.Err != nil {
		return f.Err.Status
	}
	return http.StatusOK
}

// MaxPageBytes bounds a page, whatever is on it: twice as much as a form that holds a whole graph may send.
const MaxPageBytes = 2 * maxGraphForm

// errPageTooLong ends the rendering of a page that no bound on its parts has kept short.
var errPageTooLong = Refusal(http.StatusRequestEntityTooLarge, "payload_too_large", mark("There is too much on this page to show it. The API gives all of it."))

// pageBuffer holds a page until it is whole.
type pageBuffer struct{ bytes.Buffer }

// Write refuses what makes the page too long.
func (b *pageBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > MaxPageBytes {
		return 0, errPageTooLong
	}
	return b.Buffer.Write(p)
}

// Write renders a whole document before the first byte leaves, so that a failure can still be an error page.
func Write(w http.ResponseWriter, r *http.Request, status int, document templ.Component) error {
	var b pageBuffer
	if err := document.Render(ui.WithBudget(r.Context()), &b); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = b.WriteTo(w)
	}
	return nil
}
