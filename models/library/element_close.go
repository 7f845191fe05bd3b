package library

import (
	"context"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/org"
)

// removeLater notes an organization that is deleted. No one reaches what its
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
	return s.DB.RemoveInRounds(ctx, s.DB.Read(ctx).Table("library_removals"), removalRounds, s.removeSome)
}

// removeSome removes some of what an organization kept, and notes when nothing is left.
func (s *Service) removeSome(tx *models.Tx, organizationID models.ID) (found bool, err error) {
	var elements []*Element
	var voices []*Voice
	for _, rows := range []any{&elements, &voices} {
		some := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("organization_id = ?", organizationID).Order("id").Limit(removedTogether)
		if err := some.Find(rows).Error; err != nil {
			return false, err
		}
	}
	if err := s.removeElements(tx, elements...); err != nil {
		return false, err
	}
	for _, v := range voices {
		if err := s.removeVoice(tx, v); err != nil {
			return false, err
		}
	}
	more, err := s.removeWith(tx, organizationID)
	if found = more || len(elements)+len(voices) > 0; err != nil || found {
		return found, err
	}
	if err := tx.Exec(`DELETE FROM node_presets WHERE organization_id = ?`, organizationID).Error; err != nil {
		return false, err
	}
	return false, tx.Exec(`DELETE FROM library_removals WHERE organization_id = ?`, organizationID).Error
}
