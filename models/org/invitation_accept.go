package org

import (
	"context"

	"atelier/models"

	"gorm.io/gorm/clause"
)

// Accept makes the caller what the invitation says, once. The
// account's confirmed address must be the invited one. In this order:
// invitation_not_found; invitation_accepted, _revoked or _expired;
// email_mismatch or email_unverified; member_suspended; domain_not_allowed;
// workspace_archived. Who is a member already keeps role and standing
// (contract 3, "Invitations and join codes").
func (s Invitations) Accept(ctx context.Context, token string) (*Joined, error) {
	if _, err := writer(ctx); err != nil {
		return nil, err
	}
	joined := &Joined{}
	return joined, s.org.DB.Write(ctx, func(tx *models.Tx) error {
		o, i, err := invitationToAccept(tx, token)
		if err != nil {
			return err
		}
		if err := checkInvitee(tx, o, i); err != nil {
			return err
		}
		if err := s.org.admit(tx, o, i); err != nil {
			return err
		}
		joined.OrganizationID, joined.WorkspaceID = o.ID, i.WorkspaceID
		i.AcceptedAt, i.AcceptedBy = &tx.Now, &tx.Actor.UserID
		err = tx.Model(&Invitation{}).Where("id = ?", i.ID).Select("accepted_at", "accepted_by").Updates(i).Error
		if err != nil {
			return err
		}
		return s.org.tellAccepted(tx, o, i)
	})
}

// invitationToAccept holds the invitation of a token and its organization,
// with the actor's standing there.
func invitationToAccept(tx *models.Tx, token string) (*Organization, *Invitation, error) {
	seen, err := invitationByToken(tx.DB, token)
	if err != nil {
		return nil, nil, err
	}
	o, err := holdFor(tx, seen.OrganizationID, forShare)
	if models.HasCode(err, models.CodeNotFound) || err == nil && o.Status != Active {
		err = errNoInvitation
	}
	if err != nil {
		return nil, nil, err
	}
	i, err := invitationByToken(tx.Clauses(clause.Locking{Strength: forUpdate}), token)
	return o, i, err
}

// checkInvitee refuses an invitation that is not open, and an account that is
// not the invited one.
func checkInvitee(tx *models.Tx, o *Organization, i *Invitation) error {
	if err := i.StateAt(tx.Now).refusal(); err != nil {
		return err
	}
	switch {
	case tx.Actor.Email != i.Email:
		return models.Err(models.CodeEmailMismatch, "This invitation is for %s. Sign in with that address.", models.MaskEmail(i.Email))
	case !tx.Actor.EmailVerified:
		return models.Err(models.CodeEmailUnverified, "Confirm your address first, then open the invitation again")
	case o.MemberStatus != nil && *o.MemberStatus == MemberSuspended:
		return ErrMemberSuspended
	}
	return o.Rules().checkAddress(tx.Actor)
}

// admit adds the rows that the actor lacks. A role and a suspension stay as they are.
func (s *Service) admit(tx *models.Tx, o *Organization, i *Invitation) error {
	var w *Workspace
	if i.WorkspaceID != nil {
		var err error
		if w, err = s.lockWorkspace(tx, *i.WorkspaceID); err != nil {
			return err
		}
		if status := w.MemberStatus(); status != nil && *status == MemberSuspended {
			return ErrMemberSuspended
		}
		if err := w.CheckNotArchived(false); err != nil {
			return err
		}
	}
	newcomer, err := addMember(tx, o.ID, tx.Actor.UserID, i.OrgRole)
	if err != nil {
		return err
	}
	changes := models.Fields{"email": {To: models.MaskEmail(i.Email)}}
	if newcomer {
		changes["organizationRole"] = models.Change{To: i.OrgRole}
	}
	if w != nil && w.Role() == nil {
		changes["role"] = models.Change{To: *i.WorkspaceRole}
		if _, err := s.addToWorkspace(tx, w, &WorkspaceMember{Role: *i.WorkspaceRole}, changes); err != nil {
			return err
		}
	}
	return tx.Audit(o.ID, "invitation.accepted", i.target(), changes)
}
