package library

import (
	"slices"
	"time"

	"atelier/models"
	"atelier/models/space"
)

// consentRow is one step in the history of a consent. Rows are only added, and
// outlive what they are about; they hold no name and no picture.
type consentRow struct {
	ID             models.ID `gorm:"primaryKey"`
	AboutKind      string    // element or voice
	AboutID        models.ID
	WorkspaceID    *models.ID
	OrganizationID *models.ID
	Subject        Subject
	Status         ConsentStatus
	Awaits         models.Strings
	UserID         *models.ID
	Basis          *string
	BasisBy        *models.ID
	ValidUntil     *time.Time
	Providers      bool
	Statement      string
	GivenBy        models.ID
	CreatedAt      time.Time
}

func (consentRow) TableName() string { return "consents" }

// depicting is a thing that shows or sounds like a person: an element or a voice.
type depicting struct {
	table string // elements or voices
	kind  string // an element's kind, or voice
	id    models.ID
	name  string
	Placed
	consent *Consent
}

func (e *Element) depicting() depicting {
	return depicting{"elements", string(e.Kind), e.ID, e.Name, e.Placed, e.Consent}
}

func (v *Voice) depicting() depicting {
	placed := Placed{OwnerID: v.OwnerID, WorkspaceID: v.WorkspaceID, OrganizationID: v.OrganizationID, Visibility: v.Visibility}
	return depicting{"voices", "voice", v.ID, v.Name, placed, v.Consent}
}

func (d depicting) about() string {
	if d.table == "voices" {
		return "voice"
	}
	return "element"
}

// keepConsent adds a consent to the history and makes it the one that counts, with
// what follows: the audit entry, and notices to whom it concerns.
func (s *Service) keepConsent(tx *models.Tx, d depicting, c *Consent) error {
	row := &consentRow{
		ID: tx.NewID(), AboutKind: d.about(), AboutID: d.id, WorkspaceID: d.WorkspaceID, OrganizationID: d.OrganizationID,
		Subject: c.Subject, Status: c.Status, Awaits: c.Awaits, UserID: c.UserID, Basis: c.Basis, BasisBy: c.BasisBy,
		ValidUntil: c.ValidUntil, Providers: c.Providers, Statement: c.Statement, GivenBy: c.GivenBy, CreatedAt: c.GivenAt,
	}
	if err := tx.Create(row).Error; err != nil {
		return err
	}
	if c.Status != Withdrawn {
		q := tx.Table("elements")
		if d.table == "voices" {
			q = tx.Table("voices")
		}
		if err := q.Where("id = ?", d.id).UpdateColumn("consent", consentJSON(c)).Error; err != nil {
			return err
		}
	}
	if err := s.tellConsent(tx, d, c); err != nil {
		return err
	}
	action := map[ConsentStatus]string{Given: "consent.given", Withdrawn: "consent.withdrawn"}[c.Status]
	if action == "" || d.OrganizationID == nil {
		return nil
	}
	return tx.Audit(*d.OrganizationID, action, models.Target{Type: d.kind, ID: d.id}, models.Fields{"subject": {To: c.Subject}})
}

// consentForNew decides under whose consent a new element stands, before its row is
// written, and sets DepictsPerson, Consent and Status. keepNewConsent follows
// the row.
func (s *Service) consentForNew(tx *models.Tx, viewer *space.Viewer, e *Element, in *ConsentInput) error {
	e.DepictsPerson = e.DepictsPerson || e.Kind == Face || e.FaceID != nil
	switch {
	case e.FaceID != nil:
		return s.standUnderFace(tx, viewer, e, in)
	case !e.DepictsPerson && in != nil:
		return models.Invalid("consent", "is for what depicts a person: send depictsPerson true, too")
	case !e.DepictsPerson:
		return nil
	}
	c, err := s.checkConsent(tx, viewer, in)
	if err != nil {
		return err
	}
	e.Consent = c
	if c.Status == Awaiting {
		e.Status = AwaitingConsent
	}
	return nil
}

// keepNewConsent keeps the consent of an element that was just created.
func (s *Service) keepNewConsent(tx *models.Tx, e *Element) error {
	if e.Consent == nil {
		return nil
	}
	return s.keepConsent(tx, e.depicting(), e.Consent)
}

// standUnderFace checks the face of a character: one of the same space that the
// caller sees. Its consent is the character's.
func (s *Service) standUnderFace(tx *models.Tx, viewer *space.Viewer, e *Element, in *ConsentInput) error {
	if err := s.mayKeepPeople(tx, viewer); err != nil {
		return err
	}
	if e.Kind != Character {
		return models.Invalid("faceId", "is for characters")
	}
	if in != nil {
		return models.Invalid("consent", "is the face's: leave it out")
	}
	face, err := findFace(tx, viewer, *e.FaceID)
	if err != nil {
		return err
	}
	if face == nil || !s.seesFace(face, viewer, viewer.UserID) {
		return models.Invalid("faceId", "names no face that you see in this space")
	}
	return nil
}

// findFace is a face of a space; nil when there is none with the id.
func findFace(tx *models.Tx, viewer *space.Viewer, id models.ID) (*Element, error) {
	q := tx.Where("id = ? AND kind = ?", id, Face)
	if viewer.Workspace == nil {
		q = q.Where("workspace_id IS NULL AND owner_id = ?", viewer.UserID)
	} else {
		q = q.Where("workspace_id = ?", viewer.Workspace.ID)
	}
	var found []*Element
	if err := q.Limit(1).Find(&found).Error; err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// defaultPrivacy has what depicts a person be private unless a person said otherwise.
func defaultPrivacy(depicts bool, wish *space.Visibility) *space.Visibility {
	if wish == nil && depicts {
		private := space.Private
		return &private
	}
	return wish
}

// changePerson judges and sets what an update says about who is depicted: faceId,
// depictsPerson and consent. The element is locked and r is its space.
func (s *Service) changePerson(tx *models.Tx, r *space.Viewer, e *Element, in UpdateElementInput) error {
	before := e.DepictsPerson
	if err := s.changeFace(tx, r, e, in); err != nil {
		return err
	}
	wanted, sent, err := models.Required("depictsPerson", in.DepictsPerson)
	if err != nil {
		return err
	}
	switch {
	case sent && !wanted && (before || e.FaceID != nil):
		return models.Invalid("depictsPerson", "stays true once it is: delete it instead")
	case sent && wanted:
		e.DepictsPerson = true
	}
	switch {
	case in.Consent == nil && (!e.DepictsPerson || e.FaceID != nil || e.Consent != nil):
		return nil
	case e.FaceID != nil:
		return models.Invalid("consent", "is the face's: leave it out")
	case !e.DepictsPerson:
		return models.Invalid("consent", "is for what depicts a person: send depictsPerson true, too")
	}
	if err := mayReplace(r, e.Consent, in.Consent); err != nil {
		return err
	}
	c, err := s.checkConsent(tx, r, in.Consent)
	if err != nil {
		return err
	}
	e.Consent = c
	if c.Status == Given {
		if err := admitWaiting(tx, e.ID); err != nil {
			return err
		}
	}
	e.Status = statusUnder(c, e.Status)
	return s.keepConsent(tx, e.depicting(), c)
}

func (s *Service) changeFace(tx *models.Tx, r *space.Viewer, e *Element, in UpdateElementInput) error {
	face, sent := in.FaceID.ValueOK()
	if !sent {
		return nil
	}
	if face != nil {
		e.FaceID, e.DepictsPerson = face, true
		if err := s.standUnderFace(tx, r, e, in.Consent); err != nil {
			return err
		}
		return s.waitUnder(tx, r, e)
	}
	if e.FaceID == nil {
		return nil
	}
	var pictures int64
	if err := tx.Model(&Image{}).Where("element_id = ?", e.ID).Count(&pictures).Error; err != nil {
		return err
	}
	if e.FaceID = nil; e.Consent == nil && pictures == 0 {
		e.DepictsPerson = false
	}
	return nil
}

// mayReplace refuses another consent in the place of one that belongs to another person.
func mayReplace(r *space.Viewer, old *Consent, in *ConsentInput) error {
	switch {
	case old == nil || in == nil:
		return nil
	case old.Subject == Minor && !r.IsAdmin():
		return models.InsufficientRole("Only admins of the workspace may change the consent for a minor")
	case old.UserID == nil:
		return nil
	case *old.UserID == r.UserID && in.Subject == Self:
		return nil
	case in.UserID == nil || *in.UserID != *old.UserID:
		return models.Invalid("consent.userId", "must stay the person who is depicted: delete it instead")
	}
	return nil
}

// statusUnder is where something stands once its consent changed.
func statusUnder(c *Consent, status Status) Status {
	switch {
	case c.Status == Awaiting && status == Ready:
		return AwaitingConsent
	case c.Status == Given && status == AwaitingConsent:
		return Ready
	}
	return status
}

// without is whose answers are awaited still when one has been given.
func (c *Consent) without(whose string) []string {
	return slices.DeleteFunc(slices.Clone(c.Awaits), func(w string) bool { return w == whose })
}
