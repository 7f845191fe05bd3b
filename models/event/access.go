package event

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/oauth"
)

// The limits of contract 2, per account.
var (
	changeLimit    = models.Limit{Name: "webhook-change", Max: 30, Per: time.Minute}
	testLimit      = models.Limit{Name: "webhook-test", Max: 10, Per: time.Minute}
	redeliverLimit = models.Limit{Name: "webhook-redeliver", Max: 30, Per: time.Minute}
)

// admit lets the actor at its account's endpoints: a session, a personal token
// that is not restricted to workflows (else forbidden), or a connected app with
// jobs:read (contract 2, "Event endpoints" 6). Without a vault no one gets
// further: encryption_key_missing.
func (s *Service) admit(ctx context.Context) (models.Actor, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.ScopeJobsRead); err != nil {
		return actor, err
	}
	if s.Vault == nil {
		return actor, models.Err(models.CodeEncryptionKeyMissing, "SERVICE_ENCRYPTION_KEY is not set on this install")
	}
	return actor, nil
}

// admitChange is admit for a call that counts against a limit, refused or not.
func (s *Service) admitChange(ctx context.Context, limit models.Limit) (models.Actor, error) {
	actor, err := s.admit(ctx)
	if err != nil || ctx.Value(countedKey{}) == limit.Name {
		return actor, err
	}
	return actor, s.DB.CountCall(ctx, limit, actor.UserID.String())
}

type countedKey struct{}

// Admit, AdmitChange and AdmitTest judge the caller of an endpoint's route
// before the form of the input is looked at. The call then counts although its
// form is refused, and once: use cases see from the context that it did.
func (s *Service) Admit(ctx context.Context) (context.Context, error) {
	_, err := s.admit(ctx)
	return ctx, err
}

// AdmitChange counts a creation, change, deletion or rotation.
func (s *Service) AdmitChange(ctx context.Context) (context.Context, error) {
	_, err := s.admitChange(ctx, changeLimit)
	return context.WithValue(ctx, countedKey{}, changeLimit.Name), err
}

// AdmitTest counts a ping.
func (s *Service) AdmitTest(ctx context.Context) (context.Context, error) {
	_, err := s.admitChange(ctx, testLimit)
	return context.WithValue(ctx, countedKey{}, testLimit.Name), err
}

// approved is a column of webhook_endpoints: whether something may be sent there. To
// a connected app's only while the person's approval of it includes jobs:read
// (contract 2, "Event endpoints" 7).
var approved = `(webhook_endpoints.app_id IS NULL OR ` +
	oauth.Approves("webhook_endpoints.account_id", "webhook_endpoints.app_id", models.ScopeJobsRead) + `) AS approved`

// hold keeps the approval of a connected app from ending while it changes its
// endpoints, so that what it does is there for endApp; unauthorized when it has
// ended. The lock comes before those of endpoints.
func hold(tx *models.Tx, actor models.Actor) error {
	if actor.OfApp() == nil {
		return nil
	}
	return oauth.HoldApproval(tx, actor.UserID, actor.ClientAppID, models.ScopeJobsRead)
}

// visible are the endpoints that the actor may know of: the account's, and to
// a connected app only those that it registered.
func visible(query *gorm.DB, actor models.Actor) *gorm.DB {
	query = query.Where("webhook_endpoints.account_id = ?", actor.UserID)
	if app := actor.OfApp(); app != nil {
		query = query.Where("webhook_endpoints.app_id = ?", *app)
	}
	return query
}

var errNoEndpoint = models.NotFound("Webhook endpoint")

// lockEndpoint reads an endpoint of the actor for a change. Anyone who changes an
// endpoint, its deliveries or their lane takes locks in this order: endpoint,
// deliveries, lane items, lane.
func lockEndpoint(tx *models.Tx, actor models.Actor, id models.ID, strength string) (*Endpoint, error) {
	return models.First[Endpoint](visible(tx.DB, actor).Where("webhook_endpoints.id = ?", id).
		Clauses(clause.Locking{Strength: strength}), errNoEndpoint)
}

// lockOwnEndpoint is lockEndpoint for what only the registering side may do: a
// person sees and deletes the endpoints of connected apps, and no more (rule 7).
// With a new secret or address the person would cut the app off without its
// knowing, or get what is meant for it.
func lockOwnEndpoint(tx *models.Tx, actor models.Actor, id models.ID) (*Endpoint, error) {
	if err := hold(tx, actor); err != nil {
		return nil, err
	}
	endpoint, err := lockEndpoint(tx, actor, id, "NO KEY UPDATE")
	if err != nil {
		return nil, err
	}
	if !ownedBy(actor, endpoint) {
		return nil, errOfApp
	}
	return endpoint, nil
}

var errOfApp = models.Err(models.CodeForbidden, "A connected app registered this endpoint; you may only delete it")

// ownedBy tells whether the actor, who sees the endpoint, registered it.
func ownedBy(actor models.Actor, endpoint *Endpoint) bool {
	return endpoint.AppID == nil || actor.Kind == models.ByOAuth
}
