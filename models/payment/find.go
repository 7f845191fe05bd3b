package payment

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// FindPurchase is one purchase (owner and admins of its organization, platform
// operators).
func (s *Service) FindPurchase(ctx context.Context, id models.ID) (*Purchase, error) {
	actor, err := caller(ctx, models.ScopeWorkspacesRead)
	if err != nil {
		return nil, err
	}
	p, err := models.First[Purchase](purchases(s.DB.Read(ctx)).Where("purchases.id = ?", id), errNoPurchase)
	if err != nil {
		return nil, err
	}
	o, err := s.Orgs.FindOrganization(ctx, p.OrganizationID)
	switch {
	case actor.RequireOperator() == nil && (err == nil || models.HasCode(err, models.CodeNotFound)):
	case models.HasCode(err, models.CodeNotFound):
		return nil, errNoPurchase
	case err != nil:
		return nil, err
	default:
		if err := o.Authorize(org.ReadCredits); err != nil {
			return nil, err
		}
	}
	return s.judge(actor, o, p), nil
}

// ListPurchases are those of an organization, newest first (owner and admins).
func (s *Service) ListPurchases(ctx context.Context, organizationID models.ID, page models.Page) (*models.Connection[*Purchase], error) {
	o, err := s.Orgs.FindOrganization(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	if err := o.Authorize(org.ReadCredits); err != nil {
		return nil, err
	}
	found, err := models.ListPage(s.DB, purchaseList("purchases:"+o.ID.String()), page,
		purchases(s.DB.Read(ctx)).Where("purchases.organization_id = ?", o.ID), models.NewestFirst("purchases.id"))
	if err != nil {
		return nil, err
	}
	for _, p := range found.Nodes {
		s.judge(models.ActorFrom(ctx), o, p)
	}
	return found, nil
}

// ListAllPurchases are those of all organizations, newest first (platform operator).
func (s *Service) ListAllPurchases(ctx context.Context, status *Status, page models.Page) (*models.Connection[*Purchase], error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireOperator(); err != nil {
		return nil, err
	}
	query, name := purchases(s.DB.Read(ctx)), "all_purchases"
	if status != nil {
		query, name = query.Where("purchases.status = ?", *status), name+":"+string(*status)
	}
	found, err := models.ListPage(s.DB, purchaseList(name), page, query, models.NewestFirst("purchases.id"))
	if err != nil {
		return nil, err
	}
	ids := []models.ID{}
	for _, p := range found.Nodes {
		ids = append(ids, p.OrganizationID)
	}
	organizations, err := s.Orgs.OrganizationsByID(ctx, ids)
	for _, p := range found.Nodes {
		s.judge(actor, organizations[p.OrganizationID], p)
	}
	return found, err
}

func purchaseList(name string) models.List[*Purchase] {
	return models.List[*Purchase]{Name: name, Position: func(p *Purchase) string { return p.ID.String() }}
}

// maxReversals bounds what is told of a purchase's refunds and disputes.
const maxReversals = 200

// ReversalsOf are what took credits of purchases back, or gave them again, by
// purchase, the oldest first: of those that the caller was shown.
func (s *Service) ReversalsOf(ctx context.Context, purchaseIDs []models.ID) (map[models.ID][]*Reversal, error) {
	var rows []*Reversal
	err := s.DB.Read(ctx).Raw(`SELECT r.* FROM unnest(?::uuid[]) AS p(id) CROSS JOIN LATERAL (
		SELECT * FROM purchase_reversals WHERE purchase_id = p.id ORDER BY id LIMIT ?) r ORDER BY r.id`,
		models.IDs(purchaseIDs), maxReversals).Scan(&rows).Error
	found := make(map[models.ID][]*Reversal, len(purchaseIDs))
	for _, id := range purchaseIDs {
		found[id] = []*Reversal{}
	}
	for _, r := range rows {
		found[r.PurchaseID] = append(found[r.PurchaseID], r)
	}
	return found, err
}
