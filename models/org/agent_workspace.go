package org

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm/clause"

	"atelier/models"
)

const (
	// agentSelectionLasts is how long an agent's session keeps what it selected.
	agentSelectionLasts = 30 * 24 * time.Hour
	// maxAgentSelections is how many sessions of an account keep one; the oldest make room.
	maxAgentSelections = 100
)

// AgentWorkspace is the workspace that one session of an agent selected for what it
// does next.
type AgentWorkspace struct {
	UserID      models.ID `gorm:"primaryKey"`
	SessionHash []byte    `gorm:"primaryKey"`
	WorkspaceID models.ID
	SelectedAt  time.Time
}

// SelectForAgent keeps the workspace that a session of an agent works in from now on;
// nil is the personal space. not_a_member and member_suspended as in Select.
func (s Workspaces) SelectForAgent(ctx context.Context, session string, workspaceID *models.ID) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.ScopeWorkspacesRead); err != nil {
		return err
	}
	hash := models.HashSecret(session)
	return s.org.DB.Write(ctx, func(tx *models.Tx) error {
		if workspaceID == nil {
			return tx.Where("user_id = ? AND session_hash = ?", actor.UserID, hash).Delete(&AgentWorkspace{}).Error
		}
		if _, err := s.org.selectable(tx.Context(), actor.UserID, *workspaceID); err != nil {
			return err
		}
		_, err := tx.Run(`DELETE FROM agent_workspaces WHERE user_id = $1 AND session_hash IN (
			SELECT session_hash FROM agent_workspaces WHERE user_id = $1 ORDER BY selected_at DESC OFFSET $2)`, actor.UserID, maxAgentSelections-1)
		if err != nil {
			return err
		}
		row := AgentWorkspace{UserID: actor.UserID, SessionHash: hash, WorkspaceID: *workspaceID, SelectedAt: tx.Now}
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
	})
}

// AgentSelection is the workspace that a session of an agent selected, nil for none. It
// authorizes nothing: whether the caller may still work there is asked by Select.
func (s Workspaces) AgentSelection(ctx context.Context, session string) (*models.ID, error) {
	row, err := models.First[AgentWorkspace](s.org.DB.Read(ctx).Where("user_id = ? AND session_hash = ? AND selected_at > ?",
		models.ActorFrom(ctx).UserID, models.HashSecret(session), s.org.DB.Clock.Now().Add(-agentSelectionLasts)), errNoSelection)
	if errors.Is(err, errNoSelection) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &row.WorkspaceID, nil
}

var errNoSelection = models.NotFound("Selection")
