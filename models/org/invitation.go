package org

import (
	"time"

	"atelier/models"
)

// InvitationLifetime is how long an invitation can be accepted (contract 3, "Limits").
const InvitationLifetime = 14 * 24 * time.Hour

// InvitationEndsSoon is how long before its end an open invitation counts as one that ends soon.
const InvitationEndsSoon = 3 * 24 * time.Hour

// InvitationState is where an invitation stands; expired follows from the time.
type InvitationState string

const (
	InvitationOpen     InvitationState = "open"
	InvitationAccepted InvitationState = "accepted"
	InvitationRevoked  InvitationState = "revoked"
	InvitationExpired  InvitationState = "expired"
)

// Invitation asks one address into an organization, and perhaps into one of
// its workspaces. An address has at most one in an organization that is
// neither accepted nor revoked.
type Invitation struct {
	ID             models.ID `gorm:"primaryKey"`
	OrganizationID models.ID
	WorkspaceID    *models.ID
	// Email is the address in its one form; Address is the same, as account.User has it.
	Email   string
	Address string
	// Name is what stood beside the address where it was invited; empty where nothing did.
	Name          string
	OrgRole       Role
	WorkspaceRole *WorkspaceRole
	// TokenHash is nil while the mail that will carry the token is waiting.
	TokenHash []byte
	// SendID is the latest send: only its mail may set a token.
	SendID    models.ID
	InvitedBy models.ID
	CreatedAt time.Time
	// SentAt is when it was made or sent again, which begins its lifetime.
	SentAt     time.Time
	ExpiresAt  time.Time
	AcceptedAt *time.Time
	AcceptedBy *models.ID
	RevokedAt  *time.Time

	// State and what became of the latest send are read along with the row.
	State         InvitationState `gorm:"->"`
	Delivery      SendStatus      `gorm:"->"`
	DeliveryError *string         `gorm:"->"`
}

func (Invitation) TableName() string { return "invitations" }

// StateAt is where the invitation stands at a time. invitationState says the
// same in SQL.
func (i *Invitation) StateAt(now time.Time) InvitationState {
	switch {
	case i.AcceptedAt != nil:
		return InvitationAccepted
	case i.RevokedAt != nil:
		return InvitationRevoked
	case !i.ExpiresAt.After(now):
		return InvitationExpired
	}
	return InvitationOpen
}

// invitationState is the state as an expression; its one parameter is the time.
const invitationState = `CASE WHEN invitations.accepted_at IS NOT NULL THEN 'accepted'
	WHEN invitations.revoked_at IS NOT NULL THEN 'revoked'
	WHEN invitations.expires_at <= ?::timestamptz THEN 'expired' ELSE 'open' END`

// refusal is why an invitation that is not open cannot be used; nil for an open one.
func (s InvitationState) refusal() error {
	switch s {
	case InvitationAccepted:
		return models.Err(models.CodeInvitationAccepted, "This invitation was accepted already")
	case InvitationRevoked:
		return models.Err(models.CodeInvitationRevoked, "This invitation was withdrawn. Ask for a new one.")
	case InvitationExpired:
		return models.Err(models.CodeInvitationExpired, "This invitation has expired. Ask for a new one.")
	}
	return nil
}

// target is the invitation as the audit log names it.
func (i *Invitation) target() models.Target {
	return models.Target{Type: "invitation", ID: i.ID, WorkspaceID: i.WorkspaceID}
}

// roles are the invitation's details in the audit log; the address of a person
// who may never come is masked.
func (i *Invitation) roles() models.Fields {
	fields := models.Fields{"email": {To: models.MaskEmail(i.Email)}, "organizationRole": {To: i.OrgRole}}
	if i.WorkspaceRole != nil {
		fields["role"] = models.Change{To: *i.WorkspaceRole}
	}
	return fields
}

// InvitationLookup is what an invitation's link shows to the one who opens it.
type InvitationLookup struct {
	OrgName       string
	Kind          Kind
	Words         map[string]string
	InviterName   string
	WorkspaceName *string
	OrgRole       Role
	WorkspaceRole *WorkspaceRole
	// Email is masked.
	Email string
	// Name is what the inviter calls the invited person; it may be empty.
	Name      string
	ExpiresAt time.Time
	State     InvitationState
	// ForCaller tells whether the caller's account has the invited address; nil for visitors.
	ForCaller *bool
}

// CreateInvitationsInput invites addresses; roles default to member.
type CreateInvitationsInput struct {
	Emails []string
	// Names are as many as Emails, in their order, or none: what stands beside each address.
	Names         []string
	OrgRole       *Role
	WorkspaceID   *models.ID
	WorkspaceRole *WorkspaceRole
}

// InvitationFilter narrows the list of invitations.
type InvitationFilter struct {
	State       *InvitationState
	WorkspaceID *models.ID
	// EndingSoon keeps open ones that end within InvitationEndsSoon.
	EndingSoon bool
	// Search is a part of the name or of the address, in any case.
	Search *string
}

// InvitationCounts is how many invitations stand where; EndingSoon are some of Open.
type InvitationCounts struct {
	Open, Accepted, Revoked, Expired, EndingSoon int
}
