package org

import (
	"sync/atomic"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/notice"
)

// Service holds the use cases of organizations.
type Service struct {
	DB       *models.DB
	Accounts *account.Service
	// AutoApprove makes new organizations active at once.
	AutoApprove bool
	// Mail is whether the install can send mail; without it invitations are links alone.
	Mail bool
	// PublicURL is the base of links.
	PublicURL string
	// Notices tells people what concerns them; nil tells it at the console alone.
	Notices *notice.Service

	refusedJoins atomic.Int64

	hooks hooks

	memberColumns          []string
	workspaceMemberColumns []func(workspaceID models.ID) string
	workspaceSorts         map[models.SortBy]models.SortColumn
}
