package payment_test

import (
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/payment"
)

// TestBuyingByHand goes the whole way of a purchase that an operator confirms.
func TestBuyingByHand(t *testing.T) {
	s := newShop(t)
	owner, operator := s.Person("owner"), s.Operator()
	o := s.School(owner, "Northgate")

	p, err := s.payments.Checkout(owner, o.ID, "small")
	s.NoError(err)
	if p.Status != payment.Pending || p.URL != "https://atelier.example/orgs/"+o.ID.String()+"/purchases/"+p.ID.String() || p.Number != nil ||
		*p.ViewerCan() != (payment.Permissions{Cancel: true}) || p.OrganizationName != "Northgate" {
		t.Fatalf("begun: %+v", p)
	}
	s.holds(o, 0, 0)
	_, err = s.payments.RefundPurchase(operator, p.ID, models.Credit)
	s.Refused(err, models.CodeValidation, 400)

	for range 2 {
		p, err = s.payments.ConfirmPurchase(operator, p.ID)
		s.NoError(err)
		if p.Status != payment.Paid || p.Number == nil || *p.Number != "2026-000001" && len(*p.Number) != 11 || p.Refundable() != 500*models.Credit || p.ConfirmedBy == nil {
			t.Fatalf("confirmed: %+v", p)
		}
		s.holds(o, 500*models.Credit, 500*models.Credit)
	}
	_, err = s.payments.CancelPurchase(owner, p.ID)
	s.Refused(err, models.CodeAlreadyFinished, 409)

	// A part, then more than is left, then the rest of which the pool holds a part.
	p, err = s.payments.RefundPurchase(operator, p.ID, 100*models.Credit)
	s.NoError(err)
	if p.Status != payment.Paid || p.TakenBack() != 100*models.Credit || p.Refundable() != 400*models.Credit {
		t.Fatalf("refunded in part: %+v", p)
	}
	s.holds(o, 400*models.Credit, 500*models.Credit)
	for _, credits := range []models.Credits{0, -models.Credit, 400*models.Credit + 1} {
		_, err = s.payments.RefundPurchase(operator, p.ID, credits)
		s.Refused(err, models.CodeValidation, 400)
	}
	s.spend(owner, o, 250*models.Credit)
	p, err = s.payments.RefundPurchase(operator, p.ID, 350*models.Credit)
	s.NoError(err)
	if p.Status != payment.Paid || p.TakenBack() != 250*models.Credit || p.Refundable() != 50*models.Credit {
		t.Fatalf("refunded beyond the pool: %+v", p)
	}
	s.holds(o, 0, 500*models.Credit)
	p, err = s.payments.RefundPurchase(operator, p.ID, 50*models.Credit)
	s.NoError(err)
	if p.Status != payment.Refunded || p.TakenBack() != 250*models.Credit || p.Refundable() != 0 || p.ViewerCan().Refund {
		t.Fatalf("refunded: %+v", p)
	}
	s.holds(o, 0, 500*models.Credit)
	told, err := s.payments.ReversalsOf(owner, []models.ID{p.ID})
	s.NoError(err)
	if rows := told[p.ID]; len(rows) != 3 || rows[1].Requested != 350*models.Credit || rows[1].Applied != 150*models.Credit || rows[2].Applied != 0 || rows[2].ByID == nil {
		t.Errorf("reversals: %+v", rows)
	}
	s.Audited(o.ID, "organization.created", "purchase.started", "credits.purchased", "credits.refunded", "workspace.created", "budget.allocated",
		"credits.refunded", "credits.refunded")
	added := "added"
	lines, err := s.credits.ListMovements(owner, o.ID, creditFilter(&added), models.Page{})
	s.NoError(err)
	if len(lines.Nodes) != 4 || lines.Nodes[0].Kind != "refund" || *lines.Nodes[3].PurchaseID != p.ID || *lines.Nodes[3].PoolAfter != 500*models.Credit {
		t.Errorf("movements: %+v", lines.Nodes)
	}
}

// TestWhoMayBuy asks each use case as everyone.
func TestWhoMayBuy(t *testing.T) {
	s := newShop(t)
	owner, admin, member, outsider, operator := s.Person("owner"), s.Person("admin"), s.Person("member"), s.Person("outsider"), s.Operator()
	o := s.School(owner, "Northgate")
	s.Enroll(admin, o, org.Admin)
	s.Enroll(member, o, org.Member)
	p, err := s.payments.Checkout(owner, o.ID, "small")
	s.NoError(err)

	_, err = s.payments.Checkout(owner, o.ID, "huge")
	s.Refused(err, models.CodeValidation, 400)
	if refusal, _ := models.AsError(err); refusal.Field != "packId" {
		t.Errorf("an unknown pack is told of %q", refusal.Field)
	}
	_, err = s.payments.Checkout(admin, o.ID, "small")
	s.Refused(err, models.CodeInsufficientRole, 403)
	_, err = s.payments.Checkout(member, o.ID, "small")
	s.Refused(err, models.CodeInsufficientRole, 403)
	_, err = s.payments.Checkout(outsider, o.ID, "small")
	s.Refused(err, models.CodeNotFound, 404)
	_, err = s.payments.Checkout(t.Context(), o.ID, "small")
	s.Refused(err, models.CodeUnauthorized, 401)

	_, err = s.payments.CancelPurchase(admin, p.ID)
	s.Refused(err, models.CodeInsufficientRole, 403)
	_, err = s.payments.CancelPurchase(outsider, p.ID)
	s.Refused(err, models.CodeNotFound, 404)
	_, err = s.payments.ConfirmPurchase(owner, p.ID)
	s.Refused(err, models.CodeInsufficientRole, 403)
	_, err = s.payments.RefundPurchase(owner, p.ID, models.Credit)
	s.Refused(err, models.CodeInsufficientRole, 403)
	_, err = s.payments.ConfirmPurchase(operator, o.ID)
	s.Refused(err, models.CodeNotFound, 404)

	_, err = s.payments.FindPurchase(member, p.ID)
	s.Refused(err, models.CodeInsufficientRole, 403)
	_, err = s.payments.FindPurchase(outsider, p.ID)
	s.Refused(err, models.CodeNotFound, 404)
	found, err := s.payments.FindPurchase(admin, p.ID)
	s.NoError(err)
	if *found.ViewerCan() != (payment.Permissions{}) {
		t.Errorf("an admin can %+v", found.ViewerCan())
	}
	found, err = s.payments.FindPurchase(operator, p.ID)
	s.NoError(err)
	if *found.ViewerCan() != (payment.Permissions{Confirm: true}) {
		t.Errorf("an operator can %+v", found.ViewerCan())
	}
	_, err = s.payments.ListPurchases(member, o.ID, models.Page{})
	s.Refused(err, models.CodeInsufficientRole, 403)
	_, err = s.payments.ListPurchases(outsider, o.ID, models.Page{})
	s.Refused(err, models.CodeNotFound, 404)
	_, err = s.payments.ListAllPurchases(owner, nil, models.Page{})
	s.Refused(err, models.CodeInsufficientRole, 403)
	pending, paid := payment.Pending, payment.Paid
	for status, expected := range map[*payment.Status]int{nil: 1, &pending: 1, &paid: 0} {
		all, err := s.payments.ListAllPurchases(operator, status, models.Page{})
		s.NoError(err)
		if len(all.Nodes) != expected {
			t.Errorf("an operator sees %d", len(all.Nodes))
		}
	}

	for _, status := range []string{"pending", "suspended"} {
		s.Exec(`UPDATE organizations SET status = ? WHERE id = ?`, status, o.ID)
		_, err = s.payments.Checkout(owner, o.ID, "small")
		s.Refused(err, models.CodeOrgNotActive, 403)
		_, err = s.payments.CancelPurchase(owner, p.ID)
		s.Refused(err, models.CodeOrgNotActive, 403)
		_, err = s.payments.FindPurchase(owner, p.ID)
		s.NoError(err)
	}
	// What was paid for counts, whatever became of the organization.
	_, err = s.payments.ConfirmPurchase(operator, p.ID)
	s.NoError(err)
	s.holds(o, 500*models.Credit, 500*models.Credit)
}

// TestPurchasesThatWait bounds those that wait, gives them up in time, and counts
// a payment that comes late.
func TestPurchasesThatWait(t *testing.T) {
	s := newShop(t)
	owner, operator := s.Person("owner"), s.Operator()
	o := s.School(owner, "Northgate")
	var first *payment.Purchase
	for i := range 20 {
		p, err := s.payments.Checkout(owner, o.ID, "small")
		s.NoError(err)
		if i == 0 {
			first = p
		}
	}
	_, err := s.payments.Checkout(owner, o.ID, "small")
	s.Refused(err, models.CodeLimitReached, 400)
	for range 2 {
		p, err := s.payments.CancelPurchase(owner, first.ID)
		s.NoError(err)
		if p.Status != payment.Canceled || *p.ViewerCan() != (payment.Permissions{}) {
			t.Errorf("given up: %+v", p)
		}
	}
	last, err := s.payments.Checkout(owner, o.ID, "medium")
	s.NoError(err)

	s.Clock.Advance(29 * 24 * time.Hour)
	s.NoError(s.payments.Sweep(t.Context()))
	if p, _ := s.payments.FindPurchase(owner, last.ID); p.Status != payment.Pending {
		t.Errorf("after 29 days it is %s", p.Status)
	}
	s.Clock.Advance(2 * 24 * time.Hour)
	s.NoError(s.payments.Sweep(t.Context()))
	if p, _ := s.payments.FindPurchase(owner, last.ID); p.Status != payment.Canceled {
		t.Errorf("after 31 days it is %s", p.Status)
	}
	p, err := s.payments.ConfirmPurchase(operator, last.ID)
	s.NoError(err)
	if p.Status != payment.Paid {
		t.Errorf("paid late it is %s", p.Status)
	}
	s.holds(o, 2500*models.Credit, 2500*models.Credit)
}

// TestConfirmingAtOnce confirms and refunds one purchase from many sides.
func TestConfirmingAtOnce(t *testing.T) {
	s := newShop(t)
	owner, operator := s.Person("owner"), s.Operator()
	o := s.School(owner, "Northgate")
	p, err := s.payments.Checkout(owner, o.ID, "small")
	s.NoError(err)
	atOnce(20, func() {
		if _, err := s.payments.ConfirmPurchase(operator, p.ID); err != nil {
			t.Error(err)
		}
	})
	s.holds(o, 500*models.Credit, 500*models.Credit)

	var mu sync.Mutex
	made := 0
	atOnce(20, func() {
		if _, err := s.payments.RefundPurchase(operator, p.ID, 100*models.Credit); err == nil {
			mu.Lock()
			made++
			mu.Unlock()
		} else if !models.HasCode(err, models.CodeValidation) {
			t.Error(err)
		}
	})
	if made != 5 {
		t.Errorf("%d refunds of a fifth", made)
	}
	s.holds(o, 0, 500*models.Credit)

	// Buying at once keeps to the bound, and receipts are numbered without a gap.
	var begun []models.ID
	atOnce(40, func() {
		if p, err := s.payments.Checkout(owner, o.ID, "small"); err == nil {
			mu.Lock()
			begun = append(begun, p.ID)
			mu.Unlock()
		}
	})
	if len(begun) != 20 {
		t.Fatalf("%d purchases wait", len(begun))
	}
	next := make(chan models.ID, len(begun))
	for _, id := range begun {
		next <- id
	}
	numbers := map[string]bool{}
	atOnce(20, func() {
		p, err := s.payments.ConfirmPurchase(operator, <-next)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			t.Error(err)
			return
		}
		numbers[*p.Number] = true
	})
	if len(numbers) != 20 {
		t.Errorf("%d numbers", len(numbers))
	}
	s.holds(o, 20*500*models.Credit, 21*500*models.Credit)
}

func atOnce(n int, do func()) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for range n {
		all.Go(func() { <-start; do() })
	}
	close(start)
	all.Wait()
}
