package studio

import (
	"slices"
	"strconv"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// named is an element that a shot names, and where.
type named struct {
	id    models.ID
	field string
	kinds []library.Kind
}

// names are the elements that a shot names.
func (s *Shot) names() (all []named) {
	for _, list := range []struct {
		field string
		ids   models.IDs
		kind  library.Kind
	}{{"characterIds", s.CharacterIDs, library.Character}, {"creatureIds", s.CreatureIDs, library.Creature}, {"objectIds", s.ObjectIDs, library.Object}} {
		for i, id := range list.ids {
			all = append(all, named{id, list.field + "[" + strconv.Itoa(i) + "]", []library.Kind{list.kind}})
		}
	}
	if s.LocationID != nil {
		all = append(all, named{*s.LocationID, "locationId", []library.Kind{library.Location}})
	}
	if s.SpeakerID != nil {
		all = append(all, named{*s.SpeakerID, "speakerId", []library.Kind{library.Character, library.Creature, library.Object}})
	}
	return all
}

// elements are the ids of those.
func (s *Shot) elements() (ids []models.ID) {
	for _, n := range s.names() {
		ids = append(ids, n.id)
	}
	return ids
}

// checkShot refuses what a shot names and may not, of what it did not name before: elements of
// the right kind and voices that the production may use.
func (s *Service) checkShot(q *gorm.DB, viewer *space.Viewer, before, shot *Shot) error {
	if before == nil {
		before = &Shot{}
	}
	if err := s.checkSource(q, "ownImageUrl", before.OwnImageURL, shot.OwnImageURL); err != nil {
		return err
	}
	had := before.names()
	fresh := slices.DeleteFunc(shot.names(), func(n named) bool {
		return slices.ContainsFunc(had, func(b named) bool { return b.id == n.id && slices.Equal(b.kinds, n.kinds) })
	})
	ids := make([]models.ID, len(fresh))
	for i, n := range fresh {
		ids[i] = n.id
	}
	found, err := s.Library.Elements().In(q, viewer, ids...)
	if err != nil {
		return err
	}
	for _, n := range fresh {
		if e := found[n.id]; e == nil || !slices.Contains(n.kinds, e.Kind) {
			return models.Invalid(n.field, "names no %s that this production may use", n.kinds[0])
		}
	}
	if shot.VoiceID == nil || same(shot.VoiceID, before.VoiceID) {
		return nil
	}
	voices, err := s.Library.Voices().In(q, viewer, *shot.VoiceID)
	if err == nil && voices[*shot.VoiceID] == nil {
		err = models.Invalid("voiceId", "names no voice that this production may use")
	}
	return err
}

// addToCast adds what shots name to the cast of their production.
func (s *Service) addToCast(tx *models.Tx, p *Production, shots ...*Shot) error {
	before := len(p.CastIDs)
	for _, shot := range shots {
		for _, id := range shot.elements() {
			if !slices.Contains(p.CastIDs, id) {
				p.CastIDs = append(p.CastIDs, id)
			}
		}
	}
	if len(p.CastIDs) > MaxCast {
		return models.Err(models.CodeLimitReached, "A production names at most %d elements; take some out of its cast first", MaxCast)
	}
	if len(p.CastIDs) == before {
		return nil
	}
	return tx.Model(p).Select("cast_ids").Updates(p).Error
}

// checkSource refuses an address that was not there before, and from which nothing can be taken.
func (s *Service) checkSource(q *gorm.DB, field string, before, now *string) error {
	if now == nil || before != nil && *before == *now {
		return nil
	}
	return s.Media.CheckSource(q, field, *now)
}
