package org

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm"
)

// AuditFilter narrows an audit log; what is empty or nil does not.
type AuditFilter struct {
	// Actions are actions, such as member.removed, or families of them, such as member.
	Actions     []string
	ActorID     *models.ID
	WorkspaceID *models.ID
	// From and To are the times of the entries, To exclusive.
	From, To *time.Time
	// Search is a part of the action, of the details, of the actor's name, of
	// the name that a person or a workspace has now, or of the address that was
	// invited.
	Search *string
	// SearchActions are actions that Search finds besides: what it says in the
	// sentences that people are shown.
	SearchActions []string
	// EntryID keeps one entry.
	EntryID *models.ID
}

var actionForm = regexp.MustCompile(`^[a-z0-9_]{1,50}(\.[a-z0-9_]{1,50})?$`)

// name tells logs apart that are filtered differently, for their cursors.
func (f AuditFilter) name() string {
	return fmt.Sprintf("%q:%q:%s:%s:%d:%d:%q:%s", f.Actions, f.SearchActions, models.Deref(f.ActorID), models.Deref(f.WorkspaceID),
		models.Deref(f.From).UnixNano(), models.Deref(f.To).UnixNano(), models.Deref(f.Search), models.Deref(f.EntryID))
}

// apply narrows a query on the entries of an organization.
func (f AuditFilter) apply(q *gorm.DB, organizationID models.ID) (*gorm.DB, error) {
	search, err := models.ListSearch(f.Search)
	if err != nil {
		return nil, err
	}
	condition, values, err := ofActions("actions", f.Actions)
	if err != nil {
		return nil, err
	}
	if condition != "" {
		q = q.Where("("+condition+")", values...)
	}
	if f.ActorID != nil {
		q = q.Where("actor_id = ?", *f.ActorID)
	}
	if f.WorkspaceID != nil {
		q = q.Where("workspace_id = ?", *f.WorkspaceID)
	}
	if f.From != nil { // the id says the same and chooses the partitions
		q = q.Where("created_at >= ? AND id >= ?", *f.From, models.FirstID(*f.From))
	}
	if f.To != nil {
		q = q.Where("created_at < ? AND id < ?", *f.To, models.FirstID(f.To.Add(time.Millisecond)))
	}
	if f.EntryID != nil {
		q = q.Where("id = ?", *f.EntryID)
	}
	if search == "" {
		return q, nil
	}
	condition, values, err = ofActions("searchActions", f.SearchActions)
	if err != nil {
		return nil, err
	}
	if condition != "" {
		condition += " OR "
	}
	like := containing(search)
	return q.Where(`(`+condition+`action ILIKE ? OR actor_name ILIKE ? OR details::text ILIKE ?
		OR target_id IN (SELECT w.id FROM workspaces w WHERE w.organization_id = ? AND w.name ILIKE ?)
		OR target_id IN (SELECT m.user_id FROM organization_members m `+account.Join("m.user_id")+`
			WHERE m.organization_id = ? AND u.display_name ILIKE ?)
		OR target_id IN (SELECT i.id FROM invitations i WHERE i.organization_id = ? AND i.email ILIKE ?))`,
		append(values, like, like, like, organizationID, like, organizationID, like, organizationID, like)...), nil
}

// ofActions is the condition for actions and families of them; "" without any.
func ofActions(field string, actions []string) (condition string, values []any, err error) {
	if len(actions) > 50 {
		return "", nil, models.Invalid(field, "must be at most 50")
	}
	var conditions []string
	for _, action := range actions {
		if !actionForm.MatchString(action) {
			return "", nil, models.Invalid(field, "must hold actions such as member.removed, or families such as member")
		}
		if strings.Contains(action, ".") {
			conditions, values = append(conditions, "action = ?"), append(values, action)
		} else {
			conditions, values = append(conditions, "action LIKE ?"), append(values, likeEscapes.Replace(action)+".%")
		}
	}
	return strings.Join(conditions, " OR "), values, nil
}
