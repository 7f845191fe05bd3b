package library

import (
	"context"
	"slices"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

// errNotYours refuses who has no say about a consent.
var errNotYours = models.InsufficientRole("Only the person who is depicted and the workspace's admins may answer for this consent")

// GiveConsent answers for the consent of an element: true gives what is awaited of
// the caller, or renews it; false withdraws, which deletes the element with its
// pictures and its training, and the characters that have the face. It is nil then.
// insufficient_role for everyone but the depicted person and the workspace's
// admins; an element that depicts no person, or stands under its face's consent:
// validation_error; stale_version when it changed since the caller looked.
func (s Elements) GiveConsent(ctx context.Context, id models.ID, in GiveConsentInput) (*Element, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	gone := false
	err := s.library.DB.Write(ctx, func(tx *models.Tx) error {
		e, r, err := s.library.lockElement(tx, id)
		if err != nil {
			return err
		}
		switch {
		case e.FaceID != nil:
			return models.Invalid("id", "names a character that stands under the consent of its face")
		case e.Consent == nil:
			return models.Invalid("id", "names nothing that depicts a person")
		case !e.Consent.mayAnswer(r):
			return errNotYours
		}
		if err := in.seen(e.Version, e.UpdatedAt); err != nil {
			return err
		}
		if !in.Confirmed {
			gone = true
			return s.library.withdraw(tx, e)
		}
		if err := r.CheckOpen(false); err != nil {
			return err
		}
		c, err := s.library.answer(tx, r, e.Consent, in)
		if err != nil || c == nil {
			return err
		}
		if c.Status == Given {
			if err := admitWaiting(tx, e.ID); err != nil {
				return err
			}
		}
		if status := statusUnder(c, e.Status); status != e.Status {
			if err := tx.Model(&Element{}).Where("id = ?", e.ID).UpdateColumn("status", status).Error; err != nil {
				return err
			}
		}
		return s.library.keepConsent(tx, e.depicting(), c)
	})
	if err != nil || gone {
		return nil, err
	}
	return s.Find(ctx, id)
}

// GiveConsent is Elements.GiveConsent for a cloned voice.
func (s Voices) GiveConsent(ctx context.Context, id models.ID, in GiveConsentInput) (*Voice, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	if err := s.library.Runs.AdmitRun(ctx); err != nil { // cloning may begin
		return nil, err
	}
	gone := false
	err := s.library.DB.Write(ctx, func(tx *models.Tx) error {
		v, r, err := s.library.lockVoice(tx, id)
		if err != nil {
			return err
		}
		switch {
		case v.Consent == nil:
			return models.Invalid("id", "names no voice of a person")
		case !v.Consent.mayAnswer(r):
			return errNotYours
		}
		if err := in.seen(v.Version, v.UpdatedAt); err != nil {
			return err
		}
		if !in.Confirmed {
			gone = true
			return s.library.withdrawVoice(tx, v)
		}
		if err := r.CheckOpen(false); err != nil {
			return err
		}
		c, err := s.library.answer(tx, r, v.Consent, in)
		if err != nil || c == nil {
			return err
		}
		if err := s.library.keepConsent(tx, v.depicting(), c); err != nil {
			return err
		}
		v.Consent, v.state = c, nil
		return s.library.voiceConsented(tx, r, v)
	})
	if err != nil || gone {
		return nil, err
	}
	return s.Find(ctx, id)
}

// answer is the consent once the caller agreed; nil when that changes nothing. What
// has expired begins again, with the answers that it awaited first.
func (s *Service) answer(tx *models.Tx, r *space.Viewer, old *Consent, in GiveConsentInput) (*Consent, error) {
	c := *old
	if old.StatusAt(tx.Now) == Expired {
		if err := s.renew(tx, r, &c, in); err != nil {
			return nil, err
		}
	}
	if err := c.say(in.Basis, in.ValidUntil, r.UserID, tx.Now); err != nil {
		return nil, err
	}
	if c.depicts(r.UserID) {
		c.Awaits = c.without(awaitsSubject)
	}
	if r.IsAdmin() {
		c.Awaits = c.without(awaitsAdmin)
	}
	switch {
	case len(c.Awaits) > 0:
		c.Status = Awaiting
	case c.ValidUntil != nil && !c.ValidUntil.After(tx.Now):
		return nil, models.Invalid("consent.validUntil", "must be in the future")
	default:
		c.Status, c.GoesOn = Given, false
	}
	if c.Status == old.Status && slices.Equal(c.Awaits, old.Awaits) && in.Basis == nil && in.ValidUntil == nil && old.StatusAt(tx.Now) != Expired {
		return nil, nil
	}
	statement, err := shownStatement("statement", in.Statement)
	if err != nil {
		return nil, err
	}
	c.Statement, c.GivenBy, c.GivenAt = statement, r.UserID, tx.Now
	return &c, nil
}

// renew begins a consent again that has expired.
func (s *Service) renew(tx *models.Tx, r *space.Viewer, c *Consent, in GiveConsentInput) error {
	if c.Subject == Minor && in.ValidUntil == nil {
		return models.Invalid("consent.validUntil", "must be set for a minor, at most %d days away", maxMinorDays)
	}
	c.ValidUntil, c.GoesOn = nil, false
	if c.UserID == nil || r.Workspace == nil {
		c.Awaits = []string{}
		return nil
	}
	standing, err := s.Orgs.Workspaces().FindFor(tx.Context(), *c.UserID, r.Workspace.ID)
	if err != nil {
		return err
	}
	c.Awaits = renewedBy(c.Subject, standing)
	return nil
}

// renewedBy are those whose answers a consent awaits that has expired.
func renewedBy(subject Subject, standing *org.Workspace) []string {
	awaits := awaitedOf(subject, standing)
	if subject == Self {
		awaits = append([]string{awaitsSubject}, awaits...)
	}
	return awaits
}

// withdraw keeps that the consent was taken back, and deletes the element and the
// characters that have its face.
func (s *Service) withdraw(tx *models.Tx, e *Element) error {
	if err := s.keepConsent(tx, e.depicting(), e.Consent.withdrawnBy(tx.Actor.UserID, tx.Now)); err != nil {
		return err
	}
	under, err := s.lockUnder(tx, e)
	if err != nil {
		return err
	}
	return s.removeElements(tx, append(under, e)...)
}

// withdrawVoice is withdraw for a voice.
func (s *Service) withdrawVoice(tx *models.Tx, v *Voice) error {
	if err := s.keepConsent(tx, v.depicting(), v.Consent.withdrawnBy(tx.Actor.UserID, tx.Now)); err != nil {
		return err
	}
	return s.removeVoice(tx, v)
}

func (c *Consent) withdrawnBy(userID models.ID, now time.Time) *Consent {
	gone := *c
	gone.Status, gone.Awaits, gone.GivenBy, gone.GivenAt = Withdrawn, []string{}, userID, now
	gone.Basis, gone.BasisBy = nil, nil
	return &gone
}
