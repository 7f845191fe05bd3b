package credit_test

import (
	"context"
	"flag"
	"os"
	"testing"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("rapid.checks", "15") // each is some thirty transactions
	os.Exit(m.Run())
}

// bank is a world with money.
type bank struct {
	*orgtest.World
	credits *credit.Service
}

func newBank(t testing.TB) *bank {
	t.Helper()
	w := orgtest.New(t)
	credits := &credit.Service{DB: w.DB, Orgs: w.Orgs, SignUpCredits: 10 * models.Credit}
	credits.RegisterHooks()
	return &bank{World: w, credits: credits}
}

// grant gives credits to an organization.
func (b *bank) grant(operator context.Context, o *org.Organization, amount models.Credits) {
	b.Helper()
	_, err := b.credits.GrantCredits(operator, credit.GrantInput{OrganizationID: &o.ID, Amount: amount, Reason: "Welcome"})
	b.NoError(err)
}

// fund gives a workspace credits by way of the pool.
func (b *bank) fund(owner, operator context.Context, room *org.Workspace, amount models.Credits) {
	b.Helper()
	b.grant(operator, &org.Organization{ID: room.OrganizationID}, amount)
	_, err := b.credits.AllocateCredits(owner, room.OrganizationID, room.ID, amount)
	b.NoError(err)
}

// write runs fn in a transaction of no one in particular.
func (b *bank) write(fn func(*models.Tx) error) error { return b.DB.Write(context.Background(), fn) }

func (b *bank) reserve(p credit.Payer, execution models.ID, amount models.Credits) error {
	return b.write(func(tx *models.Tx) error { return b.credits.Reserve(tx, p, execution, amount) })
}

func (b *bank) charge(p credit.Payer, execution models.ID, node string, amount models.Credits) error {
	return b.write(func(tx *models.Tx) error {
		return b.credits.Charge(tx, p, execution, credit.NodeCharge{NodeID: node, Amount: amount})
	})
}

func (b *bank) settle(p credit.Payer, execution models.ID, hold, charged models.Credits) error {
	return b.write(func(tx *models.Tx) error { return b.credits.Settle(tx, p, execution, hold, charged) })
}

// settleMetered settles an execution of which a node, and a markup, are still due.
func (b *bank) settleMetered(p credit.Payer, execution models.ID, hold, charged, node, markup models.Credits) (covered []models.Credits, err error) {
	err = b.write(func(tx *models.Tx) (err error) {
		covered, err = b.credits.SettleMetered(tx, p, execution, hold, charged, nil, []credit.NodeCharge{
			{NodeID: "metered", Model: "small", Amount: node}, {Model: credit.MarkupModel, Amount: markup, Markup: true},
		})
		return err
	})
	return covered, err
}

// payAtOnce pays an execution of two nodes that has ended when it is accepted.
func (b *bank) payAtOnce(p credit.Payer, execution models.ID, hold, charged models.Credits) error {
	return b.write(func(tx *models.Tx) error {
		var charges []credit.NodeCharge
		for node, amount := range map[string]models.Credits{"n1": charged / 2, "n2": charged - charged/2} {
			if amount > 0 {
				charges = append(charges, credit.NodeCharge{NodeID: node, Amount: amount})
			}
		}
		return b.credits.PayAtOnce(tx, p, execution, credit.Bill{Hold: hold, Charged: charged, Charges: charges})
	})
}

// newID is the id of some execution.
func (b *bank) newID() (id models.ID) {
	b.Helper()
	b.NoError(b.write(func(tx *models.Tx) error { id = tx.NewID(); return nil }))
	return id
}

func (b *bank) setCap(room *org.Workspace, member context.Context, limit *models.Credits) {
	b.Helper()
	b.Exec(`INSERT INTO member_budgets (workspace_id, user_id, cap) VALUES (?, ?, ?)
		ON CONFLICT (workspace_id, user_id) DO UPDATE SET cap = EXCLUDED.cap`, room.ID, orgtest.ID(member), limit)
}

// reconciles checks that the ledger adds up to every counter.
func (b *bank) reconciles() {
	b.Helper()
	differences, err := credit.Reconcile(context.Background(), b.DB)
	b.NoError(err)
	if len(differences) > 0 {
		b.Fatalf("the ledger adds up to other counters: %+v", differences)
	}
}

func inWorkspace(member context.Context, room *org.Workspace) credit.Payer {
	return credit.Payer{UserID: orgtest.ID(member), WorkspaceID: &room.ID, OrganizationID: &room.OrganizationID}
}

func personal(ctx context.Context) credit.Payer { return credit.Payer{UserID: orgtest.ID(ctx)} }

func signUp(email string) account.SignUpInput {
	return account.SignUpInput{Email: email, Password: "a long password", DisplayName: "New"}
}
