package credit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"atelier/models"
	"atelier/models/org"

	"gorm.io/gorm"
)

// Payer is who pays for an execution: the workspace when there is one, in the
// name of the user, else the user's wallet (open points, "Who pays").
type Payer struct {
	UserID                      models.ID
	WorkspaceID, OrganizationID *models.ID
	// Standing is the user's in the workspace, as the transaction read it; nil
	// where it has not, and then it is read.
	Standing *org.Workspace
}

// Space is the workspace that pays, or the person.
func (p Payer) Space() models.ID { return models.SpaceOf(p.WorkspaceID, p.UserID) }

// wholeExecution is the node of entries that speak of an execution as a whole,
// so that there is one hold and one release of each.
var wholeExecution = ""

// Reserve holds an amount for an execution before it starts, once for each
// execution: budget_exceeded or member_cap_exceeded in a workspace,
// insufficient_app_credits in the personal space. After a refusal the
// counters are as before, so that the transaction may go on. Parts are what the
// amount is expected to be for, model by model; reports read them until the run
// has ended.
func (s *Service) Reserve(tx *models.Tx, payer Payer, executionID models.ID, amount models.Credits, parts ...Part) error {
	switch {
	case amount < 0:
		return fmt.Errorf("reserve %s for execution %s: a negative amount", amount, executionID)
	case amount == 0:
		return nil
	}
	hold := holdFor(payer, executionID, amount, parts)
	if payer.WorkspaceID == nil {
		return reserveWallet(tx, hold)
	}
	return s.reserveBudget(tx, payer, hold)
}

// holdFor is the entry of a hold with what it is expected to be for.
func holdFor(payer Payer, executionID models.ID, amount models.Credits, parts []Part) *Entry {
	hold := entryFor(payer, executionID, "hold", &wholeExecution, amount)
	if len(parts) == 0 {
		return hold
	}
	byModel := make(map[string]models.Credits, len(parts))
	for _, p := range parts {
		byModel[p.Model] += p.Amount
	}
	thousandths := make(map[string]int64, len(byModel))
	for model, amount := range byModel {
		thousandths[model] = int64(amount)
	}
	body, _ := json.Marshal(thousandths) // of strings and numbers
	hold.Parts = new(json.RawMessage(body))
	return hold
}

// openRun notes for the reports that a workspace pays a run, once FROM gives a row.
const openRun = `INSERT INTO usage_open (execution_id, organization_id, workspace_id, user_id, created_at)
	SELECT $3::uuid, $15::uuid, $1::uuid, $2::uuid, $5::timestamptz `

// reserveBudget takes the amount from the headroom and counts it toward the
// member's cap, if both cover it, and records it: one statement. The budget is
// locked before the member's share, and asked first, since its refusal wins.
func (s *Service) reserveBudget(tx *models.Tx, payer Payer, hold *Entry) error {
	capped, err := s.capBinds(tx.Context(), payer)
	if err != nil {
		return err
	}
	var covered, allowed bool
	err = s.DB.Row(tx.Context(), `
		WITH budget AS MATERIALIZED (
			SELECT workspace_id FROM workspace_budgets
			WHERE workspace_id = $1 AND organization_id = $15 AND allocated - reserved - spent >= $16 FOR UPDATE
		), share AS (
			INSERT INTO member_budgets AS m (workspace_id, user_id, reserved) SELECT workspace_id, $2, $16 FROM budget
			ON CONFLICT (workspace_id, user_id) DO UPDATE SET reserved = m.reserved + EXCLUDED.reserved
				WHERE NOT $17 OR m.cap IS NULL OR m.cap - m.reserved - m.spent >= $16
			RETURNING workspace_id
		), taken AS (
			UPDATE workspace_budgets b SET reserved = reserved + $16 FROM share WHERE b.workspace_id = share.workspace_id
		), entry AS (
			`+insertEntries+`$1, $15, NULL FROM share CROSS JOIN `+theseEntries+`
		), open AS (
			`+openRun+`FROM share
		)
		SELECT EXISTS (SELECT FROM budget), EXISTS (SELECT FROM share)`,
		newEntryRows(tx, hold).with(*payer.OrganizationID, int64(hold.Amount), capped)...).Scan(&covered, &allowed)
	switch {
	case err != nil:
		return err
	case !covered:
		return overBudget(hold.Amount)
	case !allowed:
		return overCap(hold.Amount)
	}
	return nil
}

func overBudget(amount models.Credits) error {
	return models.Err(models.CodeBudgetExceeded, "The workspace's budget does not cover this run, which may cost %s", inCredits(amount))
}

func overCap(amount models.Credits) error {
	return models.Err(models.CodeMemberCapExceeded, "Your credit limit in this workspace does not cover this run, which may cost %s", inCredits(amount))
}

// reserveWallet takes the hold and records it in one statement.
func reserveWallet(tx *models.Tx, hold *Entry) error {
	took, err := tx.Run(`
		WITH taken AS (
			UPDATE wallets SET reserved = reserved + $15 WHERE user_id = $1 AND balance - reserved >= $15 RETURNING user_id
		)
		`+insertEntries+`NULL, NULL, NULL FROM taken CROSS JOIN `+theseEntries, newEntryRows(tx, hold).with(int64(hold.Amount))...)
	if err == nil && took == 0 {
		err = insufficient(hold.Amount)
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
func (s *Service) capBinds(ctx context.Context, payer Payer) (bool, error) {
	if payer.Standing != nil {
		return capsBind(payer.Standing), nil
	}
	w, err := s.Orgs.Workspaces().FindFor(ctx, payer.UserID, *payer.WorkspaceID)
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

// entryFor is an execution's movement of one kind; see Entry.
func entryFor(payer Payer, executionID models.ID, kind string, node *string, amount models.Credits) *Entry {
	free, held, spent, id := payer.books()
	var e *Entry
	switch kind {
	case "hold":
		e = movement(free, id, held, id, amount)
	case "release":
		e = movement(held, id, free, id, amount)
	case "charge", "markup":
		e = movement(held, id, spent, id, amount)
	case "absorbed", "markup_absorbed":
		e = movement(Issued, nil, Absorbed, nil, amount)
	}
	e.Kind, e.NodeID, e.ExecutionID, e.UserID = kind, node, &executionID, &payer.UserID
	e.WorkspaceID, e.OrganizationID = payer.WorkspaceID, payer.OrganizationID
	return e
}

// Allowance is what a person may spend in a space: what it has left, and what is
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
	w, err := s.Orgs.Workspaces().FindFor(ctx, payer.UserID, *payer.WorkspaceID)
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
