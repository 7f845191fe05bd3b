package usage

import (
	"context"
	"errors"
	"fmt"

	"atelier/bulk"
	"atelier/models"
	"atelier/models/org"
)

// RecordExport writes into the audit log that the caller takes a report out
// as a file, before the first line of it leaves: audit_unavailable when that
// cannot be written; 10 a minute. It takes one of the two ids.
func (s *Service) RecordExport(ctx context.Context, organizationID, workspaceID *models.ID, q Query) error {
	if err := models.ActorFrom(ctx).RequireUser(models.ScopeWorkspacesRead); err != nil {
		return err
	}
	_, err := s.recordExport(ctx, organizationID, workspaceID, q)
	return err
}

// recordExport returns what was asked for, too. A refused export does not count.
func (s *Service) recordExport(ctx context.Context, organizationID, workspaceID *models.ID, q Query) (a *asked, err error) {
	target := models.Target{}
	switch {
	case (organizationID == nil) == (workspaceID == nil):
		return nil, models.Invalid("organizationId", "or workspaceId must be given, and not both")
	case organizationID != nil:
		a, err = s.askedOfOrganization(ctx, *organizationID, q)
		target = models.Target{Type: "organization", ID: *organizationID}
	default:
		a, err = s.askedOfWorkspace(ctx, *workspaceID, q)
		target = models.Target{Type: "workspace", ID: *workspaceID}
	}
	if err != nil {
		return nil, err
	}
	target.WorkspaceID = a.workspaceID
	if err := s.DB.CountCall(ctx, org.ExportsPerUser, models.ActorFrom(ctx).UserID.String()); err != nil {
		return nil, err
	}
	details := models.Fields{
		"format": {To: "csv"}, "range": {To: a.from.String() + " to " + a.to.String()}, "zone": {To: a.tz}, "group": {To: string(a.group)},
	}
	if q.UserID != nil {
		details["userId"] = models.Change{To: *q.UserID}
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error { return tx.Audit(a.organizationID, "usage.exported", target, details) })
	var refusal *models.Error
	if err != nil && !errors.As(err, &refusal) {
		err = fmt.Errorf("%w (%w)", models.Err(models.CodeAuditUnavailable, "The export could not be recorded in the audit log, so it was refused"), err)
	}
	return a, err
}

// Export is RecordExport, and then all rows of the report, part by part: groups
// in one, single runs page by page. What part refuses ends it.
func (s *Service) Export(ctx context.Context, organizationID, workspaceID *models.ID, q Query, part func([]*Row) error) error {
	a, err := s.recordExport(ctx, organizationID, workspaceID, q)
	if err != nil {
		return err
	}
	if a.group != Runs {
		rows, err := bulk.Part(ctx, func(ctx context.Context) ([]*Row, error) {
			return models.OnStandby(ctx, s.DB, func(ctx context.Context) ([]*Row, error) {
				_, rows, err := s.grouped(ctx, a)
				return rows, err
			})
		})
		if err != nil {
			return err
		}
		return part(rows[:min(len(rows), maxGroups)])
	}
	most := models.MaxPageSize
	for page := (models.Page{Limit: &most}); ; {
		rows, err := bulk.Part(ctx, func(ctx context.Context) (*models.Connection[*Row], error) { return s.runs(ctx, a, page) })
		if err != nil {
			return err
		}
		if err := part(rows.Nodes); err != nil {
			return err
		}
		if page.Cursor = rows.Next(); page.Cursor == nil {
			return nil
		}
	}
}
