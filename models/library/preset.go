package library

import (
	"encoding/json"
	"time"

	"atelier/models"
	"atelier/models/space"
)

// Preset is settings of one node type that are worth keeping, under a name.
type Preset struct {
	ID models.ID `gorm:"primaryKey"`
	Placed
	NodeType    string
	Name        string
	Description string
	Settings    map[string]any `gorm:"serializer:json"`
	Tags        models.Strings
	ImageURL    *string
	Source      json.RawMessage `gorm:"type:jsonb"`
	UseCount    int
	Version     int
	CreatedAt   time.Time
	UpdatedAt   time.Time

	// IsFactory: it comes with the program, and has no row.
	IsFactory bool `gorm:"-"`
	// Usable, or Reason why not.
	Usable bool         `gorm:"-"`
	Reason *string      `gorm:"-"`
	Access space.Access `gorm:"-"`
	Can    ThingCan     `gorm:"-"`
}

func (Preset) TableName() string { return "node_presets" }

// ThingCan is what a caller may do with a preset or a voice.
type ThingCan struct{ Edit, Delete, Share, Export, Post, GiveConsent bool }

// PresetFilter narrows a list of presets.
type PresetFilter struct {
	NodeType *string
	Query    *string
	Tag      *string
	Mine     *bool
}

// CreatePresetInput is a new preset of the selected space.
type CreatePresetInput struct {
	NodeType    string
	Name        string
	Settings    map[string]any
	Description *string
	Tags        []string
	ImageURL    *string
	Visibility  *space.Visibility
	ProjectID   *models.ID
}

// UpdatePresetInput changes a preset; what is not sent stays.
type UpdatePresetInput struct {
	Name        models.Opt[string]
	Settings    models.OptMap
	Description models.Opt[string]
	Tags        models.Opt[[]string]
	ImageURL    models.Opt[string]
	Visibility  models.Opt[space.Visibility]
	ProjectID   models.Opt[models.ID]
	Version     *int
}
