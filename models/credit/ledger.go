// Package credit holds money: pools, allocations, caps, holds, and the ledger
// that all of them add up from.
package credit

import (
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
// ledger balances by its form. Entries are only ever added.
type Entry struct {
	ID             models.ID `gorm:"primaryKey"`
	Kind           string    // signup, grant, purchase, refund, allocation, return, hold, charge, release, absorbed
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
	ActorID        *models.ID
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
}

func (OrganizationPool) TableName() string { return "organization_pools" }

// WorkspaceBudget is what a workspace holds: reserved plus spent never exceed allocated.
type WorkspaceBudget struct {
	WorkspaceID    models.ID `gorm:"primaryKey"`
	OrganizationID models.ID
	Allocated      models.Credits
	Reserved       models.Credits
	Spent          models.Credits
	// Filled is what was left when it was filled last, LowAt since when it is near
	// its end: see noteFilled.
	Filled models.Credits `gorm:"->"`
	LowAt  *time.Time     `gorm:"->"`
}

func (WorkspaceBudget) TableName() string { return "workspace_budgets" }

// MemberBudget is what one person reserved and spent in a workspace, and the cap on it.
type MemberBudget struct {
	WorkspaceID models.ID `gorm:"primaryKey"`
	UserID      models.ID `gorm:"primaryKey"`
	Cap         *models.Credits
	Reserved    models.Credits
	Spent       models.Credits
	// LowAt is since when the cap is near its end.
	LowAt *time.Time `gorm:"->"`
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
