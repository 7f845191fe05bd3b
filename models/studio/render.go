package studio

import (
	"time"

	"atelier/models"
	"atelier/models/run"
)

// RenderInput says what to render, and up to which stage. MaxCredits is in credits.
type RenderInput struct {
	PipelineID *models.ID
	ShotIDs    []models.ID
	Stage      *StageName
	Force      *bool
	MaxCredits *float64
}

// Render is an execution that renders a production.
type Render struct {
	ExecutionID  models.ID `gorm:"primaryKey"`
	ProductionID models.ID
	// Stage is the one after which it stops; nil is none.
	Stage *StageName
	// Fingerprints are those of what the nodes of the graph make, by their ids.
	Fingerprints     map[string]string `gorm:"serializer:json"`
	ReusedShots      int
	EstimatedCredits models.Credits
	EndedAt          *time.Time
	CreatedAt        time.Time

	// Of the execution.
	Status       run.ExecutionStatus `gorm:"-"`
	CreditsUsed  models.Credits      `gorm:"-"`
	CompletedAt  *time.Time          `gorm:"-"`
	ErrorMessage *string             `gorm:"-"`
}

func (Render) TableName() string { return "production_renders" }

// Begun is a render that has begun.
type Begun struct {
	ExecutionID      models.ID
	Status           run.ExecutionStatus
	EstimatedCredits models.Credits
	ReusedShots      int
}

// Estimate is what a render would cost and do.
type Estimate struct {
	Credits models.Credits
	// Seconds is how long the film would be.
	Seconds float64
	Shots   []*ShotEstimate
	// Refused are the reasons for which a render would be refused.
	Refused []*Refusal
}

// ShotEstimate is what a shot would cost; Reuse tells that nothing of it is made again.
type ShotEstimate struct {
	ShotID  models.ID
	Credits models.Credits
	Reuse   bool
}

// Refusal is a reason for which a render would be refused.
type Refusal struct {
	Code    string
	Field   *string
	Message string
}
