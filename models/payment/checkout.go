package payment

import (
	"context"

	"atelier/models"
	"atelier/models/notice"
	"atelier/models/org"
)

// Checkout begins the purchase of a pack, which is paid at its URL (owner). It
// moves no credits. validation_error for an unknown pack, limit_reached while
// too many purchases of the organization wait for their payment,
// billing_unavailable when the provider does not answer.
func (s *Service) Checkout(ctx context.Context, organizationID models.ID, packID string) (*Purchase, error) {
	if _, err := caller(ctx, models.ScopeWorkspacesWrite); err != nil {
		return nil, err
	}
	if s.Stripe != nil {
		return s.checkoutAtStripe(ctx, organizationID, packID)
	}
	return s.begin(ctx, organizationID, packID, Manual)
}

// begin stores a purchase that waits for its payment.
func (s *Service) begin(ctx context.Context, organizationID models.ID, packID string, provider Provider) (p *Purchase, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		o, pack, err := s.mayBuy(tx, organizationID, packID)
		if err != nil {
			return err
		}
		p = &Purchase{
			ID: tx.NewID(), OrganizationID: o.ID, OrganizationName: o.Name, PackID: pack.ID, Label: pack.Label,
			Credits: pack.Credits, Price: pack.Price, Currency: pack.Currency,
			Status: Pending, Provider: provider, CreatedBy: tx.Actor.UserID, CreatedAt: tx.Now,
		}
		if provider == Manual {
			p.URL = s.pageOf(p)
		}
		if err := tx.Create(p).Error; err != nil {
			return err
		}
		s.judge(tx.Actor, o, p)
		if err := s.tellOperators(tx, p); err != nil {
			return err
		}
		return audit(tx, p, "purchase.started", models.Fields{"name": {To: p.Label}, "amount": {To: p.Credits}, "price": {To: money(p)}})
	})
	return p, err
}

// tellOperators tells those who confirm payments of an order that waits for one; what a provider confirms needs no one.
func (s *Service) tellOperators(tx *models.Tx, p *Purchase) error {
	if p.Provider != Manual {
		return nil
	}
	operators, err := s.Orgs.Accounts.ListOperators(tx)
	if err != nil {
		return err
	}
	waits := notice.OfWaiting(notice.OrderWaits, p.ID, notice.Facts{Organization: p.OrganizationName, Person: tx.Actor.DisplayName, Amount: &p.Credits})
	return s.Orgs.Notices.Tell(tx, waits, operators...)
}

// mayBuy is the organization and the pack when the actor may buy it now; others
// who buy for the organization wait until the transaction ends.
func (s *Service) mayBuy(tx *models.Tx, organizationID models.ID, packID string) (*org.Organization, Pack, error) {
	o, err := s.Orgs.HoldOrganization(tx, organizationID)
	if err == nil {
		err = o.Authorize(org.BuyCredits)
	}
	if err != nil {
		return nil, Pack{}, err
	}
	pack, err := s.findPack(packID)
	if err != nil {
		return nil, Pack{}, err
	}
	if err := s.DB.CountCall(tx.Context(), checkoutLimit, o.ID.String()); err != nil {
		return nil, Pack{}, err
	}
	if _, err := s.Credits.LockPool(tx, o.ID); err != nil {
		return nil, Pack{}, err
	}
	var waiting int64
	err = tx.Model(&Purchase{}).Where("organization_id = ? AND status = ?", o.ID, Pending).Count(&waiting).Error
	if err == nil && waiting >= maxPending {
		err = models.Err(models.CodeLimitReached, "%d purchases wait for their payment already. Pay or give up one of them first.", waiting)
	}
	return o, pack, err
}

// CancelPurchase gives up a purchase that is not paid (owner). Repeating it
// changes nothing; a payment that comes all the same counts. already_finished
// for one that is paid.
func (s *Service) CancelPurchase(ctx context.Context, id models.ID) (p *Purchase, err error) {
	if _, err := caller(ctx, models.ScopeWorkspacesWrite); err != nil {
		return nil, err
	}
	if p, err = s.FindPurchase(ctx, id); err != nil {
		return nil, err
	}
	if s.Stripe != nil && p.viewer.Cancel && p.Session != nil && !models.InTransaction(ctx) {
		s.Stripe.expire(ctx, *p.Session)
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		o, err := s.Orgs.HoldOrganization(tx, p.OrganizationID)
		if err == nil {
			err = o.Authorize(org.BuyCredits)
		}
		if err != nil {
			return err
		}
		if p, err = lock(tx, id); err != nil {
			return err
		}
		if p.paid() {
			return models.Err(models.CodeAlreadyFinished, "The purchase is paid: what is paid can be refunded, and not given up")
		}
		if err := s.cancel(tx, p); err != nil {
			return err
		}
		s.judge(tx.Actor, o, p)
		return nil
	})
	return p, err
}

// cancel gives a locked purchase up that waits.
func (s *Service) cancel(tx *models.Tx, p *Purchase) error {
	if p.Status != Pending {
		return nil
	}
	p.Status = Canceled
	if err := p.save(tx); err != nil {
		return err
	}
	if err := audit(tx, p, "purchase.canceled", models.Fields{"name": {From: p.Label}}); err != nil || p.Provider != Manual {
		return err
	}
	return s.Orgs.Notices.Settle(tx, notice.OrderWaits, p.ID)
}
