package library

import (
	"encoding/json"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/run"
	"atelier/nodes/kit"
)

// learned is the output of a training: what a provider made, or the colors that the
// local one read.
type learned struct {
	provider, model, version, triggerWord string
	attributes                            map[string]string
	palette                               models.Strings
}

// trainingEnded notes at the element how its training ended, in the transaction of the
// job's end. What comes for a deleted element, or for one that is trained again, is
// deleted at the provider.
func (s *Service) trainingEnded(tx *models.Tx, _ *run.Execution, job *run.Job) error {
	out := readLearned(job)
	var held []*Element
	err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("id = (SELECT element_id FROM library_jobs WHERE job_id = ?)", job.ID).Limit(1).Find(&held).Error
	if err != nil {
		return err
	}
	if len(held) == 0 || held[0].Training == nil || held[0].Training.JobID != job.ID {
		return dropVersion(tx, out.trained())
	}
	e := held[0]
	training := *e.Training
	switch job.Status {
	case run.JobCompleted:
		return s.trainingSucceeded(tx, e, &training, out)
	case run.JobFailed:
		training.Status, training.ErrorMessage = trainFailed, job.ErrorMessage
	case run.JobCancelled:
		training.Status = trainCancelled
	default:
		return nil
	}
	training.DeleteAfter = nil
	if job.Status == run.JobFailed {
		training.DeleteAfter = e.Training.DeleteAfter // it may complete late
	}
	return keepTraining(tx, e.ID, &training)
}

func (s *Service) trainingSucceeded(tx *models.Tx, e *Element, training *Training, out learned) error {
	if err := dropVersion(tx, training.Trained); err != nil {
		return err
	}
	remove := training.DeleteAfter
	training.Status, training.TrainedAt, training.ErrorMessage, training.DeleteAfter = trainSucceeded, &tx.Now, nil, nil
	training.Trained = out.trained()
	if training.Trained != nil {
		training.Model = &out.model
	}
	if err := keepTraining(tx, e.ID, training); err != nil {
		return err
	}
	attributes := Attributes{}
	for name, value := range out.attributes {
		attributes[name] = value
	}
	for name, value := range e.Attributes {
		if value != "" {
			attributes[name] = value // only what was empty is set
		}
	}
	text, err := json.Marshal(attributes)
	if err != nil {
		return err
	}
	changes := map[string]any{"attributes": gorm.Expr("?::jsonb", string(text)), "version": gorm.Expr("version + 1"), "updated_at": tx.Now}
	if len(out.palette) > 0 {
		changes["palette"] = out.palette
	}
	if err := tx.Model(&Element{}).Where("id = ?", e.ID).UpdateColumns(changes).Error; err != nil {
		return err
	}
	if err := s.removeTrainedOn(tx, e.ID, remove); err != nil {
		return err
	}
	if err := s.touched(tx, e.ID); err != nil {
		return err
	}
	if e.OrganizationID == nil {
		return nil
	}
	return tx.Audit(*e.OrganizationID, string(e.Kind)+".trained", models.Target{Type: string(e.Kind), ID: e.ID}, models.Fields{"provider": {To: training.Provider}})
}

// removeTrainedOn deletes the pictures that a training used, except for the primary one.
func (s *Service) removeTrainedOn(tx *models.Tx, elementID models.ID, ids []models.ID) error {
	if len(ids) == 0 {
		return nil
	}
	var files []models.ID
	err := tx.Raw(`DELETE FROM element_images WHERE element_id = ? AND id IN ? AND NOT is_primary RETURNING file_id`, elementID, ids).Scan(&files).Error
	if err != nil {
		return err
	}
	return s.Media.RemovePrivate(tx, files...)
}

func readLearned(job *run.Job) learned {
	out := learned{attributes: map[string]string{}}
	if job.Status != run.JobCompleted {
		return out
	}
	for name, to := range map[string]*string{"provider": &out.provider, "model": &out.model, "version": &out.version, "triggerWord": &out.triggerWord} {
		*to, _ = job.OutputData[name].(string)
	}
	attributes, _ := job.OutputData["attributes"].(map[string]any)
	for name, value := range attributes {
		if text, ok := value.(string); ok {
			out.attributes[name] = text
		}
	}
	palette, _ := job.OutputData["palette"].([]any)
	for _, color := range palette {
		if text, ok := color.(string); ok {
			out.palette = append(out.palette, text)
		}
	}
	return out
}

// trained is the model that a provider made; nil for the local training.
func (l learned) trained() *kit.TrainedRef {
	if l.version == "" {
		return nil
	}
	return &kit.TrainedRef{Provider: l.provider, Model: l.model, Version: l.version, TriggerWord: l.triggerWord}
}

// dropVersion has a trained model deleted at its provider.
func dropVersion(tx *models.Tx, t *kit.TrainedRef) error {
	if t == nil {
		return nil
	}
	return removeAtProvider(tx, t.Provider, removesVersion, t.Version)
}
