package library

import (
	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/space"
)

// What something of a space names, such as a production, is judged as a run in that space
// judges it: what lies there and the caller sees, and what is the caller's own.

// mayUse tells whether a run in the space may use a thing: one of the space that the runner
// sees, or of their own personal space. grants are what the runner has beside.
func mayUse(viewer *space.Viewer, o space.Owned, grants ...space.Access) bool {
	switch {
	case o.WorkspaceID == nil:
		return o.OwnerID == viewer.UserID
	case viewer.Workspace == nil || viewer.Workspace.ID != *o.WorkspaceID:
		return false
	}
	return viewer.AccessTo(o, grants...) != ""
}

// In are those of some presets that a run in the space may name.
func (s Presets) In(q *gorm.DB, viewer *space.Viewer, ids ...models.ID) (map[models.ID]*Preset, error) {
	found, err := s.ByID(q, ids...)
	for id, p := range found {
		if !p.IsFactory && !mayUse(viewer, p.owned()) {
			delete(found, id)
		}
	}
	return found, err
}

// In are those of some voices that a run in the space may name.
func (s Voices) In(q *gorm.DB, viewer *space.Viewer, ids ...models.ID) (map[models.ID]*Voice, error) {
	found := map[models.ID]*Voice{}
	if len(ids) == 0 {
		return found, nil
	}
	ctx := q.Statement.Context
	var own []models.ID
	for _, id := range ids {
		if v := s.library.factoryVoice(ctx, id); v != nil {
			found[id] = v
		} else {
			own = append(own, id)
		}
	}
	if len(own) == 0 {
		return found, nil
	}
	var rows []*Voice
	if err := q.Where("id IN ?", own).Find(&rows).Error; err != nil {
		return nil, err
	}
	if err := s.library.loadVoiceConsents(ctx, rows...); err != nil {
		return nil, err
	}
	for _, v := range rows {
		if mayUse(viewer, v.Owned(), v.grantOf(viewer.UserID)) {
			found[v.ID] = v
		}
	}
	return found, nil
}

// In are those of some elements that a run in the space may name.
func (s Elements) In(q *gorm.DB, viewer *space.Viewer, ids ...models.ID) (map[models.ID]*Element, error) {
	found := map[models.ID]*Element{}
	if len(ids) == 0 {
		return found, nil
	}
	var rows []*Element
	if err := q.Where("id IN ?", ids).Find(&rows).Error; err != nil {
		return nil, err
	}
	if err := s.library.loadConsents(q.Statement.Context, rows...); err != nil {
		return nil, err
	}
	for _, e := range rows {
		if mayUse(viewer, e.owned(), e.grantOf(viewer.UserID)) {
			found[e.ID] = e
		}
	}
	return found, nil
}

// Cast are the elements of a space that the caller sees and a script may name, the oldest
// first, with id, kind, name and handle alone: at most MaxElements.
func (s Elements) Cast(q *gorm.DB, viewer *space.Viewer) (rows []*Element, err error) {
	err = s.library.elementsIn(q.Statement.Context, q.Model(&Element{}), viewer).Where("elements.kind <> ?", Face).
		Select("elements.id, elements.kind, elements.name, elements.handle").Order("elements.id").Limit(MaxElements).Find(&rows).Error
	return rows, err
}

// Depicted are those of some elements and voices that depict persons, no matter who asks, with
// whether the person is a minor.
func (s *Service) Depicted(q *gorm.DB, ids []models.ID) (map[models.ID]bool, error) {
	minor := map[models.ID]bool{}
	var elements []*Element
	var voices []*Voice
	if err := q.Where("id IN ? AND depicts_person", ids).Find(&elements).Error; err != nil {
		return nil, err
	}
	if err := q.Where("id IN ? AND source = ?", ids, ClonedVoice).Find(&voices).Error; err != nil {
		return nil, err
	}
	if err := s.loadConsents(q.Statement.Context, elements...); err != nil {
		return nil, err
	}
	for _, e := range elements {
		minor[e.ID] = e.state.Consent != nil && e.state.Consent.Subject == Minor
	}
	for _, v := range voices {
		minor[v.ID] = v.Consent != nil && v.Consent.Subject == Minor
	}
	return minor, nil
}

// ByID are those of some presets that are there, no matter who asks: for what a preset
// decides of something that names it.
func (s Presets) ByID(q *gorm.DB, ids ...models.ID) (map[models.ID]*Preset, error) {
	found := map[models.ID]*Preset{}
	var own []models.ID
	for _, id := range ids {
		if p, ok := factoryByID[id]; ok {
			found[id] = s.library.factoryPreset(p)
		} else {
			own = append(own, id)
		}
	}
	if len(own) == 0 {
		return found, nil
	}
	var rows []*Preset
	err := q.Where("id IN ?", own).Find(&rows).Error
	for _, p := range rows {
		s.library.judgeUse(p)
		found[p.ID] = p
	}
	return found, err
}

// Factory are the presets of the program by their ids.
func (s Presets) Factory() map[models.ID]*Preset { return factoryByID }
