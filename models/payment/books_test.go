package payment

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"atelier/models"

	"pgregory.net/rapid"
)

// till is a purchase with a pool that holds a part of it, without a database.
type till struct {
	*Purchase
	pool models.Credits
	told []*Event
	seen map[string]bool
}

func newTill() *till {
	return &till{Purchase: &Purchase{Credits: 500 * models.Credit, Price: 1000}, seen: map[string]bool{}}
}

// take is what tell does with a locked purchase.
func (b *till) take(t interface{ Fatalf(string, ...any) }, e *Event, spent models.Credits) {
	if b.seen[e.EventID] {
		return
	}
	b.seen[e.EventID], b.told = true, append(b.told, e)
	st := stand(b.told)
	if !st.paid {
		return
	}
	if !b.paid() {
		b.ConfirmedAt, b.pool = &e.HappenedAt, b.pool+b.Credits-spent
	}
	b.reach(t, st)
}

// reach plays the plan on the pool and holds its promises.
func (b *till) reach(t interface{ Fatalf(string, ...any) }, st standing) {
	refund, dispute := b.due(st)
	before := b.pool + b.TakenBack()
	for _, move := range b.plan(b.pool, refund, dispute) {
		switch {
		case move.requested <= 0:
			t.Fatalf("a movement of %s", move.requested)
		case move.kind == "reinstatement":
			b.pool += move.requested
		default:
			b.pool -= min(b.pool, move.requested)
		}
	}
	if b.pool < 0 || b.RefundApplied < 0 || b.RefundApplied > b.RefundRequested || b.DisputeApplied < 0 || b.DisputeApplied > b.DisputeRequested ||
		b.RefundRequested+b.DisputeRequested > b.Credits || b.pool+b.TakenBack() != before {
		t.Fatalf("pool %s of %s, %+v", b.pool, before, b.Purchase)
	}
}

// TestEveryOrderOfEveryStory plays all orders of {paid, refund 30 %, refund 100 %,
// dispute opened, won, lost} and of other stories, each event once more at random,
// with a pool that holds all of the purchase, a part or nothing.
func TestEveryOrderOfEveryStory(t *testing.T) {
	at := func(id, kind, object string, amount int64, state string, second int64) *Event {
		return &Event{EventID: id, Kind: kind, Object: object, Amount: amount, State: state, HappenedAt: time.Unix(second, 0)}
	}
	paid := at("paid", toldPaid, "cs", 1000, "usd", 100)
	opened := at("open", toldDispute, "dp", 1000, disputeOpen, 400)
	won, lost := at("won", toldDispute, "dp", 1000, disputeWon, 500), at("lost", toldDispute, "dp", 1000, disputeLost, 600)
	r30, r100 := at("30", toldCharge, "ch", 300, "", 200), at("100", toldCharge, "ch", 1000, "", 300)
	for name, story := range map[string]struct {
		events          []*Event
		refund, dispute models.Credits // percent
	}{
		"all":                       {[]*Event{paid, r30, r100, opened, won, lost}, 100, 0},
		"a part, then won":          {[]*Event{paid, r30, opened, won}, 30, 0},
		"a part, then lost":         {[]*Event{paid, r30, opened, lost}, 30, 70},
		"a part, undecided":         {[]*Event{paid, r30, opened}, 30, 70},
		"lost, then won":            {[]*Event{paid, opened, lost, at("won again", toldDispute, "dp", 1000, disputeWon, 700)}, 0, 0},
		"won and lost at one time":  {[]*Event{paid, won, at("lost too", toldDispute, "dp", 1000, disputeLost, 500)}, 0, 100},
		"a half, a refund, won":     {[]*Event{paid, r30, at("half", toldDispute, "dp", 500, disputeOpen, 400), at("half won", toldDispute, "dp", 500, disputeWon, 500)}, 30, 0},
		"a warning":                 {[]*Event{paid, r30, at("warning", toldDispute, "dp", 1000, disputeWarning, 400)}, 30, 0},
		"two disputes":              {[]*Event{paid, at("d1", toldDispute, "d1", 600, disputeOpen, 400), at("d2", toldDispute, "d2", 700, disputeOpen, 400)}, 0, 100},
		"refunds told one by one":   {[]*Event{paid, at("r1", toldRefunded, "r1", 300, refundMade, 200), at("r2", toldRefunded, "r2", 300, refundMade, 200), at("sum", toldCharge, "ch", 600, "", 200)}, 60, 0},
		"a refund that failed":      {[]*Event{paid, at("r1", toldRefunded, "r1", 300, refundMade, 200), at("failed", toldRefunded, "r1", 300, refundFailed, 210), r30}, 0, 0},
		"one failed, one did not":   {[]*Event{paid, at("failed", toldRefunded, "r1", 300, refundFailed, 210), at("r2", toldRefunded, "r2", 300, refundMade, 200), r30}, 30, 0},
		"given up, and paid":        {[]*Event{at("expired", toldExpired, "cs", 1000, "", 90), paid, r30}, 30, 0},
		"refunds that come to more": {[]*Event{paid, at("much", toldCharge, "ch", 5000, "", 200), opened}, 100, 0},
	} {
		for _, left := range []models.Credits{100, 85, 60, 30, 10, 0} {
			orders := 0
			permute(len(story.events), func(order []int) {
				orders++
				b := newTill()
				for i, n := range order {
					b.take(t, story.events[n], b.Credits*(100-left)/100)
					b.take(t, story.events[order[rand.IntN(i+1)]], 0)
				}
				has := b.Credits * left / 100
				refund := min(b.Credits*story.refund/100, has)
				dispute := min(b.Credits*story.dispute/100, has-refund)
				// Of one that failed, what the pool did not hold was never taken.
				if b.RefundApplied != refund || b.DisputeApplied != dispute || b.pool != has-refund-dispute {
					t.Fatalf("%s, %d percent left, in the order %v: took %s and %s, pool %s", name, left, order, b.RefundApplied, b.DisputeApplied, b.pool)
				}
			})
			if name == "all" && orders != 720 {
				t.Fatalf("%d orders", orders)
			}
		}
	}
}

func permute(n int, do func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var from func(int)
	from = func(at int) {
		if at == n {
			do(order)
		}
		for i := at; i < n; i++ {
			order[at], order[i] = order[i], order[at]
			from(at + 1)
			order[at], order[i] = order[i], order[at]
		}
	}
	from(0)
}

// TestPartsNeverDrift refunds in any parts: in the end all credits are asked back,
// never more, and never by steps that go back.
func TestPartsNeverDrift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &Purchase{
			Credits: models.Credits(rapid.Int64Range(1, int64(models.MaxCredits)).Draw(t, "credits")), Price: rapid.IntRange(1, 99_999_999).Draw(t, "price"),
		}
		st, last := standing{paid: true}, models.Credits(0)
		for st.refunded < int64(p.Price) {
			st.refunded += min(rapid.Int64Range(1, max(1, int64(p.Price)/3)).Draw(t, "part"), int64(p.Price)-st.refunded)
			st.disputed = rapid.Int64Range(0, int64(p.Price)).Draw(t, "disputed")
			refund, dispute := p.due(st)
			if refund < last || dispute < 0 || refund+dispute > p.Credits {
				t.Fatalf("%d of %d: %s and %s of %s, before %s", st.refunded, p.Price, refund, dispute, p.Credits, last)
			}
			if back := p.cost(refund); p.Credits >= models.Credits(p.Price) && back != st.refunded {
				t.Fatalf("%s cost %d, not %d", refund, back, st.refunded)
			}
			last = refund
		}
		if last != p.Credits {
			t.Fatalf("%s of %s came back", last, p.Credits)
		}
	})
}

// TestNothingIsOwed changes the pool between any events: what one of them did not
// find is not taken by a later one, and a dispute that is won gives back all that
// it took.
func TestNothingIsOwed(t *testing.T) {
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		b := newTill()
		now := time.Unix(100, 0)
		b.take(t, &Event{EventID: "paid", Kind: toldPaid, HappenedAt: now}, 0)
		for i := range rapid.IntRange(1, 12).Draw(t, "events") {
			b.pool = models.Credits(rapid.Int64Range(0, int64(b.Credits)*2).Draw(t, "pool"))
			e := &Event{EventID: fmt.Sprint(i), HappenedAt: now, Amount: rapid.Int64Range(0, 1500).Draw(t, "amount")}
			e.Kind = rapid.SampledFrom([]string{toldCharge, toldRefunded, toldDispute}).Draw(t, "kind")
			e.Object = rapid.SampledFrom([]string{"1", "2"}).Draw(t, "object")
			if e.Kind == toldDispute {
				e.State = rapid.SampledFrom([]string{disputeOpen, disputeWon, disputeLost, disputeWarning}).Draw(t, "state")
			}
			was, pool := *b.Purchase, b.pool
			b.take(t, e, 0)
			asked := max(b.RefundRequested-was.RefundRequested, 0) + max(b.DisputeRequested-was.DisputeRequested, 0)
			if taken := pool - b.pool; taken > asked {
				t.Fatalf("%+v asked for %s and took %s", e, asked, taken)
			}
			if b.DisputeRequested == 0 && b.RefundRequested == was.RefundRequested && b.pool != pool+was.DisputeApplied {
				t.Fatalf("%+v gave %s of %s again", e, b.pool-pool, was.DisputeApplied)
			}
		}
	})
	if runs < 100 {
		t.Errorf("%d runs", runs)
	}
}
