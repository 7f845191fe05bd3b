package org

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm/clause"
)

// The reasons why an invitation's mail was not sent, beside those of the mail server.
const (
	// NotNeeded: it was accepted, revoked or sent again before its mail left.
	NotNeeded = "not_needed"
	// OrganizationInactive: the organization was suspended or deleted meanwhile.
	OrganizationInactive = "org_not_active"
	// MailRefused: the mail server does not take the address.
	MailRefused = "mail_refused"
	// MailUndeliverable: the mail server could not be reached, or put it off, too often.
	MailUndeliverable = "mail_undeliverable"
)

// InvitationLetter is an invitation's mail to be written. Its link is known
// nowhere else.
type InvitationLetter struct {
	Address       string
	Name          string // of the invited person; may be empty
	Reader        account.Reader
	OrgName       string
	InviterName   string
	WorkspaceName *string
	Link          string
	Expires       time.Time
}

// WriteLetter makes the token of an invitation whose mail is about
// to leave; each attempt makes a new one, so the last mail's link works. nil
// means that no mail is to leave: the send is decided already, or is now.
func (s Invitations) WriteLetter(ctx context.Context, sendID models.ID) (letter *InvitationLetter, err error) {
	err = s.org.DB.Write(ctx, func(tx *models.Tx) error {
		letter = nil
		send, i, err := lockSend(tx, sendID)
		if err != nil || send == nil {
			return err
		}
		if i.SendID != send.ID || i.StateAt(tx.Now) != InvitationOpen {
			return endSend(tx, send, SendFailed, NotNeeded)
		}
		found, err := s.org.letterFor(tx, i)
		if models.HasCode(err, models.CodeInvitationNotFound) {
			return endSend(tx, send, SendFailed, OrganizationInactive)
		}
		if err != nil {
			return err
		}
		token := newToken()
		found.Link = s.org.invitationLink(token)
		letter = found
		return tx.Model(&Invitation{}).Where("id = ?", i.ID).Update("token_hash", models.HashSecret(token)).Error
	})
	return letter, err
}

// letterFor is what the mail says; invitation_not_found when the organization
// is not active.
func (s *Service) letterFor(tx *models.Tx, i *Invitation) (*InvitationLetter, error) {
	o, err := models.First[Organization](tx.Where("id = ? AND status = ? AND deleted_at IS NULL", i.OrganizationID, Active), errNoInvitation)
	if err != nil {
		return nil, err
	}
	names := &InvitationLookup{}
	if err := s.addLookupNames(tx.Context(), i, names); err != nil {
		return nil, err
	}
	reader, err := s.readerOf(tx, i)
	if err != nil {
		return nil, err
	}
	return &InvitationLetter{
		Address: i.Email, Name: i.Name, Reader: reader, OrgName: o.Name, InviterName: names.InviterName, WorkspaceName: names.WorkspaceName, Expires: i.ExpiresAt,
	}, nil
}

// readerOf is how the invited person reads: as their account says, else in the language of the one who invites.
func (s *Service) readerOf(tx *models.Tx, i *Invitation) (reader account.Reader, err error) {
	invited, err := s.Accounts.FindUserByEmail(tx.Context(), i.Email)
	if err == nil {
		reader = invited.Reader()
	} else if !models.HasCode(err, models.CodeNotFound) {
		return reader, err
	}
	users, err := s.Accounts.UsersByID(tx.Context(), []models.ID{i.InvitedBy})
	if inviter := users[i.InvitedBy]; inviter != nil {
		reader = reader.Or(inviter.Reader().Language)
	}
	return reader, err
}

// EndSend writes down what became of a mail: reason is empty when
// the mail server took it. The link of one that failed was seen by no one, and
// its invitation can be sent again.
func (s Invitations) EndSend(ctx context.Context, sendID models.ID, reason string) error {
	return s.org.DB.Write(ctx, func(tx *models.Tx) error {
		send, _, err := lockSend(tx, sendID)
		if err != nil || send == nil {
			return err
		}
		if reason == "" {
			return endSend(tx, send, SendSent, "")
		}
		return endSend(tx, send, SendFailed, reason)
	})
}

// lockSend holds a send that waits, and its invitation; nil when it waits no more.
func lockSend(tx *models.Tx, id models.ID) (*InvitationSend, *Invitation, error) {
	var sends []*InvitationSend
	if err := tx.Where("id = ? AND status = ?", id, SendQueued).Find(&sends).Error; err != nil || len(sends) == 0 {
		return nil, nil, err
	}
	lock := clause.Locking{Strength: forUpdate}
	i, err := models.First[Invitation](tx.Clauses(lock).Where("id = ?", *sends[0].InvitationID), errNoInvitation)
	if err != nil {
		return nil, nil, err
	}
	sends = nil
	err = tx.Clauses(lock).Where("id = ? AND status = ?", id, SendQueued).Find(&sends).Error
	if err != nil || len(sends) == 0 {
		return nil, nil, err
	}
	return sends[0], i, nil
}

func endSend(tx *models.Tx, send *InvitationSend, status SendStatus, reason string) error {
	send.Status, send.FinishedAt = status, &tx.Now
	if reason != "" {
		send.Error = &reason
	}
	tx.Notify(batchTopic(send.BatchID))
	return tx.Model(&InvitationSend{}).Where("id = ?", send.ID).Select("status", "error", "finished_at").Updates(send).Error
}

// batchTopic wakes everyone who watches a call's mails leave.
func batchTopic(id models.ID) string { return "invitations:" + id.String() }
