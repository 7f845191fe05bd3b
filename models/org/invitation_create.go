package org

import (
	"context"
	"maps"
	"slices"
	"strings"

	"atelier/humantext"
	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// maxInvitations is how many addresses one call may hold, as sent (contract 3, "Limits").
const maxInvitations = 200

// The reasons why an address of a call fails.
const (
	invalidEmail     = "invalid_email"
	domainNotAllowed = string(models.CodeDomainNotAllowed)
	alreadyInvited   = "already_invited"
)

// Create invites addresses: owner and admins, and admins of a
// workspace into that one where the settings let them. Each address, after
// normalization, has one row; a malformed one, one of a foreign domain and one
// with an open invitation that the actor may not manage fail alone. An address
// with another open invitation gets a new token, roles and workspace on the
// same one. bulk_invite_cap_exceeded refuses the whole call (contract 3, "Invitations and join codes"; open points, "Invitations").
func (s Invitations) Create(ctx context.Context, organizationID models.ID, in CreateInvitationsInput) (*InvitationBatch, error) {
	if _, err := writer(ctx); err != nil {
		return nil, err
	}
	wanted, err := newInvitation(in)
	if err != nil {
		return nil, err
	}
	var batch *InvitationBatch
	return batch, s.org.DB.Write(ctx, func(tx *models.Tx) error {
		o, err := s.org.inviteInto(tx, organizationID, wanted)
		if err != nil {
			return err
		}
		batch = &InvitationBatch{
			ID: tx.NewID(), OrganizationID: o.ID, WorkspaceID: wanted.WorkspaceID, OrgRole: wanted.OrgRole,
			WorkspaceRole: wanted.WorkspaceRole, CreatedBy: tx.Actor.UserID, CreatedAt: tx.Now,
		}
		return s.org.invite(tx, o, batch, wanted, in)
	})
}

// newInvitation checks the form of a call and is the invitation that each of
// its addresses gets.
func newInvitation(in CreateInvitationsInput) (*Invitation, error) {
	if n := len(in.Emails); n == 0 || n > maxInvitations {
		return nil, models.Invalid("emails", "must hold 1 to %d addresses", maxInvitations)
	}
	if len(in.Names) > 0 && len(in.Names) != len(in.Emails) {
		return nil, models.Invalid("names", "must be as many as the addresses, or none")
	}
	wanted := &Invitation{OrgRole: Member, WorkspaceID: in.WorkspaceID, WorkspaceRole: in.WorkspaceRole}
	if in.OrgRole != nil {
		wanted.OrgRole = *in.OrgRole
	}
	if wanted.OrgRole != Admin && wanted.OrgRole != Member {
		return nil, models.Invalid("orgRole", "must be admin or member")
	}
	if in.WorkspaceRole != nil && in.WorkspaceID == nil {
		return nil, models.Invalid("workspaceRole", "needs a workspaceId")
	}
	if in.WorkspaceID != nil && in.WorkspaceRole == nil {
		role := WorkspaceRoleMember
		wanted.WorkspaceRole = &role
	}
	if role := wanted.WorkspaceRole; role != nil && *role != WorkspaceRoleAdmin && *role != WorkspaceRoleMember {
		return nil, models.Invalid("workspaceRole", "must be admin or member")
	}
	return wanted, nil
}

// inviteInto holds the organization, and the workspace, that an invitation
// leads into and authorizes the actor to make it.
func (s *Service) inviteInto(tx *models.Tx, organizationID models.ID, wanted *Invitation) (*Organization, error) {
	o, err := holdFor(tx, organizationID, forShare)
	if err != nil {
		return nil, err
	}
	if err := o.Authorize(ReadOrganization); err != nil {
		return nil, err
	}
	var w *Workspace
	if wanted.WorkspaceID != nil {
		if w, err = s.lockWorkspace(tx, *wanted.WorkspaceID); err == nil && w.OrganizationID != o.ID {
			err = models.NotFound("Workspace")
		}
		if err != nil {
			return nil, err
		}
	}
	if err := authorizeInvitation(o, w, wanted); err != nil {
		return nil, err
	}
	if w != nil {
		err = w.CheckNotArchived(false)
	}
	return o, err
}

// authorizeInvitation lets owner and admins invite anywhere, and an admin of
// the workspace invite into it, never as an admin of the organization.
func authorizeInvitation(o *Organization, w *Workspace, wanted *Invitation) error {
	err := o.Authorize(ManageInvitations)
	if !models.HasCode(err, models.CodeInsufficientRole) {
		return err
	}
	if w == nil {
		return errInvitingNot
	}
	if err := w.authorizeInviting(ManageInvitations); err != nil {
		return err
	}
	if wanted.OrgRole != Member {
		return models.InsufficientRole("Only owner and admins invite admins of the organization")
	}
	return nil
}

// readAddresses normalizes the addresses of a call and keeps each once, in
// their order, with the first name that was given for it; those that cannot be
// invited say why.
func readAddresses(rules OrganizationRules, emails, names []string) (sends []*InvitationSend) {
	seen := map[string]*InvitationSend{}
	for i, typed := range emails {
		typed = humantext.NamedAddress(typed)
		email, err := account.CheckEmail("emails", typed)
		send := &InvitationSend{Email: email}
		switch {
		case err != nil:
			send.Email = clip(models.TypedEmail(strings.ToValidUTF8(typed, "\ufffd")))
			send.fail(invalidEmail)
		case !rules.DomainAllowed(email):
			send.fail(domainNotAllowed)
		}
		if len(names) > i {
			send.Name = invitedName(names[i])
		}
		first := seen[send.Email]
		switch {
		case first == nil:
			seen[send.Email] = send
			sends = append(sends, send)
		case first.Name == "":
			first.Name = send.Name
		}
	}
	return sends
}

// invitedName is a name as it can be stored and shown; what is none is left
// out, for the address is what counts.
func invitedName(typed string) string {
	name := strings.Join(strings.Fields(humantext.Name(strings.ToValidUTF8(typed, "\ufffd"))), " ")
	if runes := []rune(name); len(runes) > 100 {
		name = strings.TrimSpace(string(runes[:100]))
	}
	name, err := models.CleanName("names", name)
	if err != nil {
		return ""
	}
	return name
}

func (s *InvitationSend) fail(reason string) { s.Status, s.Error = SendFailed, &reason }

// clip keeps enough of what is no address to recognise it by. U+0000 cannot be stored.
func clip(s string) string {
	s = strings.ReplaceAll(s, "\x00", "\ufffd")
	if runes := []rune(s); len(runes) > 320 {
		return string(runes[:320])
	}
	return s
}

// invite makes or renews the invitations of a call and sends them.
func (s *Service) invite(tx *models.Tx, o *Organization, batch *InvitationBatch, wanted *Invitation, in CreateInvitationsInput) error {
	batch.Sends = readAddresses(o.Rules(), in.Emails, in.Names)
	if err := s.leaveAlone(tx, o, batch.Sends); err != nil {
		return err
	}
	var fresh []*Invitation
	for _, send := range batch.Sends {
		send.ID = tx.NewID()
		if send.Status == SendFailed {
			continue
		}
		i := *wanted
		i.ID, i.OrganizationID, i.InvitedBy, i.CreatedAt = tx.NewID(), o.ID, tx.Actor.UserID, tx.Now
		i.Email, i.Address, i.Name = send.Email, send.Email, send.Name
		s.renew(tx, &i, send, s.Mail)
		fresh = append(fresh, &i)
	}
	if len(fresh) > 0 {
		if err := countInvitations(tx, o.ID, len(fresh)); err != nil {
			return err
		}
		if err := storeInvitations(tx, o.ID, fresh); err != nil {
			return err
		}
	}
	return s.dispatch(tx, batch, fresh, s.Mail)
}

// leaveAlone fails the addresses whose open invitation is not the actor's to
// manage, and keeps those invitations as they are until the transaction ends.
func (s *Service) leaveAlone(tx *models.Tx, o *Organization, sends []*InvitationSend) error {
	in, err := inviterOf(tx.DB, o, tx.Actor.UserID, ManageInvitations)
	if err != nil || in.All {
		return err
	}
	if err := countInvitations(tx, o.ID, 0); err != nil { // waits for the organization's other calls
		return err
	}
	beyond, err := in.beyondReach(tx, tx.Clauses(clause.Locking{Strength: forUpdate}), sends)
	for _, send := range sends {
		if beyond[send.Email] && send.Status != SendFailed {
			send.fail(alreadyInvited)
		}
	}
	return err
}

// renew begins an invitation's lifetime again. By mail it has no token until
// the mail is made; otherwise the send carries the link, once.
func (s *Service) renew(tx *models.Tx, i *Invitation, send *InvitationSend, byMail bool) {
	i.SendID, i.SentAt, i.ExpiresAt, i.TokenHash = send.ID, tx.Now, tx.Now.Add(InvitationLifetime), nil
	if byMail {
		return
	}
	token := newToken()
	link := s.invitationLink(token)
	i.TokenHash, send.Link = models.HashSecret(token), &link
}

// keptName keeps the name of an invitation that is renewed without one.
var keptName = clause.Assignment{
	Column: clause.Column{Name: "name"}, Value: gorm.Expr("coalesce(nullif(excluded.name, ''), invitations.name)"),
}

// storeInvitations inserts invitations, or moves the open ones of the same
// addresses to the new token, roles and workspace; those keep their ids.
func storeInvitations(tx *models.Tx, organizationID models.ID, fresh []*Invitation) error {
	err := tx.Clauses(clause.OnConflict{
		Columns:     []clause.Column{{Name: "organization_id"}, {Name: "email"}},
		TargetWhere: clause.Where{Exprs: []clause.Expression{clause.Expr{SQL: "accepted_at IS NULL AND revoked_at IS NULL"}}},
		DoUpdates: append(clause.AssignmentColumns([]string{
			"address", "workspace_id", "org_role", "workspace_role", "token_hash", "send_id", "invited_by", "sent_at", "expires_at",
		}), keptName),
	}).Create(fresh).Error
	if err != nil {
		return err
	}
	byEmail := map[string]*Invitation{}
	for _, i := range fresh {
		byEmail[i.Email] = i
	}
	var stored []*Invitation
	err = tx.Select("id", "email", "name", "created_at").
		Where("organization_id = ? AND email IN ? AND accepted_at IS NULL AND revoked_at IS NULL", organizationID, slices.Collect(maps.Keys(byEmail))).
		Find(&stored).Error
	if err != nil {
		return err
	}
	for _, row := range stored {
		i := byEmail[row.Email]
		i.ID, i.Name, i.CreatedAt = row.ID, row.Name, row.CreatedAt
	}
	for _, i := range fresh {
		if err := tx.Audit(organizationID, "invitation.sent", i.target(), i.roles()); err != nil {
			return err
		}
	}
	return nil
}
