package credit

import (
	"time"

	"atelier/models"
	"atelier/models/org"
)

// OrganizationCredits is a pool.
type OrganizationCredits struct {
	OrganizationID    models.ID
	Pool              models.Credits
	LifetimePurchased models.Credits
	// Filled is what the pool held when credits last came in, Level how much of
	// that is gone: see Level.
	Filled models.Credits
	Level  int
}

// AllocationTotals is what all workspaces of an organization hold together.
type AllocationTotals struct {
	Workspaces, Holding        int // Holding is how many have credits that are not spent
	Allocated, Reserved, Spent models.Credits
}

// Allocation is what one workspace holds.
type Allocation struct {
	WorkspaceID models.ID
	Name        string
	Archived    bool
	Allocated   models.Credits
	Reserved    models.Credits
	Spent       models.Credits
}

// Headroom is what a new run may reserve.
func (a *Allocation) Headroom() models.Credits { return a.Allocated - a.Reserved - a.Spent }

// Level is how far it is used: see Level.
func (a *Allocation) Level() int { return Level(a.Spent, a.Allocated) }

// AllocationResult is a workspace's share and the pool after an allocation.
type AllocationResult struct {
	Allocation
	Pool models.Credits
}

// BudgetView is a workspace's budget as one caller sees it: plain members see
// Headroom and Own alone.
type BudgetView struct {
	WorkspaceID                models.ID
	Allocated, Reserved, Spent *models.Credits
	Headroom                   models.Credits
	Own                        OwnBudget
	// Level is how far it is used, DefaultCap the cap that new members get; nil
	// without one, and like Level for who may not see the budget.
	Level      *int
	DefaultCap *models.Credits
	// workspace is whose budget it is, for who may see the members' shares.
	workspace *org.Workspace
}

// OwnBudget is the caller's share of a budget.
type OwnBudget struct {
	Reserved, Spent models.Credits
	Cap             *models.Credits
}

// Headroom is what the cap leaves, not below zero; nil without a cap.
func (o *OwnBudget) Headroom() *models.Credits {
	if o.Cap == nil {
		return nil
	}
	left := max(*o.Cap-o.Reserved-o.Spent, 0)
	return &left
}

// MemberShare is one person's share; Role is nil for someone who left.
type MemberShare struct {
	UserID          models.ID
	DisplayName     string
	AvatarURL       *string
	Role            *org.WorkspaceRole
	Reserved, Spent models.Credits
	Cap             *models.Credits
}

// Grant is credits given by a platform operator.
type Grant struct {
	ID             models.ID
	OrganizationID *models.ID
	UserID         *models.ID
	Amount         models.Credits
	Reason         string
	CreatedAt      time.Time
}

// GrantInput names one of an organization and a user.
type GrantInput struct {
	OrganizationID *models.ID
	UserID         *models.ID
	Amount         models.Credits
	Reason         string
}
