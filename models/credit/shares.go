package credit

import (
	"context"
	"slices"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
)

// shared are people of a workspace, whose ids the query listed gives: u is the account, b the share
// of the budget, wm and om the rows in the workspace and in its organization.
func shared(w *org.Workspace, listed string, values ...any) (string, []any) {
	return ` FROM (` + listed + `) listed ` + account.Join("listed.user_id") + `
		LEFT JOIN member_budgets b ON b.workspace_id = ? AND b.user_id = u.id
		` + org.JoinRoles("?", "?", "u.id"), append(values, w.ID, w.ID, w.OrganizationID)
}

// shareColumns are those of a MemberShare; their one value is whether the workspace has caps. Owner and
// admins of the organization are admins unlisted, and who left has no role.
const shareColumns = `u.id AS user_id, u.display_name, u.avatar_url, coalesce(b.reserved, 0) AS reserved, coalesce(b.spent, 0) AS spent,
	CASE WHEN ? AND coalesce(om.role, 'member') = 'member' THEN b.cap END AS cap,
	CASE WHEN wm.role IS NOT NULL THEN wm.role WHEN om.role IN ('owner', 'admin') THEN 'admin' END AS role`

// MemberShares is a row for each person who is listed or has spent, by name; when there are more than first,
// those who spent most, the largest first. A nil first asks for all. It is nil for who may not see them.
// validation_error for a first below one.
func (s *Service) MemberShares(ctx context.Context, view *BudgetView, first *int) ([]*MemberShare, error) {
	w := view.workspace
	if w == nil {
		return nil, nil
	}
	if first != nil && *first < 1 {
		return nil, models.Invalid("first", "must be at least 1")
	}
	from, values := shared(w, `SELECT user_id, count(*) OVER () AS n FROM most`)
	shares := []*MemberShare{}
	err := s.DB.Read(ctx).Raw(`
		WITH most AS MATERIALIZED (
			SELECT l.user_id FROM (`+org.ListedIn+` UNION SELECT user_id FROM member_budgets WHERE workspace_id = ? AND reserved + spent > 0) l
			LEFT JOIN member_budgets b ON b.workspace_id = ? AND b.user_id = l.user_id
			ORDER BY coalesce(b.spent, 0) DESC, l.user_id LIMIT ?::bigint + 1
		)
		SELECT `+shareColumns+from+`
		ORDER BY CASE WHEN listed.n > ?::bigint THEN coalesce(b.spent, 0) END DESC, u.display_name, u.id LIMIT ?::bigint`,
		slices.Concat([]any{w.ID, w.ID, w.ID, first, w.Rules().MemberCapsEnabled}, values, []any{first, first})...).Scan(&shares).Error
	return shares, err
}

// atCap is the condition that the cap of a person of org.ListedWithRoles leaves nothing for a new run.
const atCap = `b.reserved + b.spent >= b.cap AND listed.organization_role = 'member'`

// ListAtCap is whose caps leave nothing for a new run, by name, at most first of them (1 to 200). It is
// nil for who may not see them.
func (s *Service) ListAtCap(ctx context.Context, view *BudgetView, first int) ([]*MemberShare, error) {
	w := view.workspace
	if w == nil {
		return nil, nil
	}
	first, err := models.Page{Limit: &first}.Size(models.DefaultPageSize, models.MaxPageSize)
	if err != nil {
		return nil, err
	}
	shares := []*MemberShare{}
	if !w.Rules().MemberCapsEnabled {
		return shares, nil
	}
	from, values := shared(w, org.ListedWithRoles, w.ID)
	err = s.DB.Read(ctx).Raw(`SELECT `+shareColumns+from+` WHERE `+atCap+` ORDER BY u.display_name, u.id LIMIT ?`,
		append(append([]any{true}, values...), first)...).Scan(&shares).Error
	return shares, err
}

// CountAtCap is how many ListAtCap could list.
func (s *Service) CountAtCap(ctx context.Context, view *BudgetView) (*int, error) {
	if w := view.workspace; w != nil && !w.Rules().MemberCapsEnabled {
		return new(int), nil
	}
	return s.countListed(ctx, view, atCap)
}

// CountUncapped is how many plain members have no cap; nil for who may not see them.
func (s *Service) CountUncapped(ctx context.Context, view *BudgetView) (*int, error) {
	if w := view.workspace; w != nil && !w.Rules().MemberCapsEnabled {
		return s.countListed(ctx, view, isPlain)
	}
	return s.countListed(ctx, view, `b.cap IS NULL AND `+isPlain)
}

// countListed counts the people who are listed in the workspace and of whom a condition holds.
func (s *Service) countListed(ctx context.Context, view *BudgetView, condition string) (*int, error) {
	w := view.workspace
	if w == nil {
		return nil, nil
	}
	var n int
	err := s.DB.Read(ctx).Raw(`
		SELECT count(*) FROM (`+org.ListedWithRoles+`) listed
		LEFT JOIN member_budgets b ON b.workspace_id = ? AND b.user_id = listed.user_id
		WHERE `+condition, w.ID, w.ID).Scan(&n).Error
	return &n, err
}
