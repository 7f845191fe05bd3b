package trigger

import (
	"context"
	"encoding/json"
	"slices"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// SyncedTriggers tells what registering a workflow's trigger nodes changed.
// Synced counts the nodes.
type SyncedTriggers struct{ Synced, Created, Updated, Removed int }

// SyncTriggers registers the trigger nodes of the saved graph again, for anyone who
// may edit the workflow. Every save has done so already; it mends what was
// changed by hand since, and gives addresses to those that were saved while the
// install had no key.
func (s *Service) SyncTriggers(ctx context.Context, workflowID models.ID) (*SyncedTriggers, error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	var synced *SyncedTriggers
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		w, viewer, err := s.Flows.LockWorkflow(tx, workflowID)
		if err != nil {
			return err
		}
		if err := flow.MayEdit(viewer, w, false); err != nil {
			return err
		}
		synced, err = s.registerTriggers(tx, w)
		return err
	})
	return synced, err
}

// triggersSaved registers the triggers of a graph that was saved; most new workflows have none.
func (s *Service) triggersSaved(tx *models.Tx, w *flow.Workflow, isNew bool) error {
	isTrigger := func(n *nodegraph.Node) bool { return nodegraph.IsTrigger(n.Type) }
	if isNew && !slices.ContainsFunc(w.Nodes, isTrigger) {
		return nil
	}
	_, err := s.registerTriggers(tx, w)
	return err
}

// registerTriggers makes the triggers of a workflow those of its graph, wherever a
// graph is written: a node that is new gets one, with an address that is minted
// once; one that stays keeps it, with its runs, and its own settings win; one
// that is gone takes its trigger along, and coming back it is new (contract 2,
// "Trigger endpoints" 1). The caller holds the workflow.
func (s *Service) registerTriggers(tx *models.Tx, w *flow.Workflow) (*SyncedTriggers, error) {
	var stored []*Trigger
	err := tx.Where("workflow_id = ?", w.ID).Order("id").Clauses(clause.Locking{Strength: "UPDATE"}).Find(&stored).Error
	if err != nil {
		return nil, err
	}
	byNode, plan := map[string]*Trigger{}, triggerPlan{counts: &SyncedTriggers{}}
	for _, t := range stored {
		if t.NodeID != nil {
			byNode[*t.NodeID] = t
		}
	}
	var all []followed
	for _, node := range w.Nodes {
		if !nodegraph.IsTrigger(node.Type) {
			continue
		}
		t := byNode[node.ID]
		if t != nil && t.Type == typeOfNode(node) {
			delete(byNode, node.ID)
		} else {
			t = nil
		}
		all = append(all, follow(tx, w, t, node))
	}
	var removed []*Trigger
	for _, t := range stored {
		if t.NodeID != nil && byNode[*t.NodeID] == t {
			removed = append(removed, t)
			plan.removed = append(plan.removed, t.ID)
		}
	}
	if err := s.park(tx, all, removed); err != nil {
		return nil, err
	}
	for _, f := range all {
		plan.counts.Synced++
		if err := s.planTrigger(tx, &plan, f); err != nil {
			return nil, err
		}
	}
	return plan.counts, plan.write(tx)
}

// triggerPlan is what registering writes.
type triggerPlan struct {
	counts           *SyncedTriggers
	created, updated []*Trigger
	// quiet are changed, too, in what no one sees.
	quiet   []*Trigger
	removed []models.ID
}

// follow gives the trigger of a node its settings; t is its trigger so far, nil for a
// node that is new.
func follow(tx *models.Tx, w *flow.Workflow, t *Trigger, node *nodegraph.Node) followed {
	f := followed{t: t}
	if t == nil {
		f.t = &Trigger{ID: tx.NewID(), WorkflowID: w.ID, Type: typeOfNode(node), NodeID: &node.ID, CreatedBy: tx.Actor.UserID, CreatedAt: tx.Now}
	} else {
		f.before = new(*t)
	}
	f.t.follow(tx, node)
	return f
}

// planTrigger adds a trigger that follows its node to the plan. One that is parked
// gets no address.
func (s *Service) planTrigger(tx *models.Tx, plan *triggerPlan, f followed) error {
	t := f.t
	if t.ParkedReason == nil {
		if err := s.mintToken(t); err != nil {
			return err
		}
	}
	before := f.was()
	if t.IsActive && before.IsActive && t.ParkedReason != nil && before.ParkedReason == nil {
		if err := s.tellParked(tx, t); err != nil {
			return err
		}
	}
	switch {
	case f.before == nil:
		plan.created = append(plan.created, t)
	case !t.looksLike(before):
		plan.updated = append(plan.updated, t)
	case t.BySession != before.BySession || t.CreatedBy != before.CreatedBy:
		plan.quiet = append(plan.quiet, t)
	}
	return nil
}

// looksLike tells whether two states of a trigger are shown alike.
func (t *Trigger) looksLike(other *Trigger) bool {
	return t.IsActive == other.IsActive && nodegraph.SameJSON(t.Config, other.Config) &&
		nodegraph.SameJSON(t.ParkedReason, other.ParkedReason) && (t.TokenHash == nil) == (other.TokenHash == nil)
}

// follow gives a trigger the settings of its node. A webhook without a switch is on, a
// schedule off (contract 2, "States and transitions"). Anyone who turns one on again
// that was stopped because of its creator is its creator from then on.
func (t *Trigger) follow(tx *models.Tx, node *nodegraph.Node) {
	before := *t
	active, set := node.Data["active"].(bool)
	t.ParkedReason = nil
	switch t.Type {
	case WebhookTrigger:
		t.IsActive = active || !set
		t.Config = nodegraph.Data{"parameters": parametersIn(node.Data)}
	case ScheduleTrigger:
		t.IsActive = active
		config, parked := nodeSchedule(node.Data)
		if t.Config = config; config == nil {
			t.Config = nodegraph.Data{}
		}
		if parked != "" {
			t.ParkedReason = &parked
		}
	}
	t.Config["nodeId"] = node.ID
	if t.IsActive && !before.IsActive && before.stoppedForCreator() {
		t.CreatedBy, t.BySession = tx.Actor.UserID, false
	}
	t.BySession = t.BySession || t.changedInPerson(tx)
	t.reschedule(tx, &before)
}

// parametersIn are the parameters of a node, as a list also when there are none.
func parametersIn(data map[string]any) any {
	if list, ok := data["parameters"].([]any); ok {
		return list
	}
	return []any{}
}

func typeOfNode(node *nodegraph.Node) TriggerType {
	if node.Type == nodegraph.ScheduleTriggerType {
		return ScheduleTrigger
	}
	return WebhookTrigger
}

// changedInPerson tells whether it is the trigger's creator who saves, signed in:
// the schedule is made in person then, and its runs are the creator's own. What
// such a run may send with plain credentials is judged node by node.
func (t *Trigger) changedInPerson(tx *models.Tx) bool {
	return tx.Actor.Kind == models.BySession && tx.Actor.UserID == t.CreatedBy
}

// stoppedForCreator tells whether it was paused because its creator may not run
// the workflow any more.
func (t *Trigger) stoppedForCreator() bool {
	return t.LastError != nil && *t.LastError == string(models.CodeRunRequiresMember)
}

// reschedule works out again when a schedule fires next, if that may have changed.
func (t *Trigger) reschedule(tx *models.Tx, before *Trigger) {
	if t.Type != ScheduleTrigger || !t.IsActive || t.ParkedReason != nil {
		t.NextFireAt = nil
		return
	}
	if before.NextFireAt == nil || !nodegraph.SameJSON(before.Config, t.Config) {
		t.NextFireAt = nextFire(t.Config, t.RunCount, tx.Now)
	}
}

// write makes the plan true: a statement for each kind of change.
func (p *triggerPlan) write(tx *models.Tx) error {
	p.counts.Created, p.counts.Updated, p.counts.Removed = len(p.created), len(p.updated), len(p.removed)
	if len(p.removed) > 0 {
		if err := tx.Where("id IN ?", p.removed).Delete(&Trigger{}).Error; err != nil {
			return err
		}
	}
	if len(p.created) > 0 {
		for _, t := range p.created {
			t.UpdatedAt = tx.Now
		}
		if err := tx.Create(p.created).Error; err != nil {
			return err
		}
	}
	for _, t := range p.updated {
		t.UpdatedAt = tx.Now
	}
	return saveTriggers(tx, append(p.updated, p.quiet...)...)
}

// saveTriggers writes what a save or a change by hand may change of triggers that
// the transaction holds: one statement for any number.
func saveTriggers(tx *models.Tx, all ...*Trigger) error {
	if len(all) == 0 {
		return nil
	}
	rows := make([]map[string]any, len(all))
	for i, t := range all {
		rows[i] = map[string]any{
			"id": t.ID, "is_active": t.IsActive, "config": t.Config, "token_sealed": t.TokenSealed,
			"token_hash": hexOrNil(t.TokenHash), "created_by": t.CreatedBy, "by_session": t.BySession,
			"next_fire_at": t.NextFireAt, "parked_reason": t.ParkedReason, "updated_at": t.UpdatedAt,
		}
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = tx.Run(`
		UPDATE workflow_triggers t SET is_active = n.is_active, config = n.config, token_sealed = n.token_sealed,
			token_hash = decode(n.token_hash, 'hex'), created_by = n.created_by, by_session = n.by_session,
			next_fire_at = n.next_fire_at, parked_reason = n.parked_reason, updated_at = n.updated_at
		FROM jsonb_to_recordset($1::jsonb) AS n(id uuid, is_active boolean, config jsonb, token_sealed text, token_hash text,
			created_by uuid, by_session boolean, next_fire_at timestamptz, parked_reason text, updated_at timestamptz)
		WHERE t.id = n.id`, string(body))
	return err
}
