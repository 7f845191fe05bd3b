package library

import (
	"encoding/json"
	"net/url"

	"atelier/models"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// The bounds of presets; see docs/security.md.
const (
	// MaxPresets is how many a space holds.
	MaxPresets = 500
	// MaxImported is how many one import brings.
	MaxImported = 100
	// MaxPresetSettings is the size of the settings of one as JSON, in bytes.
	MaxPresetSettings = 64 << 10
	// maxPresetText is of descriptions, in characters.
	maxPresetText = 4_000
	// maxImageAddress is of addresses of pictures, in characters.
	maxImageAddress = 2_000
)

// presetType is a node type for which presets are kept: one that runs alone,
// whether a provider that it needs is set up or not.
func (s *Service) presetType(field, nodeType string) (*kit.Node, error) {
	kind, ok := s.Flows.Catalogue.Find(nodeType)
	if !ok || !run.IsStandalone(nodeType) {
		return nil, models.Invalid(field, "must be a node type that runs by itself")
	}
	return kind, nil
}

// CleanSettings judges the settings of a preset; prefix is settings, or where it
// stands in an import.
func CleanSettings(kind *kit.Node, field string, settings map[string]any) (map[string]any, error) {
	kept, err := kind.PresetSettings(field+".", settings)
	if err != nil {
		return nil, err
	}
	written, err := json.Marshal(kept)
	if err != nil {
		return nil, models.Invalid(field, "must be an object of settings")
	}
	if len(written) > MaxPresetSettings {
		return nil, models.Invalid(field, "must be at most %d KiB", MaxPresetSettings>>10)
	}
	return kept, nil
}

// CleanAddress checks an address of the web, such as that of a picture; nil and "" are none.
func CleanAddress(field string, address *string) (*string, error) {
	if address == nil || *address == "" {
		return nil, nil
	}
	u, err := url.Parse(*address)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.User != nil || len(*address) > maxImageAddress {
		return nil, models.Invalid(field, "must be a web address")
	}
	if _, err := models.CleanText(field, *address, maxImageAddress); err != nil {
		return nil, err
	}
	return address, nil
}

// newPreset is the preset of an input, its form checked; prefix stands before
// the names of fields.
func (s *Service) newPreset(prefix string, in CreatePresetInput) (p *Preset, err error) {
	kind, err := s.presetType(prefix+"nodeType", in.NodeType)
	if err != nil {
		return nil, err
	}
	p = &Preset{NodeType: in.NodeType, Version: 1}
	if p.Name, err = models.CleanName(prefix+"name", in.Name); err != nil {
		return nil, err
	}
	if p.Settings, err = CleanSettings(kind, prefix+"settings", in.Settings); err != nil {
		return nil, err
	}
	if in.Description != nil {
		if p.Description, err = models.CleanText(prefix+"description", *in.Description, maxPresetText); err != nil {
			return nil, err
		}
	}
	if p.Tags, err = CleanTags(in.Tags); err != nil {
		return nil, Within(prefix, err)
	}
	if p.ImageURL, err = CleanAddress(prefix+"imageUrl", in.ImageURL); err != nil {
		return nil, err
	}
	p.ProjectID = in.ProjectID
	return p, nil
}

// Within puts a prefix before the field that a refusal names.
func Within(prefix string, err error) error {
	refusal, known := models.AsError(err)
	if !known || prefix == "" || refusal.Field == "" {
		return err
	}
	moved := *refusal
	moved.Field, moved.Message = prefix+refusal.Field, prefix+refusal.Message
	return &moved
}

// fillPreset adds what the caller may do with a preset, and whether it can be
// used here; one beyond reach is not_found.
func (s *Service) fillPreset(r *space.Viewer, p *Preset) error {
	p.Access = r.AccessTo(p.owned())
	if p.Access == "" {
		return errNoPreset
	}
	manage := r.MayManageAs(p.Access, presetNoun) == nil
	p.Can = ThingCan{Edit: r.MayEditAs(p.Access, presetNoun) == nil, Delete: manage, Share: manage && p.WorkspaceID != nil, Export: true, Post: manage}
	s.judgeUse(p)
	return nil
}

// judgeUse tells whether a preset can be used on this install.
func (s *Service) judgeUse(p *Preset) {
	p.Usable, p.Reason = true, nil
	kind, err := s.presetType("nodeType", p.NodeType)
	reason := "This install has no node type " + p.NodeType
	if err == nil {
		reason = kind.Unusable(p.Settings)
	}
	if reason != "" {
		p.Usable, p.Reason = false, &reason
	}
}

const presetNoun = "preset"

var errNoPreset = models.NotFound("Preset")
