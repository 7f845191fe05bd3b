package credit

import (
	"cmp"
	"slices"
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
	Members                    []*MemberShare
	// Level is how far it is used, DefaultCap the cap that new members get; nil
	// without one, and like Level for who may not see the budget.
	Level      *int
	DefaultCap *models.Credits
}

// Uncapped is how many plain members have no cap; nil for who may not see them.
func (v *BudgetView) Uncapped() *int {
	if v.Members == nil {
		return nil
	}
	n := 0
	for _, m := range v.Members {
		if m.Plain && m.Cap == nil {
			n++
		}
	}
	return &n
}

// Foremost are the rows of members, when there are more than first those who
// spent most; nil asks for all. validation_error for less than one.
func (v *BudgetView) Foremost(first *int) ([]*MemberShare, error) {
	if first == nil || len(v.Members) <= max(*first, 1) {
		return v.Members, nil
	}
	if *first < 1 {
		return nil, models.Invalid("first", "must be at least 1")
	}
	most := slices.Clone(v.Members)
	slices.SortStableFunc(most, func(a, b *MemberShare) int { return cmp.Compare(b.Spent, a.Spent) })
	return most[:*first], nil
}

// AtCap are the members whose caps leave nothing for a new run, nil for who may
// not see them.
func (v *BudgetView) AtCap() []*MemberShare {
	if v.Members == nil {
		return nil
	}
	out := []*MemberShare{}
	for _, m := range v.Members {
		if m.Role != nil && m.Cap != nil && m.Reserved+m.Spent >= *m.Cap {
			out = append(out, m)
		}
	}
	return out
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
	// Plain is whether a cap can bind: who is listed, and an admin of nothing.
	Plain bool
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
