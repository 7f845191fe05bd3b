package credit

import (
	"context"
	"fmt"
	"time"

	"atelier/models"

	"gorm.io/gorm"
)

// Movement is a line of an organization's ledger as people read it: an entry
// that is of no run, or a whole run with all that it was charged.
type Movement struct {
	ID   models.ID
	Kind string // run, or the kind of the entry
	// Amount is what moved; of a run, what it was charged so far.
	Amount models.Credits
	// Reserved is what a run that is at work still holds, Absorbed what the
	// platform paid of it.
	Reserved, Absorbed models.Credits
	OrganizationID     *models.ID
	WorkspaceID        *models.ID
	ExecutionID        *models.ID
	// PurchaseID is the purchase whose credits moved.
	PurchaseID  *models.ID
	Description string
	// ByID is who ran it, or moved the credits.
	ByID *models.ID
	// PoolAfter is the pool behind it; nil before the first credits.
	PoolAfter *models.Credits
	CreatedAt time.Time
}

// MovementFilter narrows the movements of an organization; nil fields do not.
type MovementFilter struct {
	// Kind is run, allocation (given and taken back) or added (to the pool).
	Kind        *string
	WorkspaceID *models.ID
	UserID      *models.ID
	// From is the first moment, To the first one behind.
	From, To *time.Time
}

// movementKinds are the kinds of entries that a filter keeps.
var movementKinds = map[string][]string{
	"run": {"hold"}, "allocation": {"allocation", "return"}, "added": {"signup", "grant", "purchase", "refund", "dispute", "reinstatement"},
}

// movementColumns work out what a run came to from the other entries of its
// execution, for the rows of a page alone.
const movementColumns = `e.id, e.organization_id, e.workspace_id, e.execution_id, e.purchase_id, e.description, e.created_at,
	coalesce(e.user_id, e.actor_id) AS by_id,
	CASE e.kind WHEN 'hold' THEN 'run' ELSE e.kind END AS kind,
	CASE e.kind WHEN 'hold' THEN ` + chargedSoFar + ` ELSE e.amount END AS amount,
	CASE WHEN e.kind = 'hold' AND NOT EXISTS (SELECT FROM ledger_entries x WHERE x.execution_id = e.execution_id AND x.node_id = '' AND x.kind = 'release')
		THEN e.amount - ` + chargedSoFar + ` ELSE 0 END AS reserved,
	CASE e.kind WHEN 'hold' THEN (SELECT coalesce(sum(x.amount), 0) FROM ledger_entries x WHERE x.execution_id = e.execution_id AND x.kind = 'absorbed')
		ELSE 0 END AS absorbed,
	(SELECT p.balance_after FROM ledger_entries p WHERE p.organization_id = e.organization_id AND p.balance_after IS NOT NULL AND p.id <= e.id
		ORDER BY p.id DESC LIMIT 1) AS pool_after`

const chargedSoFar = `(SELECT coalesce(sum(x.amount), 0) FROM ledger_entries x WHERE x.execution_id = e.execution_id AND x.kind IN ('charge', 'markup'))`

// name tells lists apart that are filtered differently, for their cursors.
func (f MovementFilter) name() string {
	show := func(t *time.Time) string {
		if t == nil {
			return ""
		}
		return t.UTC().Format(time.RFC3339Nano)
	}
	return fmt.Sprintf("%q:%s:%s:%s:%s", models.Deref(f.Kind), models.Deref(f.WorkspaceID), models.Deref(f.UserID), show(f.From), show(f.To))
}

func (f MovementFilter) apply(q *gorm.DB) (*gorm.DB, error) {
	if f.Kind != nil {
		kinds, ok := movementKinds[*f.Kind]
		if !ok {
			return nil, models.Invalid("kind", "must be run, allocation or added")
		}
		q = q.Where("e.kind IN ?", kinds)
	}
	if f.WorkspaceID != nil {
		q = q.Where("e.workspace_id = ?", *f.WorkspaceID)
	}
	if f.UserID != nil {
		q = q.Where("coalesce(e.user_id, e.actor_id) = ?", *f.UserID)
	}
	if f.From != nil { // ids are in the order of time
		q = q.Where("e.id >= first_id(?)", *f.From)
	}
	if f.To != nil {
		q = q.Where("e.id < first_id(?)", *f.To)
	}
	return q, nil
}

// ListMovements is an organization's ledger with each run in one line, newest
// first (owner and admins).
func (s *Service) ListMovements(ctx context.Context, organizationID models.ID, filter MovementFilter, page models.Page) (*models.Connection[*Movement], error) {
	if _, err := s.creditsOf(ctx, organizationID); err != nil {
		return nil, err
	}
	query, err := filter.apply(s.DB.Read(ctx).Table("ledger_entries e").Select(movementColumns).
		Where("e.organization_id = ? AND (e.execution_id IS NULL OR e.kind = 'hold' AND e.node_id = '')", organizationID))
	if err != nil {
		return nil, err
	}
	list := models.List[*Movement]{
		Name: "movements:" + organizationID.String() + ":" + filter.name(), Position: func(m *Movement) string { return m.ID.String() },
	}
	return models.ListPage(s.DB, list, page, query, models.NewestFirst("e.id"))
}
