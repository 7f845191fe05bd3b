package studio

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
	"atelier/nodes/phrase"
)

// matcher finds the elements of a space that a script names.
type matcher struct {
	// byName are elements by their names and handles in small letters; those of the cast come first.
	byName map[string][]*library.Element
	// mentioned are those whose name, or @handle, stands anywhere in the script.
	mentioned []*library.Element
}

func (s *Service) matcher(q *gorm.DB, viewer *space.Viewer, p *Production, found phrase.Breakdown) (*matcher, error) {
	all, err := s.Library.Elements().Cast(q, viewer)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b *library.Element) int { return castPlace(p, a.ID) - castPlace(p, b.ID) })
	m := &matcher{byName: map[string][]*library.Element{}}
	names := make([]string, 0, 2*len(all))
	for _, e := range all {
		name := plain(e.Name)
		m.byName[name] = append(m.byName[name], e)
		if e.Handle != name {
			m.byName[e.Handle] = append(m.byName[e.Handle], e)
		}
		names = append(names, mentionedAs(e)...)
	}
	var text strings.Builder
	for _, shot := range found.Shots {
		for _, part := range []string{shot.Action, shot.Dialogue} {
			text.WriteString(part + "\n")
		}
	}
	said := phrase.Mentioned(text.String(), names)
	for i, e := range all {
		if said[2*i] || said[2*i+1] {
			m.mentioned = append(m.mentioned, e)
		}
	}
	return m, nil
}

// castPlace is where an element stands in the cast, behind all of it for none.
func castPlace(p *Production, id models.ID) int {
	if i := slices.Index(p.CastIDs, id); i >= 0 {
		return i
	}
	return len(p.CastIDs)
}

// mentionedAs are the two ways in which a text names an element. A name of one letter is a word
// of its own too often.
func mentionedAs(e *library.Element) []string {
	name := e.Name
	if utf8.RuneCountInString(name) < 2 {
		name = ""
	}
	return []string{name, "@" + e.Handle}
}

// plain is a name as it is compared.
func plain(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.TrimPrefix(strings.TrimSpace(name), "@")), " "))
}

// find is the element that a name means, of the first kind that has one; nil for none.
func (m *matcher) find(name string, kinds ...library.Kind) *library.Element {
	for _, kind := range kinds {
		for _, e := range m.byName[plain(name)] {
			if e.Kind == kind {
				return e
			}
		}
	}
	return nil
}

// speakers are the kinds of those who say something.
var speakers = []library.Kind{library.Character, library.Creature, library.Object}

// shot is a shot as the studio keeps it, with the elements that it names.
func (m *matcher) shot(of phrase.Shot) *Shot {
	shot := &Shot{
		Title: models.Shortened(of.Title, maxTitle-1), Action: of.Action, Dialogue: of.Dialogue, Camera: usualCamera, Status: ShotEmpty, Version: 1,
		CharacterIDs: models.IDs{}, CreatureIDs: models.IDs{}, ObjectIDs: models.IDs{},
	}
	if of.Dialogue == "" && of.Seconds > 0 { // what is said decides how long it takes
		seconds := math.Round(min(max(of.Seconds, minShot), maxShot)*10) / 10
		shot.Duration = &seconds
	}
	if of.Dialogue != "" {
		if e := m.find(of.Speaker, speakers...); e != nil {
			shot.SpeakerID = &e.ID
			shot.add(e)
		} else {
			shot.SpeakerName = models.Shortened(strings.TrimSpace(of.Speaker), maxTitle-1)
		}
	}
	if e := m.find(of.Place, library.Location); e != nil {
		shot.LocationID = &e.ID
	}
	for _, e := range m.mentioned {
		if as := mentionedAs(e); of.Mentions(as[0]) || of.Mentions(as[1]) {
			shot.add(e)
		}
	}
	return shot
}

// add has an element appear in a shot, as far as there is room.
func (s *Shot) add(e *library.Element) {
	var to *models.IDs
	switch e.Kind {
	case library.Character:
		to = &s.CharacterIDs
	case library.Creature:
		to = &s.CreatureIDs
	case library.Object:
		to = &s.ObjectIDs
	case library.Location:
		if s.LocationID == nil {
			s.LocationID = &e.ID
		}
		return
	default:
		return
	}
	if len(*to) < maxEach && len(s.CharacterIDs)+len(s.CreatureIDs)+len(s.ObjectIDs) < maxTogether && !slices.Contains(*to, e.ID) {
		*to = append(*to, e.ID)
	}
}

// unmatched are the names of a script for which the space has no element.
func (m *matcher) unmatched(names []phrase.FoundName) []*UnmatchedName {
	left := []*UnmatchedName{}
	for _, n := range names {
		kinds := speakers
		switch n.Kind {
		case phrase.NameLocation:
			kinds = []library.Kind{library.Location}
		case phrase.NameElement:
			kinds = append([]library.Kind{library.Location}, speakers...)
		}
		if m.find(n.Name, kinds...) == nil {
			left = append(left, &UnmatchedName{Name: n.Name, Kind: n.Kind, Count: n.Count})
		}
	}
	return left
}
