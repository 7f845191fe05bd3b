package studio

import (
	"context"
	"encoding/json"
	"time"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes/phrase"
)

// breakdownJob is a job of a provider that breaks a script down, and what is to become of its
// shots.
type breakdownJob struct {
	JobID        models.ID `gorm:"primaryKey"`
	ProductionID models.ID
	UserID       models.ID
	Replaces     bool
	CreatedAt    time.Time
}

func (breakdownJob) TableName() string { return "breakdown_jobs" }

// beginBreakdown has a provider break a script down.
func (s *Service) beginBreakdown(ctx context.Context, id models.ID, w breakdownWish) (*Breakdown, error) {
	if err := s.Runs.AdmitRun(ctx); err != nil {
		return nil, err
	}
	b := &Breakdown{Unmatched: []*UnmatchedName{}}
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		p, r, err := s.lockProduction(tx, id)
		if err != nil {
			return err
		}
		if err := r.MayWorkAs(p.Access, productionNoun); err != nil {
			return err
		}
		room, err := w.room(p)
		if err != nil {
			return err
		}
		settings := map[string]any{"script": w.script, "secondsPerShot": w.seconds, "maxShots": float64(room), "provider": w.provider}
		if w.model != "" {
			settings["model"] = w.model
		}
		run, err := s.Runs.Nodes().Begin(tx, run.NodeBegin{Type: breakdownModelType, Settings: settings, Home: r, Purpose: run.ForBreakdown})
		if err != nil {
			return err
		}
		b.Job = run.Job
		return tx.Create(&breakdownJob{JobID: run.Job.ID, ProductionID: p.ID, UserID: tx.Actor.UserID, Replaces: w.replace, CreatedAt: tx.Now}).Error
	})
	if err != nil {
		return nil, err
	}
	b.Production, err = s.FindProduction(ctx, id)
	return b, err
}

// breakdownEnded writes the shots that a provider made of a script, by the reach of who asked for
// them, as it is now. Without a production that takes them they stay with the job, which says why.
func (s *Service) breakdownEnded(tx *models.Tx, _ *run.Execution, job *run.Job) error {
	if job.Status != run.JobCompleted {
		return nil
	}
	of, err := models.First[breakdownJob](tx.Where("job_id = ?", job.ID), nil)
	if err != nil || of == nil {
		return err
	}
	var unmatched []*UnmatchedName
	err = s.DB.Write(tx.Context(), func(tx *models.Tx) (err error) {
		unmatched, err = s.takeShots(tx, of, job)
		return err
	})
	refusal, refused := models.AsError(err)
	switch {
	case refused:
		job.OutputData["warnings"] = []any{"The shots were not written into the production: " + refusal.Message}
		return nil
	case err != nil:
		return err
	}
	job.OutputData["productionId"] = of.ProductionID.String()
	list := make([]any, len(unmatched))
	for i, n := range unmatched {
		list[i] = map[string]any{"name": n.Name, "kind": n.Kind, "count": n.Count}
	}
	job.OutputData["unmatched"] = list
	return nil
}

func (s *Service) takeShots(tx *models.Tx, of *breakdownJob, job *run.Job) ([]*UnmatchedName, error) {
	lock := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", of.ProductionID)
	p, err := models.First[Production](lock, errNoProduction)
	if err != nil {
		return nil, err
	}
	r, err := s.Spaces.ViewerFor(tx.Context(), space.Principal{UserID: of.UserID, WorkspaceID: p.WorkspaceID})
	if err != nil {
		return nil, err
	}
	if p.WorkspaceID != nil && r.Workspace == nil { // they left
		return nil, errNoProduction
	}
	if err := p.fill(r); err != nil {
		return nil, err
	}
	if err := p.mayEdit(r); err != nil {
		return nil, err
	}
	if err := s.loadShots(tx.DB, p); err != nil {
		return nil, err
	}
	found, err := readBreakdown(job.OutputData)
	if err != nil {
		return nil, err
	}
	return s.writeShots(tx, r, p, found, breakdownWish{most: MaxShots, replace: of.Replaces})
}

// readBreakdown reads the output of a breakdown, as if a person had sent it.
func readBreakdown(out map[string]any) (found phrase.Breakdown, err error) {
	var data struct {
		Shots []struct {
			Title, Action, Dialogue, Speaker, Place, Time string
			Seconds                                       float64
		} `json:"shots"`
		Names []phrase.FoundName `json:"names"`
	}
	written, err := json.Marshal(out["data"])
	if err != nil {
		return found, err
	}
	if err := json.Unmarshal(written, &data); err != nil {
		return found, models.Invalid("shots", "do not have the agreed form")
	}
	for _, shot := range data.Shots {
		if _, err := models.CleanText("action", shot.Action, maxAction); err != nil {
			return found, err
		}
		if _, err := models.CleanText("dialogue", shot.Dialogue, maxDialogue); err != nil {
			return found, err
		}
		if _, err := models.CleanText("title", shot.Title, maxTitle); err != nil {
			return found, err
		}
		found.Shots = append(found.Shots, phrase.Shot{
			Title: shot.Title, Action: shot.Action, Dialogue: shot.Dialogue, Speaker: shot.Speaker, Place: shot.Place, Time: shot.Time, Seconds: shot.Seconds,
		})
	}
	found.Names = data.Names
	return found, nil
}
