package org

import (
	"time"

	"atelier/models"
)

// JoinCode admits plain members to one workspace.
type JoinCode struct {
	WorkspaceID models.ID `gorm:"primaryKey"`
	Code        string
	Enabled     bool
	ClosesAt    *time.Time
	RotatedAt   time.Time
	RotatedBy   models.ID
}

func (JoinCode) TableName() string { return "join_codes" }

// JoinCodeAction is what is done to a code.
type JoinCodeAction string

const (
	RotateCode  JoinCodeAction = "rotate"
	EnableCode  JoinCodeAction = "enable"
	DisableCode JoinCodeAction = "disable"
)

// Joined is where a code or an invitation led.
type Joined struct {
	OrganizationID models.ID
	WorkspaceID    *models.ID
}
