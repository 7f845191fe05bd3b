package notice

import (
	"context"
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
	// UsageMonth: what an organization spent in a month that is over.
	UsageMonth Kind = "usage_month"
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
	Code         string          `json:"code,omitempty"` // of the refusal that Reason is in English, or Parked
	Amount       *models.Credits `json:"amount,omitempty"`
	Left         *models.Credits `json:"left,omitempty"`
	Level        int             `json:"level,omitempty"` // how much of the amount is used, in percent

	// Of a month that is over: which (2026-10), what the one before cost, and where and by whom most of Amount was spent.
	Month       string          `json:"month,omitempty"`
	Before      *models.Credits `json:"before,omitempty"`
	ByWorkspace []Spending      `json:"byWorkspace,omitempty"`
	ByMember    []Spending      `json:"byMember,omitempty"`
}

// Spending is what a workspace or a member spent.
type Spending struct {
	Name   string         `json:"name"`
	Amount models.Credits `json:"amount"`
}

// description is all that is known of a kind.
type description struct {
	// label is what it is called where one chooses what comes by mail.
	label string
	// mail is whether it comes by mail unless a person chose otherwise.
	mail bool
	// sentence tells it, path leads to where one acts.
	sentence func(context.Context, *Notification) string
	path     func(*Notification) string
}

// Kinds are all kinds, in the order in which they are shown.
var Kinds = []Kind{CreditRequest, CreditAnswer, CreditsReceived, CreditsTaken, BudgetAlert, BudgetHalf, LimitLow,
	InvitationAccepted, OrganizationStatus, EndpointOff, AutomationStopped, JobHeld, Depicted, ConsentAwaited, PostAwaits, PostDecided,
	OrganizationWaits, OrderWaits, UsageMonth, SecondFactorChanged}

var descriptions = map[Kind]description{
	SecondFactorChanged: {
		label: mark("Your second factor changes, or a recovery code is used"), mail: true,
		sentence: sayGuard, path: func(*Notification) string { return "/account/security" },
	},
	CreditRequest: {label: mark("Someone asks you for credits"), mail: true, sentence: sayRequest, path: (*Notification).workspacePath},
	CreditAnswer:  {label: mark("Your request for credits is answered"), sentence: sayAnswer, path: (*Notification).workspacePath},
	CreditsReceived: {
		label: mark("Credits arrive"), sentence: sayReceived,
		path: func(n *Notification) string {
			if n.WorkspaceID == nil {
				return n.purchasePath()
			}
			return n.workspacePath()
		},
	},
	CreditsTaken: {label: mark("Credits are taken back after a refund or a dispute"), mail: true, sentence: sayTaken, path: (*Notification).purchasePath},
	BudgetHalf:   {label: mark("Half of a budget or pool is used"), sentence: sayUsed, path: alertPath},
	BudgetAlert:  {label: mark("A budget or pool is at 80 percent or more"), mail: true, sentence: sayUsed, path: alertPath},
	LimitLow: {
		label: mark("Your own limit is near its end"), sentence: sayLimit,
		path: func(n *Notification) string { return n.workspacePath() + "/request" },
	},
	InvitationAccepted: {
		label: mark("Your invitations are accepted"), sentence: sayAccepted,
		path: func(n *Notification) string {
			if n.WorkspaceID == nil {
				return n.organizationPath("/members")
			}
			return n.workspacePath() + "/members"
		},
	},
	OrganizationStatus: {
		label: mark("An organization of yours is approved or suspended"), sentence: sayStatus,
		path: func(n *Notification) string { return n.organizationPath("") },
	},
	EndpointOff: {
		label: mark("A webhook endpoint is shut off"), mail: true,
		sentence: func(ctx context.Context, n *Notification) string {
			return t(ctx, "Events no longer go to %s: 50 deliveries in a row failed, so the endpoint was turned off.", n.Facts.Thing)
		},
		path: func(n *Notification) string { return n.subjectPath("/webhooks/") },
	},
	AutomationStopped: {
		label: mark("Something that you automated stops, or lacks credits"), mail: true, sentence: sayStopped,
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
		label: mark("A face or a voice of you is added"), mail: true,
		sentence: sayDepicted, path: func(*Notification) string { return "/consents" },
	},
	ConsentAwaited: {
		label: mark("A consent waits for you as an admin"), mail: true,
		sentence: sayConsent, path: func(*Notification) string { return "/consents" },
	},
	PostAwaits: {
		label: mark("Posts to the community wait for your review"), mail: true,
		sentence: sayAwaits, path: func(*Notification) string { return "/community/review" },
	},
	PostDecided: {
		label: mark("Your post to the community is decided about"), sentence: sayDecided,
		path: func(n *Notification) string { return n.subjectPath("/community/") },
	},
	OrganizationWaits: {
		label: mark("An organization waits for your approval as an operator"), mail: true,
		sentence: func(ctx context.Context, n *Notification) string {
			return t(ctx, "%s created %s. It waits for your approval.", n.Facts.Person, n.Facts.Organization)
		},
		path: func(n *Notification) string { return n.subjectPath("/orgs/") },
	},
	OrderWaits: {
		label: mark("An order waits for its payment to be confirmed by an operator"), mail: true,
		sentence: func(ctx context.Context, n *Notification) string {
			return t(ctx, "%s ordered %s for %s. Confirm the payment when it has arrived.", n.Facts.Person, credits(ctx, n.Facts.Amount), n.Facts.Organization)
		},
		path: func(*Notification) string { return "/operator/purchases" },
	},
	UsageMonth: {label: mark("A month is over, with what your organization spent in it"), sentence: sayMonth, path: (*Notification).monthPath},
	JobHeld: {
		label: mark("A result waits for your review"),
		sentence: func(ctx context.Context, n *Notification) string {
			return t(ctx, "The result of %s waits for your review.", n.Facts.Thing)
		},
		path: func(n *Notification) string { return n.subjectPath("/jobs/") },
	},
}

func alertPath(n *Notification) string {
	if n.WorkspaceID == nil {
		return n.organizationPath("/credits")
	}
	return n.workspacePath()
}

// Label is what the kind is called, in a language that is named by its tag; nil is English.
func (k Kind) Label(language *string) string { return t(in(language), descriptions[k].label) }

// Path leads to where one acts, beneath the address of the install.
func (n *Notification) Path() string {
	if d, ok := descriptions[n.Kind]; ok {
		return d.path(n)
	}
	return "/notifications"
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
