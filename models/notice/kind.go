package notice

import (
	"fmt"
	"strings"

	"atelier/models"
)

// Kind is what a notification tells of.
type Kind string

const (
	CreditRequest      Kind = "credit_request"
	CreditAnswer       Kind = "credit_answer"
	CreditsReceived    Kind = "credits_received"
	CreditsTaken       Kind = "credits_taken"
	BudgetHalf         Kind = "budget_half"
	BudgetAlert        Kind = "budget_alert"
	LimitLow           Kind = "limit_low"
	InvitationAccepted Kind = "invitation_accepted"
	OrganizationStatus Kind = "organization_status"
	EndpointOff        Kind = "endpoint_off"
	JobHeld            Kind = "job_held"
	AutomationStopped  Kind = "automation_stopped"
	// Depicted: a face or a voice of the recipient was added. ConsentAwaited: an
	// admin's answer about another person's is awaited.
	Depicted       Kind = "depicted"
	ConsentAwaited Kind = "consent_awaited"
	// PostAwaits: posts wait for a moderator. PostDecided: one of the recipient's was decided about.
	PostAwaits  Kind = "post_awaits"
	PostDecided Kind = "post_decided"
	// OrganizationWaits and OrderWaits are for operators: an organization to approve, an order to confirm the payment of.
	OrganizationWaits Kind = "organization_waits"
	OrderWaits        Kind = "order_waits"
	// SecondFactorChanged is also what happens when a recovery code is used.
	SecondFactorChanged Kind = "second_factor_changed"
)

// Needs is what a recipient must still be to see a notification.
type Needs string

const (
	Nothing Needs = "nothing"
	Member  Needs = "member"  // active in the workspace, or in the organization
	Teacher Needs = "teacher" // an admin of the workspace
	Admin   Needs = "admin"   // owner or admin of the organization
	Owner   Needs = "owner"
)

// Facts are what a sentence is made of, as they were when it was told.
type Facts struct {
	Organization string          `json:"organization,omitempty"`
	Workspace    string          `json:"workspace,omitempty"`
	Person       string          `json:"person,omitempty"` // who did it, or the latest of them
	Thing        string          `json:"thing,omitempty"`  // what else has a name: a node, an address
	Status       string          `json:"status,omitempty"`
	Reason       string          `json:"reason,omitempty"`
	Amount       *models.Credits `json:"amount,omitempty"`
	Left         *models.Credits `json:"left,omitempty"`
	Level        int             `json:"level,omitempty"` // how much of the amount is used, in percent
}

// description is all that is known of a kind.
type description struct {
	// label is what it is called where one chooses what comes by mail.
	label string
	// mail is whether it comes by mail unless a person chose otherwise.
	mail bool
	// sentence tells it, path leads to where one acts.
	sentence func(*Notification) string
	path     func(*Notification) string
}

// Kinds are all kinds, in the order in which they are shown.
var Kinds = []Kind{CreditRequest, CreditAnswer, CreditsReceived, CreditsTaken, BudgetAlert, BudgetHalf, LimitLow,
	InvitationAccepted, OrganizationStatus, EndpointOff, AutomationStopped, JobHeld, Depicted, ConsentAwaited, PostAwaits, PostDecided,
	OrganizationWaits, OrderWaits, SecondFactorChanged}

var descriptions = map[Kind]description{
	SecondFactorChanged: {
		label: "Your second factor changes, or a recovery code is used", mail: true,
		sentence: func(n *Notification) string { return guardSentence(n.Facts) },
		path:     func(*Notification) string { return "/account/security" },
	},
	CreditRequest: {
		label: "Somebody asks you for credits", mail: true,
		sentence: func(n *Notification) string {
			if n.Facts.Amount != nil {
				return fmt.Sprintf("%s asks for %s in %s.", n.Facts.Person, credits(n.Facts.Amount), n.Facts.Workspace)
			}
			return fmt.Sprintf("%s asks for more credits in %s.", n.Facts.Person, n.Facts.Workspace)
		},
		path: (*Notification).workspacePath,
	},
	CreditAnswer: {
		label: "Your request for credits is answered",
		sentence: func(n *Notification) string {
			if n.Facts.Status == "declined" {
				return fmt.Sprintf("%s declined your request for credits in %s.", n.Facts.Person, n.Facts.Workspace)
			}
			if n.Facts.Amount == nil {
				return fmt.Sprintf("%s raised your limit in %s, as you asked.", n.Facts.Person, n.Facts.Workspace)
			}
			return fmt.Sprintf("%s gave %s to %s, as you asked.", n.Facts.Person, credits(n.Facts.Amount), n.Facts.Workspace)
		},
		path: (*Notification).workspacePath,
	},
	CreditsReceived: {
		label: "Credits arrive",
		sentence: func(n *Notification) string {
			where := n.Facts.Workspace
			if where == "" {
				where = n.Facts.Organization
			}
			switch n.Facts.Status {
			case "purchased":
				return fmt.Sprintf("The purchase of %s is paid: %s went into the pool of %s.", n.Facts.Thing, credits(n.Facts.Amount), where)
			case "reinstated":
				return fmt.Sprintf("%s of the purchase of %s went back into the pool of %s.", credits(n.Facts.Amount), n.Facts.Thing, where)
			}
			return fmt.Sprintf("%s gave %s to %s.", n.Facts.Person, credits(n.Facts.Amount), where)
		},
		path: func(n *Notification) string {
			if n.WorkspaceID == nil {
				return n.purchasePath()
			}
			return n.workspacePath()
		},
	},
	CreditsTaken: {
		label: "Credits are taken back after a refund or a dispute", mail: true,
		sentence: func(n *Notification) string {
			words := "A refund of %s took %s from the pool of %s."
			if n.Facts.Status == "dispute" {
				words = "The payment of %s is disputed: %s went out of the pool of %s."
			}
			told := fmt.Sprintf(words, n.Facts.Thing, credits(n.Facts.Left), n.Facts.Organization)
			if n.Facts.Left != nil && n.Facts.Amount != nil && *n.Facts.Left < *n.Facts.Amount {
				told += fmt.Sprintf(" It asked for %s; the pool held no more, and nothing is owed.", credits(n.Facts.Amount))
			}
			return told
		},
		path: (*Notification).purchasePath,
	},
	BudgetHalf: {
		label: "Half of a budget or pool is used", sentence: alertSentence, path: alertPath,
	},
	BudgetAlert: {
		label: "A budget or pool is at 80 percent or more", mail: true, sentence: alertSentence, path: alertPath,
	},
	LimitLow: {
		label: "Your own limit is near its end",
		sentence: func(n *Notification) string {
			if n.Facts.Left != nil && *n.Facts.Left <= 0 {
				return fmt.Sprintf("You have used all %s of your limit in %s. Ask there for more.", credits(n.Facts.Amount), n.Facts.Workspace)
			}
			return fmt.Sprintf("Your limit in %s is near its end: %s of %s left. Ask there for more.", n.Facts.Workspace, amount(n.Facts.Left), credits(n.Facts.Amount))
		},
		path: func(n *Notification) string { return n.workspacePath() + "/request" },
	},
	InvitationAccepted: {
		label: "Your invitations are accepted",
		sentence: func(n *Notification) string {
			where := n.Facts.Workspace
			if where == "" {
				where = n.Facts.Organization
			}
			switch n.Count {
			case 1:
				return fmt.Sprintf("%s accepted your invitation to %s.", n.Facts.Person, where)
			case 2:
				return fmt.Sprintf("%s and one other accepted your invitations to %s.", n.Facts.Person, where)
			}
			return fmt.Sprintf("%d people accepted your invitations to %s, %s the latest.", n.Count, where, n.Facts.Person)
		},
		path: func(n *Notification) string {
			if n.WorkspaceID == nil {
				return n.organizationPath("/members")
			}
			return n.workspacePath() + "/members"
		},
	},
	OrganizationStatus: {
		label: "An organization of yours is approved or suspended",
		sentence: func(n *Notification) string {
			switch n.Facts.Status {
			case "pending":
				return n.Facts.Organization + " waits for the approval of an operator. You can look around until then."
			case "suspended":
				return n.Facts.Organization + " is suspended: nothing in it can change. The reason given: " + n.Facts.Reason
			case "reinstated":
				return n.Facts.Organization + " works again: its suspension is lifted."
			}
			return n.Facts.Organization + " is approved. Everything works now."
		},
		path: func(n *Notification) string { return n.organizationPath("") },
	},
	EndpointOff: {
		label: "A webhook endpoint is shut off", mail: true,
		sentence: func(n *Notification) string {
			return fmt.Sprintf("Events no longer go to %s: 50 deliveries in a row failed, so the endpoint was turned off.", n.Facts.Thing)
		},
		path: func(n *Notification) string { return n.subjectPath("/webhooks/") },
	},
	AutomationStopped: {
		label: "Something that you automated stops, or lacks credits", mail: true,
		sentence: func(n *Notification) string {
			of, refused := strings.CutSuffix(n.Facts.Status, "_refused")
			what := "A webhook trigger"
			if of == "schedule" {
				what = "A schedule"
			}
			if refused {
				return fmt.Sprintf("%s of yours could not start %s, and tries again. %s", what, n.Facts.Thing, n.Facts.Reason)
			}
			return fmt.Sprintf("%s of yours stopped, and no longer starts %s. %s", what, n.Facts.Thing, n.Facts.Reason)
		},
		path: func(n *Notification) string {
			page := "/triggers"
			if strings.HasPrefix(n.Facts.Status, "schedule") {
				page = "/schedules"
			}
			if n.SubjectID == nil {
				return "/notifications"
			}
			return n.subjectPath("/workflows/") + page
		},
	},
	Depicted: {
		label: "A face or a voice of you is added", mail: true,
		sentence: func(n *Notification) string {
			told := fmt.Sprintf("%s added a %s of you", n.Facts.Person, n.Facts.Thing)
			if n.Facts.Workspace != "" {
				told += " in " + n.Facts.Workspace
			}
			return told + ". It waits for your consent."
		},
		path: func(*Notification) string { return "/consents" },
	},
	ConsentAwaited: {
		label: "A consent waits for you as an admin", mail: true,
		sentence: func(n *Notification) string {
			return fmt.Sprintf("%s added a %s of a member in %s. It waits for an admin's consent.", n.Facts.Person, n.Facts.Thing, n.Facts.Workspace)
		},
		path: func(*Notification) string { return "/consents" },
	},
	PostAwaits: {
		label: "Posts to the community wait for your review", mail: true,
		sentence: func(n *Notification) string {
			f, where := n.Facts, ""
			if f.Workspace != "" {
				where = " in " + f.Workspace
			}
			switch {
			case n.Count > 1:
				return fmt.Sprintf("%d times a post%s began to wait for your review, “%s” the latest.", n.Count, where, f.Thing)
			case f.Status == "reported":
				return fmt.Sprintf("The post “%s”%s was reported. It waits for your review.", f.Thing, where)
			}
			return fmt.Sprintf("%s posted “%s”%s. It waits for your review.", f.Person, f.Thing, where)
		},
		path: func(*Notification) string { return "/community/review" },
	},
	PostDecided: {
		label: "Your post to the community is decided about",
		sentence: func(n *Notification) string {
			done := map[string]string{"visible": "is approved", "rejected": "is rejected", "hidden": "is hidden"}[n.Facts.Status]
			told := fmt.Sprintf("Your post “%s” %s.", n.Facts.Thing, done)
			if n.Facts.Reason != "" {
				told += " The reason given: " + n.Facts.Reason
			}
			return told
		},
		path: func(n *Notification) string { return n.subjectPath("/community/") },
	},
	OrganizationWaits: {
		label: "An organization waits for your approval as an operator", mail: true,
		sentence: func(n *Notification) string {
			return fmt.Sprintf("%s created %s. It waits for your approval.", n.Facts.Person, n.Facts.Organization)
		},
		path: func(n *Notification) string { return n.subjectPath("/orgs/") },
	},
	OrderWaits: {
		label: "An order waits for its payment to be confirmed by an operator", mail: true,
		sentence: func(n *Notification) string {
			return fmt.Sprintf("%s ordered %s for %s. Confirm the payment when it has arrived.", n.Facts.Person, credits(n.Facts.Amount), n.Facts.Organization)
		},
		path: func(*Notification) string { return "/operator/purchases" },
	},
	JobHeld: {
		label: "A result waits for your review",
		sentence: func(n *Notification) string {
			return fmt.Sprintf("The result of %s waits for your review.", n.Facts.Thing)
		},
		path: func(n *Notification) string { return n.subjectPath("/jobs/") },
	},
}

// alertSentence tells how far the budget of a workspace, or the pool of an
// organization, is used.
func alertSentence(n *Notification) string {
	f := n.Facts
	gone := *or(f.Amount) - *or(f.Left)
	switch {
	case n.WorkspaceID == nil && f.Level >= 100:
		return fmt.Sprintf("The pool of %s is empty: all %s that it held are gone, so nothing more can be allocated.", f.Organization, credits(f.Amount))
	case n.WorkspaceID == nil:
		return fmt.Sprintf("The pool of %s has reached %d percent: %s of the %s that it held are left.", f.Organization, f.Level, amount(f.Left), credits(f.Amount))
	case f.Level >= 100:
		return fmt.Sprintf("The budget of %s is used up: all %s are spent, so nothing that costs something starts there.", f.Workspace, credits(f.Amount))
	case f.Level > 0:
		return fmt.Sprintf("The budget of %s has reached %d percent: %s of %s are spent.", f.Workspace, f.Level, gone, credits(f.Amount))
	}
	return fmt.Sprintf("The budget of %s is near its end: %s of %s left.", f.Workspace, amount(f.Left), credits(f.Amount)) // told before there were levels
}

func or(c *models.Credits) *models.Credits {
	if c == nil {
		c = new(models.Credits)
	}
	return c
}

func alertPath(n *Notification) string {
	if n.WorkspaceID == nil {
		return n.organizationPath("/credits")
	}
	return n.workspacePath()
}

// Label is what the kind is called.
func (k Kind) Label() string { return descriptions[k].label }

// Sentence tells what happened.
func (n *Notification) Sentence() string {
	if d, ok := descriptions[n.Kind]; ok {
		return d.sentence(n)
	}
	return "Something happened that this version does not know."
}

// Path leads to where one acts, beneath the address of the install.
func (n *Notification) Path() string {
	if d, ok := descriptions[n.Kind]; ok {
		return d.path(n)
	}
	return "/notifications"
}

// Reason is what a person gave as one; empty when no one did.
func (n *Notification) Reason() string {
	if n.Kind == CreditRequest {
		return n.Facts.Reason
	}
	return ""
}

func (n *Notification) workspacePath() string {
	if n.WorkspaceID == nil {
		return "/notifications"
	}
	return "/workspaces/" + n.WorkspaceID.String()
}

func (n *Notification) organizationPath(page string) string {
	if n.OrganizationID == nil {
		return "/notifications"
	}
	return "/orgs/" + n.OrganizationID.String() + page
}

// purchasePath leads to the purchase, else to the credits of the organization.
func (n *Notification) purchasePath() string {
	if n.SubjectID == nil {
		return n.organizationPath("/credits")
	}
	return n.organizationPath("/purchases/" + n.SubjectID.String())
}

func (n *Notification) subjectPath(list string) string {
	if n.SubjectID == nil {
		return "/notifications"
	}
	return list + n.SubjectID.String()
}

func amount(c *models.Credits) string {
	if c == nil {
		return "0"
	}
	return c.String()
}

func credits(c *models.Credits) string {
	if c != nil && *c == models.Credit {
		return "1 credit"
	}
	return amount(c) + " credits"
}
