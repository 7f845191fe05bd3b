package rest

import (
	"context"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/flow"
	"atelier/models/org"
)

// budgetRoutes are an organization's credits (contract 3, "Audit, budgets and usage").
func (a *API) budgetRoutes() {
	const tag = "Credits"
	const read, write = models.ScopeWorkspacesRead, models.ScopeWorkspacesWrite
	handle(a, route{Method: "GET", Path: "/v1/orgs/{id}/credits", Tag: tag, Summary: "The pool and what each workspace holds", Scope: read}, a.getOrganizationCredits)
	handle(a, route{Method: "POST", Path: "/v1/orgs/{id}/credits/checkout", Tag: tag, Summary: "Begin to buy a pack of credits, which is paid at the url", Scope: write}, a.checkoutCredits)
	handle(a, route{Method: "POST", Path: "/v1/orgs/{id}/workspaces/{wsId}/allocate", Tag: tag, Summary: "Move credits between pool and workspace", Scope: write}, a.allocateCredits)
	handle(a, route{Method: "GET", Path: "/v1/workspaces/{id}/budget", Tag: tag, Summary: "A workspace's budget as the caller may see it", Scope: read}, a.getWorkspaceBudget)
}

type allocationView struct {
	WorkspaceID models.ID      `json:"workspaceId"`
	Name        string         `json:"name"`
	Archived    bool           `json:"archived"`
	Allocated   models.Credits `json:"allocated"`
	Reserved    models.Credits `json:"reserved"`
	Spent       models.Credits `json:"spent"`
	Headroom    models.Credits `json:"headroom"`
}

func viewAllocation(a *credit.Allocation) allocationView {
	return allocationView{
		WorkspaceID: a.WorkspaceID, Name: a.Name, Archived: a.Archived,
		Allocated: a.Allocated, Reserved: a.Reserved, Spent: a.Spent, Headroom: a.Headroom(),
	}
}

type organizationCreditsView struct {
	Pool              models.Credits   `json:"pool"`
	LifetimePurchased models.Credits   `json:"lifetimePurchased"`
	Workspaces        []allocationView `json:"workspaces"`
}

func (a *API) getOrganizationCredits(ctx context.Context, in *IDPath) (*single[organizationCreditsView], error) {
	credits, err := a.query().OrganizationCredits(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	held, err := a.Resolver.OrganizationCredits().Workspaces(ctx, credits)
	return shown(held, err, func(held []*credit.Allocation) organizationCreditsView {
		return organizationCreditsView{Pool: credits.Pool, LifetimePurchased: credits.LifetimePurchased, Workspaces: mapAll(held, viewAllocation)}
	})
}

type allocateInput struct {
	IDPath
	WorkspaceID models.ID `path:"wsId"`
	Body        struct {
		Delta amount `json:"delta" doc:"Credits to give, or with a minus to take back; at most three decimals."`
	}
}

type allocationResultView struct {
	WorkspaceID models.ID      `json:"workspaceId"`
	Allocated   models.Credits `json:"allocated"`
	Reserved    models.Credits `json:"reserved"`
	Spent       models.Credits `json:"spent"`
	Headroom    models.Credits `json:"headroom"`
	Pool        models.Credits `json:"pool"`
}

func (a *API) allocateCredits(ctx context.Context, in *allocateInput) (*single[allocationResultView], error) {
	delta, err := in.Body.Delta.credits("delta")
	if err != nil {
		return nil, err
	}
	result, err := a.mutation().AllocateCredits(ctx, in.ID, in.WorkspaceID, delta)
	return shown(result, err, func(r *credit.AllocationResult) allocationResultView {
		return allocationResultView{
			WorkspaceID: r.WorkspaceID, Allocated: r.Allocated, Reserved: r.Reserved, Spent: r.Spent, Headroom: r.Headroom(), Pool: r.Pool,
		}
	})
}

// budgetView has headroom and own alone for plain members.
type budgetView struct {
	Allocated *models.Credits    `json:"allocated,omitempty"`
	Reserved  *models.Credits    `json:"reserved,omitempty"`
	Spent     *models.Credits    `json:"spent,omitempty"`
	Headroom  models.Credits     `json:"headroom"`
	Own       ownBudgetView      `json:"own"`
	Members   *[]memberShareView `json:"members,omitempty"`
}

type ownBudgetView struct {
	Reserved models.Credits  `json:"reserved"`
	Spent    models.Credits  `json:"spent"`
	Cap      *models.Credits `json:"cap"`
	Headroom *models.Credits `json:"headroom"`
}

type memberShareView struct {
	UserID      models.ID          `json:"userId"`
	DisplayName string             `json:"displayName"`
	Role        *org.WorkspaceRole `json:"role" doc:"Null for someone who left."`
	Reserved    models.Credits     `json:"reserved"`
	Spent       models.Credits     `json:"spent"`
	Cap         *models.Credits    `json:"cap"`
}

func viewBudget(b *credit.BudgetView, shares []*credit.MemberShare) budgetView {
	view := budgetView{
		Allocated: b.Allocated, Reserved: b.Reserved, Spent: b.Spent, Headroom: b.Headroom,
		Own: ownBudgetView{Reserved: b.Own.Reserved, Spent: b.Own.Spent, Cap: b.Own.Cap, Headroom: b.Own.Headroom()},
	}
	if shares != nil {
		members := mapAll(shares, func(m *credit.MemberShare) memberShareView {
			return memberShareView{UserID: m.UserID, DisplayName: m.DisplayName, Role: m.Role, Reserved: m.Reserved, Spent: m.Spent, Cap: m.Cap}
		})
		view.Members = &members
	}
	return view
}

func (a *API) getWorkspaceBudget(ctx context.Context, in *IDPath) (*single[budgetView], error) {
	budget, err := a.query().WorkspaceBudget(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	shares, err := a.Resolver.WorkspaceBudget().Members(ctx, budget, nil)
	if err != nil {
		return nil, err
	}
	return one(viewBudget(budget, shares)), nil
}

// creditRoutes are the credits of the caller's personal space (contract 1, "Endpoints").
func (a *API) creditRoutes() {
	const tag = "Credits"
	handle(a, route{Method: "GET", Path: "/v1/credits/balance", Tag: tag, Summary: "The credits of the personal space", Scope: models.ScopeExecute}, a.getBalance)
	handle(a, route{Method: "GET", Path: "/v1/credits/transactions", Tag: tag, Summary: "What changed the balance, newest first"}, a.listTransactions)
	handle(a, route{Method: "POST", Path: "/v1/credits/model-costs", Tag: tag, Summary: "What up to 50 models cost", EveryApp: true}, a.modelCosts)
}

type balanceView struct {
	Balance   models.Credits `json:"balance"`
	Reserved  models.Credits `json:"reserved"`
	Available models.Credits `json:"available"`
}

func (a *API) getBalance(ctx context.Context, _ *struct{}) (*single[balanceView], error) {
	user, err := a.query().Me(ctx)
	if err != nil {
		return nil, err
	}
	wallet, err := a.Resolver.Profile().Wallet(ctx, user)
	return shown(wallet, err, func(w *credit.Wallet) balanceView {
		return balanceView{Balance: w.Balance, Reserved: w.Reserved, Available: w.Available()}
	})
}

type transactionView struct {
	ID           models.ID       `json:"id"`
	Kind         string          `json:"kind" doc:"signup, grant, purchase, refund or charge; the list is open."`
	Amount       models.Credits  `json:"amount" doc:"Negative when credits left."`
	BalanceAfter *models.Credits `json:"balanceAfter"`
	Description  string          `json:"description"`
	ExecutionID  *models.ID      `json:"executionId"`
	CreatedAt    timestamp       `json:"createdAt"`
}

type transactionsInput struct {
	FieldsQuery
	Limit  queryInt    `query:"limit" minimum:"1" maximum:"50" doc:"Rows of a page; 20 when absent."`
	Cursor queryString `query:"cursor" doc:"nextCursor of the page before."`
}

func (a *API) listTransactions(ctx context.Context, in *transactionsInput) (*many[transactionView], error) {
	entries, err := a.query().WalletTransactions(ctx, in.Limit.Value, in.Cursor.Value)
	if err != nil {
		return nil, err
	}
	return page(entries, func(e *credit.Entry) transactionView {
		return transactionView{
			ID: e.ID, Kind: e.Kind, Amount: e.Signed(), BalanceAfter: e.BalanceAfter, Description: e.Description,
			ExecutionID: e.ExecutionID, CreatedAt: timestamp(e.CreatedAt),
		}
	}), nil
}

type modelCostsInput struct {
	Body struct {
		Models []string `json:"models,omitempty" doc:"Up to 50 ids of GET /v1/models, or node types." example:"[\"generate-image\",\"resize-image\"]"`
		IDs    []string `json:"ids,omitempty" doc:"Another name of models."`
	}
}

type modelCostView struct {
	Model   string         `json:"model"`
	Credits models.Credits `json:"credits" doc:"Of one run."`
}

// modelCosts leaves out what it does not know.
func (a *API) modelCosts(ctx context.Context, in *modelCostsInput) (*single[[]modelCostView], error) {
	names := in.Body.Models
	if names == nil {
		names = in.Body.IDs
	}
	if names == nil {
		return nil, models.Invalid("models", "is required")
	}
	costs, err := a.query().ModelCosts(ctx, names)
	if err != nil {
		return nil, err
	}
	return one(mapAll(costs, func(c *flow.ModelCost) modelCostView { return modelCostView(*c) })), nil
}
