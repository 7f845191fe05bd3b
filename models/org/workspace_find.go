package org

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"strconv"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm"
)

// Find reads a workspace with the caller's standing: not_found for
// the one who does not belong to it, member_suspended for a suspended membership.
func (s Workspaces) Find(ctx context.Context, id models.ID) (*Workspace, error) {
	actor, err := reader(ctx)
	if err != nil {
		return nil, err
	}
	return s.org.authorizeIn(ctx, actor, id, ReadWorkspace)
}

// authorizeIn reads a workspace and authorizes the actor in it.
func (s *Service) authorizeIn(ctx context.Context, actor models.Actor, id models.ID, p Permission) (*Workspace, error) {
	w, err := s.Workspaces().FindFor(ctx, actor.UserID, id)
	if err != nil {
		return nil, err
	}
	return w, w.Authorize(p)
}

// FindFor reads a workspace with a user's standing in it and authorizes
// nothing: the caller asks Authorize. not_found when it does not exist.
func (s Workspaces) FindFor(ctx context.Context, userID, workspaceID models.ID) (*Workspace, error) {
	w, err := models.Recall(ctx, standingKey{userID, workspaceID}, func() (*Workspace, error) {
		w := &Workspace{}
		err := s.org.DB.Row(ctx, `SELECT `+workspaceColumns+` FROM workspaces `+joinStanding("$1")+`
			WHERE workspaces.id = $2`, userID, workspaceID).Scan(w.columns()...)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, models.NotFound("Workspace")
		}
		return w, err
	})
	if err != nil {
		return nil, err
	}
	noteWorkspace(ctx, userID, w)
	return w, nil
}

// standingKey is under what a transaction remembers the standing of a user in a workspace.
type standingKey struct{ userID, workspaceID models.ID }

// workspaceColumns are a workspace and a standing in it, for Workspace.columns.
var workspaceColumns = `workspaces.id, workspaces.organization_id, workspaces.name, workspaces.slug, workspaces.description, workspaces.settings,
	workspaces.archived_at, workspaces.created_at, workspaces.updated_at, ` + standingColumns

func (w *Workspace) columns() []any {
	return []any{
		&w.ID, &w.OrganizationID, &w.Name, &w.Slug, &w.Description, (*[]byte)(&w.Settings), &w.ArchivedAt, &w.CreatedAt, &w.UpdatedAt,
		&w.ListedRole, &w.OrgRole, &w.ListedStatus, &w.OrgMemberStatus, &w.OrgStatus, &w.OrgKind, (*[]byte)(&w.OrgSettings), &w.OrgUnguarded,
	}
}

// ReadAhead has a transaction that remembers hold the workspaces that several people have
// selected, and know how each stands there; of people without one, whether their personal space is closed. It
// refuses nothing.
func (s *Service) ReadAhead(tx *models.Tx, actors []models.Actor) error {
	var alone, users, workspaces []models.ID
	for _, a := range actors {
		if a.WorkspaceID == nil {
			alone = append(alone, a.UserID)
		} else {
			users, workspaces = append(users, a.UserID), append(workspaces, *a.WorkspaceID)
		}
	}
	if len(alone) > 0 {
		closed, err := s.PersonalSpacesClosed(tx.Context(), alone)
		if err != nil {
			return err
		}
		for _, id := range alone {
			models.NoteKnown(tx.Context(), closedKey(id), closed[id])
		}
	}
	if len(users) == 0 {
		return nil
	}
	held, err := models.Rows(tx.Context(), s.DB, func(id *models.ID) []any { return []any{id} }, `
		SELECT id FROM workspaces WHERE id = ANY($1::uuid[]) ORDER BY id FOR SHARE`, workspaces)
	if err != nil {
		return err
	}
	for _, id := range held {
		models.NoteKnown(tx.Context(), heldKey(id), true)
	}
	type standing struct {
		userID models.ID
		Workspace
	}
	found, err := models.Rows(tx.Context(), s.DB, func(w *standing) []any { return append([]any{&w.userID}, w.columns()...) }, `
		SELECT n.user_id, `+workspaceColumns+`
		FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::uuid[])) AS n(user_id, workspace_id)
			JOIN workspaces ON workspaces.id = n.workspace_id `+joinStanding("n.user_id"), users, workspaces)
	for i := range found {
		models.NoteKnown(tx.Context(), standingKey{found[i].userID, found[i].ID}, &found[i].Workspace)
	}
	return err
}

// Standings reads a workspace once for each of some users, with that user's
// standing in it. Like Workspaces.FindFor it authorizes nothing.
func (s WorkspaceMembers) Standings(db *gorm.DB, workspaceID models.ID, userIDs []models.ID) (map[models.ID]*Workspace, error) {
	var rows []struct {
		Workspace
		StandingOf models.ID
	}
	err := db.Table("workspaces").Select("workspaces.*, u.id AS standing_of, "+standingColumns).Joins(account.JoinThese, userIDs).
		Joins(joinStanding("u.id")).Where("workspaces.id = ?", workspaceID).Find(&rows).Error
	byUser := make(map[models.ID]*Workspace, len(rows))
	for i := range rows {
		byUser[rows[i].StandingOf] = &rows[i].Workspace
	}
	return byUser, err
}

// Select is the workspace that a header or a bound token names:
// not_a_member when the caller cannot select it, member_suspended for a
// suspended membership (contract 3, "Acting in a workspace" 2).
func (s Workspaces) Select(ctx context.Context, id models.ID) (*Workspace, error) {
	return s.org.selectable(ctx, models.ActorFrom(ctx).UserID, id)
}

func (s *Service) selectable(ctx context.Context, userID, id models.ID) (*Workspace, error) {
	w, err := s.Workspaces().FindFor(ctx, userID, id)
	if err != nil && !models.HasCode(err, models.CodeNotFound) {
		return nil, err
	}
	if err != nil || w.OrgStatus != Active || models.HasCode(w.Authorize(ReadWorkspace), models.CodeNotFound) {
		return nil, models.Err(models.CodeNotAMember, "You cannot select this workspace: you are not a member, or its organization is not active")
	}
	return w, w.Authorize(ReadWorkspace)
}

// CheckBinding refuses a workspace that the actor could not select; it serves
// the binding of tokens.
func (s Workspaces) CheckBinding(tx *models.Tx, workspaceID models.ID) error {
	_, err := s.org.selectable(tx.Context(), tx.Actor.UserID, workspaceID)
	return err
}

// List is every workspace that the caller belongs to, newest first;
// those of which owner and admins are unlisted admins too, archived ones on request.
func (s Workspaces) List(ctx context.Context, filter WorkspaceFilter, page models.Page) (*models.Connection[*Workspace], error) {
	actor, err := reader(ctx)
	if err != nil {
		return nil, err
	}
	return s.org.workspacePage(ctx, "workspaces:"+actor.UserID.String(), filter, page, workspaceSorts, func(q *gorm.DB) *gorm.DB { return q })
}

// ListOf is the workspaces of one organization: members see
// their own, owner and admins all.
func (s Workspaces) ListOf(ctx context.Context, organizationID models.ID, filter WorkspaceFilter, page models.Page) (*models.Connection[*Workspace], error) {
	o, err := s.org.FindOrganization(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	sorts := models.Sorts{ID: workspaceSorts.ID, By: maps.Clone(workspaceSorts.By)}
	if o.Authorize(ReadCredits) == nil {
		maps.Copy(sorts.By, s.org.workspaceSorts)
	}
	return s.org.workspacePage(ctx, "org-workspaces:"+o.ID.String(), filter, page, sorts, func(q *gorm.DB) *gorm.DB { return q.Where("workspaces.organization_id = ?", o.ID) })
}

// workspaceSorts are what workspaces can be sorted by; the one who reads the
// organization's credits sorts by those of SortWorkspaces, too.
var workspaceSorts = models.Sorts{ID: "id", By: map[models.SortBy]models.SortColumn{
	models.SortByName:    {Column: "lower(listed.name)", Type: "text"},
	models.SortByCreated: {Column: "listed.created_at", Type: "timestamptz"},
	models.SortByMembers: {Column: "(SELECT count(*) FROM workspace_members m WHERE m.workspace_id = listed.id)", Type: "bigint"},
}}

// WorkspaceFilter narrows a list of workspaces.
type WorkspaceFilter struct {
	IncludeArchived bool
	// Search is the beginning of words of the name: see models.Found.
	Search *string
}

// workspacePage is a page of the caller's own workspaces, narrowed further.
func (s *Service) workspacePage(ctx context.Context, name string, filter WorkspaceFilter, page models.Page, sorts models.Sorts, narrow func(*gorm.DB) *gorm.DB) (*models.Connection[*Workspace], error) {
	search, err := models.ListSearch(filter.Search)
	if err != nil {
		return nil, err
	}
	query := narrow(ownWorkspaces(s.DB.Read(ctx), models.ActorFrom(ctx).UserID, filter.IncludeArchived))
	if filter.IncludeArchived {
		name += ":all"
	}
	if search != "" {
		name, query = name+":"+strconv.Quote(search), query.Where(models.Found("workspaces.search"), search)
	}
	list := models.List[*Workspace]{Name: name, Position: func(w *Workspace) string { return w.ID.String() }, Sorts: sorts}
	return models.ListPage(s.DB, list, page, query, models.NewestFirst("workspaces.id"))
}

// workspacesOf reads workspaces of organizations that exist with a user's standing beside them.
func workspacesOf(db *gorm.DB, userID models.ID) *gorm.DB {
	return db.Model(&Workspace{}).Select("workspaces.*, "+standingColumns).Joins(joinStanding("?"), userID, userID, userID, userID)
}

// standingColumns are a user's standing, and the organization's, in a query of workspaces that joinStanding joins.
// A kept suspension is the standing of the one who has no row, admins of the organization included.
var standingColumns = `wm.role AS listed_role, om.role AS org_role,
	CASE WHEN kw.user_id IS NULL THEN wm.status ELSE 'suspended' END AS listed_status,
	CASE WHEN ko.user_id IS NULL THEN om.status ELSE 'suspended' END AS org_member_status,
	o.status AS org_status, o.kind AS org_kind, o.settings AS org_settings, ` + unguarded("o", "om.user_id") + ` AS org_unguarded`

// joinStanding joins where a user stands, named four times.
func joinStanding(user string) string {
	return `JOIN organizations o ON o.id = workspaces.organization_id AND o.deleted_at IS NULL
		LEFT JOIN organization_members om ON om.organization_id = o.id AND om.user_id = ` + user + `
		LEFT JOIN workspace_members wm ON wm.workspace_id = workspaces.id AND wm.user_id = ` + user + `
		LEFT JOIN kept_suspensions ko ON ko.organization_id = o.id AND ko.workspace_id IS NULL AND ko.user_id = ` + user + `
		LEFT JOIN kept_suspensions kw ON kw.workspace_id = workspaces.id AND kw.user_id = ` + user
}

// ownWorkspaces narrows workspacesOf to those that the user belongs to.
func ownWorkspaces(db *gorm.DB, userID models.ID, includeArchived bool) *gorm.DB {
	query := workspacesOf(db, userID).Where("om.user_id IS NOT NULL AND (wm.user_id IS NOT NULL OR om.role IN ('owner', 'admin'))")
	if !includeArchived {
		query = query.Where("workspaces.archived_at IS NULL")
	}
	return query
}

// holdOrganization keeps a workspace's organization from being suspended or
// deleted until the transaction ends.
func holdOrganization(tx *models.Tx, workspaceID models.ID) error {
	return tx.Exec(`SELECT FROM organizations o JOIN workspaces w ON w.organization_id = o.id
		WHERE w.id = ? FOR SHARE OF o`, workspaceID).Error
}

// HoldWorkspace keeps a workspace from being archived or changed until the
// transaction ends. Anyone who creates in it holds it before reading whether it
// is open.
func HoldWorkspace(tx *models.Tx, id models.ID) error {
	_, err := models.Recall(tx.Context(), heldKey(id), func() (bool, error) {
		_, err := tx.Run(`SELECT FROM workspaces WHERE id = $1 FOR SHARE`, id)
		return err == nil, err
	})
	return err
}

// heldKey is under what a transaction remembers that it holds a workspace.
type heldKey models.ID

// lockWorkspace reads a workspace for a change, with the actor's standing as it
// is once both locks are held.
func (s *Service) lockWorkspace(tx *models.Tx, id models.ID) (*Workspace, error) {
	if err := holdOrganization(tx, id); err != nil {
		return nil, err
	}
	if err := tx.Exec(`SELECT FROM workspaces WHERE id = ? FOR UPDATE`, id).Error; err != nil {
		return nil, err
	}
	return s.Workspaces().FindFor(tx.Context(), tx.Actor.UserID, id)
}
