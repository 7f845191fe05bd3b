package rest

import (
	"context"
	"net/http"

	"github.com/gorilla/mux"

	"atelier/models"
	"atelier/models/run"
	"atelier/models/trigger"
)

// triggerRoutes keep and call what starts workflows by itself (contract 2,
// "Trigger endpoints").
func (a *API) triggerRoutes() {
	const tag, of, each = "Triggers", "/v1/workflows/{id}", "/v1/workflow-triggers/{id}"
	const scope = models.ScopeExecute
	handle(a, route{Method: "POST", Path: trigger.WebhookPath + "{token}", Tag: tag, Summary: "Start a run; the token in the path is the credential", Public: true, Guard: a.admitCall, KeysOf: trigger.CalledTrigger, Status: 202, Forms: true}, a.callTrigger)
	handle(a, route{Method: "GET", Path: of + "/triggers", Tag: tag, Summary: "What starts a workflow by itself, with the addresses, newest first", Scope: scope}, a.listTriggers)
	handle(a, route{Method: "POST", Path: of + "/sync-triggers", Tag: tag, Summary: "Register the trigger nodes of the saved workflow again", Scope: scope}, a.syncTriggers)
	handle(a, route{Method: "POST", Path: "/v1/workflow-triggers", Tag: tag, Summary: "Make a trigger that belongs to no node", Scope: scope, Status: 201}, a.createTrigger)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Pause, resume or reconfigure a trigger", Scope: scope}, a.updateTrigger)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete a trigger that was made by hand", Scope: scope}, a.deleteTrigger)
}

type triggerView struct {
	ID           models.ID           `json:"id"`
	WorkflowID   models.ID           `json:"workflowId"`
	Type         trigger.TriggerType `json:"type" enum:"webhook,schedule"`
	IsActive     bool                `json:"isActive"`
	Config       map[string]any      `json:"config" doc:"Parameters of a webhook, or rules, timezone and maxExecutions of a schedule; nodeId names the node that it belongs to."`
	RunCount     int64               `json:"runCount"`
	WebhookURL   *string             `json:"webhookUrl,omitempty" doc:"Of a webhook: the path to call, behind the install's address; absent on an install without an encryption key."`
	WebhookToken *string             `json:"webhookToken,omitempty" doc:"Of a webhook: the token in the path, which is its only credential."`
	CreatedBy    models.ID           `json:"createdBy" doc:"As whom it runs."`
	CreatedAt    timestamp           `json:"createdAt"`
	UpdatedAt    timestamp           `json:"updatedAt"`
	LastFiredAt  *timestamp          `json:"lastFiredAt"`
	Parked       *bool               `json:"parked,omitempty" doc:"Whether its node must be mended, or room made for it, and the workflow saved before it runs; of a webhook only when it is so."`
	ParkedReason *nullableText       `json:"parkedReason,omitempty" nullable:"true" doc:"What has to be mended; null while a schedule is not parked. Of a webhook only when it is parked."`
}

func viewTrigger(t *trigger.Trigger) triggerView {
	view := triggerView{
		ID: t.ID, WorkflowID: t.WorkflowID, Type: t.Type, IsActive: t.IsActive, Config: t.Config, RunCount: t.RunCount,
		WebhookURL: t.WebhookURL(), WebhookToken: t.Token, CreatedBy: t.CreatedBy,
		CreatedAt: timestamp(t.CreatedAt), UpdatedAt: timestamp(t.UpdatedAt), LastFiredAt: moment(t.LastFiredAt),
	}
	if t.Type == trigger.ScheduleTrigger || t.ParkedReason != nil {
		parked := t.ParkedReason != nil
		view.Parked, view.ParkedReason = &parked, &nullableText{t.ParkedReason}
	}
	return view
}

// admitCall judges the token and its limit before the body is looked at.
func (a *API) admitCall(ctx context.Context) (context.Context, error) {
	token := mux.Vars((&http.Request{}).WithContext(ctx))["token"]
	return a.Resolver.Triggers.AdmitCall(ctx, token)
}

type callTriggerInput struct {
	Token string          `path:"token"`
	Body  *map[string]any `doc:"Keys are the trigger's parameters; others are ignored, and what is missing stays empty."`
}

func (a *API) callTrigger(ctx context.Context, in *callTriggerInput) (*plain[acceptedRun], error) {
	var payload map[string]any
	if in.Body != nil {
		payload = *in.Body
	}
	execution, err := a.Resolver.Triggers.CallTrigger(ctx, payload)
	if err != nil {
		return nil, err
	}
	return &plain[acceptedRun]{Status: http.StatusAccepted, Body: acceptedRun{ExecutionID: execution.ID, Status: run.ExecutionPending}}, nil
}

type listTriggersInput struct {
	IDPath
	PageQuery
}

func (a *API) listTriggers(ctx context.Context, in *listTriggersInput) (*many[triggerView], error) {
	found, err := a.query().WorkflowTriggers(ctx, in.ID, in.first(), in.after())
	if err != nil {
		return nil, err
	}
	return page(found, viewTrigger), nil
}

type createTriggerInput struct {
	Body struct {
		WorkflowID models.ID           `json:"workflowId"`
		Type       trigger.TriggerType `json:"type" doc:"webhook or schedule"`
		Config     map[string]any      `json:"config,omitempty" doc:"Of a schedule rules (or an interval such as 5m, or a cron expression), timezone and maxExecutions; of a webhook parameters."`
		IsActive   *bool               `json:"isActive,omitempty" doc:"Default: true."`
	}
}

func (a *API) createTrigger(ctx context.Context, in *createTriggerInput) (*single[triggerView], error) {
	made, err := a.mutation().CreateTrigger(ctx, trigger.CreateTriggerInput{
		WorkflowID: in.Body.WorkflowID, Type: in.Body.Type, Config: in.Body.Config, IsActive: in.Body.IsActive,
	})
	if err != nil {
		return nil, err
	}
	return one(viewTrigger(made)), nil
}

type updateTriggerInput struct {
	IDPath
	Body struct {
		IsActive models.Opt[bool] `json:"isActive,omitzero" doc:"Pauses or resumes; what belongs to a node follows the node's own switch again at the next save."`
		Config   models.OptMap    `json:"config,omitzero" doc:"Is laid over the stored one: send what changes."`
	}
}

func (a *API) updateTrigger(ctx context.Context, in *updateTriggerInput) (*single[triggerView], error) {
	changed, err := a.mutation().UpdateTrigger(ctx, in.ID, trigger.UpdateTriggerInput{IsActive: in.Body.IsActive, Config: in.Body.Config})
	if err != nil {
		return nil, err
	}
	return one(viewTrigger(changed)), nil
}

func (a *API) deleteTrigger(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeleteTrigger(ctx, in.ID)
	return succeeded(err)
}

type syncedView struct {
	Synced  int `json:"synced" doc:"Trigger nodes of the workflow."`
	Created int `json:"created"`
	Updated int `json:"updated"`
	Removed int `json:"removed"`
}

func (a *API) syncTriggers(ctx context.Context, in *IDPath) (*single[syncedView], error) {
	synced, err := a.mutation().SyncTriggers(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return one(syncedView{Synced: synced.Synced, Created: synced.Created, Updated: synced.Updated, Removed: synced.Removed}), nil
}
