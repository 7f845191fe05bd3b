package org

import (
	"context"

	"atelier/models"
	"atelier/models/account"
)

// Verdict is what inviting an address would do.
type Verdict string

const (
	VerdictInvite    Verdict = "invite"
	VerdictNewLink   Verdict = "new_link"  // it has an open invitation, which moves to a new link
	VerdictJoins     Verdict = "joins"     // a member already, whom accepting adds to the workspace
	VerdictMember    Verdict = "member"    // a member already, for whom nothing would change
	VerdictDuplicate Verdict = "duplicate" // stands further up
	VerdictInvited   Verdict = alreadyInvited
	VerdictDomain    Verdict = "domain_not_allowed"
	VerdictNoAddress Verdict = "invalid_email"
)

// PreviewRow is an address as it is kept and what inviting it would do.
type PreviewRow struct {
	Email   string
	Verdict Verdict
}

// Preview says what a call would do, address by address, and does
// nothing. Who is a member is told to those alone who may know it; of an open
// invitation that is not the caller's to manage, that it is there.
func (s Invitations) Preview(ctx context.Context, organizationID models.ID, in CreateInvitationsInput) (rows []*PreviewRow, err error) {
	if _, err := writer(ctx); err != nil {
		return nil, err
	}
	wanted, err := newInvitation(in)
	if err != nil {
		return nil, err
	}
	err = s.org.DB.Write(ctx, func(tx *models.Tx) error {
		o, err := s.org.inviteInto(tx, organizationID, wanted)
		if err != nil {
			return err
		}
		known, err := s.org.knownAddresses(tx, o, wanted.WorkspaceID, in.Emails)
		if err != nil {
			return err
		}
		rows = previewRows(o.Rules(), in.Emails, known)
		return nil
	})
	return rows, err
}

func previewRows(rules OrganizationRules, emails []string, known map[string]Verdict) []*PreviewRow {
	seen := map[string]bool{}
	rows := make([]*PreviewRow, len(emails))
	for i, typed := range emails {
		sends := readAddresses(rules, []string{typed}, nil)
		row := &PreviewRow{Email: sends[0].Email, Verdict: VerdictInvite}
		switch {
		case seen[row.Email]:
			row.Verdict = VerdictDuplicate
		case sends[0].Error != nil:
			row.Verdict = Verdict(*sends[0].Error)
		case known[row.Email] != "":
			row.Verdict = known[row.Email]
		}
		seen[row.Email] = true
		rows[i] = row
	}
	return rows
}

// knownAddresses finds members and open invitations among addresses.
func (s *Service) knownAddresses(tx *models.Tx, o *Organization, workspaceID *models.ID, typed []string) (map[string]Verdict, error) {
	sends := readAddresses(o.Rules(), typed, nil)
	emails := make([]string, len(sends))
	for i, send := range sends {
		emails[i] = send.Email
	}
	known := map[string]Verdict{}
	visible, err := s.visibleInvitations(tx.DB, tx.Actor, o.ID, nil)
	if err != nil {
		return nil, err
	}
	var invited []string
	err = visible.Where("invitations.email IN ? AND "+invitationState+" IN ('open', 'expired')", emails, tx.Now).Pluck("invitations.email", &invited).Error
	if err != nil {
		return nil, err
	}
	for _, email := range invited {
		known[email] = VerdictNewLink
	}
	in, err := inviterOf(tx.DB, o, tx.Actor.UserID, ManageInvitations)
	if err != nil {
		return nil, err
	}
	beyond, err := in.beyondReach(tx, tx.DB, sends)
	for email, yes := range beyond {
		if yes {
			known[email] = VerdictInvited
		}
	}
	if err != nil {
		return nil, err
	}
	if o.Authorize(ReadMembers) != nil {
		return known, nil
	}
	return known, addKnownMembers(tx, o, workspaceID, emails, known)
}

// addKnownMembers adds those who belong to the organization; a role there that
// reaches into every workspace needs no row in one.
func addKnownMembers(tx *models.Tx, o *Organization, workspaceID *models.ID, emails []string, known map[string]Verdict) error {
	var members []struct {
		Email  string
		Inside bool
	}
	err := tx.Table("organization_members m").Joins(account.Join("m.user_id")).
		Joins("LEFT JOIN workspace_members wm ON wm.organization_id = m.organization_id AND wm.workspace_id = ? AND wm.user_id = m.user_id", workspaceID).
		Where("m.organization_id = ? AND u.email IN ?", o.ID, emails).
		Select("u.email, ?::uuid IS NULL OR wm.user_id IS NOT NULL OR m.role IN ('owner', 'admin') AS inside", workspaceID).Find(&members).Error
	for _, m := range members {
		known[m.Email] = VerdictJoins
		if m.Inside {
			known[m.Email] = VerdictMember
		}
	}
	return err
}
