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
	setUp        atomic.Bool  // an organization was approved once
	unusedUntil  atomic.Int64 // until when that none was is believed

	hooks hooks

	memberColumns          []string
	workspaceMemberColumns []func(workspaceID models.ID) string
	workspaceSorts         map[models.SortBy]models.SortColumn
}

// The use cases of a noun are methods of its type.
type (
	// Invitations are sent by mail or as links, and accepted.
	Invitations struct{ org *Service }
	// JoinCodes let people into workspaces.
	JoinCodes struct{ org *Service }
	// Members are people in organizations.
	Members struct{ org *Service }
	// Workspaces are made, selected and archived.
	Workspaces struct{ org *Service }
	// WorkspaceMembers are people who are listed in workspaces.
	WorkspaceMembers struct{ org *Service }
	// Audit is the log of an organization.
	Audit struct{ org *Service }
)

func (s *Service) Invitations() Invitations           { return Invitations{s} }
func (s *Service) JoinCodes() JoinCodes               { return JoinCodes{s} }
func (s *Service) Members() Members                   { return Members{s} }
func (s *Service) Workspaces() Workspaces             { return Workspaces{s} }
func (s *Service) WorkspaceMembers() WorkspaceMembers { return WorkspaceMembers{s} }
func (s *Service) Audit() Audit                       { return Audit{s} }
