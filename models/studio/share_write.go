package studio

import (
	"context"
	"slices"
	"time"

	"atelier/models"
	"atelier/models/media"
)

// How long a shot is shared: without a time, and at most.
const (
	usualShare = 30 * 24 * time.Hour
	maxShare   = 366 * 24 * time.Hour
)

// ShareShot shows a shot to everyone until a time, with copies of what renders made of it, or
// ends that. Shared again it shows what it is now. Refusals: insufficient_role, in a school for all
// but admins of the workspace; validation_error for a shot without a result and for a time that is
// over or too far away; forbidden for what shows a minor.
func (s *Service) ShareShot(ctx context.Context, productionID, id models.ID, in ShareShotInput) (*Shot, error) {
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		p, r, err := s.lockProduction(tx, productionID)
		if err != nil {
			return err
		}
		shot := p.shot(id)
		if shot == nil {
			return errNoShot
		}
		if err := p.mayShare(r); err != nil {
			return err
		}
		if !in.Shared {
			return s.unshare(tx, p, shot)
		}
		if err := s.showResults(tx.DB, p); err != nil {
			return err
		}
		return s.share(tx, p, shot, in.Until)
	})
	if err != nil {
		return nil, err
	}
	return s.findShot(ctx, productionID, id)
}

func (s *Service) unshare(tx *models.Tx, p *Production, shot *Shot) error {
	ended := shot.Share != nil
	if err := s.endShares(tx, "shot_id = ?", shot.ID); err != nil || !ended {
		return err
	}
	return audit(tx, p.Placed, "shot", shot.ID, "unshared", models.Fields{"productionId": {From: p.ID}})
}

func (s *Service) share(tx *models.Tx, p *Production, shot *Shot, until *time.Time) error {
	ends := tx.Now.Add(usualShare)
	if until != nil {
		ends = until.UTC()
	}
	switch {
	case !ends.After(tx.Now):
		return models.Invalid("until", "must be in the future")
	case ends.After(tx.Now.Add(maxShare)):
		return models.Invalid("until", "must be at most 366 days away")
	case len(shot.Results) == 0:
		return models.Invalid("shared", "needs something to show: render the shot first")
	}
	things, err := s.personsIn(tx, p, shot)
	if err != nil {
		return err
	}
	made := &Share{ShotID: shot.ID, Until: ends, Title: shot.Title, Dialogue: shot.Dialogue, Things: things, UpdatedAt: tx.Now}
	if err := s.endShares(tx, "shot_id = ?", shot.ID); err != nil {
		return err
	}
	if err := s.copyResults(tx, p, shot, made); err != nil {
		return err
	}
	if err := tx.Create(made).Error; err != nil {
		return err
	}
	return audit(tx, p.Placed, "shot", shot.ID, "shared", models.Fields{"productionId": {To: p.ID}, "until": {To: ends}})
}

// personsIn are the elements and voices of a shot that depict a person, by what it names now and
// what its results were made of; a minor among them is forbidden to be shown to everyone.
func (s *Service) personsIn(tx *models.Tx, p *Production, shot *Shot) (models.IDs, error) {
	used := shot.elements()
	if shot.VoiceID != nil {
		used = append(used, *shot.VoiceID)
	}
	if p.NarratorVoiceID != nil && shot.speaks() {
		used = append(used, *p.NarratorVoiceID)
	}
	for _, result := range shot.Results {
		used = append(used, result.Things...)
	}
	depicted, err := s.Library.Depicted(tx.DB, used)
	if err != nil {
		return nil, err
	}
	persons := models.IDs{}
	for id, minor := range depicted {
		if minor {
			return nil, models.Err(models.CodeForbidden, "This shot shows a minor, and is not shown to everyone")
		}
		persons = append(persons, id)
	}
	return persons, nil
}

// copyResults gives a share private files of its own.
func (s *Service) copyResults(tx *models.Tx, p *Production, shot *Shot, made *Share) error {
	var urls []string
	for _, result := range shot.Results {
		urls = append(urls, result.URL)
	}
	files, err := s.Media.FilesAt(tx.DB, urls)
	if err != nil {
		return err
	}
	some := false
	for _, name := range StageNames {
		result := shot.Results[name]
		if result == nil || files[result.URL] == nil {
			continue
		}
		copied, err := s.Media.CopyPrivate(tx, p.OwnerID, p.WorkspaceID, files[result.URL])
		if err != nil {
			return err
		}
		some = true
		switch made.measure(result); name {
		case ImageStage:
			made.ImageFileID = &copied.ID
		case SpeechStage:
			made.AudioFileID = &copied.ID
		case ClipStage:
			made.VideoFileID = &copied.ID
		}
	}
	if !some {
		return models.Invalid("shared", "needs something to show: what was made of the shot is deleted; render it again")
	}
	return nil
}

// measure takes over what is known of a result; that of a later stage is nearer to what is seen.
func (s *Share) measure(r *ShotResult) {
	if r.Width != nil && r.Height != nil {
		s.Width, s.Height = r.Width, r.Height
	}
	if r.Duration != nil {
		s.Duration = r.Duration
	}
}

// endShares ends the shares that a condition about shot_shares finds, with their files, at once.
func (s *Service) endShares(tx *models.Tx, where string, args ...any) error {
	var gone []*Share
	if err := tx.Raw(`DELETE FROM shot_shares WHERE `+where+` RETURNING shot_id, image_file_id, video_file_id, audio_file_id`, args...).Scan(&gone).Error; err != nil {
		return err
	}
	var files []models.ID
	for _, share := range gone {
		files = append(files, share.files()...)
	}
	return s.Media.RemovePrivate(tx, files...)
}

func (s *Share) files() (ids []models.ID) {
	for _, id := range []*models.ID{s.ImageFileID, s.VideoFileID, s.AudioFileID} {
		if id != nil {
			ids = append(ids, *id)
		}
	}
	return ids
}

// fileOf is a file of a share; nil for none.
func fileOf(files map[models.ID]*media.File, id *models.ID) *media.File {
	if id == nil {
		return nil
	}
	return files[*id]
}

// subjectRemoved ends what shows a person who is deleted, or who consents no more.
func (s *Service) subjectRemoved(tx *models.Tx, ids ...models.ID) error {
	return s.endShares(tx, "things && ?", models.IDs(slices.Clone(ids)))
}
