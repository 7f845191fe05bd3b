// Package credit holds money: pools, allocations, caps, holds, and the ledger
// that all of them add up from.
package credit

import (
	"encoding/json"
	"time"

	"atelier/models"
)

// Book is one side of a movement.
type Book string

const (
	Issued      Book = "issued"       // outside: granted, bought or refunded credits
	Pool        Book = "pool"         // of an organization
	Headroom    Book = "headroom"     // of a workspace, free to spend
	Held        Book = "held"         // of a workspace, reserved for a run
	Spent       Book = "spent"        // of a workspace
	WalletBook  Book = "wallet"       // of a personal space, free to spend
	WalletHeld  Book = "wallet_held"  // of a personal space, reserved for a run
	WalletSpent Book = "wallet_spent" // of a personal space
	Absorbed    Book = "absorbed"     // paid by the platform
)

// Entry is one movement: it leaves one book and enters another, so that the
// ledger balances by its form. Entries are only ever added. What each kind
// moves, and which counters it changes (of a personal space in brackets):
//
//	kind            from -> to                  counters
//	signup          issued -> wallet            wallets.balance +
//	grant           issued -> pool (wallet)     organization_pools.balance +  (wallets.balance +)
//	purchase        issued -> pool              organization_pools.balance +, lifetime_purchased +
//	refund, dispute pool -> issued              organization_pools.balance -; payment says what lifetime_purchased is
//	reinstatement   issued -> pool              organization_pools.balance +
//	allocation      pool -> headroom            organization_pools.balance -, workspace_budgets.allocated +
//	return          headroom -> pool            the reverse
//	hold            headroom -> held (wallet -> wallet_held)
//	                reserved + of workspace_budgets and member_budgets (of wallets)
//	charge, markup  held -> spent (wallet_held -> wallet_spent)
//	                by itself nothing: release settles (wallets.balance - and wallets.reserved - at once)
//	release         held -> headroom (wallet_held -> wallet)
//	                reserved - all holds, spent + all charges and markup of the execution (wallets.reserved - amount)
//	absorbed, markup_absorbed
//	                issued -> absorbed          none: what the platform pays reaches no budget and no wallet
//
// Of an execution: node_id is empty in its hold, its release and its markup;
// charges and absorbed are of nodes, inner ones of components by their paths. A hold
// with a node_id is what metered nodes took beyond the first hold when the execution
// was settled, named by the first of them; so
//
//	all holds = charges + markup + release, once the release is there.
//
// A node is charged once: one that cost more than was held for it waits for the
// settlement with its charge (up to what hold and headroom cover) and its absorbed
// (the rest). What a run really cost is charges + markup + absorbed ("settled" in
// reports: without absorbed it is what reached the budget); markup_absorbed, the part
// of a markup that nothing covered, is counted beside it.
//
// Model is there on every charge, absorbed and markup ("app markup"), Parts on the
// hold without node_id. A workspace's hold comes with a row in usage_open.
type Entry struct {
	ID             models.ID `gorm:"primaryKey"`
	Kind           string    // see the check of the table
	FromBook       Book
	FromID         *models.ID
	ToBook         Book
	ToID           *models.ID
	Amount         models.Credits
	OrganizationID *models.ID
	WorkspaceID    *models.ID
	UserID         *models.ID
	ExecutionID    *models.ID
	NodeID         *string
	Description    string
	// Model is what did the work that a charge is for: the model that the node
	// names, else its type. Parts are what a hold is expected to be for, as
	// { model: thousandths }.
	Model   *string
	Parts   *json.RawMessage
	ActorID *models.ID
	// PurchaseID is the purchase whose credits moved.
	PurchaseID *models.ID
	// BalanceAfter is the pool's or wallet's balance behind the movement.
	BalanceAfter *models.Credits
	CreatedAt    time.Time
}

func (Entry) TableName() string { return "ledger_entries" }

// OrganizationPool is what an organization has not allocated yet.
type OrganizationPool struct {
	OrganizationID    models.ID `gorm:"primaryKey"`
	Balance           models.Credits
	LifetimePurchased models.Credits
	// Filled is what it held when credits last came in: see setPool.
	Filled models.Credits
}

func (OrganizationPool) TableName() string { return "organization_pools" }

// WorkspaceBudget is what a workspace holds: reserved plus spent never exceed allocated.
type WorkspaceBudget struct {
	WorkspaceID    models.ID `gorm:"primaryKey"`
	OrganizationID models.ID
	Allocated      models.Credits
	Reserved       models.Credits
	Spent          models.Credits
	// DefaultCap is the cap that new members get; nil for none.
	DefaultCap *models.Credits
}

func (WorkspaceBudget) TableName() string { return "workspace_budgets" }

// MemberBudget is what one person reserved and spent in a workspace, and the cap on it.
type MemberBudget struct {
	WorkspaceID models.ID `gorm:"primaryKey"`
	UserID      models.ID `gorm:"primaryKey"`
	Cap         *models.Credits
	Reserved    models.Credits
	Spent       models.Credits
}

func (MemberBudget) TableName() string { return "member_budgets" }

// Wallet is the credits of a personal space.
type Wallet struct {
	UserID   models.ID `gorm:"primaryKey"`
	Balance  models.Credits
	Reserved models.Credits
}

func (Wallet) TableName() string { return "wallets" }

// Available is what a new run may reserve.
func (w *Wallet) Available() models.Credits { return w.Balance - w.Reserved }

// Part is what one model is expected to cost of a run.
type Part struct {
	Model  string
	Amount models.Credits
}

// OpenRun is a run that a workspace pays and that no report has added up yet:
// it is at work, or has ended since.
type OpenRun struct {
	ExecutionID    models.ID `gorm:"primaryKey"`
	OrganizationID models.ID
	WorkspaceID    models.ID
	UserID         models.ID
	CreatedAt      time.Time
}

func (OpenRun) TableName() string { return "usage_open" }
