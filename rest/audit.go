package rest

import (
	"context"
	"encoding/json"

	"atelier/models"
)

// auditRoutes are the reading of the audit log (contract 3, "Audit, budgets and usage").
func (a *API) auditRoutes() {
	handle(a, route{Method: "GET", Path: "/v1/orgs/{id}/audit", Tag: "Audit", Summary: "The audit log, newest first", Scope: models.ScopeWorkspacesRead}, a.listAudit)
}

type auditView struct {
	ID          models.ID       `json:"id"`
	WorkspaceID *models.ID      `json:"workspaceId"`
	Action      string          `json:"action" doc:"noun.verb in the past tense; the list is open."`
	TargetType  string          `json:"targetType"`
	TargetID    *models.ID      `json:"targetId"`
	Details     json.RawMessage `json:"details" doc:"What changed: { field: { from, to } }."`
	CreatedAt   timestamp       `json:"createdAt"`
	Actor       *personView     `json:"actor" doc:"Null for the system; the name as it was."`
}

func viewAudit(e *models.AuditEntry) auditView {
	view := auditView{
		ID: e.ID, WorkspaceID: e.WorkspaceID, Action: e.Action, TargetType: e.TargetType, TargetID: e.TargetID,
		Details: e.Details, CreatedAt: timestamp(e.CreatedAt),
	}
	if e.ActorID != nil && e.ActorName != nil {
		view.Actor = &personView{UserID: *e.ActorID, DisplayName: *e.ActorName}
	}
	return view
}

func (a *API) listAudit(ctx context.Context, in *PageOfInput) (*many[auditView], error) {
	entries, err := a.query().OrganizationAudit(ctx, in.ID, in.first(), in.after())
	if err != nil {
		return nil, err
	}
	return page(entries, viewAudit), nil
}
