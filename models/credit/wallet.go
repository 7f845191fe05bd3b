package credit

import (
	"context"
	"errors"

	"atelier/models"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// FindWallet is the credits of the caller's personal space. A connected app that
// may spend them may see how many are left.
func (s *Service) FindWallet(ctx context.Context) (*Wallet, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.ScopeExecute); err != nil {
		return nil, err
	}
	wallet, err := models.First[Wallet](s.DB.Read(ctx).Where("user_id = ?", actor.UserID), gorm.ErrRecordNotFound)
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return &Wallet{UserID: actor.UserID}, nil
	}
	return wallet, err
}

// The sizes of the list of transactions (contract 1, "Limits").
const (
	transactionsPage    = 20
	maxTransactionsPage = 50
)

// ListTransactions is what changed the caller's own balance, newest first:
// credits given, bought, taken back and spent. Holds change no balance, nor does what
// the platform paid. Connected apps stay out: it tells of all that the person does.
func (s *Service) ListTransactions(ctx context.Context, page models.Page) (*models.Connection[*Entry], error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(); err != nil {
		return nil, err
	}
	query := s.DB.Read(ctx).Where("user_id = ? AND workspace_id IS NULL AND kind NOT IN ('hold', 'release', 'absorbed', 'markup_absorbed')", actor.UserID)
	list := ledgerList("transactions:" + actor.UserID.String())
	list.Standard, list.Most = transactionsPage, maxTransactionsPage
	return models.ListPage(s.DB, list, page, query, models.NewestFirst("id"))
}

// ListOrganizationLedger is every movement of an organization's credits,
// newest first (owner and admins).
func (s *Service) ListOrganizationLedger(ctx context.Context, organizationID models.ID, page models.Page) (*models.Connection[*Entry], error) {
	if _, err := s.creditsOf(ctx, organizationID); err != nil {
		return nil, err
	}
	list := ledgerList("ledger:" + organizationID.String())
	return models.ListOnStandby(ctx, s.DB, list, page, func(ctx context.Context) (*gorm.DB, error) {
		return s.DB.Read(ctx).Where("organization_id = ?", organizationID), nil
	}, models.NewestFirst("id"))
}

func ledgerList(name string) models.List[*Entry] {
	return models.List[*Entry]{Name: name, Position: func(e *Entry) string { return e.ID.String() }}
}

// Signed is the amount as it changed a wallet: negative when it left.
func (e *Entry) Signed() models.Credits {
	if e.FromBook == WalletBook || e.FromBook == WalletHeld {
		return -e.Amount
	}
	return e.Amount
}

// spends tells whether an execution's entry takes credits for good.
func (e *Entry) spends() bool { return e.Kind == "charge" || e.Kind == "markup" }

// lockWallet reads a wallet for a change; an account without one has no credits.
func lockWallet(tx *models.Tx, userID models.ID) (*Wallet, error) {
	if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&Wallet{UserID: userID}).Error; err != nil {
		return nil, err
	}
	lock := clause.Locking{Strength: "UPDATE"}
	return models.First[Wallet](tx.Clauses(lock).Where("user_id = ?", userID), models.NotFound("Account"))
}
