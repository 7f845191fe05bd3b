package account

import (
	"time"

	"atelier/models"
)

// APIToken is a personal token; the token itself is kept as a hash.
type APIToken struct {
	ID          models.ID `gorm:"primaryKey"`
	UserID      models.ID
	Name        string
	Prefix      string
	TokenHash   []byte
	RateLimit   int
	WorkspaceID *models.ID
	// WorkflowIDs restricts the token; empty means every workflow.
	WorkflowIDs models.IDs `gorm:"column:workflow_ids"`
	CreatedAt   time.Time
	LastUsedAt  *time.Time
	RevokedAt   *time.Time
}

func (APIToken) TableName() string { return "api_tokens" }

// CreatedAPIToken is a new token with its secret, shown once.
type CreatedAPIToken struct {
	APIToken *APIToken
	Token    string
}
