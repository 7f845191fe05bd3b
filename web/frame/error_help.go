package frame

import (
	"context"
	"net/http"
	"strings"

	"atelier/web/query"
	"atelier/web/ui"
)

// mayHelp tells whether a refusal is one that another person of the place can do something about.
func mayHelp(e *Error) bool {
	switch e.Code {
	case "forbidden", "insufficient_scope", "sso_required", "second_factor_setup_required", "stale_version", "idempotency_in_progress", "idempotency_key_reused":
		return false
	}
	return e.Status == http.StatusForbidden || e.Status == http.StatusConflict || e.Status == http.StatusPaymentRequired
}

// placedProblem is a problem where it happened: with whom to ask, and a way on that stays there.
func placedProblem(r *http.Request, e *Error, p problem, shell query.Shell, help *query.HelpPlaces) (problem, Page) {
	page := Page{Title: p.Title}
	asked, _ := r.Context().Value(addressedKey{}).(*addressed)
	if asked == nil {
		return p, page
	}
	page.Org, page.Workspace = asked.org, asked.workspace
	at := PlaceOf(r, shell, page.Org, page.Workspace)
	if at.Org == nil {
		page.Org, page.Workspace = "", ""
		return p, page
	}
	if help != nil && mayHelp(e) {
		p.Help = helpSentence(r.Context(), at, help, shell.Me.Id)
	}
	if p.Next.Href != "/" {
		return p, page
	}
	switch { // a person who is suspended can open neither
	case Suspended(at.Org.MemberStatus) || at.Workspace != nil && Suspended(at.Workspace.MemberStatus):
	case at.Workspace != nil && at.Workspace.Role != nil:
		p.Next = ui.ButtonProps{Text: t(r.Context(), "Go to %s", at.Workspace.Name), Href: "/workspaces/" + at.Workspace.Id}
	case at.Org.Role != nil:
		p.Next = ui.ButtonProps{Text: t(r.Context(), "Go to %s", at.Org.Name), Href: "/orgs/" + at.Org.Id}
	}
	return p, page
}

// helpSentence names whom to ask: those who lead the workspace, else the owner and the admins of the organization.
func helpSentence(ctx context.Context, at Place, help *query.HelpPlaces, self string) string {
	if at.Workspace != nil && !Suspended(at.Org.MemberStatus) {
		for _, w := range help.Workspaces {
			if names := namesOf(w.Helpers, self); w.Id == at.Workspace.Id && len(names) > 0 {
				return tn(Saying(ctx, at.Words), "Ask %[2]s, who is {an admin} of %[3]s.", "Ask %[2]s, who are {admins} of %[3]s.", len(names), either(ctx, names), at.Workspace.Name)
			}
		}
	}
	for _, o := range help.Organizations {
		if names := namesOf(o.Helpers, self); o.Id == at.Org.Id && len(names) > 0 {
			return tn(ctx, "Ask %[2]s, who looks after %[3]s.", "Ask %[2]s, who look after %[3]s.", len(names), either(ctx, names), at.Org.Name)
		}
	}
	return ""
}

// namesOf are the names of helpers but the person who asks.
func namesOf(helpers []query.Helper, self string) (names []string) {
	for _, h := range helpers {
		if h.Id != self {
			names = append(names, h.DisplayName)
		}
	}
	return names
}

// either is a list of which one is enough: "Ada, Ben or Cleo".
func either(ctx context.Context, names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return t(ctx, "%s or %s", strings.Join(names[:len(names)-1], ", "), names[len(names)-1])
}

// helpShell is the shell of an error page, and whom to ask. That is another operation than the page's own, which has
// failed.
func (c *Console) helpShell(ctx context.Context, e *Error) (query.Shell, *query.HelpPlaces, error) {
	if !mayHelp(e) {
		res, err := query.Frame(ctx, c.Client)
		if err != nil {
			return query.Shell{}, nil, err
		}
		return res.Shell, nil, nil
	}
	res, err := query.Helpers(ctx, c.Client)
	if err != nil {
		return query.Shell{}, nil, err
	}
	return res.Shell, res.Help.Memberships, nil
}

// placedShell adds to the shell the place that the address names, where the switcher does not list it.
func (c *Console) placedShell(r *http.Request, shell query.Shell) query.Shell {
	at, _ := r.Context().Value(addressedKey{}).(*addressed)
	if at == nil {
		return shell
	}
	return c.Placed(r, shell, at.org, at.workspace)
}
