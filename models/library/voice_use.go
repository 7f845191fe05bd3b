package library

import (
	"context"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/flow"
	"atelier/nodes"
)

// voicesOf reads voices of anybody, and of the program, with their consents: in a constant
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
func (s *Service) whyNotVoice(ctx context.Context, space *flow.Reach, v *Voice, now time.Time) string {
	if v == nil || v.Source != FactoryVoice && !v.inReachOf(space) {
		return "names no voice that this run may use"
	}
	if reason := s.whyUnusable(ctx, v, now); reason != "" {
		return "names a voice that " + reason
	}
	return ""
}

// inReachOf tells whether a run in the space may use the voice: one of the space that the
// runner sees, or of their own personal space.
func (v *Voice) inReachOf(space *flow.Reach) bool {
	switch {
	case v.WorkspaceID == nil:
		return v.OwnerID == space.UserID
	case space.Workspace == nil || space.Workspace.ID != *v.WorkspaceID:
		return false
	}
	return space.AccessTo(v.owned(), v.grantOf(space.UserID)) != ""
}

func (v *Voice) ref() *nodes.VoiceRef {
	return &nodes.VoiceRef{
		ID: v.ID.String(), Provider: v.Provider, Voice: v.BaseVoice, Language: textOf(v.Language), Settings: v.Settings,
		DepictsPerson: v.Source == ClonedVoice,
	}
}
