package org

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"atelier/models"
)

// Work is what a person may do with others' work.
type Work string

const (
	View Work = "view"
	Edit Work = "edit"
)

// Rules are the settings resolved: the workspace's layer over the
// organization's over the kind's defaults (contract 3, "Settings").
type Rules struct {
	AdminAccess               Work   `json:"admin_access"`
	DefaultWorkflowVisibility string `json:"default_workflow_visibility"` // private or workspace
	MemberAccessToShared      Work   `json:"member_access_to_shared"`
	MembersCanCreateProjects  bool   `json:"members_can_create_projects"`
	MemberCapsEnabled         bool   `json:"member_caps_enabled"`
	PersonalSpaceEnabled      bool   `json:"personal_space_enabled"`
	WorkspaceAdminsCanInvite  bool   `json:"workspace_admins_can_invite"`
	CollaboratorsCanInvite    bool   `json:"collaborators_can_invite"`
}

// OrganizationRules adds the keys that exist at the organization's layer alone.
type OrganizationRules struct {
	Rules
	AllowedEmailDomains []string          `json:"allowed_email_domains"`
	VocabularyOverrides map[string]string `json:"vocabulary_overrides"`
}

// defaults are the rules of each kind of organization.
var defaults = map[Kind]Rules{
	School: {
		AdminAccess: Edit, DefaultWorkflowVisibility: "private", MemberAccessToShared: View,
		MemberCapsEnabled: true, PersonalSpaceEnabled: true, WorkspaceAdminsCanInvite: true,
	},
	Team: {
		AdminAccess: View, DefaultWorkflowVisibility: "workspace", MemberAccessToShared: Edit,
		MembersCanCreateProjects: true, PersonalSpaceEnabled: true,
		WorkspaceAdminsCanInvite: true, CollaboratorsCanInvite: true,
	},
}

// settingKeys are the keys of every layer, in the contract's order.
var settingKeys = []string{
	"admin_access", "default_workflow_visibility", "member_access_to_shared", "members_can_create_projects",
	"member_caps_enabled", "personal_space_enabled", "workspace_admins_can_invite", "collaborators_can_invite",
}

// organizationKeys adds those of the organization's layer alone.
var organizationKeys = slices.Concat(settingKeys, []string{"allowed_email_domains", "vocabulary_overrides"})

// Rules are the organization's settings resolved.
func (o *Organization) Rules() OrganizationRules {
	rules := OrganizationRules{Rules: defaults[o.Kind], AllowedEmailDomains: []string{}, VocabularyOverrides: map[string]string{}}
	lay(&rules, o.Settings)
	return rules
}

// Rules are the workspace's settings resolved.
func (w *Workspace) Rules() Rules {
	rules := defaults[w.OrgKind]
	lay(&rules, w.OrgSettings)
	lay(&rules, w.Settings)
	return rules
}

// lay puts a stored layer over what lies below it; keys that it lacks fall through.
func lay(rules any, layer json.RawMessage) {
	if len(layer) > 0 {
		_ = json.Unmarshal(layer, rules) // validated when it was stored
	}
}

// SettingRows are the settings with where each value comes from.
func (o *Organization) SettingRows() []*Setting {
	below := Organization{Kind: o.Kind}
	return settingRows(organizationKeys, o.Rules(), below.Rules(), layer{"organization", o.Settings})
}

// SettingRows are the settings with where each value comes from.
func (w *Workspace) SettingRows() []*Setting {
	below := Workspace{OrgKind: w.OrgKind, OrgSettings: w.OrgSettings}
	return settingRows(settingKeys, w.Rules(), below.Rules(), layer{"workspace", w.Settings}, layer{"organization", w.OrgSettings})
}

// layer is what is stored at one place.
type layer struct {
	source string
	stored json.RawMessage
}

// settingRows are the rules and what they were without the first layer, key by key.
func settingRows(keys []string, rules, below any, layers ...layer) []*Setting {
	values, inherited := encodeRules(rules), encodeRules(below)
	rows := make([]*Setting, len(keys))
	for i, key := range keys {
		rows[i] = &Setting{
			Key: key, Value: values[key], Source: sourceOf(key, layers), Inherited: inherited[key], InheritedFrom: sourceOf(key, layers[1:]),
		}
	}
	return rows
}

func encodeRules(rules any) map[string]json.RawMessage {
	encoded, _ := json.Marshal(rules)
	return decodeSettings(encoded)
}

// sourceOf is the first layer that sets a key.
func sourceOf(key string, layers []layer) string {
	for _, l := range layers {
		if _, set := decodeSettings(l.stored)[key]; set {
			return l.source
		}
	}
	return "default"
}

// CountSettingOverrides is how many workspaces in use set each key themselves, for
// owner and admins; nothing for others.
func (s *Service) CountSettingOverrides(ctx context.Context, o *Organization) (rows []*SettingOverride, err error) {
	if _, err := reader(ctx); err != nil {
		return nil, err
	}
	if o.Authorize(ReadMembers) != nil {
		return []*SettingOverride{}, nil
	}
	rows = []*SettingOverride{}
	return rows, s.DB.Read(ctx).Raw(`SELECT key, count(*) AS workspaces FROM workspaces, jsonb_object_keys(settings) key
		WHERE organization_id = ? AND archived_at IS NULL GROUP BY key ORDER BY key`, o.ID).Scan(&rows).Error
}

func decodeSettings(stored json.RawMessage) map[string]json.RawMessage {
	values := map[string]json.RawMessage{}
	if len(stored) > 0 {
		_ = json.Unmarshal(stored, &values) // an object by construction
	}
	return values
}

// mergeSettings lays an update over the stored layer key by key: null unsets a
// key, unknown keys are dropped, a value of the wrong form is a
// validation_error. changes holds the old and new value of what differs.
func mergeSettings(keys []string, stored json.RawMessage, update map[string]any) (merged json.RawMessage, changes models.Fields, err error) {
	values, changes := decodeSettings(stored), models.Fields{}
	for _, key := range slices.Sorted(maps.Keys(update)) {
		if !slices.Contains(keys, key) {
			continue
		}
		before, had := values[key]
		delete(values, key)
		if update[key] != nil {
			if values[key], err = settingValue(key, update[key]); err != nil {
				return nil, nil, err
			}
		}
		if after, has := values[key]; had != has || !sameJSON(before, after) {
			changes["settings."+key] = models.Change{From: orNull(before), To: orNull(after)}
		}
	}
	merged, err = json.Marshal(values)
	return merged, changes, err
}

func orNull(v json.RawMessage) any {
	if v == nil {
		return nil
	}
	return v
}

// sameJSON compares values whose spelling the database may have changed.
func sameJSON(a, b json.RawMessage) bool {
	canonical := func(raw json.RawMessage) []byte {
		var v any
		_ = json.Unmarshal(raw, &v)
		out, _ := json.Marshal(v)
		return out
	}
	return bytes.Equal(canonical(a), canonical(b))
}
