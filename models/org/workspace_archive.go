package org

import (
	"context"
	"time"

	"atelier/models"
)

// Archive closes a workspace to new work; it stays readable (owner
// and admins of the organization). Repeating it changes nothing.
func (s Workspaces) Archive(ctx context.Context, id models.ID) (*Workspace, error) {
	return s.org.archive(ctx, id, "workspace.archived", true)
}

// Unarchive opens it again.
func (s Workspaces) Unarchive(ctx context.Context, id models.ID) (*Workspace, error) {
	return s.org.archive(ctx, id, "workspace.unarchived", false)
}

func (s *Service) archive(ctx context.Context, id models.ID, action string, archived bool) (*Workspace, error) {
	return s.changeWorkspace(ctx, id, action, func(w *Workspace, tx *models.Tx) (models.Fields, error) {
		if err := w.AuthorizeArchiving(); err != nil || w.Archived() == archived {
			return nil, err
		}
		w.ArchivedAt = map[bool]*time.Time{true: &tx.Now}[archived]
		return models.Fields{"archived": {From: !archived, To: archived}}, nil
	})
}

// AuthorizeArchiving asks for a role in the organization, whatever the
// caller's role in the workspace is.
func (w *Workspace) AuthorizeArchiving() error {
	if err := w.Authorize(ReadWorkspace); err != nil {
		return err
	}
	o := Organization{Role: w.OrgRole, MemberStatus: w.OrgMemberStatus, Status: w.OrgStatus}
	return o.Authorize(ArchiveWorkspace)
}
