package library

import (
	"errors"
	"slices"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

// Whose answer a consent awaits.
const (
	awaitsSubject = "subject"
	awaitsAdmin   = "admin"
)

// StatusAt is where the consent stands at a moment: what was given ends by itself.
func (c *Consent) StatusAt(now time.Time) ConsentStatus {
	if (c.Status == Given || c.GoesOn) && c.ValidUntil != nil && !c.ValidUntil.After(now) {
		return Expired
	}
	return c.Status
}

// depicts tells whether an account is the person whom the consent is about.
func (c *Consent) depicts(userID models.ID) bool {
	return c != nil && c.UserID != nil && *c.UserID == userID
}

// ConsentState is under whose consent something stands, and what else decides
// whether it may be used; see loadConsents.
type ConsentState struct {
	// Consent is its own, or its face's; nil where no one is depicted.
	Consent *Consent
	// Missing: a person is depicted and there is no consent, for the face is gone.
	Missing bool
	// Gone: the depicted member is no active member of the workspace any more.
	Gone bool
}

// consentState is what loadConsents found, or what the row alone says.
func (e *Element) consentState() *ConsentState {
	if e.state != nil {
		return e.state
	}
	return &ConsentState{Consent: e.Consent, Missing: e.DepictsPerson && e.Consent == nil}
}

// Why something that depicts a person may not be used.
var (
	errConsentMissing   = errors.New("depicts a person whose face is not here any more")
	errConsentAwaited   = errors.New("depicts a person whose consent is awaited")
	errConsentExpired   = errors.New("depicts a person whose consent has expired")
	errConsentWithdrawn = errors.New("depicts a person who withdrew the consent")
	errDepictedGone     = errors.New("depicts a person who is no active member any more")
)

// refusal is why new work may not use what stands so; nil when it may.
func (st *ConsentState) refusal(now time.Time) error {
	switch {
	case st.Missing:
		return errConsentMissing
	case st.Consent == nil:
		return nil
	case st.Gone:
		return errDepictedGone
	}
	switch st.Consent.StatusAt(now) {
	case Awaiting:
		if !st.Consent.GoesOn {
			return errConsentAwaited
		}
	case Expired:
		return errConsentExpired
	case Withdrawn:
		return errConsentWithdrawn
	}
	return nil
}

// mayLeave tells whether pictures and sounds of it may go to a provider.
func (st *ConsentState) mayLeave() bool { return st.Consent == nil || st.Consent.Providers }

// usable refuses, for new runs, trainings and jobs that have not begun, an element
// whose depicted person does not consent (docs/consent.md). The reason continues a
// sentence that names the element. Elements come from loadConsents.
func usable(e *Element, now time.Time) error { return e.consentState().refusal(now) }

// mayLeave tells whether pictures of the element may go to a provider.
func (e *Element) mayLeave() bool { return e.consentState().mayLeave() }

// depictsAccount tells whether the element shows the person of an account, whose
// own consent, or whose face's, it stands under.
func (e *Element) depictsAccount(userID models.ID) bool {
	return e.consentState().Consent.depicts(userID)
}

// grantOf is what the person who is depicted may always do: look at it.
func (e *Element) grantOf(userID models.ID) space.Access {
	if e.depictsAccount(userID) {
		return space.CanView
	}
	return ""
}

// seesFace tells whether a caller sees the person: who made the element, who is
// depicted, admins of the workspace, and its members when it is shared.
func (s *Service) seesFace(e *Element, r *space.Viewer, userID models.ID) bool {
	return r.AccessTo(e.owned(), e.grantOf(userID)) != ""
}

// mayAnswer tells whether the caller may give or withdraw the consent: whom it
// awaits, the depicted person, and admins of the workspace.
func (c *Consent) mayAnswer(r *space.Viewer) bool {
	return c != nil && (c.depicts(r.UserID) || r.IsAdmin())
}

// shownTo is the consent as a caller reads it: at its status of now, the basis for
// admins and for who wrote it.
func (c *Consent) shownTo(r *space.Viewer, now time.Time) *Consent {
	if c == nil {
		return nil
	}
	shown := *c
	shown.Status = c.StatusAt(now)
	if c.Awaits == nil {
		shown.Awaits = []string{}
	}
	if !r.IsAdmin() && (c.BasisBy == nil || *c.BasisBy != r.UserID) {
		shown.Basis = nil
	}
	return &shown
}

// showConsent makes the element's consent what the caller reads of it, the face's
// for a character that has a face, and fills what depends on it.
func (e *Element) showConsent(r *space.Viewer, now time.Time) {
	st := e.consentState()
	e.state = st // the row's own is about to be replaced
	e.Consent = st.Consent.shownTo(r, now)
	if e.Status == AwaitingConsent && st.Consent != nil && st.Consent.Status == Given {
		e.Status = Ready
	}
	if e.Status == Ready && st.Consent != nil && st.Consent.Status == Awaiting {
		e.Status = AwaitingConsent
	}
	e.Can.SeeFace = st.Consent != nil || e.Kind == Face
	e.Can.GiveConsent = e.FaceID == nil && st.Consent.mayAnswer(r)
	e.Can.Export = e.Can.Export || st.Consent.depicts(r.UserID)
}

// plainInSchool tells whether the caller is a plain member of a school's workspace.
func plainInSchool(w *org.Workspace) bool {
	return w != nil && w.OrgKind == org.School && w.Role() != nil && *w.Role() == org.WorkspaceRoleMember
}

// awaitedOf are those whose answers a consent awaits, of the person with a standing
// in the workspace.
func awaitedOf(subject Subject, standing *org.Workspace) []string {
	awaits := []string{}
	if subject == Member {
		awaits = append(awaits, awaitsSubject)
	}
	if (subject == Self || subject == Member) && plainInSchool(standing) {
		awaits = append(awaits, awaitsAdmin)
	}
	return awaits
}

// awaitsCaller tells whether the consent awaits an answer of the caller.
func (c *Consent) awaitsCaller(r *space.Viewer) bool {
	return c != nil && c.Status == Awaiting &&
		(slices.Contains(c.Awaits, awaitsSubject) && c.depicts(r.UserID) || slices.Contains(c.Awaits, awaitsAdmin) && r.IsAdmin())
}
