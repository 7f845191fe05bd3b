package payment_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/notice"
	"atelier/models/org"
)

// Operators are told of an organization and of an order that wait for them, until one of them has acted.
func TestOperatorsAreToldOfWhatWaits(t *testing.T) {
	s := newShop(t)
	owner, operator, person := s.Person("owner"), s.Operator(), s.Person("someone")
	s.Orgs.Notices = &notice.Service{DB: s.DB}
	s.Orgs.Notices.ShowWhere(org.SeesNotice)
	s.Orgs.Accounts.Operators = []string{"operator@example.com"}
	s.NoError(s.DB.Write(operator, func(tx *models.Tx) error {
		return tx.Exec(`UPDATE users SET address_proven_at = ?, email_verified_at = ? WHERE id = ?`, tx.Now, tx.Now, tx.Actor.UserID).Error
	}))
	waits := func(who context.Context) (told []string) {
		t.Helper()
		list, err := s.Orgs.Notices.List(who, true, models.Page{})
		s.NoError(err)
		for _, n := range list.Nodes {
			told = append(told, n.Sentence(nil)+" "+n.Path())
		}
		return told
	}
	expect := func(when string, want ...string) {
		t.Helper()
		if got := waits(operator); !slices.Equal(got, want) {
			t.Errorf("%s operators read %q, expected %q", when, got, want)
		}
		if got := waits(person); len(got) > 0 {
			t.Errorf("%s a person who operates nothing reads %q", when, got)
		}
	}
	s.Orgs.AutoApprove = false
	yes := true
	o, err := s.Orgs.CreateOrganization(owner, org.CreateOrganizationInput{Name: "Hill Park", Kind: org.School, AcceptTerms: &yes})
	s.NoError(err)
	expect("after a school was created", "owner created Hill Park. It waits for your approval. /orgs/"+o.ID.String())
	_, err = s.Orgs.ApproveOrganization(operator, o.ID)
	s.NoError(err)
	expect("after it was approved")
	for _, end := range []func(models.ID) error{
		func(id models.ID) error { _, err := s.payments.ConfirmPurchase(operator, id); return err },
		func(id models.ID) error { _, err := s.payments.CancelPurchase(owner, id); return err },
		func(models.ID) error {
			s.Clock.Advance(31 * 24 * time.Hour)
			return s.payments.Sweep(context.Background())
		},
	} {
		p, err := s.payments.Checkout(owner, o.ID, "small")
		s.NoError(err)
		expect("after an order", "owner ordered 500 credits for Hill Park. Confirm the payment when it has arrived. /operator/purchases")
		s.NoError(end(p.ID))
		expect("after the order ended")
	}
}
