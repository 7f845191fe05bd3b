package library

import (
	"bytes"
	"context"
	"encoding/json"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// maxVoiceDescription is how long a voice's description may be, in characters.
const maxVoiceDescription = 500

// Create designs a voice of the selected space out of another one. Settings that
// its provider does not know are left out.
func (s Voices) Create(ctx context.Context, in CreateVoiceInput) (*Voice, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	v := &Voice{Source: DesignedVoice, Status: Ready}
	if err := v.describe(in.Name, in.Description); err != nil {
		return nil, err
	}
	return v, s.library.DB.Write(ctx, func(tx *models.Tx) error {
		viewer, err := s.library.placeVoice(tx, v, in.Visibility)
		if err != nil {
			return err
		}
		base, _, err := s.Reach(tx.Context(), tx.DB, in.BaseVoiceID)
		if models.HasCode(err, models.CodeNotFound) {
			return models.Invalid("baseVoiceId", "names no voice that you can use")
		}
		if err != nil {
			return err
		}
		if base.Source == ClonedVoice {
			return models.Invalid("baseVoiceId", "names a person's voice, which cannot be designed again")
		}
		v.Provider, v.BaseVoice, v.Language, v.Gender = base.Provider, base.BaseVoice, base.Language, base.Gender
		settings := map[string]any{}
		for name, value := range base.Settings {
			settings[name] = value
		}
		for name, value := range in.Settings {
			settings[name] = value
		}
		if v.Settings, err = kit.CheckVoiceSettings(ctx, "settings.", v.Provider, settings); err != nil {
			return err
		}
		if err := tx.Create(v).Error; err != nil {
			return err
		}
		if err := auditVoice(tx, v, "voice.created", models.Fields{"source": {To: v.Source}}); err != nil {
			return err
		}
		return s.library.showVoices(tx.Context(), tx.DB, viewer, v)
	})
}

// describe sets the words about a new voice.
func (v *Voice) describe(name string, description *string) (err error) {
	if v.Name, err = models.CleanName("name", name); err != nil || description == nil {
		return err
	}
	v.Description, err = models.CleanText("description", *description, maxVoiceDescription)
	return err
}

// placeVoice puts a new voice into the selected space, which has room for it.
func (s *Service) placeVoice(tx *models.Tx, v *Voice, wish *space.Visibility) (*space.Viewer, error) {
	viewer, err := s.Spaces.ForCreate(tx)
	if err != nil {
		return nil, err
	}
	if err := viewer.CheckOpen(true); err != nil {
		return nil, err
	}
	owned, err := viewer.Place(wish)
	if err != nil {
		return nil, err
	}
	v.OwnerID, v.WorkspaceID, v.OrganizationID, v.Visibility = owned.OwnerID, owned.WorkspaceID, owned.OrganizationID, owned.Visibility
	v.ID, v.CreatedAt, v.UpdatedAt, v.Version = tx.NewID(), tx.Now, tx.Now, 1
	if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, "voices of "+viewer.Key()).Error; err != nil {
		return nil, err
	}
	q := tx.Model(&Voice{}).Where("workspace_id IS NULL AND owner_id = ?", viewer.UserID)
	if viewer.Workspace != nil {
		q = tx.Model(&Voice{}).Where("workspace_id = ?", viewer.Workspace.ID)
	}
	var count int64
	if err := q.Count(&count).Error; err != nil {
		return nil, err
	}
	if count >= maxVoices {
		return nil, models.Err(models.CodeLimitReached, "A space may have %d voices of its own; delete one first", maxVoices)
	}
	return viewer, nil
}

// Update changes a voice of the caller's reach.
func (s Voices) Update(ctx context.Context, id models.ID, in UpdateVoiceInput) (*Voice, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	change, err := in.read()
	if err != nil {
		return nil, err
	}
	var v *Voice
	err = s.library.DB.Write(ctx, func(tx *models.Tx) error {
		var viewer *space.Viewer
		if v, viewer, err = s.library.lockVoice(tx, id); err != nil {
			return err
		}
		if err := change.authorize(v, viewer); err != nil {
			return err
		}
		if in.Version != nil && *in.Version != v.Version {
			return models.Err(models.CodeStale, "The voice was changed meanwhile: it is at version %d", v.Version)
		}
		if err := change.apply(ctx, v); err != nil {
			return err
		}
		if err := saveVoice(tx, v, change.from); err != nil {
			return err
		}
		if v.Version != change.from.Version {
			if err := s.library.touched(tx, v.ID); err != nil {
				return err
			}
		}
		return s.library.showVoices(tx.Context(), tx.DB, viewer, v)
	})
	return v, err
}

// lockVoice reads an own voice of the space for a change, with its space held; those of the
// program are forbidden to change.
func (s *Service) lockVoice(tx *models.Tx, id models.ID) (*Voice, *space.Viewer, error) {
	if s.factoryVoice(tx.Context(), id) != nil {
		return nil, nil, models.Err(models.CodeForbidden, "A voice of the program cannot be changed or deleted; design your own out of it")
	}
	found, _, err := s.Voices().Reach(tx.Context(), tx.DB, id)
	if err != nil {
		return nil, nil, err
	}
	if err := space.Hold(tx, found.Owned()); err != nil {
		return nil, nil, err
	}
	return s.Voices().Reach(tx.Context(), tx.Clauses(clause.Locking{Strength: "UPDATE"}), id)
}

// voiceChange is an update whose form was checked; nil fields stay.
type voiceChange struct {
	name, description *string
	visibility        *space.Visibility
	settings          map[string]any
	// from is the voice before it.
	from Voice
}

func (in UpdateVoiceInput) read() (*voiceChange, error) {
	c := &voiceChange{}
	if name, sent, err := models.Required("name", in.Name); err != nil {
		return nil, err
	} else if sent {
		if name, err = models.CleanName("name", name); err != nil {
			return nil, err
		}
		c.name = &name
	}
	if description, sent := in.Description.ValueOK(); sent {
		text, err := models.CleanText("description", textOf(description), maxVoiceDescription)
		if err != nil {
			return nil, err
		}
		c.description = &text
	}
	if visibility, sent, err := models.Required("visibility", in.Visibility); err != nil {
		return nil, err
	} else if sent {
		c.visibility = &visibility
	}
	if settings, sent := in.Settings.ValueOK(); sent {
		if c.settings = settings; settings == nil {
			c.settings = map[string]any{}
		}
	}
	return c, nil
}

func (c *voiceChange) authorize(v *Voice, viewer *space.Viewer) error {
	if err := viewer.MayEditAs(v.Access, "voice"); err != nil || c.visibility == nil || *c.visibility == v.Visibility {
		return err
	}
	return viewer.MayManageAs(v.Access, "voice")
}

func (c *voiceChange) apply(ctx context.Context, v *Voice) (err error) {
	c.from = *v
	if c.name != nil {
		v.Name = *c.name
	}
	if c.description != nil {
		v.Description = *c.description
	}
	if c.visibility != nil {
		v.Visibility = *c.visibility
		if err := v.Owned().CheckVisibility(); err != nil {
			return err
		}
	}
	if c.settings != nil {
		v.Settings, err = kit.CheckVoiceSettings(ctx, "settings.", v.Provider, c.settings)
	}
	return err
}

// saveVoice writes what has changed; nothing is written where nothing has.
func saveVoice(tx *models.Tx, v *Voice, from Voice) error {
	var changed []string
	note := func(name string, differs bool) {
		if differs {
			changed = append(changed, name)
		}
	}
	note("name", v.Name != from.Name)
	note("description", v.Description != from.Description)
	note("settings", !sameJSON(v.Settings, from.Settings))
	shared := v.Visibility != from.Visibility
	if len(changed) == 0 && !shared {
		return nil
	}
	v.Version++
	v.UpdatedAt = tx.Now
	if err := tx.Model(v).Select("name", "description", "settings", "visibility", "version", "updated_at").Updates(v).Error; err != nil {
		return err
	}
	if len(changed) > 0 {
		if err := auditVoice(tx, v, "voice.updated", models.Fields{"fields": {To: changed}}); err != nil {
			return err
		}
	}
	if !shared {
		return nil
	}
	return auditVoice(tx, v, "voice.visibility_changed", models.Fields{"visibility": {From: from.Visibility, To: v.Visibility}})
}

// sameJSON tells whether two objects are the same once they are written down.
func sameJSON(a, b map[string]any) bool {
	first, err := json.Marshal(a) // names in their order
	second, other := json.Marshal(b)
	return err == nil && other == nil && bytes.Equal(first, second)
}

// Delete deletes a voice with its sounds, and its copy at the provider.
func (s Voices) Delete(ctx context.Context, id models.ID) error {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return err
	}
	return s.library.DB.Write(ctx, func(tx *models.Tx) error {
		v, viewer, err := s.library.lockVoice(tx, id)
		if err != nil {
			return err
		}
		if err := viewer.MayManageAs(v.Access, "voice"); err != nil {
			return err
		}
		if err := s.library.removeVoice(tx, v); err != nil {
			return err
		}
		return auditVoice(tx, v, "voice.deleted", models.Fields{"source": {From: v.Source}})
	})
}

// removeVoice takes away a voice whose row is locked: the row, its private files at
// once, and its copy at the provider as soon as that can be had.
func (s *Service) removeVoice(tx *models.Tx, v *Voice) error {
	if v.Source == ClonedVoice && v.BaseVoice != "" {
		made := &clonedVoice{Provider: v.Provider, Voice: v.BaseVoice}
		if v.Cloning != nil {
			made.Consent = v.Cloning.Consent
		}
		if err := removeClone(tx, made); err != nil {
			return err
		}
	}
	if err := s.Media.RemovePrivate(tx, v.sounds()...); err != nil {
		return err
	}
	if err := tx.Exec(`DELETE FROM voices WHERE id = ?`, v.ID).Error; err != nil {
		return err
	}
	if err := s.touched(tx, v.ID); err != nil || v.Source != ClonedVoice {
		return err
	}
	return s.subjectRemoved(tx, v.ID)
}

// sounds are the files of a voice.
func (v *Voice) sounds() (files []models.ID) {
	for _, id := range []*models.ID{v.PreviewFileID, v.SampleFileID, v.RecordingFileID} {
		if id != nil {
			files = append(files, *id)
		}
	}
	return files
}

// auditVoice writes what happened to a voice of an organization; names of people are left out.
func auditVoice(tx *models.Tx, v *Voice, action string, fields models.Fields) error {
	if v.OrganizationID == nil {
		return nil
	}
	return tx.Audit(*v.OrganizationID, action, models.Target{Type: "voice", ID: v.ID, WorkspaceID: v.WorkspaceID}, fields)
}
