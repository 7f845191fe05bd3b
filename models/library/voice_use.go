package library

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// voicesOf reads voices of anyone, and of the program, with their consents: in a constant
// number of statements. What is no voice is left out.
func (s *Service) voicesOf(q *gorm.DB, ids []models.ID) (map[models.ID]*Voice, error) {
	ctx, all := q.Statement.Context, map[models.ID]*Voice{}
	var own []models.ID
	for _, id := range ids {
		if v := s.factoryVoice(ctx, id); v != nil {
			all[id] = v
		} else {
			own = append(own, id)
		}
	}
	if len(own) == 0 {
		return all, nil
	}
	var found []*Voice
	if err := q.Where("id IN ?", own).Find(&found).Error; err != nil || len(found) == 0 {
		return all, err
	}
	for _, v := range found {
		all[v.ID] = v
	}
	return all, s.loadVoiceConsents(ctx, found...)
}

// whyNotVoice is why a run in a space may not use a voice, which may be nil; empty when it may.
func (s *Service) whyNotVoice(ctx context.Context, viewer *space.Viewer, v *Voice, now time.Time) string {
	if v == nil || v.Source != FactoryVoice && !mayUse(viewer, v.Owned(), v.grantOf(viewer.UserID)) {
		return "names no voice that this run may use"
	}
	if reason := s.whyUnusable(ctx, v, now); reason != "" {
		return "names a voice that " + reason
	}
	return ""
}

func (v *Voice) ref() *kit.VoiceRef {
	return &kit.VoiceRef{
		ID: v.ID.String(), Provider: v.Provider, Voice: v.BaseVoice, Language: textOf(v.Language), Settings: v.Settings,
		DepictsPerson: v.Source == ClonedVoice,
	}
}

// OfElements are the voices with which some elements speak, by the elements; without a voice,
// or gone, they are left out. It asks nothing about access: who may use a voice is asked when it speaks.
func (s Voices) OfElements(q *gorm.DB, ids []models.ID) (map[models.ID]models.ID, error) {
	voices := map[models.ID]models.ID{}
	if len(ids) == 0 {
		return voices, nil
	}
	var found []*Element
	err := q.Select("id", "voice_id").Where("id IN ? AND voice_id IS NOT NULL", ids).Find(&found).Error
	for _, e := range found {
		voices[e.ID] = *e.VoiceID
	}
	return voices, err
}

// OfLanguage is a voice of the program that speaks a language, a BCP 47 tag, or the next wider
// one; nil when there is none.
func (s Voices) OfLanguage(ctx context.Context, tag string) *models.ID {
	for tag = strings.ToLower(tag); tag != ""; {
		for _, v := range s.library.factoryVoices(ctx) {
			if v.Provider == localProvider && v.Language != nil && strings.ToLower(*v.Language) == tag {
				return &v.ID
			}
		}
		cut := strings.LastIndexByte(tag, '-')
		if cut < 0 {
			break
		}
		tag = tag[:cut]
	}
	return nil
}

// TypeOf is the node type of a preset, no matter whom it belongs to; empty when it is gone.
func (s Presets) TypeOf(q *gorm.DB, id *models.ID) (string, error) {
	if id == nil {
		return "", nil
	}
	p, err := s.library.presetOf(q, *id)
	if err != nil || p == nil {
		return "", err
	}
	return p.NodeType, nil
}
