package library

import (
	"encoding/json"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/notice"
	"atelier/models/org"
)

// SeesNotice is the condition that what a notification, as n, tells of a person who
// is depicted is still there.
const SeesNotice = `n.kind NOT IN ('depicted', 'consent_awaited')
	OR EXISTS (SELECT FROM elements ne WHERE ne.id = n.subject_id) OR EXISTS (SELECT FROM voices nv WHERE nv.id = n.subject_id)`

// tellConsent tells the depicted person and the admins whose answers are awaited,
// each once for a thing.
func (s *Service) tellConsent(tx *models.Tx, d depicting, c *Consent) error {
	if c.Status != Awaiting {
		return nil
	}
	news := notice.News{
		Kind: notice.Depicted, Needs: notice.Nothing, SubjectID: &d.id, Key: d.id.String(),
		OrganizationID: d.OrganizationID, WorkspaceID: d.WorkspaceID,
		Facts: notice.Facts{Person: tx.Actor.DisplayName, Thing: d.kind},
	}
	if c.GoesOn { // it was told of before, about other pictures
		news.Key += ":" + tx.Now.UTC().Format(time.RFC3339)
	}
	if d.WorkspaceID == nil {
		return s.Notices.Tell(tx, news, *c.UserID)
	}
	w, err := s.Orgs.Workspaces().FindFor(tx.Context(), tx.Actor.UserID, *d.WorkspaceID)
	if err != nil {
		return err
	}
	news.Facts.Workspace = w.Name
	if slices.Contains(c.Awaits, awaitsSubject) && *c.UserID != tx.Actor.UserID {
		if err := s.Notices.Tell(tx, news, *c.UserID); err != nil {
			return err
		}
	}
	if !slices.Contains(c.Awaits, awaitsAdmin) {
		return nil
	}
	admins, _, err := org.Stewards(tx, w)
	if err != nil {
		return err
	}
	news.Kind, news.Needs = notice.ConsentAwaited, notice.Teacher
	admins = slices.DeleteFunc(admins, func(id models.ID) bool { return id == tx.Actor.UserID })
	return s.Notices.Tell(tx, news, admins...)
}

// consentJSON is how the row of a thing keeps its consent.
func consentJSON(c *Consent) clause.Expr {
	text, _ := json.Marshal(c) //nolint:errchkjson // plain fields
	return gorm.Expr("?::jsonb", string(text))
}
