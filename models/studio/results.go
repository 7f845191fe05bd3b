package studio

import (
	"math"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/space"
)

// loadResults reads what renders made of the shots of a production. What lay in files that are gone
// is not there: neither results nor the film.
func (s *Service) loadResults(q *gorm.DB, p *Production) error {
	var found []*ShotResult
	err := q.Where("shot_id IN (SELECT id FROM shots WHERE production_id = ?)", p.ID).Find(&found).Error
	if err != nil {
		return err
	}
	var addresses []string
	for _, result := range found {
		addresses = append(addresses, result.URL)
	}
	film := []**string{&p.VideoURL, &p.ThumbnailURL, &p.CaptionsURL}
	for _, address := range film {
		if *address != nil {
			addresses = append(addresses, **address)
		}
	}
	gone, err := s.Media.FilesGone(q, addresses)
	if err != nil {
		return err
	}
	for _, address := range film {
		if *address != nil && gone[**address] {
			*address = nil
		}
	}
	for _, shot := range p.Shots {
		shot.Results = map[StageName]*ShotResult{}
	}
	for _, result := range found {
		shot := p.shot(result.ShotID)
		if shot == nil || gone[result.URL] || result.Stage == SpeechStage && !shot.speaks() {
			continue
		}
		shot.Results[result.Stage] = result
	}
	return nil
}

// showResults fills in what renders made of a production whose shots were loaded: of each shot
// the results and whether it is stale, and the latest render. What it says of the film is judged again.
func (s *Service) showResults(q *gorm.DB, p *Production) error {
	if err := s.judgeFilm(q, p); err != nil {
		return err
	}
	return s.showLatest(q, p)
}

// judgeFilm works out what follows from a production and its shots as they are now: how many shots
// there are, how long they last, which are stale, and so the film.
func (s *Service) judgeFilm(q *gorm.DB, p *Production) error {
	if err := s.loadResults(q, p); err != nil {
		return err
	}
	pipeline, err := s.pipelineOf(q, p.PipelineID)
	if err != nil {
		return err
	}
	if pipeline == nil { // whatever is there was made in a way that is gone
		for _, shot := range p.Shots {
			shot.IsStale = len(shot.Results) > 0
		}
		p.follow(nil)
		return nil
	}
	f, err := s.layOut(q, p, pipeline, space.Principal{UserID: p.OwnerID, WorkspaceID: p.WorkspaceID})
	if err != nil {
		return err
	}
	for _, shot := range p.Shots {
		if shot.IsStale, err = f.isStale(shot); err != nil {
			return err
		}
	}
	c, err := f.choose(renderOptions{last: CutStage})
	if err != nil {
		return err
	}
	p.follow(c)
	return nil
}

// isStale tells whether something that a shot was made of has changed since.
func (f *film) isStale(shot *Shot) (bool, error) {
	prints := map[StageName]string{}
	for _, stage := range resultStages {
		st := f.steps[shot.ID][stage]
		if st == nil {
			continue
		}
		var err error
		if prints[stage], err = f.fingerprint(st, prints); err != nil {
			return false, err
		}
		if have := shot.Results[stage]; have != nil && have.Fingerprint != prints[stage] {
			return true, nil
		}
	}
	return false, nil
}

// follow sets what follows from what a render would make now; nil where none is possible.
func (p *Production) follow(c *selection) {
	p.ShotCount, p.Duration = 0, 0
	for _, shot := range p.Shots {
		if !shot.Skip {
			p.ShotCount++
			p.Duration += (&shotSelection{shot: shot, reuse: shot.Results}).seconds()
		}
	}
	p.Duration = math.Round(p.Duration*1000) / 1000
	switch {
	case p.Status == Rendering || p.Status == Failed:
	case p.VideoURL != nil && c != nil && c.filmPrint == p.FilmFingerprint:
		p.Status = Ready
	case p.VideoURL != nil:
		p.Status = Stale
	case c != nil && len(c.cuts) == 0 && len(c.shots) > 0 && c.nothing(): // a pipeline that makes no film
		p.Status = Ready
	default:
		p.Status = Draft
	}
}

// noteChange works out again what follows from a production and its shots after a change of
// them: how many shots there are, how long they last, and whether the film is stale. The production is locked, its
// shots are loaded.
func (s *Service) noteChange(tx *models.Tx, p *Production) error {
	if err := s.judgeFilm(tx.DB, p); err != nil {
		return err
	}
	return tx.Model(&Production{}).Where("id = ?", p.ID).
		UpdateColumns(map[string]any{"status": p.Status, "shot_count": p.ShotCount, "duration": p.Duration}).Error
}

// pipelineOf is a pipeline of anyone, or of the program; nil when it is gone.
func (s *Service) pipelineOf(q *gorm.DB, id models.ID) (*Pipeline, error) {
	if p := factoryPipeline(id); p != nil {
		return p, nil
	}
	return models.First[Pipeline](q.Where("id = ?", id), nil)
}
