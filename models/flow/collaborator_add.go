package flow

import (
	"context"
	"time"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/space"
)

// collaboratorAdditions is how often an account may share (contract 3,
// "Limits"). Calls that find no one count, so that no one tries addresses out.
var collaboratorAdditions = models.Limit{Name: "collaborators.add", Max: 20, Per: time.Minute}

// Add shares a workflow with an account, or changes the role of
// a person whom it is shared with: Added tells which. Refusals: not_found for a
// workflow beyond reach and for an unknown account, insufficient_role,
// workspace_archived (403), rate_limit_exceeded, and validation_error for the
// creator and for oneself.
func (s Collaborators) Add(ctx context.Context, workflowID models.ID, in AddCollaboratorInput) (*Collaborator, error) {
	actor := models.ActorFrom(ctx)
	if err := space.RequireWorkflows(actor); err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	if err := s.flow.checkMayShare(ctx, workflowID); err != nil {
		return nil, err
	}
	if err := s.flow.DB.CountCall(ctx, collaboratorAdditions, actor.UserID.String()); err != nil {
		return nil, err
	}
	var c *Collaborator
	err := s.flow.DB.Write(ctx, func(tx *models.Tx) error {
		w, viewer, err := s.flow.lockShared(tx, workflowID)
		if err != nil {
			return err
		}
		person, err := in.find(tx)
		if err != nil {
			return err
		}
		if err := checkGrantee(tx.Actor, w, person.ID); err != nil {
			return err
		}
		if err := s.flow.checkBoundFor(tx, w, in.Role); err != nil {
			return err
		}
		if c, err = saveCollaborator(tx, w, person.ID, in.Role); err != nil {
			return err
		}
		return s.flow.addStandings(tx.Context(), viewer, w, []*Collaborator{c})
	})
	return c, err
}

// checkMayShare refuses callers who may not share the workflow, without locking it.
func (s *Service) checkMayShare(ctx context.Context, workflowID models.ID) error {
	w, viewer, err := s.ReachWithoutGraph(ctx, workflowID)
	if err != nil {
		return err
	}
	return mayShare(viewer, w)
}

// lockShared locks a workflow that the caller may share.
func (s *Service) lockShared(tx *models.Tx, workflowID models.ID) (*Workflow, *space.Viewer, error) {
	w, viewer, err := s.LockWorkflow(tx, workflowID)
	if err != nil {
		return nil, nil, err
	}
	return w, viewer, mayShare(viewer, w)
}

// check checks the form: exactly one of id and address, and a role.
func (in *AddCollaboratorInput) check() error {
	switch {
	case in.UserID == nil && in.Email == nil:
		return models.Invalid("userId", "or email is needed")
	case in.UserID != nil && in.Email != nil:
		return models.Invalid("userId", "and email exclude each other: send one")
	case in.Email != nil:
		email, err := account.CheckEmail("email", *in.Email)
		if err != nil {
			return err
		}
		in.Email = &email
	}
	return checkCollaboratorRole(in.Role)
}

// find is the account that the input names. An address that no one confirmed
// is no one's.
func (in *AddCollaboratorInput) find(tx *models.Tx) (*account.User, error) {
	if in.UserID != nil {
		return account.FindExisting(tx.DB, *in.UserID)
	}
	return account.FindByConfirmedAddress(tx.DB, *in.Email)
}

// checkGrantee refuses grants to the creator and to oneself.
func checkGrantee(actor models.Actor, w *Workflow, userID models.ID) error {
	switch userID {
	case w.OwnerID:
		return models.Invalid("userId", "names the workflow's creator, who may do everything anyway")
	case actor.UserID:
		return models.Invalid("userId", "names yourself: another person has to change what you may do")
	}
	return nil
}

// saveCollaborator adds the grant, or changes the one that is there. The
// workflow is locked, so that both happen one after another.
func saveCollaborator(tx *models.Tx, w *Workflow, userID models.ID, role CollaboratorRole) (*Collaborator, error) {
	c := &Collaborator{
		WorkflowID: w.ID, UserID: userID, Role: role, GrantedBy: tx.Actor.UserID,
		CreatedAt: tx.Now, UpdatedAt: tx.Now, Added: true,
	}
	added, err := models.Affected(tx.Clauses(clause.OnConflict{DoNothing: true}).Create(c))
	if err != nil {
		return nil, err
	}
	if added == 1 {
		return c, auditCollaborator(tx, w, "collaborator.added", c, models.Change{To: role})
	}
	if c, err = findCollaborator(tx.DB, w.ID, userID); err != nil {
		return nil, err
	}
	return c, c.setRole(tx, w, role)
}
