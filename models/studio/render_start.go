package studio

import (
	"context"

	"atelier/models"
	"atelier/models/run"
	"atelier/models/space"
)

// RenderProduction makes what is missing or stale of a production, and cuts its film. The space of
// the production pays, the one who starts it. Refusals, in this order: not_found, insufficient_role and
// those of a closed space; validation_error for what is asked, for nothing to make, for a film of more
// than ten minutes, for what may not be used, and of maxCredits when it would cost more;
// run_already_started while another render is at work; the money.
func (s *Service) RenderProduction(ctx context.Context, id models.ID, in RenderInput) (begun *Begun, err error) {
	if err := s.Runs.AdmitRun(ctx); err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		p, r, err := s.lockProduction(tx, id)
		if err != nil {
			return err
		}
		if err := p.mayRender(r); err != nil {
			return err
		}
		most, err := readCeiling(in.MaxCredits)
		if err != nil {
			return err
		}
		c, err := s.plan(tx.DB, p, r, in)
		if err != nil {
			return err
		}
		if refused := c.refusals(); len(refused) > 0 {
			return refused[0]
		}
		if err := withinCeiling(most, c.credits()); err != nil {
			return err
		}
		if p.Status == Rendering {
			return errAtWork
		}
		begun, err = s.start(tx, c, r)
		return err
	})
	return begun, err
}

// start begins the execution of a render. What is written of the production comes before it, for
// it locks the balance until the commit.
func (s *Service) start(tx *models.Tx, c *selection, r *space.Viewer) (*Begun, error) {
	render := &Render{
		ExecutionID: tx.NewRunID(r.SpaceID()), ProductionID: c.production.ID, Fingerprints: c.fingerprints(), ReusedShots: c.reusedShots(), EstimatedCredits: c.credits(), CreatedAt: tx.Now,
	}
	if c.renderOptions.last != CutStage {
		render.Stage = &c.renderOptions.last
	}
	if err := tx.Create(render).Error; err != nil {
		return nil, err
	}
	var shots []models.ID
	for _, one := range c.shots {
		if !one.reused() {
			shots = append(shots, one.shot.ID)
		}
	}
	err := tx.Model(&Shot{}).Where("id IN ? AND production_id = ?", shots, c.production.ID).
		UpdateColumns(map[string]any{"status": ShotRendering, "error_message": nil, "execution_id": render.ExecutionID}).Error
	if err != nil {
		return nil, err
	}
	err = tx.Model(&Production{}).Where("id = ?", c.production.ID).UpdateColumns(map[string]any{"status": Rendering, "uses": c.things()}).Error
	if err != nil {
		return nil, err
	}
	all, edges := c.graph()
	exec, err := s.Runs.StartGraph(tx, c.examined, run.GraphBegin{
		ID: render.ExecutionID, Purpose: run.ForRender, Home: r, Nodes: all, Edges: edges, Subject: c.production.Name,
	})
	if err != nil {
		return nil, err
	}
	return &Begun{ExecutionID: exec.ID, Status: exec.Status, EstimatedCredits: render.EstimatedCredits, ReusedShots: render.ReusedShots}, nil
}
