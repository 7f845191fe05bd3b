package credit

import (
	"context"
	"errors"
	"fmt"

	"atelier/models"
	"atelier/models/org"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Payer is who pays for an execution: the workspace when there is one, in the
// name of the user, else the user's wallet (open points, "Who pays").
type Payer struct {
	UserID                      models.ID
	WorkspaceID, OrganizationID *models.ID
}

// wholeExecution is the node of entries that speak of an execution as a whole,
// so that there is one hold and one release of each.
var wholeExecution = ""

// Reserve holds an amount for an execution before it starts, once for each
// execution: budget_exceeded or member_cap_exceeded in a workspace,
// insufficient_app_credits in the personal space. After a refusal the
// counters are as before, so that the transaction may go on.
func (s *Service) Reserve(tx *models.Tx, payer Payer, executionID models.ID, amount models.Credits) error {
	switch {
	case amount < 0:
		return fmt.Errorf("reserve %s for execution %s: a negative amount", amount, executionID)
	case amount == 0:
		return nil
	case payer.WorkspaceID == nil:
		return s.reserveWallet(tx, payer, executionID, amount)
	}
	if err := s.reserveBudget(tx, payer, amount); err != nil {
		return err
	}
	return recordFor(tx, payer, executionID, "hold", &wholeExecution, amount)
}

// reserveBudget takes the amount from the headroom and counts it toward the
// member's cap; the budget goes first, since its refusal wins.
func (s *Service) reserveBudget(tx *models.Tx, payer Payer, amount models.Credits) error {
	capped, err := s.capBinds(tx.DB, payer)
	if err != nil {
		return err
	}
	const change = `UPDATE workspace_budgets SET reserved = reserved + ?
		WHERE workspace_id = ? AND organization_id = ? AND allocated - reserved - spent >= ?`
	took, err := models.Affected(tx.Exec(change, amount, payer.WorkspaceID, payer.OrganizationID, amount))
	if err != nil {
		return err
	}
	if took == 0 {
		return overBudget(amount)
	}
	share := MemberBudget{WorkspaceID: *payer.WorkspaceID, UserID: payer.UserID}
	if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&share).Error; err != nil {
		return err
	}
	took, err = models.Affected(tx.Exec(`UPDATE member_budgets SET reserved = reserved + ?
		WHERE workspace_id = ? AND user_id = ? AND (NOT ? OR cap IS NULL OR cap - reserved - spent >= ?)`,
		amount, payer.WorkspaceID, payer.UserID, capped, amount))
	if err != nil || took == 1 {
		return err
	}
	if err := tx.Exec(change, -amount, payer.WorkspaceID, payer.OrganizationID, -amount).Error; err != nil {
		return err
	}
	return overCap(amount)
}

func overBudget(amount models.Credits) error {
	return models.Err(models.CodeBudgetExceeded, "The workspace's budget does not cover this run, which may cost %s", inCredits(amount))
}

func overCap(amount models.Credits) error {
	return models.Err(models.CodeMemberCapExceeded, "Your credit limit in this workspace does not cover this run, which may cost %s", inCredits(amount))
}

// reserveWallet takes the hold and records it in one statement.
func (s *Service) reserveWallet(tx *models.Tx, payer Payer, executionID models.ID, amount models.Credits) error {
	rows := newEntryRows(tx, entryFor(payer, executionID, "hold", &wholeExecution, amount))
	took, err := tx.Run(`
		WITH taken AS (
			UPDATE wallets SET reserved = reserved + $13 WHERE user_id = $1 AND balance - reserved >= $13 RETURNING user_id
		)
		`+insertEntries+`NULL, NULL, NULL FROM taken CROSS JOIN `+theseEntries, rows.with(int64(amount))...)
	if err == nil && took == 0 {
		err = insufficient(amount)
	}
	return err
}

// inCredits is an amount with its unit.
func inCredits(amount models.Credits) string {
	if amount == models.Credit {
		return "1 credit"
	}
	return amount.String() + " credits"
}

func insufficient(amount models.Credits) error {
	return models.Err(models.CodeInsufficientCredits, "Your credits do not cover this run, which may cost %s", inCredits(amount))
}

// capBinds tells whether the member's cap counts: settings enable caps, and
// the member is no admin of the organization (contract 3, "Budget rules").
func (s *Service) capBinds(db *gorm.DB, payer Payer) (bool, error) {
	w, err := s.Orgs.StandingIn(db, payer.UserID, *payer.WorkspaceID)
	if err != nil {
		return false, err
	}
	return capsBind(w), nil
}

// capsBind tells whether a cap on the person whose standing w holds counts.
func capsBind(w *org.Workspace) bool {
	return w.Rules().MemberCapsEnabled && (w.OrgRole == nil || *w.OrgRole == org.Member)
}

// books are the books that an execution's credits pass through.
func (p Payer) books() (free, held, spent Book, id *models.ID) {
	if p.WorkspaceID != nil {
		return Headroom, Held, Spent, p.WorkspaceID
	}
	return WalletBook, WalletHeld, WalletSpent, &p.UserID
}

// entryFor is an execution's movement of one kind: hold, charge or release.
func entryFor(payer Payer, executionID models.ID, kind string, node *string, amount models.Credits) *Entry {
	free, held, spent, id := payer.books()
	from, to := map[string]Book{"hold": free, "charge": held, "release": held}[kind], map[string]Book{"hold": held, "charge": spent, "release": free}[kind]
	e := movement(from, id, to, id, amount)
	e.Kind, e.NodeID, e.ExecutionID, e.UserID = kind, node, &executionID, &payer.UserID
	e.WorkspaceID, e.OrganizationID = payer.WorkspaceID, payer.OrganizationID
	return e
}

// recordFor records a movement that cannot have happened before.
func recordFor(tx *models.Tx, payer Payer, executionID models.ID, kind string, node *string, amount models.Credits) error {
	return record(tx, entryFor(payer, executionID, kind, node, amount))
}

// Allowance is what somebody may spend in a space: what it has left, and what is
// left of the person's own limit there, nil without one.
type Allowance struct {
	Left    models.Credits
	OwnLeft *models.Credits
}

// AllowanceOf is what a payer may spend now; it reserves nothing.
func (s *Service) AllowanceOf(ctx context.Context, payer Payer) (*Allowance, error) {
	if payer.WorkspaceID == nil {
		wallet, err := models.First[Wallet](s.DB.Read(ctx).Where("user_id = ?", payer.UserID), gorm.ErrRecordNotFound)
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return &Allowance{}, nil
		}
		if err != nil {
			return nil, err
		}
		return &Allowance{Left: wallet.Available()}, nil
	}
	w, err := s.Orgs.StandingIn(s.DB.Read(ctx), payer.UserID, *payer.WorkspaceID)
	if err != nil {
		return nil, err
	}
	budget, err := models.First[WorkspaceBudget](
		s.DB.Read(ctx).Where("workspace_id = ? AND organization_id = ?", w.ID, w.OrganizationID), models.NotFound("Workspace"))
	if err != nil {
		return nil, err
	}
	own, err := s.ownShare(ctx, w, payer.UserID)
	if err != nil {
		return nil, err
	}
	return &Allowance{Left: budget.Allocated - budget.Reserved - budget.Spent, OwnLeft: own.Headroom()}, nil
}

// Covers is the refusal that a run of this cost would get from Reserve, nil when
// there is enough for it.
func (a *Allowance) Covers(payer Payer, amount models.Credits) error {
	switch {
	case amount == 0:
		return nil
	case payer.WorkspaceID == nil && a.Left < amount:
		return insufficient(amount)
	case a.Left < amount:
		return overBudget(amount)
	case a.OwnLeft != nil && *a.OwnLeft < amount:
		return overCap(amount)
	}
	return nil
}
