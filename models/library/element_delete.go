package library

import (
	"context"

	"atelier/models"
)

// How many results of runs one request erases with an element, one round of the
// chore, and one transaction.
const (
	maxErasedAtOnce = 500
	erasedARound    = 5_000
	erasedTogether  = 25
)

// Delete removes an element with its pictures, at once, and its trained
// model at its provider, soon; the handle is free. What names it keeps its id. With
// results, what the caller's finished executions made with it is erased too, for who
// is depicted that of everyone: up to 500 now, the rest by a chore. Who is depicted
// withdraws the consent with it, which takes the characters that have the face.
func (s Elements) Delete(ctx context.Context, id models.ID, results bool) (*Erased, error) {
	err := s.library.DB.Write(ctx, func(tx *models.Tx) error {
		e, r, err := s.library.lockElement(tx, id)
		if err != nil {
			return err
		}
		if err := mayDelete(e, r); err != nil {
			return err
		}
		if results {
			if err := eraseLater(tx, e); err != nil {
				return err
			}
		}
		if e.FaceID == nil && e.depictsAccount(tx.Actor.UserID) {
			err = s.library.withdraw(tx, e)
		} else {
			err = s.library.removeElements(tx, e)
		}
		if err != nil {
			return err
		}
		return auditElement(tx, e, "deleted", nil)
	})
	if err != nil || !results {
		return &Erased{}, err
	}
	return s.library.eraseNow(ctx, id)
}

// eraseLater notes the executions whose results go with an element.
func eraseLater(tx *models.Tx, e *Element) error {
	users := tx.Model(&Use{}).Select("execution_id, element_id, ?::timestamptz", tx.Now).Where("element_id = ?", e.ID)
	if !e.depictsAccount(tx.Actor.UserID) {
		users = users.Where("user_id = ?", tx.Actor.UserID)
	}
	return tx.Exec(`INSERT INTO result_erasures (execution_id, element_id, created_at) (?) ON CONFLICT DO NOTHING`, users).Error
}

// eraseNow erases the first results that went with an element. What fails is left
// to the chore.
func (s *Service) eraseNow(ctx context.Context, id models.ID) (*Erased, error) {
	done := &Erased{}
	for done.Erased < maxErasedAtOnce {
		looked, erased, err := s.eraseSome(ctx, min(erasedTogether, maxErasedAtOnce-done.Erased), "element_id = ?", id)
		if err != nil {
			return nil, err
		}
		if done.Erased += erased; looked == 0 {
			break
		}
	}
	var left int64
	err := s.DB.Read(ctx).Table("result_erasures").Where("element_id = ?", id).Count(&left).Error
	done.Remaining = int(left)
	return done, err
}

// EraseResults erases results that were to go with elements and are still there.
func (s *Service) EraseResults(ctx context.Context) error {
	for range erasedARound / erasedTogether {
		looked, _, err := s.eraseSome(ctx, erasedTogether, "true")
		if err != nil || looked == 0 {
			return err
		}
	}
	return nil
}

// eraseSome erases the results of some executions; those at work have none yet and
// are left out.
func (s *Service) eraseSome(ctx context.Context, most int, where string, args ...any) (looked, erased int, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		looked, erased = 0, 0
		var ids []models.ID
		err := tx.Table("result_erasures").Where(where, args...).Order("execution_id").Limit(most).Pluck("execution_id", &ids).Error
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			gone, err := s.Runs.EraseResults(tx, id)
			if err != nil {
				return err
			}
			if gone {
				erased++
			}
		}
		looked = len(ids)
		return tx.Exec(`DELETE FROM result_erasures WHERE execution_id IN ?`, ids).Error
	})
	return looked, erased, err
}
