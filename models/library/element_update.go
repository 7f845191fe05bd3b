package library

import (
	"context"
	"maps"
	"slices"

	"atelier/models"
	"atelier/models/space"
)

// Update saves changes of an element; each save makes the next version.
// Refusals: stale_version when in.Version is not the current one,
// insufficient_role for callers who may only look, name_taken for a handle.
func (s Elements) Update(ctx context.Context, id models.ID, in UpdateElementInput) (*Element, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	err := s.library.DB.Write(ctx, func(tx *models.Tx) error {
		e, r, err := s.library.lockElement(tx, id)
		if err != nil {
			return err
		}
		if err := mayEdit(e, r); err != nil {
			return err
		}
		before := *e
		if err := e.change(in); err != nil {
			return err
		}
		if e.Visibility != before.Visibility {
			if err := r.MayManageAs(e.Access, string(e.Kind)); err != nil {
				return err
			}
		}
		if in.Version != nil && *in.Version != before.Version {
			return models.Err(models.CodeStale, "The %s was changed meanwhile: it is at version %d", e.Kind, before.Version)
		}
		return s.library.saveElement(tx, r, &before, e, in)
	})
	if err != nil {
		return nil, err
	}
	return s.Find(ctx, id)
}

// saveElement checks what the element names, and writes what changed.
func (s *Service) saveElement(tx *models.Tx, r *space.Viewer, before, e *Element, in UpdateElementInput) error {
	if _, moved := in.ProjectID.ValueOK(); moved {
		if err := space.CheckFolder(tx.DB, r, e.ProjectID); err != nil {
			return err
		}
	}
	if !same(before.VoiceID, e.VoiceID) {
		if err := s.checkVoice(tx, e); err != nil {
			return err
		}
	}
	if err := s.changePerson(tx, r, e, in); err != nil {
		return err
	}
	fields := elementFields(before, e)
	if in.Consent != nil {
		fields["consent"] = models.Change{}
	}
	if len(fields) == 0 {
		return nil
	}
	e.Version, e.UpdatedAt = before.Version+1, tx.Now
	err := tx.Model(e).Select("name", "handle", "description", "prompt", "negative_prompt", "attributes", "tags", "voice_id", "face_id",
		"depicts_person", "status", "visibility", "project_id", "version", "updated_at").Updates(e).Error
	if err != nil {
		return err
	}
	if err := s.touched(tx, e.ID); err != nil {
		return err
	}
	if shared, changed := fields["visibility"]; changed {
		if err := auditElement(tx, e, "visibility_changed", models.Fields{"visibility": shared}); err != nil {
			return err
		}
		if delete(fields, "visibility"); len(fields) == 0 {
			return nil
		}
	}
	return auditElement(tx, e, "updated", fields)
}

// change takes over what was sent, its form checked; who is depicted is for changePerson.
func (e *Element) change(in UpdateElementInput) error {
	for _, set := range []func() error{
		func() error { return Change("name", in.Name, &e.Name, models.CleanName) },
		func() error {
			return Change("handle", in.Handle, &e.Handle, func(_, s string) (string, error) { return checkHandle(s) })
		},
		func() error { return Change("description", in.Description, &e.Description, Bounded(maxElementText)) },
		func() error { return Change("prompt", in.Prompt, &e.Prompt, Bounded(maxElementPrompt)) },
		func() error {
			return Change("negativePrompt", in.NegativePrompt, &e.NegativePrompt, Bounded(maxElementPrompt))
		},
		func() error {
			return Change("visibility", in.Visibility, &e.Visibility, func(_ string, v space.Visibility) (space.Visibility, error) {
				o := e.owned()
				o.Visibility = v
				return v, o.CheckVisibility()
			})
		},
		func() error { return e.changeLists(in) },
	} {
		if err := set(); err != nil {
			return err
		}
	}
	if id, sent := in.VoiceID.ValueOK(); sent {
		e.VoiceID = id
	}
	if id, sent := in.ProjectID.ValueOK(); sent {
		e.ProjectID = id
	}
	return e.checkCharacterOnly()
}

// changeLists takes over attributes and tags, each as a whole.
func (e *Element) changeLists(in UpdateElementInput) (err error) {
	if sent, ok := in.Attributes.ValueOK(); ok {
		if sent == nil {
			return models.Invalid("attributes", "must not be null")
		}
		if e.Attributes, err = cleanAttributes(e.Kind, sent); err != nil {
			return err
		}
	}
	tags, ok, err := models.Required("tags", in.Tags)
	if err == nil && ok {
		e.Tags, err = CleanTags(tags)
	}
	return err
}

// Change takes over a field that was sent and is not null.
func Change[T any](field string, sent models.Opt[T], value *T, clean func(string, T) (T, error)) error {
	v, ok, err := models.Required(field, sent)
	if err != nil || !ok {
		return err
	}
	v, err = clean(field, v)
	if err == nil {
		*value = v
	}
	return err
}

// Bounded checks a text of at most so many characters.
func Bounded(most int) func(field, s string) (string, error) {
	return func(field, s string) (string, error) { return models.CleanText(field, s, most) }
}

// elementFields are what differs, by name alone except for the visibility.
func elementFields(before, after *Element) models.Fields {
	fields := models.Fields{}
	for name, same := range map[string]bool{
		"name": before.Name == after.Name, "handle": before.Handle == after.Handle, "description": before.Description == after.Description,
		"prompt": before.Prompt == after.Prompt, "negativePrompt": before.NegativePrompt == after.NegativePrompt,
		"attributes": maps.Equal(before.Attributes, after.Attributes), "tags": slices.Equal(before.Tags, after.Tags),
		"voiceId": same(before.VoiceID, after.VoiceID), "faceId": same(before.FaceID, after.FaceID),
		"depictsPerson": before.DepictsPerson == after.DepictsPerson, "projectId": same(before.ProjectID, after.ProjectID),
	} {
		if !same {
			fields[name] = models.Change{}
		}
	}
	if before.Visibility != after.Visibility {
		fields["visibility"] = models.Change{From: before.Visibility, To: after.Visibility}
	}
	return fields
}

func same(a, b *models.ID) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
