package payment

import (
	"time"

	"atelier/models"
)

// Event is something that a provider told, each once.
type Event struct {
	Provider   Provider `gorm:"primaryKey"`
	EventID    string   `gorm:"primaryKey"`
	PurchaseID *models.ID
	// Payment is what the provider calls the payment that it is about.
	Payment *string
	Kind    string
	// Object is what changed: the page, the charge, the refund or the dispute.
	Object string
	Amount int64 // in minor units
	// State is the currency of what was paid, else how a refund or dispute stands.
	State      string
	HappenedAt time.Time
	ReceivedAt time.Time
}

func (Event) TableName() string { return "payment_events" }

// The kinds of events, and how refunds and disputes stand.
const (
	toldPaid     = "paid"
	toldExpired  = "expired"
	toldCharge   = "charge" // how much of it is refunded in all
	toldRefunded = "refund"
	toldDispute  = "dispute"

	refundMade   = "made"
	refundFailed = "failed"

	disputeOpen    = "open"
	disputeWon     = "won"
	disputeLost    = "lost"
	disputeWarning = "warning"
)

// standing is what is true of a purchase, in whatever order it was told and
// however often: money in minor units.
type standing struct {
	paid, expired bool
	// refunded is what went back in all, by so many refunds that were told one by one.
	refunded int64
	refunds  int
	gross    int64 // with those that failed
	// disputed is what the bank holds or kept; open says that it may come back.
	disputed int64
	open     bool
}

// refundTold is one refund, which failed as soon as any event says so.
type refundTold struct {
	amount int64
	failed bool
}

// disputeTold is one dispute: of its verdicts the latest counts, lost of two at
// the same time.
type disputeTold struct {
	amount  int64
	open    bool
	verdict string
	at      time.Time
}

func (d *disputeTold) note(e *Event) {
	d.amount = max(d.amount, e.Amount)
	switch e.State {
	case disputeOpen:
		d.open = true
	case disputeWon, disputeLost:
		if d.verdict == "" || e.HappenedAt.After(d.at) || e.HappenedAt.Equal(d.at) && e.State == disputeLost {
			d.verdict, d.at = e.State, e.HappenedAt
		}
	}
}

// stand works out from all that was told what is true. The events may come in
// any order.
func stand(events []*Event) (s standing) {
	var charged int64
	refunds, disputes := map[string]*refundTold{}, map[string]*disputeTold{}
	for _, e := range events {
		switch e.Kind {
		case toldPaid:
			s.paid = true
		case toldExpired:
			s.expired = true
		case toldCharge:
			charged = max(charged, e.Amount)
		case toldRefunded:
			r := entryOf(refunds, e.Object)
			r.amount, r.failed = max(r.amount, e.Amount), r.failed || e.State == refundFailed
		case toldDispute:
			entryOf(disputes, e.Object).note(e)
		}
	}
	var made, failed int64
	for _, r := range refunds {
		made += r.amount
		if r.failed {
			failed += r.amount
		}
	}
	// What the charge says in all holds refunds that were not told one by one, and
	// those that failed later.
	s.gross, s.refunds = max(charged, made), len(refunds)
	s.refunded = max(s.gross-failed, 0)
	for _, d := range disputes {
		if d.verdict == disputeLost || d.verdict == "" && d.open {
			s.disputed += d.amount
		}
		s.open = s.open || d.verdict == "" && d.open
	}
	return s
}

func entryOf[T any](all map[string]*T, name string) *T {
	if all[name] == nil {
		all[name] = new(T)
	}
	return all[name]
}
