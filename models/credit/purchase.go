package credit

import (
	"slices"

	"atelier/models"
	"atelier/models/notice"
	"atelier/models/org"

	"gorm.io/gorm/clause"
)

// Bought is a purchase whose credits move.
type Bought struct {
	PurchaseID     models.ID
	OrganizationID models.ID
	// Label is what the pack is called.
	Label string
}

// Reversing is why credits of a purchase are taken from a pool.
type Reversing string

const (
	Refund  Reversing = "refund"
	Dispute Reversing = "dispute"
)

// LockPool holds an organization's pool until the transaction ends and says what
// is in it: what is counted of its purchases is counted behind it. A deleted
// organization still has one, for a payment that comes late.
func (s *Service) LockPool(tx *models.Tx, organizationID models.ID) (models.Credits, error) {
	pool, err := lockAnyPool(tx, organizationID)
	if err != nil {
		return 0, err
	}
	return pool.Balance, nil
}

// AddPurchase puts the credits of a purchase that was paid into the pool.
func (s *Service) AddPurchase(tx *models.Tx, b Bought, amount models.Credits) error {
	pool, err := lockAnyPool(tx, b.OrganizationID)
	if err != nil {
		return err
	}
	before, after := pool.Balance, pool.Balance+amount
	if err := s.changePool(tx, pool, after, true); err != nil {
		return err
	}
	err = tx.Exec(`UPDATE organization_pools SET lifetime_purchased = lifetime_purchased + ? WHERE organization_id = ?`, amount, b.OrganizationID).Error
	if err != nil {
		return err
	}
	entry := movement(Issued, nil, Pool, &b.OrganizationID, amount)
	entry.Kind, entry.Description = "purchase", b.Label
	if err := b.record(tx, entry, after); err != nil {
		return err
	}
	err = b.audit(tx, "credits.purchased", models.Fields{"amount": {To: amount}, "pool": {From: before, To: after}})
	if err != nil {
		return err
	}
	return s.tellPurchase(tx, b, notice.News{Kind: notice.CreditsReceived, Facts: notice.Facts{Status: "purchased", Amount: &amount}})
}

// TakeBack takes credits of a purchase from the pool, as far as it holds them;
// what it does not hold is told and not owed (open points, "Money").
func (s *Service) TakeBack(tx *models.Tx, b Bought, why Reversing, requested models.Credits) (applied models.Credits, err error) {
	pool, err := lockAnyPool(tx, b.OrganizationID)
	if err != nil {
		return 0, err
	}
	applied = min(requested, pool.Balance)
	before, after := pool.Balance, pool.Balance-applied
	if err := s.changePool(tx, pool, after, false); err != nil {
		return 0, err
	}
	entry := movement(Pool, &b.OrganizationID, Issued, nil, applied)
	entry.Kind, entry.Description = string(why), b.Label
	if applied < requested {
		entry.Description += ": " + applied.String() + " of " + requested.String() + " credits, the pool held no more"
	}
	if err := b.record(tx, entry, after); err != nil {
		return 0, err
	}
	err = b.audit(tx, map[Reversing]string{Refund: "credits.refunded", Dispute: "credits.disputed"}[why],
		models.Fields{"requested": {To: requested}, "applied": {To: applied}, "pool": {From: before, To: after}})
	if err != nil {
		return 0, err
	}
	return applied, s.tellPurchase(tx, b, notice.News{
		Kind: notice.CreditsTaken, Facts: notice.Facts{Status: string(why), Amount: &requested, Left: &applied},
	})
}

// GiveAgain puts credits of a purchase that were taken back into the pool again.
func (s *Service) GiveAgain(tx *models.Tx, b Bought, amount models.Credits) error {
	pool, err := lockAnyPool(tx, b.OrganizationID)
	if err != nil {
		return err
	}
	before, after := pool.Balance, pool.Balance+amount
	if err := s.changePool(tx, pool, after, true); err != nil {
		return err
	}
	entry := movement(Issued, nil, Pool, &b.OrganizationID, amount)
	entry.Kind, entry.Description = "reinstatement", b.Label
	if err := b.record(tx, entry, after); err != nil {
		return err
	}
	err = b.audit(tx, "credits.reinstated", models.Fields{"amount": {To: amount}, "pool": {From: before, To: after}})
	if err != nil {
		return err
	}
	return s.tellPurchase(tx, b, notice.News{Kind: notice.CreditsReceived, Facts: notice.Facts{Status: "reinstated", Amount: &amount}})
}

func lockAnyPool(tx *models.Tx, organizationID models.ID) (*OrganizationPool, error) {
	return models.First[OrganizationPool](tx.Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("organization_id = ?", organizationID), models.NotFound("Organization"))
}

func (b Bought) record(tx *models.Tx, entry *Entry, after models.Credits) error {
	entry.OrganizationID, entry.PurchaseID, entry.BalanceAfter = &b.OrganizationID, &b.PurchaseID, &after
	return record(tx, entry)
}

func (b Bought) audit(tx *models.Tx, action string, fields models.Fields) error {
	fields["name"] = models.Change{To: b.Label}
	return tx.Audit(b.OrganizationID, action, models.Target{Type: "purchase", ID: b.PurchaseID}, fields)
}

// tellPurchase tells owner and admins what a purchase moved, but the one who did it.
func (s *Service) tellPurchase(tx *models.Tx, b Bought, news notice.News) error {
	name, to, err := org.Leaders(tx, b.OrganizationID, maxAsked)
	if err != nil {
		return err
	}
	to = slices.DeleteFunc(to, func(id models.ID) bool { return id == tx.Actor.UserID })
	news.Needs, news.OrganizationID, news.SubjectID, news.Key = notice.Admin, &b.OrganizationID, &b.PurchaseID, tx.NewID().String()
	news.Facts.Organization, news.Facts.Thing = name, b.Label
	return s.Orgs.Notices.Tell(tx, news, to...)
}
