package payment_test

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
	"atelier/models/payment"
)

// shop is a world in which credits are bought.
type shop struct {
	*orgtest.World
	credits  *credit.Service
	payments *payment.Service
}

var packs = []payment.Pack{
	{ID: "small", Label: "Small", Credits: 500 * models.Credit, Price: 1000, Currency: "usd"},
	{ID: "medium", Label: "Medium", Credits: 2500 * models.Credit, Price: 4500, Currency: "usd"},
}

func newShop(t testing.TB) *shop {
	t.Helper()
	w := orgtest.New(t)
	credits := &credit.Service{DB: w.DB, Orgs: w.Orgs}
	credits.RegisterHooks()
	return &shop{World: w, credits: credits, payments: &payment.Service{
		DB: w.DB, Orgs: w.Orgs, Credits: credits, Packs: packs, PublicURL: "https://atelier.example",
	}}
}

// pool is what the pool holds, and what was bought for it in all.
func (s *shop) pool(o *org.Organization) (balance, purchased models.Credits) {
	s.Helper()
	var pool credit.OrganizationPool
	s.NoError(s.DB.Read(context.Background()).Where("organization_id = ?", o.ID).Take(&pool).Error)
	return pool.Balance, pool.LifetimePurchased
}

// holds checks the pool, and that the books add up to it.
func (s *shop) holds(o *org.Organization, balance, purchased models.Credits) {
	s.Helper()
	if b, p := s.pool(o); b != balance || p != purchased {
		s.Fatalf("the pool holds %s of %s bought, expected %s of %s", b, p, balance, purchased)
	}
	s.reconciles()
}

// reconciles checks that ledger, counters and reversals agree.
func (s *shop) reconciles() {
	s.Helper()
	differences, err := credit.Reconcile(context.Background(), s.DB)
	s.NoError(err)
	if len(differences) > 0 {
		s.Fatalf("the ledger adds up to other counters: %+v", differences)
	}
	var wrong []models.ID
	s.NoError(s.DB.Read(context.Background()).Raw(`SELECT p.id FROM purchases p WHERE
		(SELECT coalesce(sum(CASE kind WHEN 'reinstatement' THEN -applied ELSE applied END), 0) FROM purchase_reversals WHERE purchase_id = p.id)
			<> p.refund_applied + p.dispute_applied
		OR (SELECT coalesce(sum(CASE WHEN to_book = 'pool' THEN amount ELSE -amount END), 0) FROM ledger_entries WHERE purchase_id = p.id)
			<> CASE WHEN p.confirmed_at IS NULL THEN 0 ELSE p.credits - p.refund_applied - p.dispute_applied END`).Scan(&wrong).Error)
	if len(wrong) > 0 {
		s.Fatalf("the books of purchases differ: %v", wrong)
	}
}

// spend takes credits out of the pool, for a new workspace.
func (s *shop) spend(owner context.Context, o *org.Organization, amount models.Credits) {
	s.Helper()
	room := s.Workspace(owner, o, "Room "+amount.String())
	_, err := s.credits.AllocateCredits(owner, o.ID, room.ID, amount)
	s.NoError(err)
}

func creditFilter(kind *string) credit.MovementFilter { return credit.MovementFilter{Kind: kind} }
