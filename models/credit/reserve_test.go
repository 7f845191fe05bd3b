package credit_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestReserveInWorkspace(t *testing.T) {
	b := newBank(t)
	ada, pupil, operator := b.Person("ada"), b.Person("pupil"), b.Operator()
	o := b.School(ada, "North")
	room := b.Workspace(ada, o, "Room")
	b.Assign(pupil, room, org.WorkspaceRoleMember)
	b.fund(ada, operator, room, 10_000)
	limit := models.Credits(3_000)
	b.setCap(room, pupil, &limit)
	b.setCap(room, ada, &limit)

	b.Refused(b.reserve(inWorkspace(pupil, room), b.newID(), 3_001), models.CodeMemberCapExceeded, 402)
	b.Refused(b.reserve(inWorkspace(pupil, room), b.newID(), 10_001), models.CodeBudgetExceeded, 402)
	b.NoError(b.reserve(inWorkspace(ada, room), b.newID(), 5_000)) // caps never bind organization admins
	b.Refused(b.reserve(inWorkspace(ada, room), b.newID(), 5_001), models.CodeBudgetExceeded, 402)
	b.NoError(b.reserve(inWorkspace(pupil, room), b.newID(), 0))
	b.NoError(b.reserve(inWorkspace(pupil, room), b.newID(), 3_000))
	b.Refused(b.reserve(inWorkspace(pupil, room), b.newID(), 1), models.CodeMemberCapExceeded, 402)

	t.Run("a refusal leaves the transaction usable", func(t *testing.T) {
		execution := b.newID()
		b.NoError(b.write(func(tx *models.Tx) error {
			b.Refused(b.credits.Reserve(tx, inWorkspace(pupil, room), execution, 1), models.CodeMemberCapExceeded, 402)
			return nil
		}))
		b.reconciles()
	})
	_, err := b.Orgs.UpdateOrganization(ada, o.ID, org.UpdateOrganizationInput{Settings: map[string]any{"member_caps_enabled": false}})
	b.NoError(err)
	b.NoError(b.reserve(inWorkspace(pupil, room), b.newID(), 2_000))
	b.reconciles()
}

func TestReserveInPersonalSpace(t *testing.T) {
	b := newBank(t)
	ada := b.Person("ada")
	user := orgtest.ID(ada)
	b.Refused(b.reserve(personal(ada), b.newID(), 1), models.CodeInsufficientCredits, 402)
	_, err := b.credits.GrantCredits(b.Operator(), credit.GrantInput{UserID: &user, Amount: 10_000, Reason: "Thanks"})
	b.NoError(err)
	execution := b.newID()
	b.NoError(b.reserve(personal(ada), execution, 6_000))
	b.Refused(b.reserve(personal(ada), b.newID(), 4_001), models.CodeInsufficientCredits, 402)
	for range 2 {
		b.NoError(b.charge(personal(ada), execution, "n1", 1_500))
	}
	b.NoError(b.charge(personal(ada), execution, "n2", 500))
	wallet, err := b.credits.FindWallet(ada)
	b.NoError(err)
	if wallet.Balance != 8_000 || wallet.Reserved != 4_000 || wallet.Available() != 4_000 {
		t.Fatalf("wallet %+v", wallet)
	}
	b.reconciles()
	for range 2 {
		b.NoError(b.settle(personal(ada), execution, 6_000, 2_000))
	}
	transactions, err := b.credits.ListTransactions(ada, models.Page{})
	b.NoError(err)
	var lines []string
	for _, e := range transactions.Nodes {
		lines = append(lines, fmt.Sprint(e.Kind, e.Signed(), *e.BalanceAfter))
	}
	if fmt.Sprint(lines) != "[charge-0.5 8 charge-1.5 8.5 grant10 10]" {
		t.Fatalf("transactions %v", lines)
	}
	_, err = b.credits.ListTransactions(ada, models.Page{Limit: new(51)})
	b.Refused(err, models.CodeValidation, 400)
	b.reconciles()
}

func TestSignUpCredits(t *testing.T) {
	b := newBank(t)
	b.Accounts.SessionKey = []byte("a key that only this test uses!!")
	_, err := b.Accounts.SignUp(context.Background(), signUp("new@example.com"))
	b.NoError(err)
	user, err := b.Accounts.FindUserByEmail(context.Background(), "new@example.com")
	b.NoError(err)
	ctx := models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: user.ID})
	wallet, err := b.credits.FindWallet(ctx)
	b.NoError(err)
	transactions, err := b.credits.ListTransactions(ctx, models.Page{})
	b.NoError(err)
	if wallet.Balance != 10_000 || len(transactions.Nodes) != 1 || transactions.Nodes[0].Kind != "signup" {
		t.Fatalf("wallet %+v, transactions %+v", wallet, transactions.Nodes)
	}
	b.reconciles()
}

func TestChargeAndSettleOnce(t *testing.T) {
	b := newBank(t)
	ada, operator := b.Person("ada"), b.Operator()
	room := b.Workspace(ada, b.Team(ada, "North"), "Room")
	b.fund(ada, operator, room, 10_000)
	payer, execution := inWorkspace(ada, room), b.newID()
	b.NoError(b.reserve(payer, execution, 4_000))
	if b.reserve(payer, execution, 4_000) == nil {
		t.Fatal("an execution was reserved for twice")
	}
	for range 3 {
		b.NoError(b.charge(payer, execution, "n1", 4_000))
	}
	b.reconciles() // nothing left to release, and not settled yet
	for range 3 {
		b.NoError(b.settle(payer, execution, 4_000, 4_000))
	}
	if b.settle(payer, b.newID(), 1, 2) == nil {
		t.Fatal("more was charged than held")
	}
	view, err := b.credits.FindWorkspaceBudget(ada, room.ID)
	b.NoError(err)
	if *view.Spent != 4_000 || *view.Reserved != 0 || view.Headroom != 6_000 {
		t.Fatalf("budget %+v", view)
	}
	b.reconciles()
}

// Charges and the release of a wallet are booked once, also when only some of a
// repeated list are there already, and each says what was left behind it.
func TestWalletIsBookedOnce(t *testing.T) {
	b := newBank(t)
	ada := b.Person("ada")
	user := orgtest.ID(ada)
	_, err := b.credits.GrantCredits(b.Operator(), credit.GrantInput{UserID: &user, Amount: 10_000, Reason: "Thanks"})
	b.NoError(err)
	payer, execution, start := personal(ada), b.newID(), models.Credits(10_000)
	b.NoError(b.reserve(payer, execution, 4_000))
	charges := []credit.NodeCharge{{NodeID: "n1", What: "Paint", Amount: 1_000}, {NodeID: "n2", What: "Paint", Amount: 500}, {NodeID: "n3", What: "Speak", Amount: 700}}
	for n := range charges {
		for range 2 { // the second time repeats them all
			b.NoError(b.write(func(tx *models.Tx) error {
				return b.credits.Charge(tx, payer, execution, charges[:n+1]...)
			}))
		}
		b.reconciles()
	}
	for range 2 {
		b.NoError(b.write(func(tx *models.Tx) error {
			return b.credits.Settle(tx, payer, execution, 4_000, 2_200, charges[1:]...)
		}))
		b.reconciles()
	}
	got, err := b.credits.FindWallet(ada)
	b.NoError(err)
	if got.Balance != start-2_200 || got.Reserved != 0 {
		t.Errorf("the wallet is %+v", got)
	}
	list, err := b.credits.ListTransactions(ada, models.Page{})
	b.NoError(err)
	for i, after := range []models.Credits{start - 2_200, start - 1_500, start - 1_000} {
		if got := list.Nodes[i]; got.BalanceAfter == nil || *got.BalanceAfter != after {
			t.Errorf("behind %+v the balance is %v, want %v", got, got.BalanceAfter, after)
		}
	}
	if last := list.Nodes[0]; last.Description != "Speak" {
		t.Errorf("the charge says %q", last.Description)
	}
	if b.charge(payer, b.newID(), "n1", -1) == nil {
		t.Error("a negative amount was charged")
	}
	if b.charge(credit.Payer{UserID: b.newID()}, b.newID(), "n1", 1) == nil {
		t.Error("an account without a wallet was charged")
	}
}

// A run that has ended when it is accepted is paid in one go: every charge says
// what was left behind it, and one that is not covered changes nothing.
func TestPaidAtOnce(t *testing.T) {
	b := newBank(t)
	ada := b.Person("ada")
	user := orgtest.ID(ada)
	_, err := b.credits.GrantCredits(b.Operator(), credit.GrantInput{UserID: &user, Amount: 10_000, Reason: "Thanks"})
	b.NoError(err)
	b.NoError(b.reserve(personal(ada), b.newID(), 5_000)) // of another run
	pay := func(hold models.Credits) error {
		return b.write(func(tx *models.Tx) error {
			return b.credits.PayAtOnce(tx, personal(ada), b.newID(), credit.Bill{Hold: hold, Charged: 2_200, Charges: []credit.NodeCharge{
				{NodeID: "n1", What: "Paint", Amount: 1_500}, {NodeID: "n2", What: "Speak", Amount: 700},
			}})
		})
	}
	b.Refused(pay(5_001), models.CodeInsufficientCredits, 402)
	b.NoError(pay(5_000))
	b.reconciles()
	got, err := b.credits.FindWallet(ada)
	b.NoError(err)
	if got.Balance != 7_800 || got.Reserved != 5_000 {
		t.Errorf("the wallet is %+v", got)
	}
	list, err := b.credits.ListTransactions(ada, models.Page{})
	b.NoError(err)
	for i, after := range []models.Credits{7_800, 8_500, 10_000} {
		if got := list.Nodes[i]; got.BalanceAfter == nil || *got.BalanceAfter != after {
			t.Errorf("behind %+v the balance is %v, want %v", got, got.BalanceAfter, after)
		}
	}
	if last := list.Nodes[0]; last.Description != "Speak" {
		t.Errorf("the charge says %q", last.Description)
	}
}

func TestReconcileFindsDifferences(t *testing.T) {
	b := newBank(t)
	ada, operator := b.Person("ada"), b.Operator()
	room := b.Workspace(ada, b.Team(ada, "North"), "Room")
	b.fund(ada, operator, room, 10_000)
	b.NoError(b.reserve(inWorkspace(ada, room), b.newID(), 1_000))
	for counter, sql := range map[string]string{
		"organization_pools.balance":            `UPDATE organization_pools SET balance = balance + ?`,
		"organization_pools.lifetime_purchased": `UPDATE organization_pools SET lifetime_purchased = lifetime_purchased + ?`,
		"workspace_budgets.allocated":           `UPDATE workspace_budgets SET allocated = allocated + ?`,
		"workspace_budgets.reserved":            `UPDATE workspace_budgets SET reserved = reserved + ?`,
		"workspace_budgets.spent":               `UPDATE workspace_budgets SET spent = spent + ?`,
		"member_budgets.reserved":               `UPDATE member_budgets SET reserved = reserved + ?`,
		"member_budgets.spent":                  `UPDATE member_budgets SET spent = spent + ?`,
	} {
		t.Run(counter, func(t *testing.T) {
			b.Exec(sql, 7)
			differences, err := credit.Reconcile(context.Background(), b.DB)
			b.NoError(err)
			if len(differences) != 1 || differences[0].Counter != counter || differences[0].Stored-differences[0].Ledger != 7 {
				t.Fatalf("differences %+v", differences)
			}
			b.Exec(sql, -7)
		})
	}
	b.reconciles()
	t.Run("lines", func(t *testing.T) {
		b.grant(operator, &org.Organization{ID: room.OrganizationID}, 500)
		b.grant(operator, &org.Organization{ID: room.OrganizationID}, 700)
		var second models.ID
		b.NoError(b.DB.Row(ada, `SELECT id FROM ledger_entries WHERE amount = 500`).Scan(&second))
		b.Exec(`UPDATE ledger_entries SET balance_after = balance_after + 3 WHERE id = ?`, second)
		differences, err := credit.Reconcile(context.Background(), b.DB)
		b.NoError(err)
		if len(differences) != 1 || differences[0].Entry == nil || *differences[0].Entry != second || differences[0].Stored != 503 || differences[0].Ledger != 500 {
			t.Fatalf("differences %+v", differences)
		}
		b.Exec(`UPDATE ledger_entries SET balance_after = balance_after - 3 WHERE id = ?`, second)
		b.reconciles()
		// Lines that were written at once may stand in another order than balances.
		b.Exec(`UPDATE ledger_entries SET id = ? WHERE id = ?`, b.newID(), second)
		b.reconciles()
	})
}

// Headroom for one run admits one of fifty that start at once.
func TestLastCredit(t *testing.T) {
	for _, by := range []models.Code{models.CodeBudgetExceeded, models.CodeMemberCapExceeded, models.CodeInsufficientCredits} {
		t.Run(string(by), func(t *testing.T) {
			b := newBank(t)
			ada, pupil, operator := b.Person("ada"), b.Person("pupil"), b.Operator()
			room := b.Workspace(ada, b.School(ada, "North"), "Room")
			b.Assign(pupil, room, org.WorkspaceRoleMember)
			payer, one := inWorkspace(pupil, room), models.Credit
			switch by {
			case models.CodeBudgetExceeded:
				b.fund(ada, operator, room, one)
			case models.CodeMemberCapExceeded:
				b.fund(ada, operator, room, 100*one)
				b.setCap(room, pupil, &one)
			default:
				payer = personal(pupil)
				_, err := b.credits.GrantCredits(operator, credit.GrantInput{UserID: &payer.UserID, Amount: one, Reason: "One"})
				b.NoError(err)
			}
			var admitted, refused atomic.Int64
			race(50, func(int) {
				switch err := b.reserve(payer, b.newID(), one); {
				case err == nil:
					admitted.Add(1)
				case models.HasCode(err, by):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
			if admitted.Load() != 1 || refused.Load() != 49 {
				t.Fatalf("%d admitted, %d refused", admitted.Load(), refused.Load())
			}
			b.reconciles()
		})
	}
}

// Taking back and reserving at once never promise the same credit twice.
func TestAllocateAgainstReserve(t *testing.T) {
	b := newBank(t)
	ada, operator := b.Person("ada"), b.Operator()
	o := b.Team(ada, "North")
	room := b.Workspace(ada, o, "Room")
	b.fund(ada, operator, room, 20*models.Credit)
	var taken, reserved atomic.Int64
	race(40, func(n int) {
		if n%2 == 0 {
			if _, err := b.credits.AllocateCredits(ada, o.ID, room.ID, -models.Credit); err == nil {
				taken.Add(1)
			} else if !models.HasCode(err, models.CodeValidation) {
				t.Error(err)
			}
			return
		}
		execution := b.newID()
		if err := b.reserve(inWorkspace(ada, room), execution, models.Credit); err != nil {
			if !models.HasCode(err, models.CodeBudgetExceeded) {
				t.Error(err)
			}
			return
		}
		reserved.Add(1)
		if err := b.charge(inWorkspace(ada, room), execution, "n", models.Credit); err != nil {
			t.Error(err)
		}
		if err := b.settle(inWorkspace(ada, room), execution, models.Credit, models.Credit); err != nil {
			t.Error(err)
		}
	})
	if taken.Load()+reserved.Load() != 20 {
		t.Fatalf("%d taken back and %d reserved of 20", taken.Load(), reserved.Load())
	}
	b.reconciles()
}

// race runs fn n times at once.
func race(n int, fn func(int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() { <-start; fn(i) })
	}
	close(start)
	all.Wait()
}
