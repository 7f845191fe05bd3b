package studio

import (
	"time"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/run"
	"atelier/models/space"
)

// ProductionStatus is how far a production has come.
type ProductionStatus string

// The statuses of productions. Stale: there is a film, and something changed since.
const (
	Draft     ProductionStatus = "draft"
	Rendering ProductionStatus = "rendering"
	Ready     ProductionStatus = "ready"
	Stale     ProductionStatus = "stale"
	Failed    ProductionStatus = "failed"
)

// Production is a script with its cast, its shots and its film.
type Production struct {
	ID models.ID `gorm:"primaryKey"`
	library.Placed
	Name            string
	Description     string
	Script          string
	Language        string
	AspectRatio     string
	Resolution      string
	PipelineID      models.ID
	PresetID        *models.ID
	NarratorVoiceID *models.ID
	Music           *Music `gorm:"serializer:json"`
	Captions        string
	Seed            int
	CastIDs         models.IDs
	ShotCount       int
	// Duration is in seconds.
	Duration        float64
	Status          ProductionStatus
	FilmFingerprint string
	VideoURL        *string
	ThumbnailURL    *string
	CaptionsURL     *string
	// Uses are the things that the last render was made of; who changes one makes the film stale.
	Uses      models.IDs
	Version   int
	CreatedAt time.Time
	UpdatedAt time.Time

	// Shots are in their order; only of a production that is read by itself.
	Shots        []*Shot       `gorm:"-"`
	LatestRender *Render       `gorm:"-"`
	Access       space.Access  `gorm:"-"`
	Can          ProductionCan `gorm:"-"`
}

func (Production) TableName() string { return "productions" }

// Music lies under the film. Volume is in percent.
type Music struct {
	URL    string `json:"url"`
	Volume int    `json:"volume"`
}

// ProductionCan is what a caller may do with a production.
type ProductionCan struct{ Edit, Delete, Share, Render, ShareShots bool }

// ProductionFilter narrows a list of productions.
type ProductionFilter struct {
	Query     *string
	Status    *ProductionStatus
	ProjectID *models.ID
	Mine      *bool
}

// MusicInput is what lies under a film; Volume is in percent, 30 when nil.
type MusicInput struct {
	URL    string
	Volume *int
}

// CreateProductionInput is a new production of the selected space.
type CreateProductionInput struct {
	Name            string
	Description     *string
	Script          *string
	Language        *string
	AspectRatio     *string
	Resolution      *string
	PipelineID      *models.ID
	PresetID        *models.ID
	NarratorVoiceID *models.ID
	Music           *MusicInput
	Captions        *string
	Seed            *int
	CastIDs         []models.ID
	Visibility      *space.Visibility
	ProjectID       *models.ID
}

// UpdateProductionInput changes a production; what is not sent stays.
type UpdateProductionInput struct {
	Name            models.Opt[string]
	Description     models.Opt[string]
	Script          models.Opt[string]
	Language        models.Opt[string]
	AspectRatio     models.Opt[string]
	Resolution      models.Opt[string]
	PipelineID      models.Opt[models.ID]
	PresetID        models.Opt[models.ID]
	NarratorVoiceID models.Opt[models.ID]
	Music           models.Opt[MusicInput]
	Captions        models.Opt[string]
	Seed            models.Opt[int]
	CastIDs         models.Opt[[]models.ID]
	Visibility      models.Opt[space.Visibility]
	ProjectID       models.Opt[models.ID]
	Version         *int
}

// BreakDownInput says how a script becomes shots.
type BreakDownInput struct {
	// Script is the production's own when nil.
	Script         *string
	SecondsPerShot *float64
	MaxShots       *int
	// Replace lets shots that are there give way, except for locked ones.
	Replace  *bool
	Provider *string
	Model    *string
}

// Breakdown is what became of a script: shots, or the job that makes them.
type Breakdown struct {
	Production *Production
	Unmatched  []*UnmatchedName
	Job        *run.Job
}

// UnmatchedName is a name in a script for which the space has no element.
type UnmatchedName struct {
	Name  string
	Kind  string
	Count int
}
