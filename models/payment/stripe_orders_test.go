//go:build !race

package payment_test

import (
	"fmt"
	"testing"

	"atelier/models"
	"atelier/models/payment/stripetest"
)

// TestManyOrdersEndAlike delivers every story in many orders, with duplicates, to a
// pool that holds enough and to one that was spent down: it ends as a closed
// form says.
func TestManyOrdersEndAlike(t *testing.T) {
	for _, story := range stories {
		for _, left := range []int{100, 60, 25, 0} { // percent of the purchase that the pool still holds
			t.Run(fmt.Sprintf("%s, %d percent left", story.name, left), func(t *testing.T) {
				s := newStripeShop(t)
				count := 0
				events := len(story.events(&stripetest.Session{}, ""))
				permutations(events, func(order []int) {
					if left < 100 && order[0] != 0 {
						return // what was not paid cannot be spent
					}
					count++
					if (count-1)%max(1, events*events*events/18) != 0 {
						return // a share of the many orders; TestEveryOrderOfEveryStory plays all, without the database
					}
					s.tell(story, fmt.Sprint("_", count), left, order)
				})
				s.reconciles()
			})
		}
	}
}

// tell delivers a story about a new purchase in an order.
func (s *atStripe) tell(story story, n string, left int, order []int) {
	s.Helper()
	s.Exec(`DELETE FROM rate_windows`)
	before, _ := s.pool(s.org)
	if before > 0 {
		s.spend(s.owner, s.org, before)
	}
	p, session := s.buy("small")
	events := story.events(session, n)
	for i, at := range order {
		s.send(events[at])
		if at == 0 && left < 100 {
			s.spend(s.owner, s.org, p.Credits*models.Credits(100-left)/100)
		}
		s.send(events[order[(i*7)%(i+1)]]) // one that was delivered before
	}
	p = s.find(p)
	has := p.Credits * models.Credits(left) / 100
	refund, dispute := p.Credits*models.Credits(story.refund)/100, p.Credits*models.Credits(story.dispute)/100
	balance, _ := s.pool(s.org)
	refundApplied := min(refund, has)
	disputeApplied := min(dispute, has-refundApplied)
	if p.RefundRequested != refund || p.DisputeRequested != dispute || p.RefundApplied != refundApplied || p.DisputeApplied != disputeApplied ||
		balance != has-refundApplied-disputeApplied || p.Status != story.status {
		s.Fatalf("in the order %v: asked back %s and %s, took %s and %s, pool %s, %s", order,
			p.RefundRequested, p.DisputeRequested, p.RefundApplied, p.DisputeApplied, balance, p.Status)
	}
}

// permutations calls do with every order of 0 to n-1.
func permutations(n int, do func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var permute func(int)
	permute = func(at int) {
		if at == n {
			do(order)
			return
		}
		for i := at; i < n; i++ {
			order[at], order[i] = order[i], order[at]
			permute(at + 1)
			order[at], order[i] = order[i], order[at]
		}
	}
	permute(0)
}
