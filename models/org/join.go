package org

import (
	"context"
	"time"

	"atelier/models"

	"gorm.io/gorm/clause"
)

// How often a person may try a join code (contract 3, "Limits").
var (
	joinsPerAccount = models.Limit{Name: "workspaces.join.account", Max: 10, Per: time.Minute}
	joinsPerAddress = models.Limit{Name: "workspaces.join.ip", Max: 30, Per: time.Minute}
)

// errJoinCode is the one answer to every code that admits no one: unknown,
// malformed, disabled, archived or of an inactive organization.
var errJoinCode = models.Err(models.CodeJoinCodeInvalid, "No workspace can be joined with this code. Check it, or ask for a new one.")

// Join makes the caller a plain member of the workspace of a code, and
// of its organization when they are new there. join_code_invalid,
// member_suspended, domain_not_allowed, rate_limit_exceeded (contract 3,
// "Invitations and join codes"). Members and admins get the same answer and no
// second row.
func (s JoinCodes) Join(ctx context.Context, code string) (*Joined, error) {
	actor, err := writer(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.org.DB.CountCall(ctx, joinsPerAccount, actor.UserID.String()); err != nil {
		return nil, err
	}
	if network := actor.Network(); network != "" {
		if err := s.org.DB.CountCall(ctx, joinsPerAddress, network); err != nil {
			return nil, err
		}
	}
	joined := &Joined{}
	err = s.org.DB.Write(ctx, func(tx *models.Tx) error {
		w, err := s.org.admittedBy(tx, code)
		if err != nil {
			return err
		}
		joined.OrganizationID, joined.WorkspaceID = w.OrganizationID, &w.ID
		return s.org.join(tx, w)
	})
	if models.HasCode(err, models.CodeJoinCodeInvalid) {
		s.org.refusedJoins.Add(1)
	}
	return joined, err
}

// Refused is how many join codes admitted no one since the process
// started, every kind of refusal counted alike: a rise is a person guessing.
func (s JoinCodes) Refused() int64 { return s.org.refusedJoins.Load() }

// admittedBy finds the workspace that a code opens, with the caller's standing.
// Every code that opens none takes the same one statement.
func (s *Service) admittedBy(tx *models.Tx, code string) (*Workspace, error) {
	normal, ok := NormalizeJoinCode(code)
	if !ok {
		normal = "" // no code is empty
	}
	lock := clause.Locking{Strength: forShare, Table: clause.Table{Name: "o"}}
	w, err := models.First[Workspace](workspacesOf(tx.Clauses(lock), tx.Actor.UserID).
		Joins("JOIN join_codes c ON c.workspace_id = workspaces.id").
		Where("c.code = ? AND c.enabled AND (c.closes_at IS NULL OR c.closes_at > ?)", normal, tx.Now).
		Where("workspaces.archived_at IS NULL AND o.status = ?", Active), errJoinCode)
	if err != nil {
		return nil, err
	}
	if status := w.MemberStatus(); status != nil && *status == MemberSuspended {
		return nil, ErrMemberSuspended
	}
	return w, nil
}

// join adds the rows that the caller lacks.
func (s *Service) join(tx *models.Tx, w *Workspace) error {
	if w.Role() != nil {
		return nil
	}
	o := Organization{Kind: w.OrgKind, Settings: w.OrgSettings}
	if err := o.Rules().checkAddress(tx.Actor); err != nil {
		return err
	}
	newcomer, err := addMember(tx, w.OrganizationID, tx.Actor.UserID, Member)
	if err != nil {
		return err
	}
	changes := models.Fields{"role": {To: WorkspaceRoleMember}}
	added, err := s.addToWorkspace(tx, w, &WorkspaceMember{Role: WorkspaceRoleMember, JoinedByCode: true}, changes)
	if err != nil || !added {
		return err
	}
	if newcomer {
		changes["organizationRole"] = models.Change{To: Member}
	}
	return tx.Audit(w.OrganizationID, "member.joined", w.memberTarget(tx.Actor.UserID), changes)
}

// checkAddress refuses an account whose address is outside the allowed
// domains; one that was never confirmed proves no domain.
func (r OrganizationRules) checkAddress(actor models.Actor) error {
	if len(r.AllowedEmailDomains) == 0 || actor.EmailVerified && r.DomainAllowed(actor.Email) {
		return nil
	}
	return models.Err(models.CodeDomainNotAllowed, "The organization admits confirmed addresses of its own domains alone")
}

// addMember makes a person an active member of an organization, unless they
// belong to it; a suspension stays, a kept one included (member_suspended).
func addMember(tx *models.Tx, organizationID, userID models.ID, role Role) (added bool, err error) {
	if err := refuseKept(tx, organizationID, nil, userID); err != nil {
		return false, err
	}
	inserted, err := models.Affected(tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&OrganizationMember{
		OrganizationID: organizationID, UserID: userID, Role: role, Status: MemberActive, JoinedAt: tx.Now, UpdatedAt: tx.Now,
	}))
	if err != nil || inserted == 1 {
		return inserted == 1, err
	}
	hold := clause.Locking{Strength: forShare}
	there, err := models.First[OrganizationMember](
		tx.Clauses(hold).Where("organization_id = ? AND user_id = ?", organizationID, userID), errJoinCode)
	if err == nil && there.Status == MemberSuspended {
		err = ErrMemberSuspended
	}
	return false, err
}

// addToWorkspace lists the actor in a workspace, unless they are listed; a
// suspension stays, a kept one included (member_suspended). What else a new
// member gets is added to the changes.
func (s *Service) addToWorkspace(tx *models.Tx, w *Workspace, m *WorkspaceMember, changes models.Fields) (added bool, err error) {
	if err := refuseKept(tx, w.OrganizationID, &w.ID, tx.Actor.UserID); err != nil {
		return false, err
	}
	m.WorkspaceID, m.OrganizationID, m.UserID = w.ID, w.OrganizationID, tx.Actor.UserID
	m.Status, m.AddedAt, m.UpdatedAt = MemberActive, tx.Now, tx.Now
	inserted, err := models.Affected(tx.Clauses(clause.OnConflict{DoNothing: true}).Create(m))
	tx.Notify("workspace:" + w.ID.String())
	if err == nil && inserted == 1 && m.Role == WorkspaceRoleMember {
		err = s.becameMember(tx, NewMember{w.ID, m.UserID, changes})
	}
	return inserted == 1, err
}

// memberTarget is a member of the workspace as the audit log names them.
func (w *Workspace) memberTarget(userID models.ID) models.Target {
	return models.Target{Type: "user", ID: userID, WorkspaceID: &w.ID}
}
