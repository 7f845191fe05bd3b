package trigger

import (
	"time"

	"atelier/models"
	"atelier/models/nodegraph"
)

// TriggerType is what starts a workflow by itself.
type TriggerType string

const (
	WebhookTrigger  TriggerType = "webhook"
	ScheduleTrigger TriggerType = "schedule"
)

// Trigger starts a workflow by itself: when its address is called, or on a
// timetable (contract 2, "Trigger").
type Trigger struct {
	ID         models.ID `gorm:"primaryKey"`
	WorkflowID models.ID
	Type       TriggerType
	// NodeID is the node that it belongs to; nil for one that was made by hand.
	NodeID   *string
	IsActive bool
	// Config is parameters, or the rules of a schedule; nodeId names the node.
	Config nodegraph.Data
	// TokenHash finds a webhook by the token in its address; TokenSealed shows it again.
	TokenHash   []byte
	TokenSealed *string
	// Token is the one in the address, opened for the one who may know it.
	Token    *string `gorm:"-"`
	RunCount int64
	// CreatedBy is who runs.
	CreatedBy models.ID
	// BySession tells that a signed-in person made it: its runs are that person's own.
	BySession   bool
	LastFiredAt *time.Time
	// LastExecutionID is what the last call or minute started; LastError why it did not.
	LastExecutionID *models.ID
	LastError       *string
	// NextFireAt is the next minute that may fire; nil while paused, parked or used up.
	NextFireAt *time.Time
	// ParkedReason says what has to be mended before a schedule can run, or why a
	// trigger of a node starts nothing that is beyond a bound.
	ParkedReason *string
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

func (Trigger) TableName() string { return "workflow_triggers" }
