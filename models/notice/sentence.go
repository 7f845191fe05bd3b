package notice

import (
	"context"
	"strings"

	"atelier/models"
	"atelier/models/account"
	"atelier/web/locale"
)

// What is said goes through these, see docs/translation.md.
var (
	t    = locale.T
	mark = locale.Mark
)

// in is the context of what is said in a language; nil is English.
func in(language *string) context.Context {
	ctx := context.Background()
	if language == nil || len(*language) > maxLanguage {
		return ctx
	}
	return locale.With(ctx, locale.Choose("", *language))
}

// maxLanguage bounds what is read of the tag of a language.
const maxLanguage = 16

// Say tells what happened in the language of ctx.
func (n *Notification) Say(ctx context.Context) string {
	if d, ok := descriptions[n.Kind]; ok {
		return d.sentence(ctx, n)
	}
	return t(ctx, "Something happened that this version does not know.")
}

// Sentence is Say in a language that is named by its tag; nil is English.
func (n *Notification) Sentence(language *string) string { return n.Say(in(language)) }

// Reason is what a person gave as one; empty when no one did.
func (n *Notification) Reason() string {
	if n.Kind == CreditRequest {
		return n.Facts.Reason
	}
	return ""
}

// place is the workspace, else the organization.
func (f Facts) place() string {
	if f.Workspace == "" {
		return f.Organization
	}
	return f.Workspace
}

func sayRequest(ctx context.Context, n *Notification) string {
	f := n.Facts
	if f.Amount != nil {
		return t(ctx, "%s asks for %s in %s.", f.Person, credits(ctx, f.Amount), f.Workspace)
	}
	return t(ctx, "%s asks for more credits in %s.", f.Person, f.Workspace)
}

func sayAnswer(ctx context.Context, n *Notification) string {
	f := n.Facts
	switch {
	case f.Status == "declined":
		return t(ctx, "%s declined your request for credits in %s.", f.Person, f.Workspace)
	case f.Amount == nil:
		return t(ctx, "%s raised your limit in %s, as you asked.", f.Person, f.Workspace)
	}
	return t(ctx, "%s gave %s to %s, as you asked.", f.Person, credits(ctx, f.Amount), f.Workspace)
}

func sayReceived(ctx context.Context, n *Notification) string {
	f := n.Facts
	switch f.Status {
	case "purchased":
		return t(ctx, "The purchase of %s is paid: %s went into the pool of %s.", f.Thing, credits(ctx, f.Amount), f.place())
	case "reinstated":
		return t(ctx, "%s of the purchase of %s went back into the pool of %s.", credits(ctx, f.Amount), f.Thing, f.place())
	}
	return t(ctx, "%s gave %s to %s.", f.Person, credits(ctx, f.Amount), f.place())
}

func sayTaken(ctx context.Context, n *Notification) string {
	f := n.Facts
	told := t(ctx, "A refund of %s took %s from the pool of %s.", f.Thing, credits(ctx, f.Left), f.Organization)
	if f.Status == "dispute" {
		told = t(ctx, "The payment of %s is disputed: %s went out of the pool of %s.", f.Thing, credits(ctx, f.Left), f.Organization)
	}
	if f.Left != nil && f.Amount != nil && *f.Left < *f.Amount {
		told += " " + t(ctx, "It asked for %s; the pool held no more, and nothing is owed.", credits(ctx, f.Amount))
	}
	return told
}

// sayUsed tells how far the budget of a workspace, or the pool of an organization, is used.
func sayUsed(ctx context.Context, n *Notification) string {
	f := n.Facts
	gone := *or(f.Amount) - *or(f.Left)
	switch {
	case n.WorkspaceID == nil && f.Level >= 100:
		return t(ctx, "The pool of %s is empty: all %s that it held are gone, so nothing more can be allocated.", f.Organization, credits(ctx, f.Amount))
	case n.WorkspaceID == nil:
		return t(ctx, "The pool of %s has reached %d percent: %s of the %s that it held are left.", f.Organization, f.Level, amount(ctx, f.Left), credits(ctx, f.Amount))
	case f.Level >= 100:
		return t(ctx, "The budget of %s is used up: all %s are spent, so nothing that costs something starts there.", f.Workspace, credits(ctx, f.Amount))
	case f.Level > 0:
		return t(ctx, "The budget of %s has reached %d percent: %s of %s are spent.", f.Workspace, f.Level, amount(ctx, &gone), credits(ctx, f.Amount))
	}
	return t(ctx, "The budget of %s is near its end: %s of %s left.", f.Workspace, amount(ctx, f.Left), credits(ctx, f.Amount)) // told before there were levels
}

func sayLimit(ctx context.Context, n *Notification) string {
	f := n.Facts
	if f.Left != nil && *f.Left <= 0 {
		return t(ctx, "You have used all %s of your limit in %s. Ask there for more.", credits(ctx, f.Amount), f.Workspace)
	}
	return t(ctx, "Your limit in %s is near its end: %s of %s left. Ask there for more.", f.Workspace, amount(ctx, f.Left), credits(ctx, f.Amount))
}

func sayAccepted(ctx context.Context, n *Notification) string {
	f := n.Facts
	switch n.Count {
	case 1:
		return t(ctx, "%s accepted your invitation to %s.", f.Person, f.place())
	case 2:
		return t(ctx, "%s and one other accepted your invitations to %s.", f.Person, f.place())
	}
	return t(ctx, "%d people accepted your invitations to %s, %s the latest.", n.Count, f.place(), f.Person)
}

func sayStatus(ctx context.Context, n *Notification) string {
	f := n.Facts
	switch f.Status {
	case "pending":
		return t(ctx, "%s waits for the approval of an operator. You can look around until then.", f.Organization)
	case "suspended":
		return t(ctx, "%s is suspended: it is read-only. The reason given: %s", f.Organization, f.Reason)
	case "reinstated":
		return t(ctx, "%s works again: its suspension is lifted.", f.Organization)
	}
	return t(ctx, "%s is approved. Everything works now.", f.Organization)
}

func sayStopped(ctx context.Context, n *Notification) string {
	f := n.Facts
	of, refused := strings.CutSuffix(f.Status, "_refused")
	var told string
	switch {
	case of == "schedule" && refused:
		told = t(ctx, "A schedule of yours could not start %s, and tries again.", f.Thing)
	case of == "schedule":
		told = t(ctx, "A schedule of yours stopped, and no longer starts %s.", f.Thing)
	case refused:
		told = t(ctx, "A webhook trigger of yours could not start %s, and tries again.", f.Thing)
	default:
		told = t(ctx, "A webhook trigger of yours stopped, and no longer starts %s.", f.Thing)
	}
	return told + " " + whyStopped(ctx, f)
}

// Parked is the code of a trigger that has to be mended.
const Parked = "parked"

// stops are why what is automated starts nothing, by the code of the refusal.
var stops = map[string]string{
	Parked:                                 mark("It has to be mended first: its page says what is wrong."),
	string(models.CodeRunRequiresMember):   mark("You may not run it any more."),
	string(models.CodeBudgetExceeded):      mark("The budget there does not cover the run."),
	string(models.CodeMemberCapExceeded):   mark("Your limit there does not cover the run."),
	string(models.CodeInsufficientCredits): mark("Your credits do not cover the run."),
}

// whyStopped is the refusal in the words of the service, which speaks English; in other languages, what its code means.
func whyStopped(ctx context.Context, f Facts) string {
	if why, known := stops[f.Code]; known && locale.Of(ctx) != locale.English {
		return t(ctx, why)
	}
	return f.Reason
}

func sayDepicted(ctx context.Context, n *Notification) string {
	f := n.Facts
	told := ""
	switch {
	case f.Workspace == "" && f.Thing == "voice":
		told = t(ctx, "%s added a voice of you.", f.Person)
	case f.Workspace == "" && f.Thing == "face":
		told = t(ctx, "%s added a face of you.", f.Person)
	case f.Workspace == "":
		told = t(ctx, "%s added a character of you.", f.Person)
	case f.Thing == "voice":
		told = t(ctx, "%s added a voice of you in %s.", f.Person, f.Workspace)
	case f.Thing == "face":
		told = t(ctx, "%s added a face of you in %s.", f.Person, f.Workspace)
	default:
		told = t(ctx, "%s added a character of you in %s.", f.Person, f.Workspace)
	}
	return told + " " + t(ctx, "It waits for your consent.")
}

func sayConsent(ctx context.Context, n *Notification) string {
	f := n.Facts
	told := ""
	switch f.Thing {
	case "voice":
		told = t(ctx, "%s added a voice of a member in %s.", f.Person, f.Workspace)
	case "face":
		told = t(ctx, "%s added a face of a member in %s.", f.Person, f.Workspace)
	default:
		told = t(ctx, "%s added a character of a member in %s.", f.Person, f.Workspace)
	}
	return told + " " + t(ctx, "It waits for an admin's consent.")
}

func sayAwaits(ctx context.Context, n *Notification) string {
	f := n.Facts
	told := ""
	switch {
	case n.Count > 1 && f.Workspace == "":
		return t(ctx, "%d times a post began to wait for your review, “%s” the latest.", n.Count, f.Thing)
	case n.Count > 1:
		return t(ctx, "%d times a post in %s began to wait for your review, “%s” the latest.", n.Count, f.Workspace, f.Thing)
	case f.Status == "reported" && f.Workspace == "":
		told = t(ctx, "The post “%s” was reported.", f.Thing)
	case f.Status == "reported":
		told = t(ctx, "The post “%s” in %s was reported.", f.Thing, f.Workspace)
	case f.Workspace == "":
		told = t(ctx, "%s posted “%s”.", f.Person, f.Thing)
	default:
		told = t(ctx, "%s posted “%s” in %s.", f.Person, f.Thing, f.Workspace)
	}
	return told + " " + t(ctx, "It waits for your review.")
}

func sayDecided(ctx context.Context, n *Notification) string {
	f := n.Facts
	told := ""
	switch f.Status {
	case "rejected":
		told = t(ctx, "Your post “%s” is rejected.", f.Thing)
	case "hidden":
		told = t(ctx, "Your post “%s” is hidden.", f.Thing)
	default:
		told = t(ctx, "Your post “%s” is approved.", f.Thing)
	}
	if f.Reason != "" {
		told += " " + t(ctx, "The reason given: %s", f.Reason)
	}
	return told
}

// sayGuard says what happened to a second factor.
func sayGuard(ctx context.Context, n *Notification) string {
	told := ""
	switch account.GuardChange(n.Facts.Status) {
	case account.TotpAdded:
		told = t(ctx, "An authenticator app is asked for now when you sign in.")
	case account.TotpRemoved:
		told = t(ctx, "Your authenticator app was removed: it is not asked for any more when you sign in.")
	case account.PasskeyAdded:
		told = t(ctx, "A passkey was added to your account.")
	case account.PasskeyRemoved:
		told = t(ctx, "A passkey was removed from your account.")
	case account.RecoveryUsed:
		told = t(ctx, "A recovery code was used to sign in to your account.")
	case account.RecoveryMade:
		told = t(ctx, "New recovery codes were made for your account; the earlier ones stopped working.")
	case account.GuardReset:
		return t(ctx, "An operator took the second factor off your account, and signed you out everywhere. Set it up again.")
	default:
		told = t(ctx, "The second factor of your account was changed.")
	}
	return told + " " + t(ctx, "If it was not you, choose a new password and look at where you are signed in.")
}

func or(c *models.Credits) *models.Credits {
	if c == nil {
		c = new(models.Credits)
	}
	return c
}

func amount(ctx context.Context, c *models.Credits) string {
	return locale.Credits(ctx, int64(*or(c)))
}

func credits(ctx context.Context, c *models.Credits) string {
	if c != nil && *c == models.Credit {
		return t(ctx, "1 credit")
	}
	return t(ctx, "%s credits", amount(ctx, c))
}
