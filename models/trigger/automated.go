package trigger

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/run"
	"atelier/models/space"
)

// How an automated run begins, for webhooks and schedules alike. Anyone who starts
// one does it in two steps:
//
//	err := s.DB.Write(t.acting(ctx), func(tx *models.Tx) (err error) {
//		execution, err = s.startAutomated(tx, t, payload)
//		return err
//	})
//	if refusal := leavesEntry(err); refusal != nil {
//		err = s.DB.Write(ctx, func(tx *models.Tx) error { _, err := s.refuseAutomated(tx, t, refusal); return err })
//	}
//
// The first Write must not commit when startAutomated fails. Within a transaction
// that is open already (a schedule that holds its own row) it joins behind a
// savepoint, which then goes back alone: Write(t.acting(tx.Context()), …).

// acting is a context in which the trigger's creator acts, bound to nothing else.
func (t *Trigger) acting(ctx context.Context) context.Context {
	before := models.ActorFrom(ctx)
	return models.WithActor(ctx, models.Actor{
		Kind: models.Automation, UserID: t.CreatedBy,
		IP: before.IP, UserAgent: before.UserAgent, RequestID: before.RequestID,
	})
}

// startAutomated starts a run of a trigger's workflow as the trigger's creator, who is
// checked again, and notes it at the trigger: run_count, last_fired_at,
// last_execution_id. The transaction's actor is t.acting. payload is what reached
// a webhook, nil for a schedule; of a trigger that is wired to something its
// branch runs (contract 2, "Trigger endpoints" 3 to 6). t is brought up to date.
//
// Refusals, in this order: not_found when the trigger or its workflow is gone;
// validation_error for the payload; trigger_paused; run_requires_authenticated_member
// when its creator may not run the workflow any more; the money and whatever else
// refuses a run. For the last two see leavesEntry.
func (s *Service) startAutomated(tx *models.Tx, t *Trigger, payload map[string]any) (*run.Execution, error) {
	fired, err := s.fire(tx, t, tx.NewRunID(t.CreatedBy))
	if err != nil {
		return nil, err
	}
	request, err := s.askAutomated(tx, t, fired, payload)
	if err != nil {
		return nil, err
	}
	execution, err := s.Runs.AcceptRun(tx, *request)
	return execution, asRefused(err)
}

// askAutomated finds out what a trigger runs that was read, and who pays.
func (s *Service) askAutomated(tx *models.Tx, t *Trigger, fired *firing, payload map[string]any) (*run.Request, error) {
	if t.CreatedBy != tx.Actor.UserID {
		return nil, errOtherCreator
	}
	request := t.request(fired.executionID, fired.workflow)
	if err := t.feed(&request, fired.workflow, payload); err != nil {
		return nil, err
	}
	if !fired.wasActive {
		return nil, errTriggerPaused
	}
	var err error
	request.Payer, err = s.payerOfAutomated(tx, fired, nil)
	return &request, err
}

// request asks for a run of the trigger; feed adds its graph, the caller who pays.
func (t *Trigger) request(id models.ID, w *flow.Workflow) run.Request {
	return run.Request{
		ID: id, TriggerID: &t.ID, Trigger: string(t.Type), Source: string(t.Type), Personal: t.personal(),
		WorkflowID: &w.ID, WorkflowVersion: &w.Version, AuthorID: w.OwnerID, HomeID: w.WorkspaceID,
		Saved: &run.Authored{Nodes: w.Nodes},
	}
}

var errTriggerPaused = models.Err(models.CodeTriggerPaused, "The trigger is paused: it starts nothing until it is resumed")

// errOtherCreator tells that the trigger has another creator than the one who acts.
var errOtherCreator = errors.New("the trigger has another creator now")

// firing is what a trigger runs, read along with the trigger.
type firing struct {
	workflow    *flow.Workflow
	executionID models.ID // in the shard of the space that pays
	wasActive   bool
	// usable is false for a creator who was banned or whose account is gone.
	usable bool
}

// fire notes at the trigger that it starts an execution, and reads all that decides about
// it: one statement, which the transaction takes back when nothing starts.
func (s *Service) fire(tx *models.Tx, t *Trigger, executionID models.ID) (*firing, error) {
	f := &firing{workflow: &flow.Workflow{}}
	err := s.DB.Row(tx.Context(), `
		WITH fired AS (
			UPDATE workflow_triggers SET run_count = run_count + 1, last_fired_at = $2, last_error = NULL,
				last_execution_id = id_in_space($3, coalesce(`+flow.WorkspaceOf("workflow_id")+`, created_by))
			WHERE id = $1 RETURNING *
		)
		SELECT `+firedColumns+`, t.last_execution_id FROM fired t `+joinFired,
		t.ID, tx.Now, executionID,
	).Scan(append(f.columns(t), &f.executionID)...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errNoTrigger
	}
	if err != nil {
		return nil, err
	}
	t.IsActive, t.LastFiredAt, t.LastExecutionID, t.LastError = f.wasActive, &tx.Now, &executionID, nil
	return f, nil
}

// firedColumns are what decides about a call of a trigger t, for firing.columns; joinFired finds it.
var (
	firedColumns = `t.type, t.node_id, t.is_active, t.config, t.run_count, t.created_by, t.by_session, t.next_fire_at, t.parked_reason,
		` + account.Usable + `,
		w.id, w.name, w.description, w.project_id, w.owner_id, w.workspace_id, w.organization_id, w.visibility,
		w.version, w.created_at, w.updated_at, v.nodes, v.edges, g.role`
	joinFired = flow.JoinGraph("t.workflow_id") + ` ` + account.Join("t.created_by") + ` ` + flow.JoinGrant("t.created_by")
)

func (f *firing) columns(t *Trigger) []any {
	w := f.workflow
	return []any{
		&t.Type, &t.NodeID, &f.wasActive, &t.Config, &t.RunCount, &t.CreatedBy, &t.BySession, &t.NextFireAt, &t.ParkedReason,
		&f.usable,
		&w.ID, &w.Name, &w.Description, &w.ProjectID, &w.OwnerID, &w.WorkspaceID, &w.OrganizationID, &w.Visibility,
		&w.Version, &w.CreatedAt, &w.UpdatedAt, &w.Nodes, &w.Edges, &w.Granted,
	}
}

var errNoTrigger = models.NotFound("Trigger")

// feed gives a new run its graph and what reached the trigger.
func (t *Trigger) feed(request *run.Request, w *flow.Workflow, payload map[string]any) error {
	request.Nodes, request.Edges = w.Nodes, w.Edges
	node := t.nodeIn(w.Nodes)
	if node != nil {
		request.Nodes, request.Edges = nodegraph.Branch(w.Nodes, w.Edges, node.ID)
	}
	if payload == nil {
		return nil
	}
	fed := nodegraph.Nodes{node}
	if node == nil {
		fed = w.Nodes.OfType(nodegraph.WebhookTriggerType)
	}
	request.Outputs = map[string]map[string]any{}
	for _, n := range fed {
		values, err := nodegraph.ReadPayload(t.parametersOf(n), payload)
		if err != nil {
			return err
		}
		request.Outputs[n.ID] = nodegraph.TriggerOutput(values)
		if words := nodegraph.PayloadSubject(t.parametersOf(n), values); words != "" && request.Subject == nil {
			request.Subject = &words
		}
	}
	return nil
}

// nodeIn is the node that the trigger stands for: its own or, of one that was made
// by hand, the only webhook trigger on the canvas; nil when there is none.
func (t *Trigger) nodeIn(all nodegraph.Nodes) *nodegraph.Node {
	if t.NodeID != nil {
		return all.Find(*t.NodeID)
	}
	if webhooks := all.OfType(nodegraph.WebhookTriggerType); len(webhooks) == 1 {
		return webhooks[0]
	}
	return nil
}

// parametersOf are the parameters that a call fills in: those of the trigger's own
// config, else the node's.
func (t *Trigger) parametersOf(node *nodegraph.Node) []nodegraph.Parameter {
	if own, ok := t.Config["parameters"]; ok {
		return nodegraph.ReadParameters(own)
	}
	return nodegraph.ReadParameters(node.Data["parameters"])
}

// refusedRun is a refusal of an automated run that stays in the history.
type refusedRun struct{ refusal *models.Error }

func (e *refusedRun) Error() string { return e.refusal.Error() }
func (e *refusedRun) Unwrap() error { return e.refusal }

// asRefused marks refusals: what failed for other reasons, and what passes with
// time, is no entry of a history.
func asRefused(err error) error {
	if refusal := models.Refusal(err); refusal != nil {
		return &refusedRun{refusal}
	}
	return err
}

// leavesEntry is the refusal that refuseAutomated writes down; nil when the
// error leaves none: of a call that was wrong, a trigger that is gone or paused, or a
// trouble of ours, which passes.
func leavesEntry(err error) *models.Error {
	var refused *refusedRun
	if errors.As(err, &refused) {
		return refused.refusal
	}
	return nil
}

// payerOfAutomated checks that the creator may still run the workflow, and tells
// who pays: the space that the workflow lives in. Whatever stops the creator is
// run_requires_authenticated_member (contract 2, "Trigger endpoints" 5). home is that
// space when it is known: the creator's own.
func (s *Service) payerOfAutomated(tx *models.Tx, f *firing, home *space.Viewer) (payer credit.Payer, err error) {
	if !f.usable {
		return payer, &refusedRun{errCreatorStopped("the account is closed")}
	}
	if home == nil {
		f.workflow, home, err = s.Flows.HomeToRun(tx, f.workflow)
	} else {
		err = flow.CheckRunAt(home, f.workflow)
	}
	if err == nil {
		payer, err = s.Runs.PayerFor(tx, home)
	}
	if refusal := models.Refusal(err); refusal != nil {
		return payer, &refusedRun{errCreatorStopped(refusal.Message)}
	}
	return payer, err
}

func errCreatorStopped(why string) *models.Error {
	return models.Err(models.CodeRunRequiresMember, creatorStopped+"%s", why)
}

// refuseAutomated writes down that a trigger started nothing: one failed entry in the
// run history with the refusal's code, and the refusal at the trigger. One that
// stopped because of its creator is paused; nil when that has happened already.
func (s *Service) refuseAutomated(tx *models.Tx, t *Trigger, refusal *models.Error) (*run.Execution, error) {
	stops := refusal.Code == models.CodeRunRequiresMember
	var of struct {
		WorkspaceID, OrganizationID *models.ID
		Version                     int
		LastError                   *string // before this
	}
	id, code, message := tx.NewID(), string(refusal.Code), strings.TrimSuffix(refusal.Message, ".")+"."
	err := s.DB.Row(tx.Context(), `
		WITH noted AS (
			UPDATE workflow_triggers SET last_fired_at = $2, last_error = $4,
				last_execution_id = id_in_space($3, coalesce(`+flow.WorkspaceOf("workflow_id")+`, created_by)),
				is_active = is_active AND NOT $5, next_fire_at = CASE WHEN $5 THEN NULL ELSE next_fire_at END
			WHERE id = $1 AND is_active RETURNING *
		)
		SELECT t.created_by, t.is_active, t.next_fire_at, w.workspace_id, w.organization_id, w.version, t.last_execution_id,
			(SELECT last_error FROM workflow_triggers WHERE id = $1)
		FROM noted t `+flow.JoinWorkflow("t.workflow_id"), t.ID, tx.Now, id, code, stops,
	).Scan(&t.CreatedBy, &t.IsActive, &t.NextFireAt, &of.WorkspaceID, &of.OrganizationID, &of.Version, &id, &of.LastError)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t.LastFiredAt, t.LastExecutionID, t.LastError = &tx.Now, &id, &code
	exec := &run.Execution{
		ID: id, TriggerID: &t.ID, AccountID: t.CreatedBy, WorkspaceID: of.WorkspaceID, OrganizationID: of.OrganizationID,
		WorkflowID: &t.WorkflowID, WorkflowVersion: &of.Version, Trigger: string(t.Type), Source: string(t.Type),
		Status: run.ExecutionFailed, ErrorCode: &code, ErrorMessage: &message,
		Nodes: nodegraph.Nodes{}, Edges: nodegraph.Edges{}, Revision: 1, CreatedAt: tx.Now, CompletedAt: &tx.Now,
	}
	if err := s.tellRefused(tx, t, refusal, of.LastError); err != nil {
		return nil, err
	}
	return exec, run.InsertEnded(tx, exec)
}

// personal tells whether the runs of a trigger are its creator's own: those of a
// schedule that was made in the console (contract 2, "Credential").
func (t *Trigger) personal() bool { return t.Type == ScheduleTrigger && t.BySession }
