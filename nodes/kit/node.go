// Package kit is what types of nodes are made of: the descriptor (contract 1, "Node descriptor"), the schemas of its
// settings and what checks them (Validate, ValidateData), the call that runs a type (Do), and what types do their work
// with: files, pictures, programs and providers outside. It knows no type; package nodes has them.
package kit

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"atelier/models"
)

// Pool names the workers that run a node, so that slow work never holds up cheap work.
type Pool string

// The pools.
const (
	Cheap    Pool = "cheap"    // text and data, milliseconds
	Program  Pool = "program"  // what a user wrote, and work that grows faster than its input: seconds at most
	Media    Pool = "media"    // pixels and media programs, seconds to minutes of a core
	Provider Pool = "provider" // waits on something outside
	Import   Pool = "import"   // brings whole videos here, a few at once for an account
)

// Node is one entry of the catalogue: what it is, what it costs, and the
// function that does its work.
type Node struct {
	Type, Label, Category, Description string
	// OutputType is image, video, audio, text or data.
	OutputType string
	// Providers are the names that the field provider accepts, none for most.
	Providers []string
	// Capabilities are names of what the type can do, such as text-to-image.
	Capabilities []string
	InputSchema  Schema
	// Cost is of one run. Meters: what Spent says may be more; see Metered.
	Cost   models.Credits
	Meters bool
	// Prices is what one run on these settings costs, where that is not Cost, or the price of
	// the model that does the work (nil: this install does). PricedBy are the fields beside
	// provider and model that decide it; they are set on the node and fed by nothing.
	Prices   func(input map[string]any, model *Model) models.Credits
	PricedBy []string
	// MainInput is the field that an edge without targetHandle feeds.
	MainInput string
	// MainOutput is the output key that an edge without sourceHandle carries.
	MainOutput string
	// Inline makes POST /v1/<type> answer synchronously; see also RunsInline.
	Inline bool
	Pool   Pool
	// NamesInputs says that the node names parameters of its own, which edges feed by their names.
	NamesInputs bool
	// Templates says that placeholders in the node's texts are its own, whatever they name.
	Templates bool
	// Destinations are the dotted fields that name where an outbound node sends
	// or fetches and with what; no override may touch them (locked_field).
	Destinations []string
	// Written are further fields that no override may touch, for they would be
	// sent beside or instead of what the author wrote. fed tells which fields
	// other nodes feed. nil: none.
	Written func(data map[string]any, fed func(field string) bool) []string
	// Control marks what the engine does by itself: groups, triggers,
	// components. Exactly these have no Run.
	Control bool
	// Internal types are begun by other areas alone: they are in no catalogue, have no
	// route, and no workflow may hold them.
	Internal bool
	// Lax accepts any data when a workflow is saved; what cannot be read is
	// found later (contract 2, "Schedule firing rules" 4).
	Lax bool
	// Check finds what the schema cannot say, such as a pattern that does not
	// compile; Validate calls it on settings whose form is right.
	Check func(prefix string, input map[string]any) error
	// Run does the work on settings that Do has completed and checked.
	Run func(ctx context.Context, in *Call) (Output, error)

	// Lay puts what the things of the library decide under the settings of a
	// call, before defaults fill them; nil: nothing.
	Lay func(in *Call) error
	// Remote does the work by a provider outside; by the provider's name.
	Remote map[string]RemoteRun
	// Chooses is who does the work, where more than the field provider decides it; refuses
	// finds what the install cannot do of what is asked.
	Chooses func(n *Node, input map[string]any) string
	Refuses func(n *Node, prefix string, input map[string]any) error
	// ModelsOf is the type whose models do the work where the install names none for this one.
	ModelsOf string
	// RemoteFields are settings that only providers outside have.
	RemoteFields Properties
	// models are what the install's providers can do for the type; see Offer.
	models    []Model
	providers *Providers
}

// RunsInline tells whether runs do the node within their transactions. Its work is
// linear in its input, and takes microseconds, a few milliseconds for the
// largest; anything else waits in a pool for a worker.
func (n *Node) RunsInline() bool { return n.Inline && n.Pool == Cheap }

// Call is one run of one node.
type Call struct {
	// Input holds the node's fields with edges, mappings and overrides applied.
	Input map[string]any
	Media MediaStore
	// HTTP is the guarded client for everything that leaves: it refuses
	// addresses that are not public and follows no redirect.
	HTTP *http.Client
	// Progress takes 0 to 100; nil when no one listens.
	Progress func(percent int)
	Now      time.Time
	// Attempt counts from 1.
	Attempt int
	// State is what an earlier Pause, or Keep, kept, nil on the first call.
	State json.RawMessage
	// Keep commits State in the middle of a call: what is kept is there when the
	// node is taken up again after a crash. Its errors are to be returned as they are.
	Keep func(ctx context.Context, state json.RawMessage) error
	// Spent takes what the run really cost: less than its Price or, of a Metered one, more.
	Spent func(models.Credits)
	// Late asks for the result of a job that has ended without one; nothing is begun again.
	Late bool

	// Refs are the things of the library that the node uses; nil: none.
	Refs *Refs

	// ExecutionID and WorkflowID say whose run it is; both are empty for a
	// single node that runs outside a workflow.
	ExecutionID, WorkflowID string
	// Credential finds the credential that credentialId names. It refuses with
	// a Failure one that this run may not use (contract 2, "Webhook-output node
	// and credentials" 3). nil means that there are none.
	Credential func(ctx context.Context, id string) (*Credential, error)
	// OpenHeader opens a sealed header for the host (see HostOf) that is asked;
	// ok is false for one that was sealed for another owner or host. nil opens none.
	OpenHeader func(ctx context.Context, sealed, host string) (value string, ok bool, err error)

	// Providers are those of the install, of a type that they can do.
	Providers *Providers
	// Voice speaks; nil for the one that the node's own fields name.
	Voice *speaking
	// room is what it holds of pictures; nil: nothing is counted.
	room *room
}

// Output is what a node yields. Media results come under url and imageUrl,
// videoUrl or audioUrl, texts under text, everything else under data or names
// of its own (width, height, duration, status, ...).
type Output map[string]any

// Pause, returned as an error, ends a call without ending the node: it holds
// no worker, and Do is called again at Until with State.
type Pause struct {
	Until time.Time
	State json.RawMessage
	// Pool is where the node is taken up again, empty for where it was.
	Pool Pool
}

func (p *Pause) Error() string { return "paused until " + p.Until.Format(time.RFC3339) }

// Failure, returned as an error, ends the node as failed with the job's
// error_message and error_hint. Any other error is a fault of ours.
type Failure struct {
	Message, Hint string
	// Late is the state with which a provider may still be asked for the result
	// (see Call.Late), nil when there is nothing to come.
	Late json.RawMessage
}

func (f *Failure) Error() string { return f.Message }

// MediaStore opens and keeps the files of this install.
type MediaStore interface {
	// Open reads a URL of this install's files, or fetches another through the
	// guarded client.
	Open(ctx context.Context, url string) (io.ReadCloser, MediaInfo, error)
	// Save keeps a file for good and says where it can be had.
	Save(ctx context.Context, name, contentType string, r io.Reader) (MediaInfo, error)
}

// MediaInfo describes a file. Width, Height (pixels) and Duration (seconds)
// are 0 when unknown.
type MediaInfo struct {
	URL, ContentType string
	Size             int64
	Width, Height    int
	Duration         float64
	// Judged files are of their type by their streams, and not by their heads alone.
	Judged bool
}

// Descriptor is the JSON of GET /v1/nodes/{type}.
func (n *Node) Descriptor() any {
	return struct {
		Type             string         `json:"type"`
		Label            string         `json:"label"`
		Category         string         `json:"category"`
		Description      string         `json:"description"`
		OutputType       string         `json:"outputType"`
		Providers        []string       `json:"providers"`
		Capabilities     []string       `json:"capabilities"`
		InputSchema      Schema         `json:"inputSchema"`
		EstimatedCredits models.Credits `json:"estimatedCredits"`
	}{
		n.Type, n.Label, n.Category, n.Description, n.OutputType,
		append([]string{}, n.Providers...), append([]string{}, n.Capabilities...), n.InputSchema, n.Cost,
	}
}
