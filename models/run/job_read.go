package run

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"atelier/models"
)

// maxJobs is the size of a page and of a batch of jobs (contract 1, "Limits").
const maxJobs = 100

// Find reads a job of the actor's account.
func (s Jobs) Find(ctx context.Context, id models.ID) (*Job, error) {
	query, err := s.run.readableJobs(ctx)
	if err != nil {
		return nil, err
	}
	return models.First[Job](query.Where(models.FitsID("id", id)), models.NotFound("Job"))
}

// List reads the account's jobs, newest first; status, in the contract's
// words, and a workspace narrow them unless they are nil.
func (s Jobs) List(ctx context.Context, page models.Page, status *JobStatus, workspaceID *models.ID) (*models.Connection[*Job], error) {
	query, err := s.run.readableJobs(ctx)
	if err != nil {
		return nil, err
	}
	name := "jobs:" + models.ActorFrom(ctx).UserID.String()
	if app := models.ActorFrom(ctx).OfApp(); app != nil {
		name += " of " + app.String()
	}
	if status != nil {
		query, name = query.Where("status IN ?", status.stored()), name+" "+string(*status)
	}
	if workspaceID != nil {
		query, name = query.Where("workspace_id = ? AND shard_fits_space(shard, ?)", *workspaceID, *workspaceID), name+" "+workspaceID.String()
	}
	list := models.List[*Job]{Name: name, Most: maxJobs, Position: func(j *Job) string { return j.ID.String() }}
	if leavesOut(ctx) {
		query = query.Select(jobColumnsListed)
	} else {
		list.Heavy = &heavyJobs
	}
	return models.ListPage(s.run.DB, list, page, query, models.NewestFirst("id"))
}

// jobColumnsListed are a job's columns for lists that leave out what it worked on and what it yields.
var jobColumnsListed = append(slices.Clone(jobColumnsWithoutData), "credits_absorbed", "erased_at")

// maxShownInputs bounds the inputs of jobs that are read together, as they are stored.
const maxShownInputs = 1 << 20

// jobColumnsWithin are a job's columns where several are read that have no pages: what they
// worked on and what they yielded as far as it fits, in an order. A job that is read by
// itself has all.
func jobColumnsWithin(order string) []string {
	return append(slices.Clone(jobColumnsListed),
		fmt.Sprintf("CASE WHEN sum(coalesce(pg_column_size(input_data), 0)) OVER (ORDER BY %s) <= %d THEN input_data END AS input_data", order, maxShownInputs),
		fmt.Sprintf("CASE WHEN sum(output_size) OVER (ORDER BY %s) <= %d THEN output_data END AS output_data", order, 2*models.MaxPageBytes))
}

// heavyJobs are jobs with what they worked on and what they yielded.
var heavyJobs = models.Heavy[*Job]{
	ID: "id", Stored: "coalesce(pg_column_size(input_data), 0) + coalesce(pg_column_size(output_data), 0)", Bytes: (*Job).bytes,
}

// bytes is about how large the job is as JSON.
func (j *Job) bytes() int {
	most := models.JSONSize{Bytes: 1 << 30, Values: 1 << 30}
	return models.SizeOfJSON(map[string]any(j.InputData), most).Bytes + models.SizeOfJSON(map[string]any(j.OutputData), most).Bytes
}

type leftOutKey struct{}

// LeavingOut is a context whose lists leave out what makes their rows large: the inputs and
// outputs of jobs.
func LeavingOut(ctx context.Context) context.Context {
	return context.WithValue(ctx, leftOutKey{}, true)
}

func leavesOut(ctx context.Context) bool { return ctx.Value(leftOutKey{}) != nil }

// Bounds of Jobs.Recent: how many are shown, and among how many of the last ones they are looked for.
const (
	maxRecent     = 50
	usualRecent   = 12
	lookedThrough = 500
)

// Recent are the newest of the account's jobs of a node type, newest first, at most 50, in all spaces or in one
// workspace. They are looked for among its last 500, so that a type that was used long ago costs no search.
func (s Jobs) Recent(ctx context.Context, nodeType string, limit *int, workspaceID *models.ID) ([]*Job, error) {
	query, err := s.run.readableJobs(ctx)
	if err != nil {
		return nil, err
	}
	most := usualRecent
	if limit != nil {
		most = *limit
	}
	if most < 1 || most > maxRecent {
		return nil, models.Invalid("first", "must be from 1 to %d", maxRecent)
	}
	moved, _ := s.run.Flows.Catalogue.InPlaceOf(nodeType, nil)
	last := query.Model(&Job{}).Order("id DESC").Limit(lookedThrough)
	found := s.run.DB.Read(ctx).Table("(?) AS jobs", last).Where("job_type IN ?", []string{nodeType, moved})
	if workspaceID != nil {
		found = found.Where("workspace_id = ?", *workspaceID)
	}
	jobs := []*Job{}
	return jobs, found.Select(jobColumnsWithin("id DESC")).Order("id DESC").Limit(most).Find(&jobs).Error
}

// maxHeld is how many held jobs are shown in one place.
const maxHeld = 50

// Held are the caller's own jobs in a workspace that wait for their review,
// the oldest first, at most 50.
func (s Jobs) Held(ctx context.Context, workspaceID models.ID) ([]*Job, error) {
	query, err := s.run.readableJobs(ctx)
	if err != nil {
		return nil, err
	}
	held := []*Job{}
	return held, query.Select(jobColumnsWithin("id")).Where("workspace_id = ? AND status = 'pending_review' AND shard_fits_space(shard, ?)", workspaceID, workspaceID). // the value makes the plan
																						Order("id").Limit(maxHeld).Find(&held).Error
}

// CountHeld is how many of the caller's own jobs in workspaces are held for review, by workspace.
func CountHeld(ctx context.Context, s *Service, workspaceIDs []models.ID) (map[models.ID]int, error) {
	query, err := s.readableJobs(ctx)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		WorkspaceID models.ID
		Held        int
	}
	err = query.Model(&Job{}).Select("workspace_id, count(*) AS held").Where("workspace_id IN ? AND status = 'pending_review'", workspaceIDs).
		Group("workspace_id").Scan(&rows).Error
	held := make(map[models.ID]int, len(rows))
	for _, row := range rows {
		held[row.WorkspaceID] = row.Held
	}
	return held, err
}

// Begun tells which jobs a worker has taken and not ended yet. Whether the caller may
// see them is the caller's affair.
func (s Jobs) Begun(ctx context.Context, ids ...models.ID) (map[models.ID]bool, error) {
	begun := map[models.ID]bool{}
	if len(ids) == 0 {
		return begun, nil
	}
	var found []models.ID
	err := s.run.DB.Read(ctx).Model(&Job{}).Where(models.FitsIDs("id", ids)).Where("status = ?", JobProcessing).Pluck("id", &found).Error
	for _, id := range found {
		begun[id] = true
	}
	return begun, err
}

// ByID reads up to 100 jobs in the order of ids; unknown ones are left out. Those that
// yielded more than twice a page together are payload_too_large.
func (s Jobs) ByID(ctx context.Context, ids []models.ID) ([]*Job, error) {
	query, err := s.run.readableJobs(ctx)
	if err != nil {
		return nil, err
	}
	if len(ids) > maxJobs {
		return nil, models.Invalid("ids", "must be at most %d", maxJobs)
	}
	jobs := []*Job{}
	if len(ids) == 0 {
		return jobs, nil
	}
	var found []*Job
	if err := query.Select(jobColumnsWithin("id")).Where(models.FitsIDs("id", ids)).Find(&found).Error; err != nil {
		return nil, err
	}
	if sizeOfOutputs(found) > 2*models.MaxPageBytes {
		return nil, models.Err(models.CodePayloadTooLarge, "What these jobs yielded is larger than %d MiB together: ask for fewer at once", 2*models.MaxPageBytes>>20)
	}
	byID := make(map[models.ID]*Job, len(found))
	for _, job := range found {
		byID[job.ID] = job
	}
	for _, id := range ids {
		if job := byID[id]; job != nil {
			jobs = append(jobs, job)
			delete(byID, id)
		}
	}
	return jobs, nil
}

func sizeOfOutputs(jobs []*Job) (size int) {
	for _, job := range jobs {
		size += job.OutputSize
	}
	return size
}

// readableJobs are ownJobs for reading them.
func (s *Service) readableJobs(ctx context.Context) (*gorm.DB, error) {
	if err := models.ActorFrom(ctx).RequireAccount(models.ScopeJobsRead); err != nil {
		return nil, err
	}
	return s.ownJobs(ctx)
}

// ownJobs are the jobs of the actor's account, for a restricted token those of
// its workflows alone, and for a connected app those of what it started.
func (s *Service) ownJobs(ctx context.Context) (*gorm.DB, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireAccount(models.Unscoped); err != nil {
		return nil, err
	}
	query := ofApp(s.DB.Read(ctx), actor).Where("account_id = ? AND erased_at IS NULL", actor.UserID)
	if actor.Restricted() {
		query = query.Where("EXISTS (SELECT 1 FROM executions e WHERE e.id = jobs.execution_id AND shards_match(e.shard, jobs.shard) AND e.account_id = ? AND e.workflow_id IN ?)",
			actor.UserID, actor.WorkflowIDs)
	}
	return query, nil
}
