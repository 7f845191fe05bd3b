package credit

import (
	"context"
	"strings"

	"atelier/models"
	"atelier/models/org"

	"gorm.io/gorm/clause"
)

// GrantCredits gives credits to an organization's pool or to a personal space
// (platform operator, confirmed within the hour; open points, "Platform operator").
func (s *Service) GrantCredits(ctx context.Context, in GrantInput) (*Grant, error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	grant, err := newGrant(in)
	if err != nil {
		return nil, err
	}
	return grant, s.DB.Write(ctx, func(tx *models.Tx) error {
		if err := tx.Actor.RequireConfirmed(tx.Now); err != nil {
			return err
		}
		grant.ID, grant.CreatedAt = tx.NewID(), tx.Now
		if in.OrganizationID != nil {
			return s.grantToPool(tx, grant)
		}
		return s.grantToWallet(tx, grant)
	})
}

// newGrant checks the input's form.
func newGrant(in GrantInput) (*Grant, error) {
	if (in.OrganizationID == nil) == (in.UserID == nil) {
		return nil, models.Invalid("organizationId", "or userId must be given, and not both")
	}
	if in.Amount <= 0 || in.Amount > models.MaxCredits {
		return nil, models.Invalid("amount", "must be more than 0 and at most %s", models.MaxCredits)
	}
	reason, err := models.CleanText("reason", strings.TrimSpace(in.Reason), 500)
	if err == nil && reason == "" {
		err = models.Invalid("reason", "must not be empty")
	}
	return &Grant{OrganizationID: in.OrganizationID, UserID: in.UserID, Amount: in.Amount, Reason: reason}, err
}

func (s *Service) grantToPool(tx *models.Tx, g *Grant) error {
	pool, err := lockPool(tx, *g.OrganizationID)
	if err != nil {
		return err
	}
	before, after := pool.Balance, pool.Balance+g.Amount
	if err := s.changePool(tx, pool, after, true); err != nil {
		return err
	}
	entry := movement(Issued, nil, Pool, g.OrganizationID, g.Amount)
	entry.Kind, entry.OrganizationID, entry.BalanceAfter, entry.Description = "grant", g.OrganizationID, &after, g.Reason
	if err := record(tx, entry); err != nil {
		return err
	}
	err = tx.Audit(pool.OrganizationID, "credits.granted", models.Target{Type: "organization", ID: pool.OrganizationID},
		models.Fields{"pool": {From: before, To: after}, "reason": {To: g.Reason}})
	if err != nil {
		return err
	}
	return s.tellGranted(tx, g)
}

func (s *Service) grantToWallet(tx *models.Tx, g *Grant) error {
	if _, err := s.Orgs.Accounts.FindUserByID(tx.Context(), *g.UserID); err != nil {
		return err
	}
	wallet, err := lockWallet(tx, *g.UserID)
	if err != nil {
		return err
	}
	after := wallet.Balance + g.Amount
	if err := tx.Exec(`UPDATE wallets SET balance = ? WHERE user_id = ?`, after, g.UserID).Error; err != nil {
		return err
	}
	entry := movement(Issued, nil, WalletBook, g.UserID, g.Amount)
	entry.Kind, entry.UserID, entry.BalanceAfter, entry.Description = "grant", g.UserID, &after, g.Reason
	return record(tx, entry)
}

// lockPool reads the pool of an organization that exists, for a change.
func lockPool(tx *models.Tx, organizationID models.ID) (*OrganizationPool, error) {
	lock := clause.Locking{Strength: "UPDATE", Table: clause.Table{Name: "organization_pools"}}
	return models.First[OrganizationPool](tx.Clauses(lock).
		Joins(org.Join("organization_pools.organization_id")).
		Where("organization_pools.organization_id = ?", organizationID), models.NotFound("Organization"))
}
