package studio

import (
	"context"
	"math/rand/v2"
	"strconv"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/run"
	"atelier/models/space"
)

// RunPipeline makes shots, and a film of them, without a production: the selected space pays.
// Refusals, in this order: not_found; validation_error, such as of shots[0].prompt, for what may not be
// used, and of maxCredits when it would cost more; those of a closed space; the money.
func (s *Service) RunPipeline(ctx context.Context, id models.ID, in RunPipelineInput) (begun *Begun, err error) {
	if err := s.Runs.AdmitRun(ctx); err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		pipeline, _, err := s.ReachPipeline(tx.Context(), tx.DB, id)
		if err != nil {
			return err
		}
		viewer, err := s.Spaces.ForCreate(tx)
		if err != nil {
			return err
		}
		p, err := in.production(tx, pipeline)
		if err != nil {
			return err
		}
		if err := s.checkSources(tx.DB, p); err != nil {
			return err
		}
		most, err := readCeiling(in.MaxCredits)
		if err != nil {
			return err
		}
		runner := space.Principal{UserID: viewer.UserID}
		if viewer.Workspace != nil {
			runner.WorkspaceID = &viewer.Workspace.ID
		}
		f, err := s.layOutRun(tx, p, pipeline, runner)
		if err != nil {
			return err
		}
		c, err := f.choose(renderOptions{last: CutStage})
		if err != nil {
			return err
		}
		if refused := c.refusals(); len(refused) > 0 {
			return refused[0]
		}
		if err := withinCeiling(most, c.credits()); err != nil {
			return err
		}
		all, edges := c.graph()
		exec, err := s.Runs.StartGraph(tx, c.examined, run.GraphBegin{Purpose: run.ForPipeline, Nodes: all, Edges: edges, Subject: pipeline.Name})
		if err != nil {
			return err
		}
		begun = &Begun{ExecutionID: exec.ID, Status: exec.Status, EstimatedCredits: c.credits()}
		return nil
	})
	return begun, err
}

// layOutRun is layOut for shots that are named by their places.
func (s *Service) layOutRun(tx *models.Tx, p *Production, pipeline *Pipeline, runner space.Principal) (*film, error) {
	f, err := s.layOutAs(tx.DB, p, pipeline, runner, func(shot *Shot) string { return "shots[" + strconv.Itoa(shot.Position-1) + "]." })
	if err == nil {
		f.narrator = "voiceId"
	}
	return f, err
}

// production is one that is never saved, with the shots of the input.
func (in RunPipelineInput) production(tx *models.Tx, pipeline *Pipeline) (p *Production, err error) {
	if len(in.Shots) == 0 || len(in.Shots) > MaxShots {
		return nil, models.Invalid("shots", "must be 1 to %d", MaxShots)
	}
	p = &Production{Name: pipeline.Name, PipelineID: pipeline.ID, Language: "en", Captions: captionKinds[0], NarratorVoiceID: in.VoiceID, Seed: int(rand.Int32())}
	if p.AspectRatio, err = choice("aspectRatio", in.AspectRatio, aspectRatios); err != nil {
		return nil, err
	}
	if p.Resolution, err = choice("resolution", in.Resolution, resolutions); err != nil {
		return nil, err
	}
	if in.MusicURL != nil && *in.MusicURL != "" {
		address, err := library.CleanAddress("musicUrl", in.MusicURL)
		if err != nil {
			return nil, err
		}
		p.Music = &Music{URL: *address, Volume: usualVolume}
	}
	for i, sent := range in.Shots {
		shot, err := sent.shot()
		if err != nil {
			return nil, library.Within("shots["+strconv.Itoa(i)+"].", err)
		}
		shot.ID, shot.Position = tx.NewID(), i+1
		p.Shots = append(p.Shots, shot)
	}
	return p, nil
}

// checkSources refuses addresses of a run from which nothing can be taken.
func (s *Service) checkSources(q *gorm.DB, p *Production) error {
	if err := s.checkSource(q, "musicUrl", nil, p.musicURL()); err != nil {
		return err
	}
	for i, shot := range p.Shots {
		if err := s.checkSource(q, "shots["+strconv.Itoa(i)+"].imageUrl", nil, shot.OwnImageURL); err != nil {
			return err
		}
	}
	return nil
}

func (in *PipelineShot) shot() (*Shot, error) {
	if in == nil || firstOf(in.Prompt) == "" {
		return nil, models.Invalid("prompt", "is required")
	}
	address, err := library.CleanAddress("imageUrl", in.ImageURL)
	if err != nil {
		return nil, err
	}
	return newShot(CreateShotInput{
		Prompt: &in.Prompt, Dialogue: in.Dialogue, Duration: in.Duration, OwnImageURL: address, CharacterIDs: in.CharacterIDs,
		LocationID: in.LocationID, VoiceID: in.VoiceID,
	})
}
