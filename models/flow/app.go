package flow

import (
	"encoding/json"
	"time"

	"atelier/models"
	"atelier/models/nodegraph"
)

// App is a workflow published under a slug.
type App struct {
	ID                   models.ID `gorm:"primaryKey"`
	Slug                 string
	WorkflowID           models.ID
	OwnerID              models.ID
	WorkspaceID          *models.ID
	Name                 string
	Description          string
	IconURL              string
	IsActive             bool
	AllowedEmbedDomains  models.Strings
	MaxRunsPerUserPerDay *int
	LatestVersion        int
	// Markup is what an operator approved that it adds to what its nodes cost, in
	// hundredths of a percent.
	Markup    int
	CreatedAt time.Time
	UpdatedAt time.Time
	DeletedAt *time.Time

	// Latest is the latest version, read along when the app is shown.
	Latest *AppVersion `gorm:"-"`
	// Manager tells whether the caller may manage the app.
	Manager bool `gorm:"-"`
}

func (App) TableName() string { return "apps" }

// AppVersion is a published state of an app; it never changes.
type AppVersion struct {
	ID              models.ID `gorm:"primaryKey"`
	AppID           models.ID
	Version         int
	Nodes           nodegraph.Nodes
	Edges           nodegraph.Edges
	InputItems      json.RawMessage `gorm:"type:jsonb"`
	ThumbnailNodeID *string
	EstimatedCost   models.Credits
	CreatedAt       time.Time
}

func (AppVersion) TableName() string { return "app_versions" }

// AppAdmin is what an app's managers see beside the public fields.
type AppAdmin struct {
	IsActive            bool
	AllowedEmbedDomains []string
	WorkflowID          models.ID
	CreatedAt           time.Time
	UpdatedAt           time.Time
}

// PublishInput publishes a workflow's current version.
type PublishInput struct {
	Slug                 *string
	Name                 string
	Description          *string
	IconURL              *string
	MaxRunsPerUserPerDay *int
	ThumbnailNodeID      *string
	PresentationSettings *PresentationSettings
	AllowedEmbedDomains  []string
}

// PresentationSettings holds the form of an app.
type PresentationSettings struct {
	InputItems []json.RawMessage
}

// UpdateAppInput changes an app; a MaxRunsPerUserPerDay of null lifts the limit.
type UpdateAppInput struct {
	IsActive             models.Opt[bool]
	AllowedEmbedDomains  models.Opt[[]string]
	MaxRunsPerUserPerDay models.Opt[int]
	Name                 models.Opt[string]
	Description          models.Opt[string]
	IconURL              models.Opt[string]
}
