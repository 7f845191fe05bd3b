package studio

import (
	"math"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/space"
)

// readWish checks what a caller asks to be rendered of a production.
func (p *Production) readWish(in RenderInput) (w renderOptions, err error) {
	w = renderOptions{last: CutStage, force: in.Force != nil && *in.Force}
	if in.Stage != nil {
		if w.last = *in.Stage; !slices.Contains(StageNames, w.last) {
			return w, models.Invalid("stage", "must be image, speech, clip or cut")
		}
	}
	if in.ShotIDs == nil {
		return w, nil
	}
	if len(in.ShotIDs) == 0 {
		return w, models.Invalid("shotIds", "must name at least one shot; leave it out to render all of them")
	}
	for i, id := range in.ShotIDs {
		if p.shot(id) == nil {
			return w, models.Invalid("shotIds["+strconv.Itoa(i)+"]", "names no shot of this production")
		}
	}
	w.shots = in.ShotIDs
	return w, nil
}

// readCeiling checks the most that something may cost; nil is any price.
func readCeiling(most *float64) (*models.Credits, error) {
	if most == nil {
		return nil, nil
	}
	if math.IsNaN(*most) || *most < 0 || *most > float64(models.MaxCredits/models.Credit) {
		return nil, models.Invalid("maxCredits", "must be a number of credits from 0 to %s", models.MaxCredits)
	}
	return new(models.Credits(math.Floor(*most*float64(models.Credit) + 1e-6))), nil
}

// withinCeiling refuses what costs more than the caller allows.
func withinCeiling(most *models.Credits, credits models.Credits) error {
	if most == nil || credits <= *most {
		return nil
	}
	return models.Invalid("maxCredits", "is %s, and this would cost up to %s", *most, credits)
}

// plan finds out what a render would make of a production whose shots were loaded. Everything in it
// is as it is now; the pipeline is the production's own, unless another is asked for.
func (s *Service) plan(q *gorm.DB, p *Production, r *space.Viewer, in RenderInput) (*selection, error) {
	w, err := p.readWish(in)
	if err != nil {
		return nil, err
	}
	id := p.PipelineID
	if in.PipelineID != nil {
		id = *in.PipelineID
	}
	pipeline, err := s.pipelineFor(q, r, id)
	if err != nil {
		return nil, err
	}
	if err := s.loadResults(q, p); err != nil {
		return nil, err
	}
	f, err := s.layOut(q, p, pipeline, space.Principal{UserID: r.UserID, WorkspaceID: p.WorkspaceID})
	if err != nil {
		return nil, err
	}
	return f.choose(w)
}

// mayRender refuses who may not render a production: insufficient_role, then a closed space.
func (p *Production) mayRender(r *space.Viewer) error {
	if p.Access == space.CanView {
		return models.InsufficientRole("You may look at this production, but not render it")
	}
	return r.CheckOpen(true)
}

var errAtWork = models.Err(models.CodeRunAlreadyStarted, "The production is being rendered: wait until it is done, or cancel it")
