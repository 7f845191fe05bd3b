package credit

import (
	"fmt"

	"atelier/models"
)

// Charge books what a finished node cost, once for each execution and node;
// repeating it changes nothing. A workspace's counters wait for Settle, so
// that its one row is not fought over; a wallet's balance falls at once. All
// charges of an execution together are within its hold.
func (s *Service) Charge(tx *models.Tx, payer Payer, executionID models.ID, nodeID string, amount models.Credits) error {
	if amount < 0 {
		return fmt.Errorf("charge %s for node %s of execution %s: a negative amount", amount, nodeID, executionID)
	}
	if amount == 0 {
		return nil
	}
	entry := entryFor(payer, executionID, "charge", &nodeID, amount)
	if payer.WorkspaceID != nil {
		_, err := recordOnce(tx, entry)
		return err
	}
	return chargeWallet(tx, payer, entry)
}

func chargeWallet(tx *models.Tx, payer Payer, entry *Entry) error {
	wallet, err := lockWallet(tx, payer.UserID)
	if err != nil {
		return err
	}
	after := wallet.Balance - entry.Amount
	entry.BalanceAfter = &after
	added, err := recordOnce(tx, entry)
	if err != nil || !added {
		return err
	}
	return tx.Exec(`UPDATE wallets SET balance = balance - ?, reserved = reserved - ? WHERE user_id = ?`,
		entry.Amount, entry.Amount, payer.UserID).Error
}

// Settle ends an execution's hold: what was charged is spent, the rest goes
// back. Repeating it changes nothing; the release entry, which may be of 0,
// marks that it happened.
func (s *Service) Settle(tx *models.Tx, payer Payer, executionID models.ID, hold, charged models.Credits) error {
	if charged < 0 || charged > hold {
		return fmt.Errorf("settle execution %s: %s charged of a hold of %s", executionID, charged, hold)
	}
	if hold == 0 {
		return nil
	}
	if payer.WorkspaceID == nil {
		return settleWallet(tx, payer, executionID, hold-charged)
	}
	added, err := recordOnce(tx, entryFor(payer, executionID, "release", &wholeExecution, hold-charged))
	if err != nil || !added {
		return err
	}
	err = tx.Exec(`UPDATE workspace_budgets SET reserved = reserved - ?, spent = spent + ? WHERE workspace_id = ? AND organization_id = ?`,
		hold, charged, payer.WorkspaceID, payer.OrganizationID).Error
	if err != nil {
		return err
	}
	return tx.Exec(`UPDATE member_budgets SET reserved = reserved - ?, spent = spent + ? WHERE workspace_id = ? AND user_id = ?`,
		hold, charged, payer.WorkspaceID, payer.UserID).Error
}

func settleWallet(tx *models.Tx, payer Payer, executionID models.ID, rest models.Credits) error {
	wallet, err := lockWallet(tx, payer.UserID)
	if err != nil {
		return err
	}
	entry := entryFor(payer, executionID, "release", &wholeExecution, rest)
	entry.BalanceAfter = &wallet.Balance
	added, err := recordOnce(tx, entry)
	if err != nil || !added {
		return err
	}
	return tx.Exec(`UPDATE wallets SET reserved = reserved - ? WHERE user_id = ?`, rest, payer.UserID).Error
}
