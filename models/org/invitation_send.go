package org

import (
	"fmt"
	"time"

	"atelier/models"
	"atelier/models/account"
)

// SendStatus is what became of one address of a call.
type SendStatus string

const (
	// SendQueued waits for the mail server; the API calls it sent.
	SendQueued   SendStatus = "queued"
	SendSent     SendStatus = "sent"
	SendLinkOnly SendStatus = "link_only"
	SendFailed   SendStatus = "failed"
)

// InvitationBatch is one call that invited: its sends are what the caller sees.
type InvitationBatch struct {
	ID             models.ID `gorm:"primaryKey"`
	OrganizationID models.ID
	WorkspaceID    *models.ID
	OrgRole        Role
	WorkspaceRole  *WorkspaceRole
	CreatedBy      models.ID
	CreatedAt      time.Time
	Sends          []*InvitationSend `gorm:"-"`
}

func (InvitationBatch) TableName() string { return "invitation_batches" }

// InvitationSend is one address of a call.
type InvitationSend struct {
	ID             models.ID `gorm:"primaryKey"`
	BatchID        models.ID
	OrganizationID models.ID
	// InvitationID is nil where the address could not be invited.
	InvitationID *models.ID
	Email        string
	Name         string
	Status       SendStatus
	// Error says why it failed: invalid_email, domain_not_allowed, already_invited, or one of the delivery's.
	Error      *string
	CreatedAt  time.Time
	FinishedAt *time.Time
	// Link is shown once, to the caller, where no mail carries it.
	Link *string `gorm:"-"`
}

func (InvitationSend) TableName() string { return "invitation_sends" }

// Outcome is the status in the contract's words: a send that waits for the
// mail server counts as sent.
func (s *InvitationSend) Outcome() SendStatus {
	if s.Status == SendQueued {
		return SendSent
	}
	return s.Status
}

// InvitationMail is the job that mails one invitation. It carries no token:
// that is made with the mail.
type InvitationMail struct {
	SendID models.ID `json:"sendId"`
}

func (InvitationMail) Kind() string { return "mail_invitation" }

// invitationsPerDay is how many invitations an organization sends between two
// midnights UTC (contract 3, "Limits").
var invitationsPerDay = models.Limit{Name: "invitations.day", Max: 500, Per: 24 * time.Hour}

// countInvitations counts n invitations toward the organization's day, or
// refuses them all: bulk_invite_cap_exceeded. The count is part of the
// transaction, so that what does not happen does not count, and it makes calls
// for one organization wait for each other, also when n is 0.
func countInvitations(tx *models.Tx, organizationID models.ID, n int) error {
	admitted, err := tx.CountCalls(invitationsPerDay, organizationID.String(), n)
	if err != nil {
		return err
	}
	left, err := models.CallsLeft(tx.DB, invitationsPerDay, organizationID.String(), tx.Now)
	if err != nil {
		return err
	}
	reset := tx.Now.Truncate(invitationsPerDay.Per).Add(invitationsPerDay.Per)
	models.RecordAllowance(tx.Context(), models.Allowance{Limit: invitationsPerDay.Max, Remaining: left, Reset: reset.Sub(tx.Now)})
	if admitted {
		return nil
	}
	refusal := models.Err(models.CodeBulkInviteCap, "An organization sends at most %d invitations a day (UTC). Nothing was sent.", invitationsPerDay.Max)
	refusal.RetryAfter = reset.Sub(tx.Now)
	return refusal
}

// dispatch stores a call with its sends, and hands the invitations among them
// to the mail: the rest of the call, in its transaction.
func (s *Service) dispatch(tx *models.Tx, batch *InvitationBatch, invitations []*Invitation, byMail bool) error {
	if err := tx.Create(batch).Error; err != nil {
		return err
	}
	bySend := map[models.ID]models.ID{}
	for _, i := range invitations {
		bySend[i.SendID] = i.ID
	}
	for _, send := range batch.Sends {
		send.BatchID, send.OrganizationID, send.CreatedAt, send.FinishedAt = batch.ID, batch.OrganizationID, tx.Now, &tx.Now
		if id, ok := bySend[send.ID]; ok {
			send.Status, send.InvitationID = SendLinkOnly, &id
			if byMail {
				send.Status, send.FinishedAt = SendQueued, nil
			}
		}
	}
	if err := tx.Create(batch.Sends).Error; err != nil {
		return err
	}
	for _, send := range batch.Sends {
		if send.Status != SendQueued {
			continue
		}
		if err := tx.Enqueue(InvitationMail{SendID: send.ID}, account.MailOptions()); err != nil {
			return err
		}
	}
	return nil
}

// newToken is a fresh token of 256 bits.
func newToken() string { return models.NewSecret("", 32) }

// invitationLink is the address that accepts: {PUBLIC_URL}/invitations/<token>.
func (s *Service) invitationLink(token string) string {
	return fmt.Sprintf("%s/invitations/%s", s.PublicURL, token)
}
