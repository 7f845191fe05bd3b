package notice

import (
	"fmt"

	"atelier/models"
)

// Kind is what a notification tells of.
type Kind string

const (
	CreditRequest      Kind = "credit_request"
	CreditAnswer       Kind = "credit_answer"
	CreditsReceived    Kind = "credits_received"
	BudgetLow          Kind = "budget_low"
	LimitLow           Kind = "limit_low"
	InvitationAccepted Kind = "invitation_accepted"
	OrganizationStatus Kind = "organization_status"
	EndpointOff        Kind = "endpoint_off"
	JobHeld            Kind = "job_held"
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
}

// description is all that is known of a kind.
type description struct {
	// label is what it is called where one chooses what comes by mail.
	label string
	// mail is whether it comes by mail unless somebody chose otherwise.
	mail bool
	// sentence tells it, path leads to where one acts.
	sentence func(*Notification) string
	path     func(*Notification) string
}

// Kinds are all kinds, in the order in which they are shown.
var Kinds = []Kind{CreditRequest, CreditAnswer, CreditsReceived, BudgetLow, LimitLow, InvitationAccepted, OrganizationStatus, EndpointOff, JobHeld}

var descriptions = map[Kind]description{
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
			return fmt.Sprintf("%s gave %s to %s.", n.Facts.Person, credits(n.Facts.Amount), where)
		},
		path: func(n *Notification) string {
			if n.WorkspaceID == nil {
				return n.organizationPath("/credits")
			}
			return n.workspacePath()
		},
	},
	BudgetLow: {
		label: "A budget is near its end", mail: true,
		sentence: func(n *Notification) string {
			return fmt.Sprintf("The budget of %s is near its end: %s of %s left.", n.Facts.Workspace, amount(n.Facts.Left), credits(n.Facts.Amount))
		},
		path: (*Notification).workspacePath,
	},
	LimitLow: {
		label: "Your own limit is near its end",
		sentence: func(n *Notification) string {
			if n.Facts.Left != nil && *n.Facts.Left <= 0 {
				return fmt.Sprintf("You have used all %s of your limit in %s.", credits(n.Facts.Amount), n.Facts.Workspace)
			}
			return fmt.Sprintf("Your limit in %s is near its end: %s of %s left.", n.Facts.Workspace, amount(n.Facts.Left), credits(n.Facts.Amount))
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
	JobHeld: {
		label: "A result waits for your review",
		sentence: func(n *Notification) string {
			return fmt.Sprintf("The result of %s waits for your review.", n.Facts.Thing)
		},
		path: func(n *Notification) string { return n.subjectPath("/jobs/") },
	},
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

// Reason is what somebody gave as one; empty when nobody did.
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
