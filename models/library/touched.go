package library

import "atelier/models"

// OnTouched registers what else happens when elements, presets or voices have changed or
// are gone, in the same transaction, with their rows locked.
func (s *Service) OnTouched(fn func(tx *models.Tx, ids ...models.ID) error) {
	s.onTouched = append(s.onTouched, fn)
}

// OnPersonGone registers what else happens when what depicts a person is deleted, or the
// consent to it is withdrawn.
func (s *Service) OnPersonGone(fn func(tx *models.Tx, ids ...models.ID) error) {
	s.onPersonGone = append(s.onPersonGone, fn)
}

func (s *Service) touched(tx *models.Tx, ids ...models.ID) error { return tell(s.onTouched, tx, ids) }

func (s *Service) personGone(tx *models.Tx, ids ...models.ID) error {
	return tell(s.onPersonGone, tx, ids)
}

func tell(all []func(*models.Tx, ...models.ID) error, tx *models.Tx, ids []models.ID) error {
	if len(ids) == 0 {
		return nil
	}
	for _, fn := range all {
		if err := fn(tx, ids...); err != nil {
			return err
		}
	}
	return nil
}
