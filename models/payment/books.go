package payment

import (
	"fmt"
	"math/big"
	"time"

	"atelier/models"
	"atelier/models/credit"
)

// due is how many credits refunds and disputes ask back in all. It depends on
// the sums alone, so that parts never drift from the whole: a refund of each
// third of the price asks back all credits. What is refunded is not disputed too.
func (p *Purchase) due(s standing) (refund, dispute models.Credits) {
	price := int64(p.Price)
	refunded := min(s.refunded, price)
	refund = p.worth(refunded)
	return refund, p.worth(min(refunded+s.disputed, price)) - refund
}

// worth is what an amount of money bought, rounded half up.
func (p *Purchase) worth(money int64) models.Credits {
	return models.Credits(share(int64(p.Credits), money, int64(p.Price)))
}

// cost is what credits were bought for, rounded half up.
func (p *Purchase) cost(credits models.Credits) int64 {
	return share(int64(p.Price), int64(credits), int64(p.Credits))
}

func share(of, part, whole int64) int64 {
	n := new(big.Int).Mul(big.NewInt(2*of), big.NewInt(part))
	n.Add(n, big.NewInt(whole))
	return n.Div(n, big.NewInt(2*whole)).Int64()
}

// take is one movement that brings a purchase to what is due.
type take struct {
	kind      string // refund, dispute or reinstatement
	requested models.Credits
}

// plan is what brings a purchase to what refunds and disputes ask back, when the
// pool holds this much: what is given again first, then what is taken. The
// purchase's figures are as they are behind it.
//
// Each request finds what the pool holds at its time, and what it does not find
// is not owed: later ones ask for their own part alone. A refund also has what a
// dispute holds, for it is final and a dispute is not: so both orders end with
// the same.
func (p *Purchase) plan(pool, refund, dispute models.Credits) (takes []take) {
	more := max(refund-p.RefundRequested, 0)
	fromDispute := max(min(more, pool+p.DisputeApplied)-pool, 0)
	keptDispute := min(p.DisputeApplied-fromDispute, dispute)
	keptRefund := min(p.RefundApplied, refund)
	if again := p.DisputeApplied - keptDispute + p.RefundApplied - keptRefund; again > 0 {
		takes, pool = append(takes, take{"reinstatement", again}), pool+again
	}
	if more > 0 {
		takes = append(takes, take{string(credit.Refund), more})
		keptRefund += min(more, pool)
		pool -= min(more, pool)
	}
	if more := dispute - p.DisputeRequested; more > 0 {
		takes = append(takes, take{string(credit.Dispute), more})
		keptDispute += min(more, pool)
	}
	p.RefundRequested, p.RefundApplied = refund, keptRefund
	p.DisputeRequested, p.DisputeApplied = dispute, keptDispute
	return takes
}

// settle brings a purchase that is locked to what refunds and disputes ask back.
func (s *Service) settle(tx *models.Tx, p *Purchase, refund, dispute models.Credits) error {
	pool, err := s.Credits.LockPool(tx, p.OrganizationID)
	if err != nil {
		return err
	}
	for _, t := range p.plan(pool, refund, dispute) {
		row := &Reversal{ID: tx.NewID(), PurchaseID: p.ID, Kind: t.kind, Requested: t.requested, Applied: t.requested, CreatedAt: tx.Now}
		if tx.Actor.SignedIn() {
			by := tx.Actor.UserID
			row.ByID = &by
		}
		if t.kind == "reinstatement" {
			err = s.Credits.GiveAgain(tx, p.bought(), t.requested)
		} else {
			row.Applied, err = s.Credits.TakeBack(tx, p.bought(), credit.Reversing(t.kind), t.requested)
		}
		if err != nil {
			return err
		}
		if err := tx.Create(row).Error; err != nil {
			return err
		}
	}
	return nil
}

// enter notes that a locked purchase was paid, once, and puts its credits into
// the pool.
func (s *Service) enter(tx *models.Tx, p *Purchase, at time.Time) error {
	if p.paid() {
		return nil
	}
	if err := s.Credits.AddPurchase(tx, p.bought(), p.Credits); err != nil {
		return err
	}
	number, err := nextNumber(tx, at.UTC().Year())
	p.ConfirmedAt, p.Number, p.Status = &at, &number, Paid
	return err
}

// nextNumber is the next number of a receipt: the numbers of a year have no gap.
func nextNumber(tx *models.Tx, year int) (string, error) {
	var last int64
	err := tx.Raw(`INSERT INTO receipt_numbers (year, last) VALUES (?, 1)
		ON CONFLICT (year) DO UPDATE SET last = receipt_numbers.last + 1 RETURNING last`, year).Scan(&last).Error
	return fmt.Sprintf("%d-%06d", year, last), err
}

// state is the status of a purchase that was paid.
func (p *Purchase) state(open bool) Status {
	switch {
	case open:
		return Disputed
	case p.RefundRequested+p.DisputeRequested >= p.Credits:
		return Refunded
	}
	return Paid
}
