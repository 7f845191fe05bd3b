package trigger

import (
	"context"
	"encoding/json"
	"maps"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// The bounds of triggers that are made by hand; those of nodes are bounded by the graph.
const (
	// MaxTriggersByHand is how many a workflow may have.
	MaxTriggersByHand = 50
	// maxTriggerConfig bounds a config, in bytes of JSON.
	maxTriggerConfig = 64 << 10
)

// CreateTriggerInput makes a trigger that belongs to no node. It is on unless
// IsActive says otherwise.
type CreateTriggerInput struct {
	WorkflowID models.ID
	Type       TriggerType
	Config     map[string]any
	IsActive   *bool
}

// CreateTrigger makes a trigger by hand, for the one who may run the workflow, as whom
// it runs. Refusals: validation_error for the type and the config; not_found;
// insufficient_role; a space that is closed to runs; limit_reached;
// encryption_key_missing for a webhook, whose address could not be kept.
func (s *Service) CreateTrigger(ctx context.Context, in CreateTriggerInput) (*Trigger, error) {
	actor := models.ActorFrom(ctx)
	if err := space.RequireWorkflows(actor); err != nil {
		return nil, err
	}
	t := &Trigger{WorkflowID: in.WorkflowID, Type: in.Type, IsActive: in.IsActive == nil || *in.IsActive}
	if err := t.configure(in.Config); err != nil {
		return nil, err
	}
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		w, viewer, err := s.Flows.LockWorkflow(tx, in.WorkflowID)
		if err != nil {
			return err
		}
		if err := flow.MayEdit(viewer, w, true); err != nil {
			return err
		}
		if err := roomForTrigger(tx, w.ID); err != nil {
			return err
		}
		t.ID, t.CreatedAt, t.UpdatedAt = tx.NewID(), tx.Now, tx.Now
		t.CreatedBy, t.BySession = actor.UserID, actor.Kind == models.BySession
		if s.Vault == nil && t.Type == WebhookTrigger {
			return models.Err(models.CodeEncryptionKeyMissing, "SERVICE_ENCRYPTION_KEY is not set on this install")
		}
		if err := s.mintToken(t); err != nil {
			return err
		}
		t.reschedule(tx, &Trigger{})
		if err := s.admitSchedule(tx, t, &Trigger{}); err != nil {
			return err
		}
		if err := tx.Create(t).Error; err != nil {
			return err
		}
		s.showToken(tx.Context(), t, w, actor)
		return flow.AuditWorkflow(tx, w, "trigger.created", models.Fields{"type": {To: t.Type}, "isActive": {To: t.IsActive}})
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// roomForTrigger counts those that were made by hand; the caller holds the workflow.
func roomForTrigger(tx *models.Tx, workflowID models.ID) error {
	var count int64
	if err := tx.Model(&Trigger{}).Where("workflow_id = ? AND node_id IS NULL", workflowID).Count(&count).Error; err != nil {
		return err
	}
	if count >= MaxTriggersByHand {
		return models.Err(models.CodeLimitReached, "A workflow may have %d triggers that were made by hand; delete one first", MaxTriggersByHand)
	}
	return nil
}

// configure checks a config that a person sent, laid over the one that is there,
// and takes what is known of it. The link to the node stays.
func (t *Trigger) configure(sent map[string]any) error {
	merged := mergedConfig(t.Config, sent)
	if text, err := json.Marshal(merged); err != nil || len(text) > maxTriggerConfig {
		return models.Invalid("config", "must be at most %d KiB of JSON", maxTriggerConfig>>10)
	}
	config := nodegraph.Data{}
	switch t.Type {
	case WebhookTrigger:
		if err := nodegraph.CheckParameters("config.", merged["parameters"]); err != nil {
			return err
		}
		if merged["parameters"] != nil {
			config["parameters"] = merged["parameters"]
		}
	case ScheduleTrigger:
		delete(merged, "nodeId")
		checked, err := checkSchedule("config.", merged)
		if err != nil {
			return err
		}
		config = maps.Clone(checked)
		if !t.parkedFor(parkedForNodes) {
			t.ParkedReason = nil
		}
	default:
		return models.Invalid("type", "must be webhook or schedule")
	}
	if t.NodeID != nil {
		config["nodeId"] = *t.NodeID
	}
	t.Config = config
	return nil
}

// timings are the ways to say when a schedule fires, of which one holds.
var timings = []string{"rules", "interval", "cron"}

// mergedConfig lays what was sent over a config: null takes a setting away, and
// another way to say when a schedule fires takes the place of the one before.
func mergedConfig(stored nodegraph.Data, sent map[string]any) nodegraph.Data {
	merged := maps.Clone(stored)
	if merged == nil {
		merged = nodegraph.Data{}
	}
	for _, name := range timings {
		if sent[name] != nil {
			for _, other := range timings {
				delete(merged, other)
			}
		}
	}
	for name, value := range sent {
		if merged[name] = value; value == nil {
			delete(merged, name)
		}
	}
	return merged
}

// UpdateTriggerInput pauses, resumes or reconfigures a trigger; Config holds
// what changes.
type UpdateTriggerInput struct {
	IsActive models.Opt[bool]
	Config   models.OptMap
}

// UpdateTrigger changes a trigger, for the one who may edit its workflow. What
// belongs to a node follows the node again at the next save. Anyone who resumes a
// trigger that was stopped because of its creator is its creator from then on.
// limit_reached for a schedule more than an account may have waiting.
func (s *Service) UpdateTrigger(ctx context.Context, id models.ID, in UpdateTriggerInput) (*Trigger, error) {
	actor := models.ActorFrom(ctx)
	if err := space.RequireWorkflows(actor); err != nil {
		return nil, err
	}
	active, switched, err := models.Required("isActive", in.IsActive)
	if err != nil {
		return nil, err
	}
	config, configured := in.Config.ValueOK()
	if configured && config == nil {
		return nil, models.Invalid("config", "must be an object")
	}
	var t *Trigger
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		var w *flow.Workflow
		var viewer *space.Viewer
		if t, w, viewer, err = s.lockTrigger(tx, id); err != nil {
			return err
		}
		if err := flow.MayEdit(viewer, w, false); err != nil {
			return err
		}
		before := *t
		if switched {
			if err := t.turn(active); err != nil {
				return err
			}
		}
		if t.IsActive && !before.IsActive && before.stoppedForCreator() {
			t.CreatedBy, t.BySession, t.LastError = actor.UserID, actor.Kind == models.BySession, nil
		}
		if configured {
			if err := t.configure(config); err != nil {
				return err
			}
			t.BySession = t.BySession && t.changedInPerson(tx)
		}
		t.reschedule(tx, &before)
		if err := s.admitSchedule(tx, t, &before); err != nil {
			return err
		}
		s.showToken(tx.Context(), t, w, actor)
		if t.looksLike(&before) {
			return saveTriggers(tx, t)
		}
		t.UpdatedAt = tx.Now
		if err := saveTriggers(tx, t); err != nil {
			return err
		}
		return flow.AuditWorkflow(tx, w, "trigger.updated", triggerFields(&before, t))
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// turn pauses or resumes it. What was parked for a bound is tried again.
func (t *Trigger) turn(on bool) error {
	if on && t.parkedFor(parkedForNodes) {
		return models.Err(models.CodeLimitReached, "A workflow may have %d triggers on its canvas; remove another one, then save the workflow", MaxTriggerNodes)
	}
	if t.IsActive = on; on && t.parkedFor(parkedForSchedules) {
		t.ParkedReason = nil
	}
	return nil
}

// triggerFields is what differs, for the audit log.
func triggerFields(before, after *Trigger) models.Fields {
	fields := models.Fields{}
	flow.NoteChange(fields, "isActive", before.IsActive, after.IsActive)
	flow.NoteChange(fields, "config", before.Config, after.Config)
	return fields
}

// DeleteTrigger deletes a trigger that was made by hand, for the one who may edit its
// workflow; one of a node is trigger_owned_by_node: its address is retired with the node.
func (s *Service) DeleteTrigger(ctx context.Context, id models.ID) error {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		t, w, viewer, err := s.lockTrigger(tx, id)
		if err != nil {
			return err
		}
		if err := flow.MayEdit(viewer, w, false); err != nil {
			return err
		}
		if t.NodeID != nil {
			return models.Err(models.CodeTriggerOwnedByNode, "The trigger belongs to a node of the workflow: remove the node to delete it")
		}
		if err := tx.Where("id = ?", t.ID).Delete(&Trigger{}).Error; err != nil {
			return err
		}
		return flow.AuditWorkflow(tx, w, "trigger.deleted", models.Fields{"type": {From: t.Type}})
	})
}
