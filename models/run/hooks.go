package run

import (
	"context"
	"maps"
	"slices"
	"time"

	"atelier/models"
)

// RegisterRunHooks has the areas below ask runs where their work touches them: what the components of a workflow cost, what goes
// with a deleted account, and when a workspace's members last ran something.
func (s *Service) RegisterHooks() {
	s.Flows.ComponentsCost = s.componentsCost
	s.Orgs.ShowWithWorkspaceMembers(s.lastRun)
	s.Accounts.OnDelete("run: soon all runs", eraseSoon)
	s.Accounts.OnClosing("run: runs and files", s.countRuns)
}

// lastRun is when a listed member's newest execution in the workspace was made. Where runs lie on other servers, those of all
// members are read before any member is.
func (s *Service) lastRun(workspaceID models.ID) string {
	if s.DB.Spread() {
		workspace := "'" + workspaceID.String() + "'"
		return `(SELECT l.at FROM (SELECT account_id, max(created_at) AS at FROM executions WHERE workspace_id = ` + workspace + ` AND shard_fits_space(shard, ` + workspace + `)
			GROUP BY account_id) l WHERE l.account_id = m.user_id) AS last_run_at`
	}
	return `(SELECT e.created_at FROM executions e WHERE e.workspace_id = m.workspace_id AND e.account_id = m.user_id
		ORDER BY e.id DESC LIMIT 1) AS last_run_at`
}

// hooks are what other areas do for runs.
type hooks struct {
	library Library
	// monthDropped follows the runs of a month; see OnMonthDropped.
	monthDropped models.Hooks[func(ctx context.Context, from, until time.Time) error]

	// ended is called when a job ends.
	ended map[Purpose]models.Hook[func(*models.Tx, *Execution, *Job) error]
	// finished is called when the execution ends.
	finished map[Purpose]models.Hook[func(*models.Tx, *Execution) error]
}

// SetLibrary registers the library.
func (s *Service) SetLibrary(library Library) { s.hooks.library = library }

// OnJobEnded registers what follows when a job of an execution with this purpose has
// completed, failed or was cancelled, in the same transaction, with the execution locked. A
// job that failed may complete later: then it is called again.
func (s *Service) OnJobEnded(purpose Purpose, name string, do func(*models.Tx, *Execution, *Job) error) {
	if s.hooks.ended == nil {
		s.hooks.ended = map[Purpose]models.Hook[func(*models.Tx, *Execution, *Job) error]{}
	}
	s.hooks.ended[purpose] = models.Hook[func(*models.Tx, *Execution, *Job) error]{Name: name, Do: do}
}

// jobEnded tells the area that began the execution that its job has ended.
func (s *Service) jobEnded(tx *models.Tx, exec *Execution, job *Job) error {
	if hook, found := s.hooks.ended[exec.Purpose]; found {
		return hook.Failed(hook.Do(tx, exec, job))
	}
	return nil
}

// OnExecutionEnded registers what follows when an execution with this purpose has completed,
// failed or was cancelled, in the same transaction, with the execution locked: once, behind
// what follows when its last job ends. A job of it may complete later all the same.
func (s *Service) OnExecutionEnded(purpose Purpose, name string, do func(*models.Tx, *Execution) error) {
	if s.hooks.finished == nil {
		s.hooks.finished = map[Purpose]models.Hook[func(*models.Tx, *Execution) error]{}
	}
	s.hooks.finished[purpose] = models.Hook[func(*models.Tx, *Execution) error]{Name: name, Do: do}
}

// executionEnded tells the area that began the execution that it has ended.
func (s *Service) executionEnded(tx *models.Tx, exec *Execution) error {
	if hook, found := s.hooks.finished[exec.Purpose]; found {
		return hook.Failed(hook.Do(tx, exec))
	}
	return nil
}

// OnMonthDropped registers what else happens before the runs of a month go, whose files are gone already, and behind it where
// organizations keep no longer some of its runs. It is called again where the month could not be dropped.
func (s *Service) OnMonthDropped(name string, do func(ctx context.Context, from, until time.Time) error) {
	s.hooks.monthDropped.Add(name, do)
}

// RunHookPoints lists who follows what.
func (s *Service) HookPoints() []models.HookPoint {
	points := []models.HookPoint{{Event: "the runs of a month are dropped", Hooks: s.hooks.monthDropped.Names()}}
	for _, purpose := range slices.Sorted(maps.Keys(s.hooks.ended)) {
		points = append(points, models.HookPoint{Event: "a job ends whose purpose is " + string(purpose), Hooks: []string{s.hooks.ended[purpose].Name}})
	}
	for _, purpose := range slices.Sorted(maps.Keys(s.hooks.finished)) {
		points = append(points, models.HookPoint{Event: "an execution ends whose purpose is " + string(purpose), Hooks: []string{s.hooks.finished[purpose].Name}})
	}
	return points
}
