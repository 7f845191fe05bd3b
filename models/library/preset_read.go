package library

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/space"
)

// List is the presets of the selected space that the caller can
// reach, newest first. An unknown node type in the filter is a validation_error.
func (s Presets) List(ctx context.Context, filter *PresetFilter, page models.Page) (*models.Connection[*Preset], error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	f, err := s.library.readPresetFilter(filter)
	if err != nil {
		return nil, err
	}
	viewer, err := s.library.Spaces.Selected(ctx)
	if err != nil {
		return nil, err
	}
	q := space.OwnedIn(s.library.DB.Read(ctx).Model(&Preset{}).Select(presetColumns), "node_presets", viewer)
	if f.nodeType != "" {
		q = q.Where("node_presets.node_type = ?", f.nodeType)
	}
	if f.tag != "" {
		q = q.Where("? = ANY (node_presets.tags)", f.tag)
	}
	if f.mine {
		q = q.Where("node_presets.owner_id = ?", viewer.UserID)
	}
	if f.query != "" {
		sought := "%" + likeEscape.Replace(f.query) + "%"
		q = q.Where("(node_presets.name ILIKE ? OR node_presets.description ILIKE ? OR array_to_string(node_presets.tags, ' ') ILIKE ?)", sought, sought, sought)
	}
	list := models.List[*Preset]{Name: "presets:" + viewer.Key() + f.key(), Position: func(p *Preset) string { return p.ID.String() }}
	found, err := models.ListPage(s.library.DB, list, page, q, models.NewestFirst("node_presets.id"))
	if err != nil {
		return nil, err
	}
	for _, p := range found.Nodes {
		if err := s.library.fillPreset(viewer, p); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// likeEscape has a text mean itself in LIKE.
var likeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// presetFilter is a filter whose form was checked.
type presetFilter struct {
	nodeType, query, tag string
	mine                 bool
}

// key tells lists of different filters apart, for their cursors.
func (f presetFilter) key() string {
	return ":" + f.nodeType + ":" + strconv.Quote(f.query) + ":" + strconv.Quote(f.tag) + ":" + strconv.FormatBool(f.mine)
}

func (s *Service) readPresetFilter(in *PresetFilter) (f presetFilter, err error) {
	if in == nil {
		return f, nil
	}
	if in.NodeType != nil {
		if _, err := s.presetType("nodeType", *in.NodeType); err != nil {
			return f, err
		}
		f.nodeType = *in.NodeType
	}
	if in.Query != nil {
		if f.query, err = models.CleanSearch("q", *in.Query); err != nil {
			return f, err
		}
	}
	if in.Tag != nil && *in.Tag != "" {
		tags, err := CleanTags([]string{*in.Tag})
		if err != nil {
			refusal, _ := models.AsError(err)
			return f, models.Invalid("tag", "%s", strings.TrimPrefix(refusal.Message, "tags "))
		}
		f.tag = tags[0]
	}
	f.mine = in.Mine != nil && *in.Mine
	return f, nil
}

// ListFactory is the presets of the program by node type and name:
// those of the types that this install offers.
func (s Presets) ListFactory(ctx context.Context, filter *PresetFilter, page models.Page) (*models.Connection[*Preset], error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	f, err := s.library.readPresetFilter(filter)
	if err != nil {
		return nil, err
	}
	found := []*Preset{}
	for _, p := range factoryPresets {
		kind, ok := s.library.Flows.Catalogue.Find(p.NodeType)
		if ok && kind.Offered() && !f.mine && f.takes(p) {
			found = append(found, s.library.factoryPreset(p))
		}
	}
	list := models.List[*Preset]{Name: "factory-presets" + f.key(), Position: factoryPosition}
	return models.PageOfAll(s.library.DB, list, page, found)
}

// takes is the filter for presets in memory.
func (f presetFilter) takes(p *Preset) bool {
	text := strings.ToLower(p.Name + "\n" + p.Description + "\n" + strings.Join(p.Tags, " "))
	return (f.nodeType == "" || f.nodeType == p.NodeType) && strings.Contains(text, strings.ToLower(f.query)) &&
		(f.tag == "" || slices.Contains(p.Tags, f.tag))
}

// Find reads a preset: of the program, or one that the caller can reach.
func (s Presets) Find(ctx context.Context, id models.ID) (*Preset, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	p, _, err := s.Reach(ctx, s.library.DB.Read(ctx), id)
	return p, err
}

// presetColumns are the row with the uses that CountUses has not added yet.
const presetColumns = "node_presets.*, node_presets.use_count + " +
	"(SELECT count(*) FROM element_uses u WHERE u.element_id = node_presets.id AND NOT u.counted) AS use_count"

// Reach reads a preset with the caller's reach in its space; one beyond
// reach is not_found. Of one of the program there is no reach.
func (s Presets) Reach(ctx context.Context, q *gorm.DB, id models.ID) (*Preset, *space.Viewer, error) {
	if p, ok := factoryByID[id]; ok {
		return s.library.factoryPreset(p), nil, nil
	}
	p, err := models.First[Preset](q.Select(presetColumns).Where("id = ?", id), errNoPreset)
	if err != nil {
		return nil, nil, err
	}
	r, err := s.library.Spaces.Of(ctx, p.owned())
	if models.HasCode(err, models.CodeNotFound) {
		return nil, nil, errNoPreset
	}
	if err != nil {
		return nil, nil, err
	}
	return p, r, s.library.fillPreset(r, p)
}

// presetRef is the settings of a preset for a run in a space. why is the text of
// the refusal when it cannot be used, to follow the field's name.
func (s *Service) presetRef(q *gorm.DB, viewer *space.Viewer, id models.ID, nodeType string) (settings map[string]any, why string, err error) {
	p, err := s.presetOf(q, id)
	if err != nil {
		return nil, "", err
	}
	if why := s.whyNotPreset(viewer, p, nodeType); why != "" {
		return nil, why, nil
	}
	return p.Settings, "", nil
}

// presetOf reads a preset of anyone, or of the program; nil when there is none.
func (s *Service) presetOf(q *gorm.DB, id models.ID) (*Preset, error) {
	if p, ok := factoryByID[id]; ok {
		return s.factoryPreset(p), nil
	}
	p, err := models.First[Preset](q.Where("id = ?", id), nil)
	if p != nil {
		s.judgeUse(p)
	}
	return p, err
}

// whyNotPreset is why a run in a space may not use a preset, which may be nil; empty when it may.
func (s *Service) whyNotPreset(viewer *space.Viewer, p *Preset, nodeType string) string {
	switch {
	case p == nil, !p.IsFactory && !reaches(viewer, p.owned()):
		return "names no preset that this run may use"
	case p.NodeType != nodeType:
		return "names a preset of " + p.NodeType + ", not of " + nodeType
	case !p.Usable:
		return "names a preset that cannot be used: " + *p.Reason
	}
	return ""
}

// reaches tells whether something lies in the space and can be seen there.
func reaches(viewer *space.Viewer, o space.Owned) bool {
	if viewer.Workspace == nil {
		return o.WorkspaceID == nil && o.OwnerID == viewer.UserID
	}
	return o.WorkspaceID != nil && *o.WorkspaceID == viewer.Workspace.ID && viewer.AccessTo(o) != ""
}
