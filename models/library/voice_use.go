package library

import (
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/flow"
	"atelier/nodes"
)

// voiceRef is a voice as a run uses it that acts in a space. why is the refusal, such
// as "names no voice that this run may use"; empty when it may.
func (s *Service) voiceRef(q *gorm.DB, space *flow.Reach, id models.ID, now time.Time) (ref *nodes.VoiceRef, why string, err error) {
	const unknown = "names no voice that this run may use"
	ctx := q.Statement.Context
	v := s.factoryVoice(ctx, id)
	if v == nil {
		var found []*Voice
		if err := q.Where("id = ?", id).Limit(1).Find(&found).Error; err != nil || len(found) == 0 {
			return nil, unknown, err
		}
		v = found[0]
		if err := s.loadVoiceConsents(ctx, v); err != nil {
			return nil, "", err
		}
		if !v.inReachOf(space) {
			return nil, unknown, nil
		}
	}
	if reason := s.whyUnusable(ctx, v, now); reason != "" {
		return nil, "names a voice that " + reason, nil
	}
	return v.ref(), "", nil
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
