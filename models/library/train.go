package library

import (
	"context"
	"encoding/json"
	"strings"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// trainType is the node type that trains; it runs for the library alone.
const trainType = "train-character"

// The states of trainings.
const (
	trainQueued    = "queued"
	trainRunning   = "running"
	trainSucceeded = "succeeded"
	trainFailed    = "failed"
	trainCancelled = "cancelled"
)

func (t *Training) open() bool {
	return t != nil && (t.Status == trainQueued || t.Status == trainRunning)
}

// Train begins a training of a character, an object or a creature on its
// pictures, in the space that it lives in, which pays. not_found for the other kinds; after
// the right to edit the call counts (TrainLimit); then run_already_started while one is at
// work, and validation_error for consent and imageIds.
func (s Elements) Train(ctx context.Context, id models.ID, in TrainElementInput) (*Begun, error) {
	t, err := s.library.admitTraining(ctx, id, in)
	if err != nil {
		return nil, err
	}
	if err := s.library.measure(ctx, t); err != nil {
		return nil, err
	}
	if len(t.used) < t.least() {
		return nil, models.Invalid("imageIds", "has %s that serve; this training needs at least %d", models.Several(len(t.used), "picture"), t.least())
	}
	if err := s.library.Runs.AdmitRun(ctx); err != nil {
		return nil, err
	}
	begun := &Begun{}
	err = s.library.DB.Write(ctx, func(tx *models.Tx) error { return s.library.beginTraining(tx, t, in, begun) })
	if err != nil {
		return nil, err
	}
	begun.Element, err = s.Find(ctx, id)
	return begun, err
}

// admitTraining finds what is to be trained and checks all that needs no look at the pictures.
func (s *Service) admitTraining(ctx context.Context, id models.ID, in TrainElementInput) (*trained, error) {
	actor := models.ActorFrom(ctx)
	if err := admit(actor); err != nil {
		return nil, err
	}
	e, r, err := s.Elements().Reach(ctx, id)
	if err != nil {
		return nil, err
	}
	if e.Kind == Face || e.Kind == Location {
		return nil, models.NotFound("Training")
	}
	if err := space.EditsAs(e.Access, string(e.Kind)); err != nil {
		return nil, err
	}
	if err := s.DB.CountCall(ctx, TrainLimit, callerKey(actor)); err != nil {
		return nil, err
	}
	if err := r.CheckOpen(true); err != nil {
		return nil, err
	}
	t := &trained{element: e}
	if t.settings, err = trainSettings(e, in); err != nil {
		return nil, err
	}
	node, known := s.Flows.Catalogue.Find(trainType)
	if !known {
		return nil, models.NotFound("Training")
	}
	t.node = node
	if err := node.Validate("", t.settings); err != nil {
		return nil, err
	}
	if err := s.mayTrain(ctx, e, t.outside()); err != nil {
		return nil, err
	}
	images, err := ImagesOf(s.DB.Read(ctx), e.ID)
	if err != nil {
		return nil, err
	}
	return t, t.choose(images, in.ImageIds)
}

// callerKey is whose calls are counted together: a token's, else the account's.
func callerKey(actor models.Actor) string {
	if actor.Kind == models.ByToken || actor.Kind == models.ByOAuth {
		return "token:" + actor.TokenID.String()
	}
	return "account:" + actor.UserID.String()
}

// mayTrain refuses while a training is at work, and without consent to it.
func (s *Service) mayTrain(ctx context.Context, e *Element, outside bool) error {
	if e.Training.open() {
		return models.Err(models.CodeRunAlreadyStarted, "A training of this %s is at work", e.Kind)
	}
	if err := s.loadConsents(ctx, e); err != nil {
		return err
	}
	if err := usable(e, s.DB.Clock.Now()); err != nil {
		return models.Invalid("consent", "is missing: this %s %s", e.Kind, err.Error())
	}
	if outside && !e.mayLeave() {
		return models.Invalid("consent", "does not let pictures leave this install: train with provider local")
	}
	return nil
}

func trainSettings(e *Element, in TrainElementInput) (map[string]any, error) {
	settings := map[string]any{"triggerWord": e.Handle}
	if in.TriggerWord != nil {
		word, err := models.CleanText("triggerWord", strings.TrimSpace(*in.TriggerWord), 40)
		if err != nil {
			return nil, err
		}
		if word != "" {
			settings["triggerWord"] = word
		}
	}
	for name, value := range map[string]*string{"provider": in.Provider, "model": in.Model} {
		if value != nil && *value != "" {
			settings[name] = *value
		}
	}
	if in.Steps != nil {
		settings["steps"] = float64(*in.Steps)
	}
	return settings, nil
}

// beginTraining begins the job and notes it at the element, in one transaction.
func (s *Service) beginTraining(tx *models.Tx, t *trained, in TrainElementInput, begun *Begun) error {
	if err := space.Hold(tx, t.element.owned()); err != nil {
		return err
	}
	home, err := s.Spaces.Of(tx.Context(), t.element.owned())
	if err != nil {
		return err
	}
	ref, err := s.trainingRef(tx, t)
	if err != nil {
		return err
	}
	started, err := s.Runs.Nodes().Begin(tx, run.NodeBegin{
		Type: trainType, Settings: t.settings, Home: home, Purpose: run.ForTraining, Refs: &kit.Refs{Elements: []kit.ElementRef{ref}},
	})
	if err != nil {
		return err
	}
	begun.Job = started.Job
	e, r, err := s.lockElement(tx, t.element.ID)
	if err != nil {
		return err
	}
	if err := r.MayWorkAs(e.Access, string(e.Kind)); err != nil {
		return err
	}
	if err := s.mayTrain(tx.Context(), e, t.outside()); err != nil {
		return err
	}
	err = tx.Exec(`INSERT INTO library_jobs (job_id, execution_id, purpose, element_id, created_at) VALUES (?, ?, ?, ?, ?)`,
		begun.Job.ID, begun.Job.ExecutionID, run.ForTraining, e.ID, tx.Now).Error
	if err != nil {
		return err
	}
	return keepTraining(tx, e.ID, t.begun(e, begun.Job.ID, in))
}

// begun is the training as the element shows it from now on; what the last success
// made goes on serving.
func (t *trained) begun(e *Element, jobID models.ID, in TrainElementInput) *Training {
	training := &Training{Status: trainQueued, JobID: jobID, Provider: "local", Report: t.report}
	if provider, ok := t.settings["provider"].(string); ok {
		training.Provider = provider
	}
	if model, ok := t.settings["model"].(string); ok {
		training.Model = &model
	}
	if word, ok := t.settings["triggerWord"].(string); ok {
		training.TriggerWord = &word
	}
	if before := e.Training; before != nil {
		training.TrainedAt, training.Trained = before.TrainedAt, before.Trained
	}
	consent := e.consentState().Consent
	remove := consent != nil && consent.Subject == Minor
	if in.DeleteImagesAfter != nil {
		remove = *in.DeleteImagesAfter
	}
	if remove {
		for _, picture := range t.used {
			training.DeleteAfter = append(training.DeleteAfter, picture.ID)
		}
	}
	return training
}

// trainingRef is the element as the job uses it, with the pictures that serve.
func (s *Service) trainingRef(tx *models.Tx, t *trained) (kit.ElementRef, error) {
	e := t.element
	ref := kit.ElementRef{
		ID: e.ID.String(), Kind: string(e.Kind), Name: e.Name, Handle: e.Handle, Words: e.Prompt, Attributes: e.Attributes,
		Seed: e.Seed, Palette: e.Palette, DepictsPerson: e.DepictsPerson, MayLeave: e.mayLeave(), Named: true,
	}
	ids := make([]models.ID, len(t.used))
	for i, picture := range t.used {
		ids[i] = picture.FileID
	}
	files, err := s.Media.PrivateFiles(tx.DB, ids...)
	if err != nil {
		return ref, err
	}
	for _, picture := range t.used {
		file := files[picture.FileID]
		if file == nil {
			return ref, models.Invalid("imageIds", "names %s, which is no picture of this element any more", picture.ID)
		}
		info := s.Media.Info(file)
		ref.Pictures = append(ref.Pictures, kit.PictureRef{
			Address: "kept:" + file.ID.String(), Role: string(picture.Role), ContentType: file.ContentType, Width: info.Width, Height: info.Height,
		})
	}
	return ref, nil
}

// keepTraining writes the training of an element, which is written nowhere else.
func keepTraining(tx *models.Tx, elementID models.ID, training *Training) error {
	text, err := json.Marshal(training)
	if err != nil {
		return err
	}
	return tx.Table("elements").Where("id = ?", elementID).UpdateColumn("training", gorm.Expr("?::jsonb", string(text))).Error
}
