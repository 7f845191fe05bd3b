package studio

import (
	"encoding/json"
	"time"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// StageName names a stage of a pipeline.
type StageName string

// The stages, in the order in which they are done.
const (
	ImageStage  StageName = "image"
	SpeechStage StageName = "speech"
	ClipStage   StageName = "clip"
	CutStage    StageName = "cut"
)

// Pipeline says what makes a shot, and what cuts shots into a film.
type Pipeline struct {
	ID models.ID `gorm:"primaryKey"`
	library.Placed
	Name        string
	Description string
	Stages      Stages          `gorm:"serializer:json"`
	Source      json.RawMessage `gorm:"type:jsonb"`
	Version     int
	CreatedAt   time.Time
	UpdatedAt   time.Time

	// IsFactory: it comes with the program, and has no row.
	IsFactory bool `gorm:"-"`
	// Usable, or Reason why not.
	Usable bool    `gorm:"-"`
	Reason *string `gorm:"-"`
	// EstimatedCredits is for one shot of five seconds.
	EstimatedCredits models.Credits   `gorm:"-"`
	Access           space.Access     `gorm:"-"`
	Can              library.ThingCan `gorm:"-"`
}

func (Pipeline) TableName() string { return "pipelines" }

// Stages are a pipeline's four; nil is none.
type Stages struct {
	Image  *Stage `json:"image"`
	Speech *Stage `json:"speech"`
	Clip   *Stage `json:"clip"`
	Cut    *Stage `json:"cut"`
}

// Stage is a node that every shot goes through: a type with settings and a preset, or a
// component that runs a workflow.
type Stage struct {
	NodeType   string         `json:"nodeType"`
	Settings   map[string]any `json:"settings"`
	PresetID   *models.ID     `json:"presetId"`
	WorkflowID *models.ID     `json:"workflowId"`
}

// StageInput is a stage as it is sent.
type StageInput struct {
	NodeType   string
	Settings   map[string]any
	PresetID   *models.ID
	WorkflowID *models.ID
}

// StagesInput are a pipeline's stages as they are sent.
type StagesInput struct{ Image, Speech, Clip, Cut *StageInput }

// CreatePipelineInput is a new pipeline of the selected space.
type CreatePipelineInput struct {
	Name        string
	Stages      *StagesInput
	Description *string
	Visibility  *space.Visibility
	ProjectID   *models.ID
}

// UpdatePipelineInput changes a pipeline; what is not sent stays. Stages are changed as a whole.
type UpdatePipelineInput struct {
	Name        models.Opt[string]
	Stages      models.Opt[StagesInput]
	Description models.Opt[string]
	Visibility  models.Opt[space.Visibility]
	ProjectID   models.Opt[models.ID]
	Version     *int
}

// PipelineShot is a shot for a pipeline that runs without a production.
type PipelineShot struct {
	Prompt       string
	Dialogue     *string
	Duration     *float64
	ImageURL     *string
	CharacterIDs []models.ID
	LocationID   *models.ID
	VoiceID      *models.ID
}

// RunPipelineInput is what a pipeline makes shots of. MaxCredits is in credits.
type RunPipelineInput struct {
	Shots       []*PipelineShot
	AspectRatio *string
	Resolution  *string
	VoiceID     *models.ID
	MusicURL    *string
	MaxCredits  *float64
}
