package library

import (
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/run"
)

// generationEnded brings what a job has made of an element into it: its pictures, and what was
// found out about it. A job that failed leaves an element without pictures as failed.
func (s *Service) generationEnded(tx *models.Tx, _ *run.Execution, job *run.Job) error {
	e, err := elementOfJob(tx, job)
	if err != nil || e == nil {
		return err
	}
	if job.Status == run.JobCompleted {
		job.OutputData[e.Kind.idField()] = e.ID.String()
		err := s.inTx(tx, func(tx *models.Tx) error { return s.takePictures(tx, e, job) })
		if _, refused := models.AsError(err); err == nil || !refused { // without room the pictures stay with the job
			return err
		}
	}
	if e.Status != Generating {
		return nil
	}
	return tx.Model(&Element{}).Where("id = ? AND NOT EXISTS (SELECT 1 FROM element_images WHERE element_id = elements.id)", e.ID).
		UpdateColumns(map[string]any{"status": Failed, "updated_at": tx.Now}).Error
}

// elementOfJob locks the element that a job was begun for; nil when it is gone.
func elementOfJob(tx *models.Tx, job *run.Job) (*Element, error) {
	of, err := models.First[libraryJob](tx.Where("job_id = ?", job.ID), nil)
	if err != nil || of == nil || of.ElementID == nil {
		return nil, err
	}
	return models.First[Element](tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", *of.ElementID), nil)
}

// madePicture is one entry of images in a generator's output.
type madePicture struct{ role, url string }

func picturesIn(out map[string]any) (all []madePicture) {
	entries, _ := out["images"].([]any)
	for _, entry := range entries {
		of, _ := entry.(map[string]any)
		role, _ := of["role"].(string)
		if url, _ := of["url"].(string); url != "" {
			all = append(all, madePicture{role, url})
		}
	}
	return all
}

// takePictures copies the pictures of a job into its element as private files, the first as
// the primary one where it has none.
func (s *Service) takePictures(tx *models.Tx, e *Element, job *run.Job) error {
	made := picturesIn(job.OutputData)
	urls := make([]string, len(made))
	for i, picture := range made {
		urls[i] = picture.url
	}
	files, err := s.Media.FilesAt(tx.DB, urls)
	if err != nil {
		return err
	}
	var have int64
	if err := tx.Model(&Image{}).Where("element_id = ?", e.ID).Count(&have).Error; err != nil {
		return err
	}
	var images []*Image
	for _, picture := range made {
		file := files[picture.url]
		if file == nil || int(have)+len(images) >= MaxElementImages {
			continue
		}
		kept, err := s.Media.CopyPrivate(tx, e.OwnerID, e.WorkspaceID, file)
		if err != nil {
			return err
		}
		role, caption := roleOf(picture.role)
		images = append(images, &Image{
			ID: tx.NewID(), ElementID: e.ID, FileID: kept.ID, Role: role, Caption: caption, IsPrimary: have == 0 && len(images) == 0,
			JobID: &job.ID, CreatedAt: tx.Now,
		})
	}
	if len(images) > 0 {
		if err := tx.Create(images).Error; err != nil {
			return err
		}
		if err := s.touched(tx, e.ID); err != nil {
			return err
		}
	}
	return e.learn(tx, job, int(have)+len(images) > 0)
}

// roleOf is the role of a view, and what it shows where the role does not say it.
func roleOf(view string) (ImageRole, string) {
	switch view {
	case "portrait", "front", "side", "back":
		return ImageRole(view), ""
	case "happy", "sad", "surprised", "angry":
		return Expression, view
	}
	return Variation, view
}

// learn takes over what a generator found out, where the element did not know it.
func (e *Element) learn(tx *models.Tx, job *run.Job, shown bool) error {
	if e.Status == Generating {
		if e.Status = Failed; shown {
			e.Status = Ready
		}
	}
	if found, ok := job.OutputData["attributes"].(map[string]any); ok {
		all := e.Attributes.Map()
		for name, value := range found {
			if text, _ := value.(string); text != "" && e.Attributes[name] == "" {
				all[name] = text
			}
		}
		if clean, err := cleanAttributes(e.Kind, all); err == nil {
			e.Attributes = clean
		}
	}
	if colors, ok := job.OutputData["palette"].([]any); ok && len(e.Palette) == 0 {
		for _, color := range colors[:min(len(colors), maxPalette)] {
			if text, _ := color.(string); text != "" {
				e.Palette = append(e.Palette, text)
			}
		}
	}
	e.UpdatedAt = tx.Now
	return tx.Model(e).Select("status", "attributes", "palette", "updated_at").Updates(e).Error
}
