package flow

import (
	"context"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// appLimit is why an app cannot be run now, and who or what helps.
type appLimit struct {
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
			Title: "You have no runs left today.", Closed: true,
			Text: "This app may be run " + ui.Plural(*v.App.MaxRunsPerUserPerDay, "time", "times") + " a day by each person. It can be run again after midnight UTC.",
		}
	}
	return nil
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
	name, helper := frame.SpaceName(ctx, at), frame.Lower(at.Words.Admin)
	cost := "A run may cost " + frame.InCredits(v.Credits)
	ask := []ui.ButtonProps{{Text: "Ask for more credits", Kind: ui.Primary, Href: "/workspaces/" + v.PaidIn + "/request"}}
	switch *p.RefusalCode {
	case "budget_exceeded":
		return &appLimit{Title: name + " has too few credits left.", Text: cost + ", and " + name + " has " + frame.Credits(max(0, frame.Value(p.CreditsLeft))) + ".", Next: ask}
	case "member_cap_exceeded":
		return &appLimit{
			Title: "You have reached your limit in " + name + ".", Next: ask,
			Text: cost + ", and " + frame.InCredits(frame.Value(p.OwnLeft)) + " are left for you. " + article(helper) + " can raise your limit.",
		}
	case "insufficient_app_credits":
		return &appLimit{
			Title: "Your personal credits do not cover a run.", Text: cost + ", and you have " + frame.InCredits(max(0, frame.Value(p.CreditsLeft))) + ".",
			Next: otherPayers(v, shell),
		}
	case "personal_space_disabled":
		return &appLimit{Title: "Your personal space is closed.", Text: "Your organization closed it. Let someone else’s credits pay:", Next: otherPayers(v, shell), Closed: true}
	case "workspace_archived":
		return &appLimit{Title: name + " is archived.", Text: "Nothing runs in it any more. An admin of the organization can bring it back.", Next: otherPayers(v, shell), Closed: true}
	case "member_suspended":
		return &appLimit{Title: "You are suspended here.", Text: article(helper) + " can lift that.", Next: otherPayers(v, shell), Closed: true}
	case "org_not_active":
		text := "Nothing can run in it until an operator of this install has approved it."
		if at.Org != nil && at.Org.Status == query.OrganizationStatusSuspended {
			text = "Nothing can run in it. Its owner knows why, and can ask the operators of this install."
		}
		return &appLimit{Title: "The organization of " + name + " is not active.", Text: text, Next: otherPayers(v, shell), Closed: true}
	}
	return &appLimit{Title: "It cannot be run here.", Text: sentence(frame.Value(p.Refusal)), Next: otherPayers(v, shell), Closed: true}
}

// maxPayers is how many other spaces are offered.
const maxPayers = 4

// otherPayers are the spaces of the person whose credits could pay instead.
func otherPayers(v payable, shell query.Shell) (out []ui.ButtonProps) {
	m := shell.Me.Memberships
	if m == nil {
		return nil
	}
	for _, w := range m.Workspaces {
		if w.Id != v.PaidIn && !w.Archived && !frame.Suspended(w.MemberStatus) && len(out) < maxPayers {
			out = append(out, ui.ButtonProps{Text: "Let " + w.Name + " pay", Href: v.In(w.Id)})
		}
	}
	return out
}

// article begins a sentence with a role: "A teacher", "An admin".
func article(role string) string {
	switch {
	case role == "":
		return "Someone"
	case isVowel(role[0]):
		return "An " + role
	}
	return "A " + role
}

func isVowel(c byte) bool { return c == 'a' || c == 'e' || c == 'i' || c == 'o' }
