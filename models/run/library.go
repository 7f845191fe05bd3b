package run

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

// Reference is a node of a new run that names things of the library.
type Reference struct {
	// Path is the node's id; of a node inside a component the ids on the way to it, with slashes.
	Path string
	// Type is the node's, AskedType the one that its presets are of; Provider does the work:
	// local is this install. Data are its settings.
	Type, AskedType, Provider string
	Data                      map[string]any
	// At begins the field in refusals, such as nodes.a.data.; empty for a single node.
	At      string
	IDs     []ReferenceID
	Handles []ReferenceHandle
}

// ReferenceID is one thing that a field of a node names.
type ReferenceID struct {
	kit.Named
	// By: what an author saved is found by the author's reach, else by the runner's.
	By space.Principal
}

// ReferenceHandle is a word behind an @ in a text, without it; it may be no handle.
type ReferenceHandle struct {
	Handle string
	By     space.Principal
}

// LookedUp is what a node names of the library.
type LookedUp struct {
	// Refs are what it may use, Refusal why it may not use something else.
	Refs    *kit.Refs
	Refusal error
	// Facts tell all that it names as it is now: they change with it. They are the same no matter who asks.
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
	FindReferences(tx *models.Tx, wanted []Reference) (JobRefs, error)
	// LookUp finds the same for anyone who only looks, by path; nothing is refused.
	LookUp(q *gorm.DB, wanted []Reference) (map[string]*LookedUp, error)
	// StillUsable is asked before a job begins that uses a person's face or voice; it
	// refuses with the reason.
	StillUsable(tx *models.Tx, refs *kit.Refs) error
	// NoteUses writes down what executions that begin use, NoteHow how a job did.
	NoteUses(tx *models.Tx, uses []LibraryUse) error
	NoteHow(tx *models.Tx, executionID models.ID, how map[string]string) error
}
