package flow

import (
	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// Runs use things of the library, and some work of the library is runs. The
// library lies above this package, so it registers what it does for runs here.

// Purpose is why another area began an execution; empty for runs.
type Purpose string

// The purposes of executions that the library and the studio begin.
const (
	ForPictures Purpose = "generate"
	ForTraining Purpose = "train"
	ForCloning  Purpose = "clone"
	ForPreview  Purpose = "preview"
	// ForBreakdown: a script becomes shots of a production.
	ForBreakdown Purpose = "breakdown"
	// Of whole graphs; see StartGraph.
	ForRender   Purpose = "render"
	ForPipeline Purpose = "pipeline"
)

// runsGraph tells whether the execution is a graph and not a single node.
func (p Purpose) runsGraph() bool { return p == ForRender || p == ForPipeline }

// Wanted is a node of a new run that names things of the library.
type Wanted struct {
	// Path is the node's id; of a node inside a component the ids on the way to it, with slashes.
	Path string
	// Type is the node's, AskedType the one that its presets are of; Provider does the work:
	// local is this install. Data are its settings.
	Type, AskedType, Provider string
	Data                      map[string]any
	// At begins the field in refusals, such as nodes.a.data.; empty for a single node.
	At      string
	IDs     []WantedID
	Handles []WantedHandle
}

// WantedID is one thing that a field of a node names.
type WantedID struct {
	kit.Named
	// By: what an author saved is found by the author's reach, else by the runner's.
	By space.Principal
}

// WantedHandle is a word behind an @ in a text, without it; it may be no handle.
type WantedHandle struct {
	Handle string
	By     space.Principal
}

// LookedUp is what a node names of the library.
type LookedUp struct {
	// Refs are what it may use, Refusal why it may not use something else.
	Refs    *kit.Refs
	Refusal error
	// Facts tell all that it names as it is now: they change with it. They are the same whoever asks.
	Facts  []string
	Things []models.ID
}

// JobRefs are what a job may use of the library, by the paths of its nodes.
type JobRefs map[string]*kit.Refs

// LibraryUse is an element, preset or voice that a new execution uses.
type LibraryUse struct {
	ThingID, ExecutionID, JobID, UserID models.ID
	WorkflowID                          *models.ID
}

// Library is what runs ask of the library.
type Library interface {
	// FindReferences is asked once for a run that names anything; it refuses with
	// validation_error, naming the field. The answer has an entry for each path.
	FindReferences(tx *models.Tx, wanted []Wanted) (JobRefs, error)
	// LookUp finds the same for whoever only looks, by path; nothing is refused.
	LookUp(q *gorm.DB, wanted []Wanted) (map[string]*LookedUp, error)
	// StillUsable is asked before a job begins that uses somebody's face or voice; it
	// refuses with the reason.
	StillUsable(tx *models.Tx, refs *kit.Refs) error
	// NoteUses writes down what executions that begin use, NoteHow how a job did.
	NoteUses(tx *models.Tx, uses []LibraryUse) error
	NoteHow(tx *models.Tx, executionID models.ID, how map[string]string) error
}

// hooks are what other areas do for runs.
type hooks struct {
	library Library
	// workflow is told what happens to one; see OnWorkflow.
	workflow []func(*models.Tx, models.ID) error

	ended map[Purpose]func(*models.Tx, *Execution, *Job) error
	// finished is called when the execution ends.
	finished map[Purpose]func(*models.Tx, *Execution) error
}

// SetLibrary registers the library.
func (s *Service) SetLibrary(library Library) { s.hooks.library = library }

// OnJobEnded registers what follows when a job of an execution with this purpose has
// completed, failed or was cancelled, in the same transaction, with the execution locked. A
// job that failed may complete later: then it is called again.
func (s *Service) OnJobEnded(purpose Purpose, then func(*models.Tx, *Execution, *Job) error) {
	if s.hooks.ended == nil {
		s.hooks.ended = map[Purpose]func(*models.Tx, *Execution, *Job) error{}
	}
	s.hooks.ended[purpose] = then
}

// jobEnded tells whoever began the execution that its job has ended.
func (s *Service) jobEnded(tx *models.Tx, exec *Execution, job *Job) error {
	if then := s.hooks.ended[exec.Purpose]; exec.Purpose != "" && then != nil {
		return then(tx, exec, job)
	}
	return nil
}

// OnExecutionEnded registers what follows when an execution with this purpose has completed,
// failed or was cancelled, in the same transaction, with the execution locked: once, behind
// what follows when its last job ends. A job of it may complete later all the same.
func (s *Service) OnExecutionEnded(purpose Purpose, then func(*models.Tx, *Execution) error) {
	if s.hooks.finished == nil {
		s.hooks.finished = map[Purpose]func(*models.Tx, *Execution) error{}
	}
	s.hooks.finished[purpose] = then
}

// executionEnded tells whoever began the execution that it has ended.
func (s *Service) executionEnded(tx *models.Tx, exec *Execution) error {
	if then := s.hooks.finished[exec.Purpose]; exec.Purpose != "" && then != nil {
		return then(tx, exec)
	}
	return nil
}
