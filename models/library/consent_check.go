package library

import (
	"time"
	"unicode/utf8"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

// Statement is the version of the texts that are confirmed, and of the English ones itself; see Statements.
const Statement = "2026-1"

// Bounds of what is said about a consent: the characters of a basis, and how long
// a minor's lasts.
const (
	minBasis     = 10
	maxBasis     = 500
	maxMinorDays = 366
)

// checkConsent reads what a person says about a person who is depicted or heard in
// a new thing of a space: insufficient_role for who may not say so, a
// validation_error beneath consent for what is missing.
func (s *Service) checkConsent(tx *models.Tx, viewer *space.Viewer, in *ConsentInput) (*Consent, error) {
	if err := s.mayKeepPeople(tx, viewer); err != nil {
		return nil, err
	}
	if in == nil {
		return nil, models.Invalid("consent", "must say who is depicted and that they agree")
	}
	if err := maySay(viewer, in.Subject); err != nil {
		return nil, err
	}
	statement, err := shownStatement("consent.statement", in.Statement)
	if err != nil {
		return nil, err
	}
	c := &Consent{
		Subject: in.Subject, Status: Given, Awaits: []string{}, Providers: in.Subject != Minor,
		Statement: statement, GivenBy: viewer.UserID, GivenAt: tx.Now,
	}
	if in.Providers != nil {
		c.Providers = *in.Providers
	}
	standing, err := s.personOf(tx, viewer, in, c)
	if err != nil {
		return nil, err
	}
	if in.Subject != Member && (in.Confirmed == nil || !*in.Confirmed) {
		return nil, models.Invalid("consent.confirmed", "must be true")
	}
	if err := c.say(in.Basis, in.ValidUntil, viewer.UserID, tx.Now); err != nil {
		return nil, err
	}
	if in.Basis == nil && (in.Subject == Adult || in.Subject == Minor) {
		return nil, models.Invalid("consent.basis", "must say where the release lies")
	}
	if in.ValidUntil == nil && in.Subject == Minor {
		return nil, models.Invalid("consent.validUntil", "must be set for a minor, at most %d days away", maxMinorDays)
	}
	if c.Awaits = awaitedOf(in.Subject, standing); len(c.Awaits) > 0 {
		c.Status = Awaiting
	}
	return c, nil
}

// mayKeepPeople refuses people in the personal space of a plain member of a school.
func (s *Service) mayKeepPeople(tx *models.Tx, viewer *space.Viewer) error {
	if viewer.Workspace != nil {
		return nil
	}
	plain, err := s.Orgs.PlainInActiveSchool(tx.Context(), viewer.UserID)
	if err != nil {
		return err
	}
	if plain {
		return models.InsufficientRole("Members of a school keep faces and voices of people in its workspaces, not in the personal space")
	}
	return nil
}

// maySay refuses who may not speak for such a person in the space.
func maySay(viewer *space.Viewer, subject Subject) error {
	switch subject {
	case Self, Member:
		return nil
	case Adult:
		if viewer.Workspace == nil || viewer.IsAdmin() || viewer.Workspace.OrgKind == org.Team {
			return nil
		}
		return models.InsufficientRole("In a school, only the workspace's admins may confirm that an adult agreed")
	case Minor:
		if viewer.IsAdmin() {
			return nil
		}
		return models.InsufficientRole("Only admins of a workspace may confirm the consent for a minor")
	}
	return models.Invalid("consent.subject", "must be self, member, adult or minor")
}

// personOf sets the account that is depicted, and returns its standing in the
// workspace; nil in the personal space and for people without an account.
func (s *Service) personOf(tx *models.Tx, viewer *space.Viewer, in *ConsentInput, c *Consent) (*org.Workspace, error) {
	switch in.Subject {
	case Self:
		if in.UserID != nil && *in.UserID != viewer.UserID {
			return nil, models.Invalid("consent.userId", "names another person: the subject is member then")
		}
		c.UserID = &viewer.UserID
		return viewer.Workspace, nil
	case Member:
		return s.memberOf(tx, viewer, in.UserID, c)
	}
	if in.UserID != nil {
		return nil, models.Invalid("consent.userId", "is for the subject member")
	}
	return nil, nil
}

func (s *Service) memberOf(tx *models.Tx, viewer *space.Viewer, userID *models.ID, c *Consent) (*org.Workspace, error) {
	switch {
	case userID == nil:
		return nil, models.Invalid("consent.userId", "must name the member who is depicted")
	case viewer.Workspace == nil:
		return nil, models.Invalid("consent.userId", "names no one: a personal space has no other members")
	case *userID == viewer.UserID:
		return nil, models.Invalid("consent.userId", "names yourself: the subject is self then")
	}
	m := org.Membership{WorkspaceID: viewer.Workspace.ID, UserID: *userID}
	active, err := s.Orgs.ActiveMembers(tx.Context(), []org.Membership{m})
	if err != nil {
		return nil, err
	}
	if !active[m] {
		return nil, models.Invalid("consent.userId", "names no active member of the workspace")
	}
	c.UserID = userID
	return s.Orgs.Workspaces().FindFor(tx.Context(), *userID, viewer.Workspace.ID)
}

// say sets what was said of the basis and the end, and by whom.
func (c *Consent) say(basis *string, until *time.Time, by models.ID, now time.Time) error {
	if basis != nil {
		text, err := models.CleanText("consent.basis", *basis, maxBasis)
		if err != nil {
			return err
		}
		if utf8.RuneCountInString(text) < minBasis {
			return models.Invalid("consent.basis", "must have at least %d characters", minBasis)
		}
		c.Basis, c.BasisBy = &text, &by
	}
	if until == nil {
		return nil
	}
	if !until.After(now) {
		return models.Invalid("consent.validUntil", "must be in the future")
	}
	if c.Subject == Minor && until.Sub(now) > maxMinorDays*24*time.Hour {
		return models.Invalid("consent.validUntil", "must be at most %d days away", maxMinorDays)
	}
	end := until.UTC().Truncate(time.Microsecond)
	c.ValidUntil = &end
	return nil
}
