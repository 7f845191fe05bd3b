package library

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/media"
	"atelier/models/run"
	"atelier/nodes/kit"
)

// pictureRefs are the pictures of elements as jobs use them, the primary one first, in two
// statements for any number of elements. Those that wait for a consent are left out.
func (s *Service) pictureRefs(q *gorm.DB, elements []*Element) (map[models.ID][]kit.PictureRef, error) {
	ids := make([]models.ID, len(elements))
	for i, e := range elements {
		ids[i] = e.ID
	}
	var images []*Image
	if err := q.Where("element_id IN ? AND NOT awaits_consent", ids).Order("id").Find(&images).Error; err != nil || len(images) == 0 {
		return nil, err
	}
	slices.SortStableFunc(images, func(a, b *Image) int { return cmp.Compare(rank(a), rank(b)) })
	fileIDs := make([]models.ID, len(images))
	for i, image := range images {
		fileIDs[i] = image.FileID
	}
	files, err := s.Media.PrivateFiles(q, fileIDs...)
	if err != nil {
		return nil, err
	}
	refs := map[models.ID][]kit.PictureRef{}
	for _, image := range images {
		if file := files[image.FileID]; file != nil {
			refs[image.ElementID] = append(refs[image.ElementID], pictureRef(image, file))
		}
	}
	return refs, nil
}

func rank(image *Image) int {
	if image.IsPrimary {
		return 0
	}
	return 1
}

func pictureRef(image *Image, file *media.File) kit.PictureRef {
	ref := kit.PictureRef{Address: "kept:" + file.ID.String(), Role: string(image.Role), ContentType: file.ContentType}
	if file.Width != nil && file.Height != nil {
		ref.Width, ref.Height = *file.Width, *file.Height
	}
	return ref
}

// StillUsable refuses what depicts a person who does not consent any more, or is gone, with the reason.
func (s *Service) StillUsable(tx *models.Tx, refs *kit.Refs) error {
	names, ids := map[models.ID]string{}, []models.ID{}
	look := func(e *kit.ElementRef) {
		if e == nil || !e.DepictsPerson {
			return
		}
		if id, err := models.ParseID("id", e.ID); err == nil {
			names[id], ids = e.Name, append(ids, id)
		}
	}
	for i := range refs.Elements {
		look(&refs.Elements[i])
	}
	look(refs.Face)
	if len(ids) > 0 {
		if err := s.elementsUsable(tx, names, ids); err != nil {
			return err
		}
	}
	if refs.Voice == nil || !refs.Voice.DepictsPerson {
		return nil
	}
	id, err := models.ParseID("id", refs.Voice.ID)
	if err != nil {
		return err
	}
	v, err := models.First[Voice](tx.Where("id = ?", id), nil)
	if err != nil {
		return err
	}
	if v == nil {
		return models.Err(models.CodeValidation, "The voice is not there any more")
	}
	if err := s.loadVoiceConsents(tx.Context(), v); err != nil {
		return err
	}
	if why := v.consentState().refusal(tx.Now); why != nil {
		return models.Err(models.CodeValidation, "%s %s", v.Name, why)
	}
	return nil
}

func (s *Service) elementsUsable(tx *models.Tx, names map[models.ID]string, ids []models.ID) error {
	var found []*Element
	if err := tx.Where("id IN ?", ids).Find(&found).Error; err != nil {
		return err
	}
	if err := s.loadConsents(tx.Context(), found...); err != nil {
		return err
	}
	for _, e := range found {
		if why := usable(e, tx.Now); why != nil {
			return models.Err(models.CodeValidation, "%s %s", e.Name, why)
		}
		delete(names, e.ID)
	}
	for _, id := range ids {
		if name, gone := names[id]; gone {
			return models.Err(models.CodeValidation, "%s is not there any more", name)
		}
	}
	return nil
}

// NoteUses writes down what new executions use. Nothing of the things themselves is
// touched: CountUses adds up later.
func (s *Service) NoteUses(tx *models.Tx, uses []run.LibraryUse) error {
	var things, executions, jobs, users []models.ID
	var workflows []*models.ID
	for _, u := range uses {
		things, executions, jobs = append(things, u.ThingID), append(executions, u.ExecutionID), append(jobs, u.JobID)
		users, workflows = append(users, u.UserID), append(workflows, u.WorkflowID)
	}
	_, err := tx.Run(`
		INSERT INTO element_uses (element_id, execution_id, job_id, user_id, workflow_id, created_at)
		SELECT u.*, $6 FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) AS u
		ON CONFLICT DO NOTHING`, things, executions, jobs, users, workflows, tx.Now)
	return err
}

// NoteHow writes down how a job used elements.
func (s *Service) NoteHow(tx *models.Tx, executionID models.ID, how map[string]string) error {
	var ids []models.ID
	var words []string
	for text, word := range how {
		if id, err := models.ParseID("id", text); err == nil {
			ids, words = append(ids, id), append(words, word)
		}
	}
	_, err := tx.Run(`
		UPDATE element_uses u SET how = n.how FROM unnest($2::uuid[], $3::text[]) AS n(id, how)
		WHERE u.execution_id = $1 AND u.element_id = n.id`, executionID, ids, words)
	return err
}

// usesCounted is how many uses one transaction of CountUses adds up.
const usesCounted = 5_000

// CountUses adds new uses to the counts of elements, presets and voices, which
// runs leave alone so that they do not wait for each other.
func (s *Service) CountUses(ctx context.Context) error {
	for {
		var counted int
		err := s.DB.Write(ctx, func(tx *models.Tx) error {
			return tx.Raw(`
				WITH fresh AS (
					SELECT element_id, execution_id FROM element_uses WHERE NOT counted
					ORDER BY element_id, execution_id LIMIT ? FOR UPDATE SKIP LOCKED
				), marked AS (
					UPDATE element_uses u SET counted = true FROM fresh f WHERE u.element_id = f.element_id AND u.execution_id = f.execution_id
				), n AS (
					SELECT element_id AS id, count(*)::int AS uses FROM fresh GROUP BY element_id
				), of_elements AS (
					UPDATE elements e SET use_count = use_count + n.uses FROM n WHERE e.id = n.id
				), of_presets AS (
					UPDATE node_presets p SET use_count = use_count + n.uses FROM n WHERE p.id = n.id
				), of_voices AS (
					UPDATE voices v SET use_count = use_count + n.uses FROM n WHERE v.id = n.id
				)
				SELECT count(*) FROM fresh`, usesCounted).Scan(&counted).Error
		})
		if err != nil || counted < usesCounted {
			return err
		}
	}
}

// inTx is a savepoint of a transaction: what is refused within it goes back alone.
func (s *Service) inTx(tx *models.Tx, fn func(*models.Tx) error) error {
	return s.DB.Write(tx.Context(), fn)
}
