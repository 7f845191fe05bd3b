package library

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/space"
)

var errNoElement = models.NotFound("Element")

// elements are the rows with the number of their pictures.
func (s *Service) elements(ctx context.Context) *gorm.DB {
	return s.DB.Read(ctx).Model(&Element{}).
		Select("elements.*, (SELECT count(*) FROM element_images i WHERE i.element_id = elements.id) AS image_count, " +
			"elements.use_count + (SELECT count(*) FROM element_uses u WHERE u.element_id = elements.id AND NOT u.counted) AS use_count")
}

// Reach reads an element by its id with the caller's reach in its space,
// as it is shown to the caller; one beyond reach is not_found.
func (s Elements) Reach(ctx context.Context, id models.ID) (*Element, *space.Viewer, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, nil, err
	}
	e, err := models.First[Element](s.library.elements(ctx).Where("elements.id = ?", id), errNoElement)
	if err != nil {
		return nil, nil, err
	}
	r, err := s.library.enter(ctx, e)
	if err != nil {
		return nil, nil, err
	}
	e.showConsent(r, s.library.DB.Clock.Now())
	return e, r, nil
}

// lockElement is Elements.Reach for a change: it waits for others, and leaves the
// consent as the row has it.
func (s *Service) lockElement(tx *models.Tx, id models.ID) (*Element, *space.Viewer, error) {
	if err := admit(tx.Actor); err != nil {
		return nil, nil, err
	}
	lock := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", id)
	e, err := models.First[Element](lock, errNoElement)
	if err != nil {
		return nil, nil, err
	}
	r, err := s.enter(tx.Context(), e)
	return e, r, err
}

// enter works out the caller's reach in the space of an element. Who is depicted
// may look at it from outside of the space, too.
func (s *Service) enter(ctx context.Context, e *Element) (*space.Viewer, error) {
	if err := s.loadConsents(ctx, e); err != nil {
		return nil, err
	}
	r, err := s.Spaces.Of(ctx, e.owned())
	if _, refused := models.AsError(err); refused {
		userID := models.ActorFrom(ctx).UserID
		switch {
		case e.depictsAccount(userID):
			r = space.Personal(userID, false)
		case models.HasCode(err, models.CodeNotFound):
			return nil, errNoElement
		default:
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	return r, s.fill(e, r)
}

// fill adds what the caller may do with the element, whose consent was loaded.
// Every permission is what the use case would refuse.
func (s *Service) fill(e *Element, r *space.Viewer) error {
	outside := e.WorkspaceID != nil && r.Workspace == nil
	if e.Access = e.grantOf(r.UserID); !outside {
		e.Access = r.AccessTo(e.owned(), e.Access)
	}
	if e.Access == "" {
		return errNoElement
	}
	edit, manage := mayEdit(e, r) == nil, r.MayManageAs(e.Access, string(e.Kind)) == nil
	e.Can = ElementCan{
		Edit: edit, Delete: manage || e.depictsAccount(r.UserID), Share: manage && e.WorkspaceID != nil,
		Train: edit && (e.Kind == Character || e.Kind == Object || e.Kind == Creature), Export: e.Access != space.CanView || e.depictsAccount(r.UserID), Post: manage && e.CheckPostable() == nil,
	}
	return nil
}

func mayEdit(e *Element, r *space.Viewer) error { return r.MayEditAs(e.Access, string(e.Kind)) }

// mayDelete admits who made the element, admins who may edit members' work, and
// the person who is depicted, who may withdraw the consent as well.
func mayDelete(e *Element, r *space.Viewer) error {
	if e.depictsAccount(r.UserID) {
		return nil
	}
	return r.MayManageAs(e.Access, string(e.Kind))
}
