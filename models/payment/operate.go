package payment

import (
	"context"
	"fmt"
	"strings"

	"atelier/models"
	"atelier/models/notice"
)

// ConfirmPurchase notes that a purchase was paid, and puts its credits into the
// pool, also when it was given up meanwhile; twice changes nothing (platform
// operator, confirmed within the hour). validation_error for one that the provider confirms.
func (s *Service) ConfirmPurchase(ctx context.Context, id models.ID) (p *Purchase, err error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if p, err = lock(tx, id); err != nil {
			return err
		}
		if p.Provider != Manual {
			return models.Invalid("id", "is of a purchase whose payment the provider itself confirms")
		}
		if !p.paid() {
			if err := tx.Actor.RequireConfirmed(tx.Now); err != nil {
				return err
			}
			p.ConfirmedBy = &tx.Actor.UserID
			if err := s.enter(tx, p, tx.Now); err != nil {
				return err
			}
			if err := p.save(tx); err != nil {
				return err
			}
			if err := s.Orgs.Notices.Settle(tx, notice.OrderWaits, p.ID); err != nil {
				return err
			}
		}
		s.judge(tx.Actor, nil, p)
		return nil
	})
	return p, err
}

// RefundPurchase takes credits of a purchase back from the pool, as far as it
// holds them (platform operator, confirmed within the hour); at Stripe it gives the money back too, to the
// nearest minor unit. validation_error for a purchase that is not paid, and for
// more than is left of it.
func (s *Service) RefundPurchase(ctx context.Context, id models.ID, credits models.Credits) (*Purchase, error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	if credits <= 0 {
		return nil, models.Invalid("credits", "must be more than 0")
	}
	p, err := s.FindPurchase(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := p.checkRefund(credits); err != nil {
		return nil, err
	}
	if err := models.ActorFrom(ctx).RequireConfirmed(s.DB.Clock.Now()); err != nil {
		return nil, err
	}
	if p.Provider == Stripe {
		return s.refundAtStripe(ctx, p, credits)
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if p, err = lock(tx, id); err != nil {
			return err
		}
		if err := p.checkRefund(credits); err != nil {
			return err
		}
		if err := s.settle(tx, p, p.RefundRequested+credits, p.DisputeRequested); err != nil {
			return err
		}
		p.Status = p.state(false)
		s.judge(tx.Actor, nil, p)
		return p.save(tx)
	})
	return p, err
}

func (p *Purchase) checkRefund(credits models.Credits) error {
	if !p.paid() {
		return models.Invalid("id", "is of a purchase that is not paid: there is nothing to refund")
	}
	if left := p.Refundable(); credits > left {
		return models.Invalid("credits", "is more than is left of the purchase, which is %s", left)
	}
	return nil
}

// money is a price as the audit log has it.
func money(p *Purchase) string { return fmt.Sprintf("%d %s", p.Price, strings.ToUpper(p.Currency)) }
