package library

import (
	"context"
	"time"

	"atelier/models"
)

// What can be left at a provider.
const (
	removesVoice   = "voice"
	removesConsent = "consent"
	removesVersion = "version"
)

// providerRemoval is something that is to be deleted at a provider, until that says
// that it has it no more.
type providerRemoval struct {
	ID       models.ID `gorm:"primaryKey"`
	Provider string
	// What it is, and Ref the provider's name for it.
	What, Ref string
	DueAt     time.Time
	Attempts  int
	// Error is why the last attempt failed.
	Error     *string
	CreatedAt time.Time
}

func (providerRemoval) TableName() string { return "provider_removals" }

// removeAtProvider has something deleted at a provider once the transaction has
// committed, and again until it is gone.
func removeAtProvider(tx *models.Tx, provider, what, ref string) error {
	return tx.Create(&providerRemoval{ID: tx.NewID(), Provider: provider, What: what, Ref: ref, DueAt: tx.Now, CreatedAt: tx.Now}).Error
}

const (
	// removalsAtOnce bounds what one round deletes.
	removalsAtOnce = 50
	// maxRemovalWait is between the attempts at the most, for as long as it takes.
	maxRemovalWait = 6 * time.Hour
)

// RemoveAtProviders deletes what is due at the providers. What fails is tried again
// later, less and less often.
func (s *Service) RemoveAtProviders(ctx context.Context) error {
	var due []*providerRemoval
	q := s.DB.Read(ctx).Where("due_at <= ?", s.DB.Clock.Now()).Order("due_at").Limit(removalsAtOnce)
	if err := q.Find(&due).Error; err != nil {
		return err
	}
	for _, r := range due {
		failed := s.Flows.Catalogue.RemoveAtProvider(ctx, r.Provider, r.What, r.Ref)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.settleRemoval(ctx, r, failed); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) settleRemoval(ctx context.Context, r *providerRemoval, failed error) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		if failed == nil {
			return tx.Exec(`DELETE FROM provider_removals WHERE id = ?`, r.ID).Error
		}
		why := failed.Error()
		wait := min(time.Minute<<min(r.Attempts, 10), maxRemovalWait)
		return tx.Exec(`UPDATE provider_removals SET attempts = attempts + 1, due_at = ?, error = ? WHERE id = ?`, tx.Now.Add(wait), why, r.ID).Error
	})
}
