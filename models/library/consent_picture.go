package library

import (
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

// wait tells whether a new picture of an element waits for an admin's word, and has the
// consent ask for it. It does where that word was needed for the others, and is not the
// adder's own: what was agreed to before may be used meanwhile.
func (s *Service) wait(tx *models.Tx, r *space.Viewer, e *Element) (bool, error) {
	if !e.DepictsPerson || r.IsAdmin() || r.Workspace == nil {
		return false, nil
	}
	holder, err := consentHolder(tx, e)
	if err != nil || holder == nil || holder.Consent == nil {
		return false, err
	}
	c := holder.Consent
	switch {
	case c.GoesOn:
		return true, nil
	case c.Status != Given: // all of it waits, or has ended
		return false, nil
	}
	needed, err := s.adminDecides(tx, r, c)
	if err != nil || !needed {
		return false, err
	}
	asked := *c
	asked.Status, asked.Awaits, asked.GoesOn = Awaiting, []string{awaitsAdmin}, true
	return true, s.replaceConsent(tx, holder, e, &asked)
}

// consentHolder is the element whose consent an element stands under, held: its face, else itself.
func consentHolder(tx *models.Tx, e *Element) (*Element, error) {
	if e.FaceID == nil {
		return e, nil
	}
	var found []*Element
	err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", *e.FaceID).Limit(1).Find(&found).Error
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// adminDecides tells whether an admin's word is needed for a consent in the space of r.
func (s *Service) adminDecides(tx *models.Tx, r *space.Viewer, c *Consent) (bool, error) {
	switch {
	case c.Subject == Minor:
		return true, nil
	case c.Subject == Adult:
		return r.Workspace.OrgKind == org.School, nil
	case c.UserID == nil:
		return false, nil
	}
	standing, err := s.Orgs.Workspaces().FindFor(tx.Context(), *c.UserID, r.Workspace.ID)
	if err != nil {
		return false, err
	}
	return slices.Contains(awaitedOf(c.Subject, standing), awaitsAdmin), nil
}

// replaceConsent keeps a consent of its holder, which e may be itself.
func (s *Service) replaceConsent(tx *models.Tx, holder, e *Element, c *Consent) error {
	if err := s.keepConsent(tx, holder.depicting(), c); err != nil {
		return err
	}
	holder.Consent, e.state = c, nil
	return nil
}

// underConsent are the pictures of an element and of the characters that have its face.
func underConsent(tx *models.Tx, holder models.ID) *gorm.DB {
	return tx.Model(&Image{}).Where("element_id = ? OR element_id IN (SELECT id FROM elements WHERE face_id = ?)", holder, holder)
}

// admitWaiting has the pictures under a consent wait no more.
func admitWaiting(tx *models.Tx, holder models.ID) error {
	return underConsent(tx, holder).Where("awaits_consent").UpdateColumn("awaits_consent", false).Error
}

// waitingGone makes the consent of an element, of which pictures were deleted, what the
// others say: given again without one that waits, and wholly awaited where nothing is left
// of what it was given for.
func (s *Service) waitingGone(tx *models.Tx, e *Element) error {
	if !e.DepictsPerson {
		return nil
	}
	holder, err := consentHolder(tx, e)
	if err != nil || holder == nil || holder.Consent == nil || !holder.Consent.GoesOn {
		return err
	}
	var pictures struct{ Waiting, Agreed int }
	err = underConsent(tx, holder.ID).
		Select("count(*) FILTER (WHERE awaits_consent) AS waiting, count(*) FILTER (WHERE NOT awaits_consent AND element_id = ?) AS agreed", holder.ID).
		Scan(&pictures).Error
	if err != nil {
		return err
	}
	c := *holder.Consent
	switch {
	case pictures.Waiting == 0:
		c.Status, c.Awaits, c.GoesOn = Given, []string{}, false
	case pictures.Agreed == 0:
		c.GoesOn = false
	default:
		return nil
	}
	return s.replaceConsent(tx, holder, e, &c)
}

// waitUnder is wait for the pictures that were brought to a character before it got its face.
func (s *Service) waitUnder(tx *models.Tx, r *space.Viewer, e *Element) error {
	brought := tx.Model(&Image{}).Where("element_id = ? AND job_id IS NULL AND NOT awaits_consent", e.ID).Session(&gorm.Session{})
	var count int64
	if err := brought.Count(&count).Error; err != nil || count == 0 {
		return err
	}
	waits, err := s.wait(tx, r, e)
	if err != nil || !waits {
		return err
	}
	return brought.UpdateColumn("awaits_consent", true).Error
}
