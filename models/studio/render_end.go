package studio

import (
	"strings"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/run"
)

// rendered is the part of a render that one job is about.
type rendered struct {
	ProductionID models.ID
	// Print is the fingerprint of what the job's node yields; nil when it yields nothing of its own.
	Print *string
}

// renderOf locks the production of a render; nil when it is gone.
func renderOf(tx *models.Tx, executionID models.ID, nodeID string) (*rendered, error) {
	var found []*rendered
	err := tx.Raw(`
		SELECT r.production_id, r.fingerprints ->> ? AS print FROM production_renders r JOIN productions p ON p.id = r.production_id
		WHERE r.execution_id = ? FOR UPDATE OF p`, nodeID, executionID).Scan(&found).Error
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// renderedNode keeps what a node of a render made: as the result of a stage of its shot, or as the
// film. One that failed fails its shot. It may be told of a node again, when it completes late.
func (s *Service) renderedNode(tx *models.Tx, exec *run.Execution, job *run.Job) error {
	shotID, stage, known := nodeNamed(job.NodeID)
	if !known || job.Status != run.JobCompleted && job.Status != run.JobFailed {
		return nil
	}
	of, err := renderOf(tx, exec.ID, job.NodeID)
	if err != nil || of == nil {
		return err
	}
	switch {
	case job.Status == run.JobFailed && stage == CutStage:
		return nil
	case job.Status == run.JobFailed:
		return tx.Exec(`UPDATE shots SET status = ?, error_message = ? WHERE id = ? AND production_id = ? AND execution_id = ?`,
			ShotFailed, job.ErrorMessage, shotID, of.ProductionID, exec.ID).Error
	case of.Print == nil:
		return nil
	case stage == CutStage:
		return keepFilm(tx, of, job)
	}
	address := outputText(job, stageOutputs[stage])
	if address == "" {
		return tx.Exec(`UPDATE shots SET status = ?, error_message = ? WHERE id = ? AND production_id = ? AND execution_id = ?`,
			ShotFailed, "The stage "+string(stage)+" yielded no "+stageOutputs[stage], shotID, of.ProductionID, exec.ID).Error
	}
	things, err := s.Runs.Jobs().ThingsUsed(tx.DB, job.ID)
	if err != nil {
		return err
	}
	return keepResult(tx, exec, of, &ShotResult{
		Things: things,
		ShotID: shotID, Stage: stage, Fingerprint: *of.Print, URL: address, JobID: job.ID, Credits: chargedFor(job), CreatedAt: tx.Now,
		Width: outputInt(job, "width"), Height: outputInt(job, "height"), Duration: outputNumber(job, "duration"),
	})
}

// nodeNamed is the shot and the stage of a node by its id; of the film no shot.
func nodeNamed(id string) (shot models.ID, stage StageName, known bool) {
	if id == cutNode {
		return shot, CutStage, true
	}
	at := strings.LastIndexByte(id, '-')
	if at < 0 {
		return shot, "", false
	}
	shot, err := models.ParseID("id", id[:at])
	if stage = StageName(id[at+1:]); stage == "sound" {
		stage = ClipStage
	}
	return shot, stage, err == nil && stageOutputs[stage] != ""
}

// keepResult keeps the result of a stage, unless a later render made another. The shot is ready
// when all that this render makes of it is there. A clip shows, and lets hear, what the picture and
// the speech do. What comes after the render has ended makes it ready too: the next render goes on
// from there.
func keepResult(tx *models.Tx, exec *run.Execution, of *rendered, result *ShotResult) error {
	err := tx.Exec(`
		INSERT INTO shot_results (shot_id, stage, fingerprint, url, width, height, duration, job_id, credits, created_at, things)
		SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ARRAY(SELECT unnest(?::uuid[]) UNION
			SELECT unnest(r.things) FROM shot_results r WHERE r.shot_id = shots.id AND r.stage <> 'clip' AND ?)
		FROM shots WHERE id = ? AND production_id = ?
		ON CONFLICT (shot_id, stage) DO UPDATE SET fingerprint = excluded.fingerprint, url = excluded.url, width = excluded.width,
			height = excluded.height, duration = excluded.duration, job_id = excluded.job_id, credits = excluded.credits, created_at = excluded.created_at, things = excluded.things
		WHERE shot_results.job_id <= excluded.job_id`,
		result.Stage, result.Fingerprint, result.URL, result.Width, result.Height, result.Duration, result.JobID, result.Credits, result.CreatedAt,
		result.Things, result.Stage == ClipStage, result.ShotID, of.ProductionID).Error
	if err != nil {
		return err
	}
	return tx.Exec(`
		UPDATE shots s SET status = ?, error_message = NULL FROM production_renders r
		WHERE s.id = ? AND s.production_id = r.production_id AND r.execution_id = ? AND s.execution_id = r.execution_id
			AND (? OR s.status = ? AND NOT EXISTS (
				SELECT FROM (VALUES ('image', '-image'), ('speech', '-speech'), ('clip', '-clip'), ('clip', '-sound')) AS n(stage, suffix)
				WHERE r.fingerprints ->> (s.id || n.suffix) IS NOT NULL AND NOT EXISTS (
					SELECT FROM shot_results have WHERE have.shot_id = s.id AND have.stage = n.stage AND have.job_id >= r.execution_id)))`,
		ShotReady, result.ShotID, exec.ID, exec.Finished(), ShotRendering).Error
}

// keepFilm makes what was cut the film of the production.
func keepFilm(tx *models.Tx, of *rendered, job *run.Job) error {
	film := map[string]any{"video_url": outputText(job, stageOutputs[CutStage]), "film_fingerprint": *of.Print, "captions_url": nil, "updated_at": tx.Now}
	if captions := outputText(job, "captionsUrl"); captions != "" {
		film["captions_url"] = captions
	}
	return tx.Model(&Production{}).Where("id = ?", of.ProductionID).UpdateColumns(film).Error
}

// renderEnded closes a render: its shots are at work no more, and the production is what follows
// from what is there now.
func (s *Service) renderEnded(tx *models.Tx, exec *run.Execution) error {
	of, err := renderOf(tx, exec.ID, cutNode)
	if err != nil || of == nil {
		return err
	}
	if err := tx.Model(&Render{}).Where("execution_id = ?", exec.ID).UpdateColumn("ended_at", tx.Now).Error; err != nil {
		return err
	}
	err = tx.Exec(`
		UPDATE shots s SET status = CASE WHEN EXISTS (SELECT FROM shot_results r WHERE r.shot_id = s.id) THEN ? ELSE ? END
		WHERE production_id = ? AND execution_id = ? AND status = ?`, ShotReady, ShotEmpty, of.ProductionID, exec.ID, ShotRendering).Error
	if err != nil {
		return err
	}
	p, err := models.First[Production](tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", of.ProductionID), errNoProduction)
	if err != nil {
		return err
	}
	if err := s.loadShots(tx.DB, p); err != nil {
		return err
	}
	if p.Status = Draft; exec.Status == run.ExecutionFailed && !exec.Cancelled() {
		p.Status = Failed
	}
	if err := s.noteChange(tx, p); err != nil {
		return err
	}
	return tx.Exec(`
		UPDATE productions SET thumbnail_url = (
			SELECT r.url FROM shots s JOIN shot_results r ON r.shot_id = s.id AND r.stage = ? WHERE s.production_id = productions.id AND NOT s.skip
			ORDER BY s.position, s.id LIMIT 1) WHERE id = ?`, ImageStage, p.ID).Error
}

func chargedFor(job *run.Job) models.Credits {
	if job.CreditsCharged == nil {
		return 0
	}
	return *job.CreditsCharged
}

func outputText(job *run.Job, name string) string {
	text, _ := job.OutputData[name].(string)
	return text
}

// outputNumber is a number in a job's output as it came from the node, or from the database.
func outputNumber(job *run.Job, name string) *float64 {
	switch v := job.OutputData[name].(type) {
	case float64:
		return &v
	case int:
		return new(float64(v))
	}
	return nil
}

func outputInt(job *run.Job, name string) *int {
	if v := outputNumber(job, name); v != nil {
		return new(int(*v))
	}
	return nil
}
