package library

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// loadConsents finds under whose consent elements stand and whether the people are
// still there, in two statements for any number; usable, mayLeave, grantOf and
// showConsent know it then.
func (s *Service) loadConsents(ctx context.Context, elements ...*Element) error {
	faces, err := s.facesOf(ctx, elements)
	if err != nil {
		return err
	}
	states := make([]*ConsentState, 0, len(elements))
	places := make([]*models.ID, 0, len(elements))
	for _, e := range elements {
		consent := e.Consent
		if e.FaceID != nil {
			consent = faces[*e.FaceID]
		}
		e.state = &ConsentState{Consent: consent, Missing: e.DepictsPerson && consent == nil}
		states, places = append(states, e.state), append(places, e.WorkspaceID)
	}
	return s.loadGone(ctx, states, places)
}

// loadVoiceConsents is loadConsents for voices.
func (s *Service) loadVoiceConsents(ctx context.Context, voices ...*Voice) error {
	states := make([]*ConsentState, 0, len(voices))
	places := make([]*models.ID, 0, len(voices))
	for _, v := range voices {
		v.state = &ConsentState{Consent: v.Consent, Missing: v.Source == ClonedVoice && v.Consent == nil}
		states, places = append(states, v.state), append(places, v.WorkspaceID)
	}
	return s.loadGone(ctx, states, places)
}

// facesOf are the consents of the faces that characters have, by face.
func (s *Service) facesOf(ctx context.Context, elements []*Element) (map[models.ID]*Consent, error) {
	var ids []models.ID
	for _, e := range elements {
		if e.FaceID != nil {
			ids = append(ids, *e.FaceID)
		}
	}
	consents := make(map[models.ID]*Consent, len(ids))
	if len(ids) == 0 {
		return consents, nil
	}
	var faces []*Element
	err := s.DB.Read(ctx).Select("id", "consent").Where("id IN ?", ids).Find(&faces).Error
	for _, face := range faces {
		consents[face.ID] = face.Consent
	}
	return consents, err
}

// loadGone marks what depicts a member who is no active member any more.
func (s *Service) loadGone(ctx context.Context, states []*ConsentState, places []*models.ID) error {
	of := func(i int) (m org.Membership, ok bool) {
		if places[i] == nil || states[i].Consent == nil || states[i].Consent.UserID == nil {
			return m, false
		}
		return org.Membership{WorkspaceID: *places[i], UserID: *states[i].Consent.UserID}, true
	}
	var asked []org.Membership
	for i := range states {
		if m, ok := of(i); ok {
			asked = append(asked, m)
		}
	}
	active, err := s.Orgs.ActiveMembers(ctx, asked)
	for i := range states {
		if m, ok := of(i); ok {
			states[i].Gone = !active[m]
		}
	}
	return err
}

// consentState is what loadVoiceConsents found, or what the row alone says.
func (v *Voice) consentState() *ConsentState {
	if v.state != nil {
		return v.state
	}
	return &ConsentState{Consent: v.Consent, Missing: v.Source == ClonedVoice && v.Consent == nil}
}
