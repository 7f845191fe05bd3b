package library

import (
	"context"

	"gorm.io/gorm/clause"

	"atelier/models"
)

// lockUnder holds the characters that stand under the consent of a face.
func (s *Service) lockUnder(tx *models.Tx, face *Element) ([]*Element, error) {
	if face.Kind != Face {
		return nil, nil
	}
	var found []*Element
	err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("face_id = ?", face.ID).Order("id").Find(&found).Error
	return found, err
}

// removeElements deletes elements that are held: their rows, their pictures at once,
// their trained models at providers soon. What depicts a person is taken out of runs
// that are under way: they are marked, and cancelMarked ends them.
func (s *Service) removeElements(tx *models.Tx, elements ...*Element) error {
	var touched, gone []models.ID
	for _, e := range elements {
		if touched = append(touched, e.ID); e.DepictsPerson {
			gone = append(gone, e.ID)
		}
		if err := s.removePictures(tx, e.ID); err != nil {
			return err
		}
		if t := e.Training; t != nil && t.Trained != nil {
			if err := removeAtProvider(tx, t.Trained.Provider, removesVersion, t.Trained.Version); err != nil {
				return err
			}
		}
		if e.DepictsPerson {
			err := tx.Exec(`INSERT INTO element_cancels (element_id, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING`, e.ID, tx.Now).Error
			if err != nil {
				return err
			}
		}
		if err := tx.Where("id = ?", e.ID).Delete(&Element{}).Error; err != nil {
			return err
		}
	}
	if err := s.touched(tx, touched...); err != nil {
		return err
	}
	return s.subjectRemoved(tx, gone...)
}

// removePictures deletes the pictures of an element with their files.
func (s *Service) removePictures(tx *models.Tx, elementID models.ID) error {
	var files []models.ID
	if err := tx.Raw(`DELETE FROM element_images WHERE element_id = ? RETURNING file_id`, elementID).Scan(&files).Error; err != nil {
		return err
	}
	return s.Media.RemovePrivate(tx, files...)
}

// How many marks and runs one round looks at.
const (
	cancelledAtOnce = 100
	cancelRounds    = 100
)

// CancelMarked ends the runs that use what was deleted and depicts a person.
func (s *Service) CancelMarked(ctx context.Context) error {
	var marked []models.ID
	if err := s.DB.Read(ctx).Raw(`SELECT element_id FROM element_cancels ORDER BY created_at LIMIT ?`, cancelledAtOnce).Scan(&marked).Error; err != nil {
		return err
	}
	for _, id := range marked {
		if err := s.cancelUses(ctx, id); err != nil {
			return err
		}
		err := s.DB.Write(ctx, func(tx *models.Tx) error {
			return tx.Exec(`DELETE FROM element_cancels WHERE element_id = ?`, id).Error
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cancelUses ends the runs under way that use an element, and those that make or
// train it, newest first.
func (s *Service) cancelUses(ctx context.Context, elementID models.ID) error {
	var before models.ID
	for i := range before {
		before[i] = 0xff
	}
	for range cancelRounds {
		var ids []models.ID
		err := s.DB.Read(ctx).Raw(`
			SELECT execution_id FROM (
				SELECT execution_id FROM element_uses WHERE element_id = @id
				UNION SELECT execution_id FROM library_jobs WHERE element_id = @id
			) using_it WHERE execution_id < @before ORDER BY execution_id DESC LIMIT @most`,
			map[string]any{"id": elementID, "before": before, "most": cancelledAtOnce}).Scan(&ids).Error
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := s.Runs.Executions().CancelUnfinished(ctx, ids); err != nil {
			return err
		}
		before = ids[len(ids)-1]
	}
	return nil
}
