package studio

import (
	"context"
	"time"

	"gorm.io/gorm/clause"

	"atelier/models"
)

const (
	// besideMonth is by how much ids of jobs may lie outside of the month of their run; one look more does no harm.
	besideMonth = 48 * time.Hour
	// lookedAtTogether is for how many productions it is asked at once which they are.
	lookedAtTogether = 100
)

// monthDropped takes out of productions what renders of a month made, where its files went with the month. Shots without a
// result are empty again, and a production is what follows from what is left.
func (s *Service) monthDropped(ctx context.Context, from, until time.Time) error {
	first, after := models.FirstID(from.Add(-besideMonth)), models.FirstID(until.Add(besideMonth))
	for last := (models.ID{}); ; {
		var ids []models.ID
		err := s.DB.Read(ctx).Raw(`
			SELECT id FROM productions WHERE id > ? AND (
				id IN (SELECT production_id FROM production_renders WHERE execution_id >= ? AND execution_id < ?)
				OR id IN (SELECT s.production_id FROM shot_results r JOIN shots s ON s.id = r.shot_id WHERE r.job_id >= ? AND r.job_id < ?))
			ORDER BY id LIMIT ?`, last, first, after, first, after, lookedAtTogether).Scan(&ids).Error
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := s.DB.Write(ctx, func(tx *models.Tx) error { return s.forgetGone(tx, id) }); err != nil {
				return err
			}
		}
		last = ids[len(ids)-1]
	}
}

// forgetGone takes out of a production what lay in files that are gone.
func (s *Service) forgetGone(tx *models.Tx, id models.ID) error {
	p, err := models.First[Production](tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", id), errNoProduction)
	if models.HasCode(err, models.CodeNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	var results []*ShotResult
	if err := tx.Where("shot_id IN (SELECT id FROM shots WHERE production_id = ?)", id).Find(&results).Error; err != nil {
		return err
	}
	var addresses []string
	for _, result := range results {
		addresses = append(addresses, result.URL)
	}
	gone, err := s.Media.FilesGone(tx.DB, addresses)
	if err != nil {
		return err
	}
	changed := false
	for _, result := range results {
		if gone[result.URL] {
			changed = true
			if err := tx.Exec(`DELETE FROM shot_results WHERE shot_id = ? AND stage = ?`, result.ShotID, result.Stage).Error; err != nil {
				return err
			}
		}
	}
	video, thumbnail, captions := p.VideoURL, p.ThumbnailURL, p.CaptionsURL
	if err := s.dropGone(tx.DB, p); err != nil {
		return err
	}
	if !changed && video == p.VideoURL && thumbnail == p.ThumbnailURL && captions == p.CaptionsURL {
		return nil
	}
	film := map[string]any{"video_url": p.VideoURL, "thumbnail_url": p.ThumbnailURL, "captions_url": p.CaptionsURL}
	if p.VideoURL == nil {
		film["film_fingerprint"] = ""
	}
	if err := tx.Model(&Production{}).Where("id = ?", id).UpdateColumns(film).Error; err != nil {
		return err
	}
	err = tx.Exec(`UPDATE shots SET status = ? WHERE production_id = ? AND status = ? AND NOT EXISTS (SELECT FROM shot_results r WHERE r.shot_id = shots.id)`,
		ShotEmpty, id, ShotReady).Error
	if err != nil {
		return err
	}
	if err := s.loadShots(tx.DB, p); err != nil {
		return err
	}
	return s.noteChange(tx, p)
}
