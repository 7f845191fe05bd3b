package studio

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"atelier/models"
	"atelier/models/space"
	"atelier/nodes"
	"atelier/nodes/phrase"
)

// The node types that break scripts down: this install, and a provider's model.
const (
	breakdownType      = "script-breakdown"
	breakdownModelType = "script-breakdown-model"
	localProvider      = "local"
)

// usualSecondsPerShot is how long shots are to be, where no one says it.
const usualSecondsPerShot = 6.0

// breakdownWish is what a script is to become, its form checked.
type breakdownWish struct {
	script  string
	seconds float64
	// most is how many shots there may be with those that are locked.
	most            int
	replace         bool
	provider, model string
}

// BreakDownScript takes a script apart into the shots of a production: here, at once; or by a
// model of a provider, as a job that the production's space pays, whose shots are written when it
// ends. Refusals: insufficient_role; validation_error, on replace where there are shots, and on
// maxShots where the script needs more; those of any run.
func (s *Service) BreakDownScript(ctx context.Context, id models.ID, in BreakDownInput) (*Breakdown, error) {
	p, r, err := s.reachProduction(ctx, s.DB.Read(ctx), id)
	if err != nil {
		return nil, err
	}
	if err := p.mayEdit(r); err != nil {
		return nil, err
	}
	wish, err := s.readWish(p, in)
	if err != nil {
		return nil, err
	}
	if wish.provider != localProvider {
		return s.beginBreakdown(ctx, id, wish)
	}
	room, err := wish.room(p)
	if err != nil {
		return nil, err
	}
	found, err := phrase.BreakDown(wish.script, phrase.BreakdownOptions{SecondsPerShot: wish.seconds, MaxShots: room}) // before a connection is held
	var many *phrase.TooManyShots
	if errors.As(err, &many) {
		return nil, models.Invalid("maxShots", "is too few: the script needs %d shots beside those that are locked; break it down in parts, or allow more", many.Needed)
	} else if err != nil {
		return nil, models.Invalid("script", "must be at most %d characters", maxScript)
	}
	b := &Breakdown{}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		locked, r, err := s.lockProduction(tx, id)
		if err != nil {
			return err
		}
		if err := locked.mayEdit(r); err != nil {
			return err
		}
		b.Unmatched, err = s.writeShots(tx, r, locked, found, wish)
		return err
	})
	if err != nil {
		return nil, err
	}
	b.Production, err = s.FindProduction(ctx, id)
	return b, err
}

func (s *Service) readWish(p *Production, in BreakDownInput) (w breakdownWish, err error) {
	w = breakdownWish{script: p.Script, seconds: usualSecondsPerShot, most: MaxShots, replace: in.Replace != nil && *in.Replace, provider: localProvider}
	if in.Script != nil {
		if w.script, err = models.CleanText("script", *in.Script, maxScript); err != nil {
			return w, err
		}
	}
	if strings.TrimSpace(w.script) == "" {
		return w, models.Invalid("script", "must not be empty: write one into the production, or send it along")
	}
	if in.SecondsPerShot != nil {
		w.seconds = *in.SecondsPerShot
	}
	if math.IsNaN(w.seconds) || w.seconds < nodes.MinSecondsPerShot || w.seconds > nodes.MaxSecondsPerShot {
		return w, models.Invalid("secondsPerShot", "must be between %d and %d", nodes.MinSecondsPerShot, nodes.MaxSecondsPerShot)
	}
	if in.MaxShots != nil {
		w.most = *in.MaxShots
	}
	if w.most < 1 || w.most > MaxShots {
		return w, models.Invalid("maxShots", "must be between 1 and %d", MaxShots)
	}
	if in.Provider != nil && *in.Provider != "" {
		w.provider = *in.Provider
	}
	if in.Model != nil {
		w.model = *in.Model
	}
	if w.provider != localProvider {
		return w, s.checkBreakdownProvider(w.provider)
	}
	if w.model != "" {
		return w, models.Invalid("model", "needs a provider")
	}
	return w, nil
}

// checkBreakdownProvider refuses providers that are not set up for scripts.
func (s *Service) checkBreakdownProvider(name string) error {
	kind, known := s.Flows.Catalogue.Find(breakdownModelType)
	switch {
	case !known || !nodes.CanDo(name, breakdownModelType):
		return models.Invalid("provider", "must be local or openai")
	case !slices.Contains(kind.Providers, name):
		return models.Invalid("provider", "%s", kind.Missing(name))
	}
	return nil
}

// room is how many new shots there may be beside those that are locked.
func (w breakdownWish) room(p *Production) (int, error) {
	if len(p.Shots) > 0 && !w.replace {
		return 0, models.Invalid("replace", "must be true: the production has shots, and those that are not locked would give way")
	}
	room := w.most - len(lockedOf(p))
	if room < 1 {
		return 0, models.Invalid("maxShots", "leaves no room beside the shots that are locked")
	}
	return room, nil
}

func lockedOf(p *Production) (locked []*Shot) {
	for _, shot := range p.Shots {
		if shot.Locked {
			locked = append(locked, shot)
		}
	}
	return locked
}

// writeShots puts what a script became into a production that is locked: in the place of its
// shots, behind those that are locked.
func (s *Service) writeShots(tx *models.Tx, r *space.Viewer, p *Production, found phrase.Breakdown, w breakdownWish) ([]*UnmatchedName, error) {
	room, err := w.room(p)
	if err != nil {
		return nil, err
	}
	if len(found.Shots) > room {
		return nil, models.Invalid("maxShots", "is too few: the script became %d shots, and there is room for %d", len(found.Shots), room)
	}
	m, err := s.matcher(tx.DB, r, p, found)
	if err != nil {
		return nil, err
	}
	if err := s.removeShots(tx, p, func(shot *Shot) bool { return !shot.Locked }); err != nil {
		return nil, err
	}
	fresh := make([]*Shot, len(found.Shots))
	for i, of := range found.Shots {
		fresh[i] = m.shot(of)
		fresh[i].ID, fresh[i].ProductionID, fresh[i].Position = tx.NewID(), p.ID, len(p.Shots)+i+1
		fresh[i].CreatedAt, fresh[i].UpdatedAt = tx.Now, tx.Now
	}
	if len(fresh) > 0 {
		if err := tx.Create(fresh).Error; err != nil {
			return nil, err
		}
	}
	p.Shots = append(p.Shots, fresh...)
	if err := s.addToCast(tx, p, fresh...); err != nil {
		return nil, err
	}
	return m.unmatched(found.Names), s.shotsChanged(tx, p)
}
