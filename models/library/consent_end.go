package library

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/account"
)

// removePersonOf deletes the faces and cloned voices of an account that is deleted,
// everything that depicts its person, and what its personal space keeps.
func (s *Service) removePersonOf(tx *models.Tx, user *account.User) error {
	var elements []*Element
	err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Order("id").
		Where("owner_id = ? AND (kind = ? OR workspace_id IS NULL)", user.ID, Face).
		Or("consent IS NOT NULL AND (consent ->> 'userId')::uuid = ?", user.ID).Find(&elements).Error
	if err != nil {
		return err
	}
	seen := map[models.ID]bool{}
	var all []*Element
	for _, e := range elements {
		under, err := s.lockUnder(tx, e)
		if err != nil {
			return err
		}
		if e.Consent.depicts(user.ID) {
			if err := s.keepConsent(tx, e.depicting(), e.Consent.withdrawnBy(user.ID, tx.Now)); err != nil {
				return err
			}
		}
		for _, one := range append(under, e) {
			if !seen[one.ID] {
				seen[one.ID], all = true, append(all, one)
			}
		}
	}
	if err := s.removeElements(tx, all...); err != nil {
		return err
	}
	if err := s.removePresetsOf(tx, user.ID); err != nil {
		return err
	}
	return s.removeVoicesOf(tx, user.ID)
}

// removePresetsOf deletes the presets of a personal space.
func (s *Service) removePresetsOf(tx *models.Tx, userID models.ID) error {
	var ids []models.ID
	err := tx.Raw(`DELETE FROM node_presets WHERE owner_id = ? AND workspace_id IS NULL RETURNING id`, userID).Scan(&ids).Error // MaxPresets
	if err != nil {
		return err
	}
	return s.touched(tx, ids...)
}

func (s *Service) removeVoicesOf(tx *models.Tx, userID models.ID) error {
	var voices []*Voice
	err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Order("id").
		Where("owner_id = ? AND (source = ? OR workspace_id IS NULL)", userID, ClonedVoice).
		Or("consent IS NOT NULL AND (consent ->> 'userId')::uuid = ?", userID).Find(&voices).Error
	if err != nil {
		return err
	}
	for _, v := range voices {
		if v.Consent.depicts(userID) {
			if err := s.keepConsent(tx, v.depicting(), v.Consent.withdrawnBy(userID, tx.Now)); err != nil {
				return err
			}
		}
		if err := s.removeVoice(tx, v); err != nil {
			return err
		}
	}
	return nil
}

// keepExpired is how long pictures of a person stay after the consent has expired.
const keepExpired = 30 * 24 * time.Hour

// expiredAtOnce bounds what one round of SweepConsents removes.
const expiredAtOnce = 100

// SweepConsents removes the pictures of people whose consents expired thirty days
// ago, those of characters that have the face, too, and the sounds of their voices.
// What is left is the name.
func (s *Service) SweepConsents(ctx context.Context) error {
	var failed []error
	for _, remove := range []func(context.Context) (int, error){s.removeExpiredPictures, s.removeExpiredSounds} {
		for range 10 {
			n, err := remove(ctx)
			if err != nil {
				failed = append(failed, err)
			}
			if err != nil || n == 0 {
				break
			}
		}
	}
	return errors.Join(append(failed, s.CancelMarked(ctx))...)
}

// removeExpiredSounds removes the samples, consent recordings and previews of voices.
func (s *Service) removeExpiredSounds(ctx context.Context) (n int, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		var voices []*Voice
		err := tx.Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"}).
			Where("consent ->> 'validUntil' IS NOT NULL AND consent ->> 'validUntil' <= ? AND (consent ->> 'status' = ? OR consent ->> 'goesOn' = 'true')", endBefore(tx.Now.Add(-keepExpired)), Given).
			Where("num_nonnulls(preview_file_id, sample_file_id, recording_file_id) > 0").
			Order("id").Limit(expiredAtOnce).Find(&voices).Error
		if err != nil {
			return err
		}
		for _, v := range voices {
			if err := s.removeSounds(tx, v); err != nil {
				return err
			}
		}
		n = len(voices)
		return nil
	})
	return n, err
}

// removeSounds removes the files of a voice; the row names them no more.
func (s *Service) removeSounds(tx *models.Tx, v *Voice) error {
	err := tx.Exec(`UPDATE voices SET preview_file_id = NULL, sample_file_id = NULL, recording_file_id = NULL WHERE id = ?`, v.ID).Error
	if err != nil {
		return err
	}
	return s.Media.RemovePrivate(tx, v.sounds()...)
}

func (s *Service) removeExpiredPictures(ctx context.Context) (n int, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		var ids []models.ID
		err := tx.Raw(`
			SELECT e.id FROM elements e JOIN elements c ON c.id = coalesce(e.face_id, e.id)
			WHERE c.consent ->> 'validUntil' IS NOT NULL AND c.consent ->> 'validUntil' <= ? AND (c.consent ->> 'status' = ? OR c.consent ->> 'goesOn' = 'true')
				AND EXISTS (SELECT FROM element_images i WHERE i.element_id = e.id)
			ORDER BY e.id LIMIT ? FOR UPDATE OF e SKIP LOCKED`, endBefore(tx.Now.Add(-keepExpired)), Given, expiredAtOnce).Scan(&ids).Error
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := s.removePictures(tx, id); err != nil {
				return err
			}
		}
		n = len(ids)
		return nil
	})
	return n, err
}

// endBefore is a time as the rows of consents have it, which sorts as texts do.
func endBefore(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
