package credit

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// Glance is what a list of workspaces says of the credits of one.
type Glance struct {
	// Left is what the caller may spend there: what is left of the budget, or of a cap that binds them and is less.
	Left models.Credits
	// Requests are those of others that wait for the caller's answer.
	Requests int
}

// Glances are for workspaces that were read with the caller's standing; those that cannot be entered are left out.
func (s *Service) Glances(ctx context.Context, workspaces []*org.Workspace) (map[models.ID]*Glance, error) {
	caller := models.ActorFrom(ctx).UserID
	binding, entered, administered := map[models.ID]bool{}, models.IDs{}, models.IDs{}
	for _, w := range workspaces {
		if w.Authorize(org.ReadWorkspace) != nil {
			continue
		}
		entered, binding[w.ID] = append(entered, w.ID), capsBind(w)
		if w.Authorize(org.ReadWorkspaceBudget) == nil {
			administered = append(administered, w.ID)
		}
	}
	var rows []struct {
		WorkspaceID models.ID
		Free        models.Credits
		LeftOfCap   *models.Credits
	}
	err := s.DB.Read(ctx).Table("workspace_budgets b").
		Select("b.workspace_id, b.allocated - b.reserved - b.spent AS free, m.cap - m.reserved - m.spent AS left_of_cap").
		Joins("LEFT JOIN member_budgets m ON m.workspace_id = b.workspace_id AND m.user_id = ?", caller).
		Where("b.workspace_id IN ?", []models.ID(entered)).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	glances := make(map[models.ID]*Glance, len(rows))
	for _, row := range rows {
		g := &Glance{Left: row.Free}
		if binding[row.WorkspaceID] && row.LeftOfCap != nil {
			g.Left = min(g.Left, *row.LeftOfCap)
		}
		g.Left, glances[row.WorkspaceID] = max(g.Left, 0), g
	}
	var waiting []struct {
		WorkspaceID models.ID
		Requests    int
	}
	err = s.openRequests(ctx).Select("r.workspace_id, count(*) AS requests").
		Where("r.workspace_id IN ? AND r.requester_id <> ?", []models.ID(administered), caller).Group("r.workspace_id").Scan(&waiting).Error
	for _, row := range waiting {
		if g := glances[row.WorkspaceID]; g != nil {
			g.Requests = row.Requests
		}
	}
	return glances, err
}
