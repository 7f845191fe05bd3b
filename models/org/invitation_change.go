package org

import (
	"context"

	"atelier/models"

	"gorm.io/gorm/clause"
)

// Resend gives an open or expired invitation a new token and 14 more
// days; the old link stops working. It is mailed where the install can, unless
// only the link is wanted. invitation_accepted, invitation_revoked,
// domain_not_allowed, bulk_invite_cap_exceeded.
func (s Invitations) Resend(ctx context.Context, id models.ID, linkOnly bool) (*InvitationSend, error) {
	if _, err := writer(ctx); err != nil {
		return nil, err
	}
	var send *InvitationSend
	return send, s.org.DB.Write(ctx, func(tx *models.Tx) error {
		o, i, err := s.org.lockInvitation(tx, id)
		if err != nil {
			return err
		}
		if state := i.StateAt(tx.Now); state != InvitationExpired {
			if err := state.refusal(); err != nil {
				return err
			}
		}
		if !o.Rules().DomainAllowed(i.Email) {
			return models.Err(models.CodeDomainNotAllowed, "The organization no longer admits addresses of this domain")
		}
		if err := countInvitations(tx, o.ID, 1); err != nil {
			return err
		}
		byMail := s.org.Mail && !linkOnly
		send = &InvitationSend{ID: tx.NewID(), Email: i.Email, Name: i.Name}
		s.org.renew(tx, i, send, byMail)
		err = tx.Model(&Invitation{}).Where("id = ?", i.ID).Select("token_hash", "send_id", "sent_at", "expires_at").Updates(i).Error
		if err != nil {
			return err
		}
		if err := tx.Audit(o.ID, "invitation.resent", i.target(), i.roles()); err != nil {
			return err
		}
		batch := &InvitationBatch{
			ID: tx.NewID(), OrganizationID: o.ID, WorkspaceID: i.WorkspaceID, OrgRole: i.OrgRole, WorkspaceRole: i.WorkspaceRole,
			CreatedBy: tx.Actor.UserID, CreatedAt: tx.Now, Sends: []*InvitationSend{send},
		}
		return s.org.dispatch(tx, batch, []*Invitation{i}, byMail)
	})
}

// Revoke kills an invitation's link; repeating it changes nothing.
// An accepted one is refused: invitation_accepted.
func (s Invitations) Revoke(ctx context.Context, id models.ID) error {
	if _, err := writer(ctx); err != nil {
		return err
	}
	return s.org.DB.Write(ctx, func(tx *models.Tx) error {
		o, i, err := s.org.lockInvitation(tx, id)
		if err != nil {
			return err
		}
		switch i.StateAt(tx.Now) {
		case InvitationAccepted:
			return InvitationAccepted.refusal()
		case InvitationRevoked:
			return nil
		}
		if err := tx.Model(&Invitation{}).Where("id = ?", i.ID).Update("revoked_at", tx.Now).Error; err != nil {
			return err
		}
		return tx.Audit(o.ID, "invitation.revoked", i.target(), i.roles().Gone())
	})
}

// lockInvitation reads an invitation for a change and authorizes the actor:
// not_found outside its organization, insufficient_role for members.
func (s *Service) lockInvitation(tx *models.Tx, id models.ID) (*Organization, *Invitation, error) {
	notFound := models.NotFound("Invitation")
	seen, err := models.First[Invitation](tx.Where("id = ?", id), notFound)
	if err != nil {
		return nil, nil, err
	}
	o, err := holdFor(tx, seen.OrganizationID, forShare)
	if models.HasCode(err, models.CodeNotFound) || err == nil && o.Role == nil {
		return nil, nil, notFound
	}
	if err != nil {
		return nil, nil, err
	}
	lock := clause.Locking{Strength: forUpdate}
	i, err := models.First[Invitation](tx.Clauses(lock).Where("id = ? AND organization_id = ?", id, o.ID), notFound)
	if err != nil {
		return nil, nil, err
	}
	in, err := inviterOf(tx.DB, o, tx.Actor.UserID, ManageInvitations)
	if err != nil {
		return nil, nil, err
	}
	if !in.manages(i) {
		return nil, nil, errInvitingNot
	}
	return o, i, checkTarget(tx, i)
}

// checkTarget refuses a change of an invitation into an archived workspace.
func checkTarget(tx *models.Tx, i *Invitation) error {
	if i.WorkspaceID == nil {
		return nil
	}
	w, err := models.First[Workspace](tx.Where("id = ? AND organization_id = ?", *i.WorkspaceID, i.OrganizationID), models.NotFound("Workspace"))
	if err != nil {
		return err
	}
	return w.CheckNotArchived(false)
}
