package credit_test

import (
	"errors"
	"slices"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
)

// What a wallet, a budget or a share does not cover refuses its own payments, those of all of it, and no others.
func TestPayTogether(t *testing.T) {
	b := newBank(t)
	ada, pupil, other, operator := b.Person("ada"), b.Person("pupil"), b.Person("other"), b.Operator()
	school := b.School(ada, "North")
	room, next := b.Workspace(ada, school, "Room"), b.Workspace(ada, school, "Next")
	for _, w := range []*org.Workspace{room, next} {
		b.Assign(pupil, w, org.WorkspaceRoleMember)
		b.Assign(other, w, org.WorkspaceRoleMember)
		b.fund(ada, operator, w, 10_000)
		b.NoError(b.reserve(inWorkspace(other, w), b.newID(), 2_000)) // leaves 8,000
	}
	limit := models.Credits(5_000)
	b.setCap(room, pupil, &limit)
	b.NoError(b.reserve(inWorkspace(pupil, room), b.newID(), 1_000)) // leaves 4,000 of the cap, 7,000 in the room
	for _, who := range []credit.Payer{personal(ada), personal(pupil)} {
		_, err := b.credits.GrantCredits(operator, credit.GrantInput{UserID: &who.UserID, Amount: 10_000, Reason: "Thanks"})
		b.NoError(err)
		b.NoError(b.reserve(who, b.newID(), 4_000)) // leaves 6,000
	}
	type payments = []credit.Payment
	pay := func(p credit.Payer, hold models.Credits, ended bool) credit.Payment {
		return credit.Payment{Payer: p, ExecutionID: b.newID(), Ended: ended, Bill: credit.Bill{
			Hold: hold, Charged: hold / 2, Charges: []credit.NodeCharge{{NodeID: "n", What: "Paint", Amount: hold / 2}},
		}}
	}
	for name, c := range map[string]struct {
		payments payments
		refused  []int
	}{
		"Wallet":          {payments{pay(personal(ada), 3_000, true), pay(personal(pupil), 6_000, false), pay(personal(ada), 3_000, false)}, nil},
		"WalletShort":     {payments{pay(personal(ada), 3_000, true), pay(personal(pupil), 6_000, false), pay(personal(ada), 3_001, false)}, []int{0, 2}},
		"NoWallet":        {payments{pay(personal(other), 1, false), pay(personal(pupil), 6_000, false)}, []int{0}},
		"Budget":          {payments{pay(inWorkspace(other, room), 3_000, false), pay(inWorkspace(pupil, room), 4_000, true), pay(inWorkspace(pupil, next), 8_000, true)}, nil},
		"BudgetShort":     {payments{pay(inWorkspace(other, room), 3_001, false), pay(inWorkspace(pupil, next), 8_000, true), pay(inWorkspace(pupil, room), 4_000, true)}, []int{0, 2}},
		"CapShort":        {payments{pay(inWorkspace(pupil, room), 2_000, false), pay(inWorkspace(other, room), 1_000, false), pay(inWorkspace(pupil, room), 2_001, true)}, []int{0, 2}},
		"WalletsFirst":    {payments{pay(inWorkspace(other, room), 7_001, false), pay(personal(ada), 6_001, true)}, []int{1}},
		"OfAnotherSchool": {payments{pay(credit.Payer{UserID: personal(other).UserID, WorkspaceID: &room.ID, OrganizationID: new(b.newID())}, 1, false)}, []int{0}},
		"Nothing":         {payments{{Payer: personal(other), ExecutionID: b.newID()}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var refused []int
			var err error
			if cut := b.write(func(tx *models.Tx) error {
				refused, err = b.credits.PayTogether(tx, c.payments)
				return errPowerCut
			}); !errors.Is(cut, errPowerCut) {
				t.Fatal(cut)
			}
			if slices.Sort(refused); !slices.Equal(refused, c.refused) || err != nil {
				t.Errorf("%v were refused, expected %v; %v", refused, c.refused, err)
			}
		})
	}
	t.Run("Balances", func(t *testing.T) {
		two := payments{pay(personal(ada), 2_000, true), pay(personal(ada), 1_000, false)}
		two[0].ActorID = new(personal(ada).UserID)
		b.NoError(b.write(func(tx *models.Tx) error { _, err := b.credits.PayTogether(tx, two); return err }))
		b.reconciles()
		list, err := b.credits.ListTransactions(ada, models.Page{})
		b.NoError(err)
		for i, after := range []models.Credits{8_500, 9_000, 10_000} {
			if got := list.Nodes[i]; got.BalanceAfter == nil || *got.BalanceAfter != after {
				t.Errorf("behind %+v the balance is %v, want %v", got, got.BalanceAfter, after)
			}
		}
		var entries, actors int
		b.NoError(b.DB.Row(ada, `SELECT count(*), count(actor_id) FROM ledger_entries WHERE execution_id = $1`, two[0].ExecutionID).Scan(&entries, &actors))
		if entries != 3 || actors != 3 {
			t.Errorf("%d entries, %d with an actor", entries, actors)
		}
	})
	t.Run("ErrAmount", func(t *testing.T) {
		wrong := pay(personal(ada), 1_000, true)
		wrong.Charged = 1_001
		if err := b.write(func(tx *models.Tx) error { _, err := b.credits.PayTogether(tx, payments{wrong}); return err }); err == nil {
			t.Error("more was charged than held")
		}
	})
}
