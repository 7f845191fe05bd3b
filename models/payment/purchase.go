package payment

import (
	"time"

	"atelier/models"
	"atelier/models/credit"
)

// Pack is what an organization can buy.
type Pack struct {
	ID       string
	Label    string
	Credits  models.Credits
	Price    int    // in minor units
	Currency string // three lower-case letters
}

// Status is how far a purchase has come.
type Status string

const (
	Pending  Status = "pending"  // waits for its payment
	Paid     Status = "paid"     // its credits are in the pool
	Canceled Status = "canceled" // was given up, or expired; it can still be paid late
	Disputed Status = "disputed" // the payment is disputed with the bank
	Refunded Status = "refunded" // all of it went back
)

// Provider is who takes the money.
type Provider string

const (
	Manual Provider = "manual" // a platform operator confirms
	Stripe Provider = "stripe"
)

// Purchase is one pack that a person bought for an organization, as it was at
// that moment.
type Purchase struct {
	ID             models.ID `gorm:"primaryKey"`
	OrganizationID models.ID
	// OrganizationName is its name now.
	OrganizationName string `gorm:"->"`
	PackID           string
	Label            string
	Credits          models.Credits
	Price            int // in minor units
	Currency         string
	Status           Status
	Provider         Provider
	// URL is where it is paid; empty when the provider did not say.
	URL string
	// Number is of the receipt; nil until it is paid.
	Number      *string
	CreatedBy   models.ID
	ConfirmedBy *models.ID
	CreatedAt   time.Time
	ConfirmedAt *time.Time

	// Session and Payment are what the provider calls it.
	Session, Payment *string
	// What refunds and disputes asked back, and what the pool held of it.
	RefundRequested  models.Credits
	RefundApplied    models.Credits
	DisputeRequested models.Credits
	DisputeApplied   models.Credits

	viewer Permissions
}

// TakenBack is what refunds and disputes took from the pool and did not give
// back.
func (p *Purchase) TakenBack() models.Credits { return p.RefundApplied + p.DisputeApplied }

// Refundable is what can be refunded still: what was not asked back before.
func (p *Purchase) Refundable() models.Credits {
	if !p.paid() {
		return 0
	}
	return p.Credits - p.RefundRequested - p.DisputeRequested
}

// ViewerCan is what the caller may do with it now.
func (p *Purchase) ViewerCan() *Permissions { return &p.viewer }

func (p *Purchase) paid() bool { return p.ConfirmedAt != nil }

func (p *Purchase) bought() credit.Bought {
	return credit.Bought{PurchaseID: p.ID, OrganizationID: p.OrganizationID, Label: p.Label}
}

// Reversal is what took credits of a purchase back, or gave them again.
type Reversal struct {
	ID         models.ID `gorm:"primaryKey"`
	PurchaseID models.ID
	Kind       string // refund, dispute or reinstatement
	// Requested is what should have been moved, Applied what the pool held of it.
	Requested models.Credits
	Applied   models.Credits
	ByID      *models.ID // nil for the provider
	CreatedAt time.Time
}

func (Reversal) TableName() string { return "purchase_reversals" }

// Permissions is what the caller may do with a purchase now.
type Permissions struct{ Confirm, Refund, Cancel bool }
