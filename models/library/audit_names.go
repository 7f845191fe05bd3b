package library

import (
	"context"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

// The audit log keeps the ids of things and never their names, which may be those of people. Its readers are told what a
// thing is called now, as far as all of its workspace see the thing and it is of no person.

// ElementNames reads such names of elements; nil for the others, and for those that are not there.
func ElementNames(ctx context.Context, s *Service, ids []models.ID) (map[models.ID]*models.Named, error) {
	return sharedNames(s.DB.Read(ctx).Table("elements t").Where("NOT t.depicts_person AND t.kind <> ?", Face), ids)
}

// VoiceNames reads such names of voices in the same way.
func VoiceNames(ctx context.Context, s *Service, ids []models.ID) (map[models.ID]*models.Named, error) {
	return sharedNames(s.DB.Read(ctx).Table("voices t").Where("t.source <> ?", ClonedVoice), ids)
}

// PresetNames reads such names of presets in the same way.
func PresetNames(ctx context.Context, s *Service, ids []models.ID) (map[models.ID]*models.Named, error) {
	return sharedNames(s.DB.Read(ctx).Table("node_presets t"), ids)
}

func sharedNames(q *gorm.DB, ids []models.ID) (map[models.ID]*models.Named, error) {
	return org.NamesIn(q.Where("t.visibility = ?", space.WorkspaceShared), ids)
}
