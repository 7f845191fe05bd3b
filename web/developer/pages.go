package developer

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// Pages are the pages for developers.
type Pages struct{ *frame.Console }

// show shows a page within the navigation of a person who is signed in, and without it to everyone else.
func (p Pages) show(w http.ResponseWriter, r *http.Request, title string, content func(signedIn bool) templ.Component) error {
	res, err := query.Frame(r.Context(), p.Client)
	if err == nil {
		return p.Page(w, r, res.Shell, frame.Page{Title: title, Section: frame.SectionGuide}, content(true))
	}
	if e, refused := frame.Refused(err); !refused || e.Code != "unauthorized" {
		return err
	}
	return p.Bare(w, r, ui.BareProps{Title: title, Wide: true}, content(false))
}

// always is a content that is the same for everyone.
func always(content templ.Component) func(bool) templ.Component {
	return func(bool) templ.Component { return content }
}

// tabs lead from one page to the others.
func tabs(ctx context.Context, current string) []ui.NavItem {
	return []ui.NavItem{
		{Text: t(ctx, "Quick start"), Href: "/developer", Current: current == ""},
		{Text: t(ctx, "Reference"), Href: "/developer/reference", Current: current == "reference"},
		{Text: t(ctx, "Events"), Href: "/developer/events", Current: current == "events"},
		{Text: "OAuth", Href: "/developer/oauth", Current: current == "oauth"},
	}
}
