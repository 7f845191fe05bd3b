package payment

import (
	"context"
	"slices"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Service holds the use cases of buying credits.
type Service struct {
	DB      *models.DB
	Orgs    *org.Service
	Credits *credit.Service
	// Packs are what can be bought.
	Packs []Pack
	// PublicURL is the base of links.
	PublicURL string
	// Stripe takes the money; nil where a platform operator confirms payments.
	Stripe *StripeAccount
}

// Bounds of what waits for its payment.
const (
	// maxPending is how many purchases of an organization wait at once.
	maxPending = 20
	// manualPatience is how long a transfer is waited for, stripePatience how long
	// Stripe's page can be paid at. A payment that comes later still counts.
	manualPatience = 30 * 24 * time.Hour
	stripePatience = 24 * time.Hour
)

// checkoutLimit is how often purchases of one organization may begin.
var checkoutLimit = models.Limit{Name: "credits.checkout", Max: 100, Per: time.Hour}

// ListPacks are what organizations can buy.
func (s *Service) ListPacks(ctx context.Context) ([]*Pack, error) {
	if _, err := caller(ctx, models.ScopeWorkspacesRead); err != nil {
		return nil, err
	}
	packs := make([]*Pack, len(s.Packs))
	for i := range s.Packs {
		packs[i] = &s.Packs[i]
	}
	return packs, nil
}

func (s *Service) findPack(id string) (Pack, error) {
	if i := slices.IndexFunc(s.Packs, func(p Pack) bool { return p.ID == id }); i >= 0 {
		return s.Packs[i], nil
	}
	return Pack{}, models.Invalid("packId", "names none of the packs that can be bought here")
}

// pageOf is the address of a purchase's page.
func (s *Service) pageOf(p *Purchase) string {
	return s.PublicURL + "/orgs/" + p.OrganizationID.String() + "/purchases/" + p.ID.String()
}

// purchases reads purchases with the names of their organizations, deleted ones too.
func purchases(db *gorm.DB) *gorm.DB {
	return db.Model(&Purchase{}).Select("purchases.*, o.name AS organization_name").Joins(org.JoinNamed("purchases.organization_id"))
}

var errNoPurchase = models.NotFound("Purchase")

// lock reads a purchase for a change, behind anyone who changes it now.
func lock(tx *models.Tx, id models.ID) (*Purchase, error) {
	return models.First[Purchase](purchases(tx.DB).
		Clauses(clause.Locking{Strength: "UPDATE", Table: clause.Table{Name: "purchases"}}).Where("purchases.id = ?", id), errNoPurchase)
}

// save stores what can change of a purchase.
func (p *Purchase) save(tx *models.Tx) error {
	return tx.Model(p).Select("status", "url", "number", "confirmed_by", "confirmed_at", "session", "payment",
		"refund_requested", "refund_applied", "dispute_requested", "dispute_applied").Updates(p).Error
}

func audit(tx *models.Tx, p *Purchase, action string, fields models.Fields) error {
	return tx.Audit(p.OrganizationID, action, models.Target{Type: "purchase", ID: p.ID}, fields)
}

// judge notes what the caller may do with purchases; o is the organization with
// the caller's standing, nil where there is none.
func (s *Service) judge(actor models.Actor, o *org.Organization, p *Purchase) *Purchase {
	operator := actor.RequireOperator() == nil
	p.viewer = Permissions{
		Confirm: operator && p.Provider == Manual && !p.paid(),
		Refund:  operator && p.Refundable() > 0 && (p.Provider == Manual || s.Stripe != nil && p.Payment != nil),
		Cancel:  p.Status == Pending && o != nil && o.Authorize(org.BuyCredits) == nil,
	}
	return p
}

// caller is the signed-in caller of a use case with the scope.
func caller(ctx context.Context, scope models.Scope) (models.Actor, error) {
	actor := models.ActorFrom(ctx)
	return actor, actor.RequireUser(scope)
}
