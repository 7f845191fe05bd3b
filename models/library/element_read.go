package library

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/space"
)

// The sizes of pages of elements.
const (
	elementPage    = 100
	maxElementPage = 500
)

// List is the elements of one kind in the selected space that the
// caller can reach, newest first, each with its primary picture.
func (s Elements) List(ctx context.Context, kind Kind, filter *ElementFilter, page models.Page) (*models.Connection[*Element], error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	if err := kind.check(); err != nil {
		return nil, err
	}
	viewer, err := s.library.Spaces.Selected(ctx)
	if err != nil {
		return nil, err
	}
	q := s.library.elementsIn(ctx, s.library.elements(ctx), viewer).Where("elements.kind = ?", kind)
	name := "elements:" + string(kind) + ":" + viewer.Key()
	if filter != nil {
		if q, err = s.library.narrow(ctx, q, viewer, filter, &name); err != nil {
			return nil, err
		}
	}
	list := models.List[*Element]{Name: name, Standard: elementPage, Most: maxElementPage, Position: func(e *Element) string { return e.ID.String() }}
	found, err := models.ListPage(s.library.DB, list, page, q, models.NewestFirst("elements.id"))
	if err != nil {
		return nil, err
	}
	return found, s.library.show(ctx, viewer, found.Nodes)
}

// show fills listed elements for a caller, with their primary pictures.
func (s *Service) show(ctx context.Context, viewer *space.Viewer, elements []*Element) error {
	if err := s.loadConsents(ctx, elements...); err != nil {
		return err
	}
	for _, e := range elements {
		if err := s.fill(e, viewer); err != nil {
			return err
		}
		e.showConsent(viewer, s.DB.Clock.Now())
	}
	if err := s.loadTrainings(ctx, elements...); err != nil {
		return err
	}
	return s.loadPrimary(ctx, elements...)
}

// loadTrainings tells of trainings that are waiting in the rows whether they have begun.
func (s *Service) loadTrainings(ctx context.Context, elements ...*Element) error {
	var waiting []models.ID
	for _, e := range elements {
		if e.Training != nil && e.Training.Status == trainQueued {
			waiting = append(waiting, e.Training.JobID)
		}
	}
	begun, err := s.Runs.Jobs().Begun(ctx, waiting...)
	for _, e := range elements {
		if e.Training != nil && begun[e.Training.JobID] {
			e.Training.Status = trainRunning
		}
	}
	return err
}

// narrow adds a filter to a list and to its name.
func (s *Service) narrow(ctx context.Context, q *gorm.DB, viewer *space.Viewer, f *ElementFilter, name *string) (*gorm.DB, error) {
	var parts []string
	if f.Query != nil {
		sought, err := models.CleanSearch("q", *f.Query)
		if err != nil {
			return nil, err
		}
		if sought != "" {
			q = q.Where(models.Found("elements.search"), sought)
			parts = append(parts, "q="+strconv.Quote(sought))
		}
	}
	if f.Tag != nil {
		tags, err := CleanTags([]string{*f.Tag})
		if refusal, known := models.AsError(err); known {
			return nil, models.Invalid("tag", "%s", strings.TrimPrefix(refusal.Message, "tags "))
		} else if err != nil {
			return nil, err
		}
		q = q.Where("? = ANY(elements.tags)", tags[0])
		parts = append(parts, "tag="+strconv.Quote(tags[0]))
	}
	if f.ProjectID != nil {
		if err := space.CheckFolder(s.DB.Read(ctx), viewer, f.ProjectID); err != nil {
			return nil, err
		}
		q = q.Where("elements.project_id = ?", *f.ProjectID)
		parts = append(parts, "project="+f.ProjectID.String())
	}
	if f.Status != nil {
		if !slices.Contains(elementStatuses, *f.Status) {
			return nil, models.Invalid("status", "must be ready, generating, awaiting_consent or failed")
		}
		q = q.Where(shownStatus+" = ?", *f.Status)
		parts = append(parts, "status="+string(*f.Status))
	}
	if f.Mine != nil && *f.Mine {
		q = q.Where("elements.owner_id = ?", viewer.UserID)
		parts = append(parts, "mine")
	}
	*name += fmt.Sprint(":", parts)
	return q, nil
}

// shownStatus is the status of an element as showConsent shows it: what stands under
// the consent of a face waits and is ready with the face.
const shownStatus = `CASE WHEN elements.status NOT IN ('ready', 'awaiting_consent') THEN elements.status ELSE (
	SELECT CASE coalesce(face.consent, elements.consent) ->> 'status'
		WHEN 'awaiting' THEN 'awaiting_consent' WHEN 'given' THEN 'ready' ELSE elements.status END
	FROM (SELECT elements.face_id) own LEFT JOIN elements face ON face.id = own.face_id) END`

// elementStatuses are those in which elements can be.
var elementStatuses = []Status{Ready, Generating, AwaitingConsent, Failed}

// Kinds are all kinds of elements.
var Kinds = []Kind{Character, Object, Creature, Location, Face}

func (k Kind) check() error {
	if !slices.Contains(Kinds, k) {
		return models.Invalid("kind", "must be character, object, creature, location or face")
	}
	return nil
}

// Find reads an element with its pictures and what the caller may do with it.
func (s Elements) Find(ctx context.Context, id models.ID) (*Element, error) {
	e, _, err := s.Reach(ctx, id)
	if err != nil {
		return nil, err
	}
	images, err := s.library.Images().ByElement(ctx, []models.ID{e.ID})
	if err != nil {
		return nil, err
	}
	e.Images = images[e.ID]
	e.setPrimary()
	return e, s.library.loadTrainings(ctx, e)
}

// FindOf is Find of one kind: one of another kind is not_found.
func (s Elements) FindOf(ctx context.Context, kind Kind, id models.ID) (*Element, error) {
	e, err := s.Find(ctx, id)
	if err == nil && e.Kind != kind {
		return nil, errNoElement
	}
	return e, err
}

// CheckKind refuses an element of another kind as one that is not there.
func (s Elements) CheckKind(ctx context.Context, kind Kind, id models.ID) error {
	e, _, err := s.Reach(ctx, id)
	if err == nil && e.Kind != kind {
		return errNoElement
	}
	return err
}

// ListUses is the executions that used an element, newest first: of
// who may only look at it, their own. Whom it depicts sees all.
func (s Elements) ListUses(ctx context.Context, id models.ID, page models.Page) (*models.Connection[*Use], error) {
	e, r, err := s.Reach(ctx, id)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprint("element_uses:", e.ID, ":", seesAllUses(e, r), ":", r.UserID)
	list := models.List[*Use]{Name: name, Position: func(u *Use) string { return u.ExecutionID.String() }}
	return models.ListPage(s.library.DB, list, page, s.library.usesOf(ctx, e, r), models.NewestFirst("element_uses.execution_id"))
}

// usesOf are the uses of an element that a caller sees.
func (s *Service) usesOf(ctx context.Context, e *Element, r *space.Viewer) *gorm.DB {
	q := s.DB.Read(ctx).Model(&Use{}).Where("element_uses.element_id = ?", e.ID)
	if !seesAllUses(e, r) {
		q = q.Where("element_uses.user_id = ?", r.UserID)
	}
	return q
}

func seesAllUses(e *Element, r *space.Viewer) bool {
	return e.Access != space.CanView || r.IsAdmin() || e.depictsAccount(r.UserID)
}

// Map is for answers in JSON.
func (a Attributes) Map() map[string]any {
	m := make(map[string]any, len(a))
	for name, value := range a {
		m[name] = value
	}
	return m
}

// CountWorkflowsNaming counts for elements the workflows of their spaces that name
// them, among the newest of each.
func (s Elements) CountWorkflowsNaming(ctx context.Context, ids []models.ID) (map[models.ID]int, error) {
	var rows []*Element
	if err := s.library.DB.Read(ctx).Select("id", "owner_id", "workspace_id").Where("id IN ?", ids).Find(&rows).Error; err != nil {
		return nil, err
	}
	type place struct{ owner, workspace models.ID }
	spaces := map[place][]*Element{}
	for _, e := range rows {
		at := place{owner: e.OwnerID}
		if e.WorkspaceID != nil {
			at = place{workspace: *e.WorkspaceID}
		}
		spaces[at] = append(spaces[at], e)
	}
	counts := make(map[models.ID]int, len(ids))
	for _, here := range spaces {
		named := make([]models.ID, len(here))
		for i, e := range here {
			named[i] = e.ID
		}
		found, err := s.library.Flows.CountWorkflowsNaming(ctx, here[0].owned(), named)
		if err != nil {
			return nil, err
		}
		maps.Copy(counts, found)
	}
	return counts, nil
}
