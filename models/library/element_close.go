package library

import (
	"context"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/org"
)

// registerElements has what an organization keeps in the library go with it.
func (s *Service) registerElements() { s.Orgs.OnDelete(removeLater) }

// removeLater notes an organization that is deleted. Nobody reaches what its
// workspaces keep any more; RemoveGone removes it soon, for there may be much.
func removeLater(tx *models.Tx, o *org.Organization) error {
	return tx.Exec(`INSERT INTO library_removals (organization_id, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING`, o.ID, tx.Now).Error
}

// How many rows one transaction removes of an organization that is gone, and how
// many transactions one round has.
const (
	removedTogether = 25
	removalRounds   = 400
)

// RemoveGone removes what organizations that were deleted kept in the library,
// with its files.
func (s *Service) RemoveGone(ctx context.Context) error {
	var gone []models.ID
	if err := s.DB.Read(ctx).Table("library_removals").Order("created_at").Limit(20).Pluck("organization_id", &gone).Error; err != nil {
		return err
	}
	for _, id := range gone {
		for range removalRounds {
			left, err := s.removeSome(ctx, id)
			if err != nil {
				return err
			}
			if !left {
				break
			}
		}
	}
	return nil
}

// removeSome removes some of what an organization kept, and notes when nothing is left.
func (s *Service) removeSome(ctx context.Context, organizationID models.ID) (left bool, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		var elements []*Element
		var voices []*Voice
		for _, rows := range []any{&elements, &voices} {
			some := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("organization_id = ?", organizationID).Order("id").Limit(removedTogether)
			if err := some.Find(rows).Error; err != nil {
				return err
			}
		}
		if err := s.removeElements(tx, elements...); err != nil {
			return err
		}
		for _, v := range voices {
			if err := s.removeVoice(tx, v); err != nil {
				return err
			}
		}
		posted, err := s.removePostsIn(tx, organizationID)
		if left = posted || len(elements)+len(voices) > 0; err != nil || left {
			return err
		}
		if err := tx.Exec(`DELETE FROM node_presets WHERE organization_id = ?`, organizationID).Error; err != nil {
			return err
		}
		return tx.Exec(`DELETE FROM library_removals WHERE organization_id = ?`, organizationID).Error
	})
	return left, err
}
