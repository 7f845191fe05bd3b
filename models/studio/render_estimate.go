package studio

import (
	"context"
	"errors"

	"atelier/models"
	"atelier/models/space"
)

// errOnlyEstimated takes back what an estimate tried.
var errOnlyEstimated = errors.New("only estimated")

// EstimateRender tells what a render would cost and make again, and why it would be refused. It goes
// the way of a render up to its very end, and takes all of it back: nothing is started, and nothing held.
func (s *Service) EstimateRender(ctx context.Context, id models.ID, in RenderInput) (*Estimate, error) {
	e := &Estimate{Shots: []*ShotEstimate{}, Refused: []*Refusal{}}
	p, r, err := s.reachProduction(ctx, s.DB.Read(ctx), id)
	if err != nil {
		return nil, err
	}
	most, err := readCeiling(in.MaxCredits)
	if err != nil {
		return nil, err
	}
	c, err := s.plan(s.DB.Read(ctx), p, r, in)
	if err != nil {
		return nil, err
	}
	e.Credits, e.Seconds = c.credits(), c.seconds()
	for _, one := range c.shots {
		e.Shots = append(e.Shots, &ShotEstimate{ShotID: one.shot.ID, Credits: c.creditsOf(one), Reuse: one.reused()})
	}
	refused := []error{p.mayRender(r)}
	refused = append(refused, c.refusals()...)
	refused = append(refused, withinCeiling(most, e.Credits))
	if p.Status == Rendering {
		refused = append(refused, errAtWork)
	}
	for _, err := range refused {
		if err := e.refuse(err); err != nil {
			return nil, err
		}
	}
	if len(e.Refused) > 0 {
		return e, nil
	}
	return e, e.refuse(s.tryPaying(ctx, c, r))
}

// refuse adds a refusal; any other error is returned.
func (e *Estimate) refuse(err error) error {
	refusal, known := models.AsError(err)
	if err == nil || !known {
		return err
	}
	shown := &Refusal{Code: string(refusal.Code), Message: refusal.Message}
	if refusal.Field != "" {
		shown.Field = &refusal.Field
	}
	e.Refused = append(e.Refused, shown)
	return nil
}

// tryPaying is the refusal of the one who would pay; nil when they can.
func (s *Service) tryPaying(ctx context.Context, c *selection, r *space.Viewer) error {
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		if err := s.Runs.CheckPaid(tx, c.credits(), r); err != nil {
			return err
		}
		return errOnlyEstimated
	})
	if errors.Is(err, errOnlyEstimated) {
		return nil
	}
	return err
}
