package flow

import (
	"context"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// appLimit is why an app cannot be run now, and who or what helps.
type appLimit struct {
	Code        string // of the refusal that a run meets
	Title, Text string
	Next        []ui.ButtonProps
	// Closed: nothing can be run. Where credits are missing, a run that costs nothing may still start.
	Closed bool
}

// limitOf is what stands in the way of a run; nil when nothing does.
func limitOf(ctx context.Context, v appFormView, at frame.Place, p *query.AppPayment, shell query.Shell) *appLimit {
	if p != nil && p.RefusalCode != nil {
		return creditLimit(ctx, v.run(), at, *p, shell)
	}
	if v.Left != nil && *v.Left <= 0 {
		return &appLimit{
			Code: "rate_limit_exceeded", Title: t(ctx, "You have no runs left today."), Closed: true,
			Text: tn(ctx, "Each person may run this app once a day. It can be run again after midnight UTC.",
				"Each person may run this app %d times a day. It can be run again after midnight UTC.", *v.App.MaxRunsPerUserPerDay),
		}
	}
	return nil
}

// refused tells whether a form was refused for this very reason, which the page then says once.
func (l *appLimit) refused(f frame.Form) bool {
	return l != nil && f.Err != nil && f.Err.Code == l.Code && f.Err.Field == ""
}

// payable is something that costs credits: about how many, the workspace that pays (empty for the personal space), and
// its page where another one pays.
type payable struct {
	Credits float64
	PaidIn  string
	In      func(workspace string) string
}

func (v appFormView) run() payable {
	return payable{v.App.EstimatedCredits, v.PaidIn, func(workspace string) string { return frame.Within("/app/"+v.App.Slug, workspace) }}
}

func creditLimit(ctx context.Context, v payable, at frame.Place, p query.AppPayment, shell query.Shell) *appLimit {
	limit := creditLimitWords(ctx, v, at, p, shell)
	limit.Code = *p.RefusalCode
	return limit
}

func creditLimitWords(ctx context.Context, v payable, at frame.Place, p query.AppPayment, shell query.Shell) *appLimit {
	name, cost, left := frame.SpaceName(ctx, at), inCredits(ctx, v.Credits), max(0, frame.Value(p.CreditsLeft))
	terms := frame.Saying(ctx, at.Words)
	ask := []ui.ButtonProps{{Text: t(ctx, "Ask for more credits"), Kind: ui.Primary, Href: "/workspaces/" + v.PaidIn + "/request"}}
	switch *p.RefusalCode {
	case "budget_exceeded":
		return &appLimit{Title: t(ctx, "%s has too few credits left.", name), Text: t(ctx, "A run may cost %s, and %s has %s.", cost, name, credits(ctx, left)), Next: ask}
	case "member_cap_exceeded":
		return &appLimit{
			Title: t(ctx, "You have reached your limit in %s.", name), Next: ask,
			Text: tn(terms, "A run may cost %[2]s, and %[3]s is left for you. {An admin} can raise your limit.",
				"A run may cost %[2]s, and %[3]s are left for you. {An admin} can raise your limit.",
				oneOrMany(frame.Value(p.OwnLeft)), cost, inCredits(ctx, frame.Value(p.OwnLeft))),
		}
	case "insufficient_app_credits":
		return &appLimit{
			Title: t(ctx, "Your personal credits do not cover a run."), Text: t(ctx, "A run may cost %s, and you have %s.", cost, inCredits(ctx, left)),
			Next: otherPayers(ctx, v, shell),
		}
	case "personal_space_disabled":
		return &appLimit{
			Title: t(ctx, "Your personal space is closed."), Text: t(terms, "Your organization closed it. Choose {a workspace} that pays:"),
			Next: otherPayers(ctx, v, shell), Closed: true,
		}
	case "workspace_archived":
		return &appLimit{
			Title: t(ctx, "%s is archived.", name), Text: t(ctx, "Nothing runs in it any more. The owner or an admin of the organization can bring it back."),
			Next: otherPayers(ctx, v, shell), Closed: true,
		}
	case "member_suspended":
		return &appLimit{Title: t(ctx, "You are suspended here."), Text: t(terms, "{An admin} can lift that."), Next: otherPayers(ctx, v, shell), Closed: true}
	case "org_not_active":
		text := t(ctx, "Nothing can run in it until an operator of this install has approved it.")
		if at.Org != nil && at.Org.Status == query.OrganizationStatusSuspended {
			text = t(ctx, "Nothing can run in it. Its owner knows why, and can ask the operators of this install.")
		}
		return &appLimit{Title: t(ctx, "The organization of %s is not active.", name), Text: text, Next: otherPayers(ctx, v, shell), Closed: true}
	}
	return &appLimit{Title: t(ctx, "It cannot be run here."), Text: sentence(frame.Value(p.Refusal)), Next: otherPayers(ctx, v, shell), Closed: true}
}

// maxPayers is how many other spaces are offered.
const maxPayers = 4

// otherPayers are the spaces of the person whose credits could pay instead.
func otherPayers(ctx context.Context, v payable, shell query.Shell) (out []ui.ButtonProps) {
	m := shell.Me.Memberships
	if m == nil {
		return nil
	}
	for _, w := range m.Workspaces {
		if w.Id != v.PaidIn && !w.Archived && !frame.Suspended(w.MemberStatus) && len(out) < maxPayers {
			out = append(out, ui.ButtonProps{Text: t(ctx, "Let %s pay", w.Name), Href: v.In(w.Id)})
		}
	}
	return out
}
