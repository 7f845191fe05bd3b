package account

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"unicode"

	"atelier/humantext"
	"atelier/models"
)

// The refusals of linking. Each reads the same for every account (contract 3,
// "Account linking").
var (
	errEmailUnverified = models.Err(models.CodeEmailUnverified, "The identity provider has not confirmed this address. Confirm it there, then sign in once more.")
	errAccountExists   = models.Err(models.CodeAccountExists, "This sign-in cannot be connected with an account here. Sign in the way you did before, or ask the operator of this install.")
	errOtherProvider   = models.Err(models.CodeLinkedOtherProvider, "The account is connected with another identity provider. Sign in through that one.")
	errOtherSubject    = models.Err(models.CodeLinkedOtherSubject, "The account is connected with another sign-in of this identity provider. Ask the operator of this install.")
	errMissingEmail    = models.Err(models.CodeMissingEmail, "The identity provider names no e-mail address")
)

// errOvertaken says that the account went while it was waited for.
var errOvertaken = errors.New("the account changed meanwhile")

// Follow finds or makes the account that an asserted identity belongs
// to: by provider and subject first, then by the address in its one form
// (contract 3, "Account linking"; open points, "Sign-in"). A verified address
// that is the account's own is proven by it. email_unverified, account_exists,
// account_linked_other_provider, account_linked_other_subject; missing_email
// for an identity that is new here and names no address; forbidden for a banned
// account. Anyone who calls it has proven that the provider says so.
func (s SSO) Follow(ctx context.Context, who Asserted) (*User, error) {
	return s.account.follow(ctx, who, func(*models.Tx, *User) error { return nil })
}

// SignIn is Follow with a session of the account.
func (s SSO) SignIn(ctx context.Context, who Asserted) (signedIn *SignedIn, err error) {
	_, err = s.account.follow(ctx, who, func(tx *models.Tx, user *User) error {
		signedIn, err = s.account.beginSession(tx, user, who.Origin, &who.Provider)
		return err
	})
	if err != nil {
		return nil, err
	}
	return signedIn, nil
}

// maxTries bounds how often an account is looked for again that others change meanwhile.
const maxTries = 4

// follow is SSO.Follow; then is called in the same transaction, in which
// the account is held.
func (s *Service) follow(ctx context.Context, who Asserted, then func(*models.Tx, *User) error) (*User, error) {
	email, err := models.ParseEmail(who.Email)
	if err != nil {
		email = "" // the one who is known already needs none
	}
	raced := false
	for range maxTries {
		var user *User
		err := s.DB.Write(ctx, func(tx *models.Tx) (err error) {
			if user, err = s.owner(tx, who, email, raced); err != nil {
				return err
			}
			return then(tx, user)
		})
		switch {
		case err == nil:
			return user, nil
		case errors.Is(err, errOvertaken):
		case lostRace(err) && !raced:
			raced = true
		default:
			return nil, err
		}
	}
	return nil, errAccountExists
}

// lostRace tells whether another person made the account, or connected it, at the same moment.
func lostRace(err error) bool {
	return models.HasCode(err, models.CodeEmailTaken) || models.HasCode(err, models.CodeAccountExists) && err != error(errAccountExists)
}

// owner is the account of an identity, held until the transaction ends and
// noted as used; a new one where the linking table says so. After a lost race
// only the one who has the identity by now is signed in: account_exists.
func (s *Service) owner(tx *models.Tx, who Asserted, email string, raced bool) (*User, error) {
	identity, err := findIdentity(tx, who)
	if err != nil {
		return nil, err
	}
	var user *User
	switch {
	case identity != nil:
		user, err = s.holdKnown(tx, who, identity)
	case raced:
		return nil, errAccountExists
	case email == "":
		return nil, errMissingEmail
	default:
		user, err = s.ownerByAddress(tx, who, email)
	}
	if err != nil {
		return nil, err
	}
	return user, s.provenBy(tx, who, email, user)
}

// holdKnown holds the account that an identity is connected with.
func (s *Service) holdKnown(tx *models.Tx, who Asserted, identity *ExternalIdentity) (*User, error) {
	user, err := holdLinked(tx, identity.UserID)
	if err != nil {
		return nil, err
	}
	if s.isPayer(user) && !who.EmailVerified {
		return nil, errEmailUnverified
	}
	if user.BannedAt != nil {
		return nil, errBanned
	}
	used, err := models.Affected(tx.Model(&ExternalIdentity{}).Where("id = ?", identity.ID).Update("last_used_at", tx.Now))
	if err == nil && used == 0 {
		err = errOvertaken
	}
	return user, err
}

// ownerByAddress is the account of an address, connected with the identity
// from now on, or a new one.
func (s *Service) ownerByAddress(tx *models.Tx, who Asserted, email string) (*User, error) {
	found, err := findStanding(tx, email)
	if err != nil {
		return nil, err
	}
	if err := s.mayLink(who, email, found); err != nil {
		return nil, err
	}
	if found == nil {
		return s.createExternal(tx, who, email)
	}
	user, err := holdLinked(tx, found.UserID)
	if err != nil {
		return nil, err
	}
	again, err := findStanding(tx, email) // as it is now that the account is held
	if err != nil {
		return nil, err
	}
	if again == nil || again.UserID != user.ID {
		return nil, errOvertaken
	}
	if err := s.mayLink(who, email, again); err != nil {
		return nil, err
	}
	if user.BannedAt != nil {
		return nil, errBanned
	}
	return user, link(tx, user, who)
}

// standing is what linking asks of the account that has an address.
type standing struct {
	UserID models.ID
	// Origin, Provider and Subject are what it is connected with; empty without.
	Origin, Provider, Subject string
}

func (a *standing) linked() bool         { return a.Provider != "" }
func (a *standing) at(who Asserted) bool { return a.Origin == who.Origin && a.Provider == who.Provider }

// mayLink is the linking table for an identity that is no one's yet and the
// account that has its address; nil is none (contract 3, "Account linking" and
// "Deployment with a billing account"). One that was connected with it meanwhile
// is errOvertaken: by its subject it is found.
func (s *Service) mayLink(who Asserted, email string, account *standing) error {
	payer := s.Payer != "" && email == s.Payer
	switch {
	case account != nil && account.linked() && account.at(who) && account.Subject == who.Subject:
		return errOvertaken
	case payer && !who.EmailVerified:
		return errEmailUnverified
	case account != nil && account.linked() && account.at(who):
		return errOtherSubject
	case account != nil && account.linked():
		return errOtherProvider
	case s.Payer != "" && !payer && s.onOperatorList(email):
		return errAccountExists
	case account == nil && !who.EmailVerified:
		return errEmailUnverified
	case account == nil, payer, s.External.LinkExisting && who.EmailVerified:
		return nil
	}
	return errAccountExists
}

// findIdentity is the connection of an identity; nil where it has none.
func findIdentity(tx *models.Tx, who Asserted) (*ExternalIdentity, error) {
	var found []ExternalIdentity
	err := tx.Where("origin = ? AND provider = ? AND subject = ?", who.Origin, who.Provider, who.Subject).Limit(1).Find(&found).Error
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// findStanding is the account with an address; nil where it has none. Several,
// and a failure to look, are account_exists.
func findStanding(tx *models.Tx, email string) (*standing, error) {
	var found []standing
	err := tx.Raw(`
		SELECT u.id AS user_id, coalesce(e.origin, '') AS origin, coalesce(e.provider, '') AS provider, coalesce(e.subject, '') AS subject
		FROM users u LEFT JOIN external_identities e ON e.user_id = u.id
		WHERE u.email = ? AND u.deleted_at IS NULL LIMIT 2`, email).Scan(&found).Error
	switch {
	case err != nil && tx.Context().Err() != nil:
		return nil, err
	case err != nil:
		slog.ErrorContext(tx.Context(), "an account could not be looked up for an external sign-in", "error", err)
		return nil, errAccountExists
	case len(found) == 0:
		return nil, nil
	case len(found) > 1:
		return nil, errAccountExists
	}
	return &found[0], nil
}

// holdLinked holds an account until the transaction ends, and what it is
// connected with; one that was deleted meanwhile is errOvertaken.
func holdLinked(tx *models.Tx, id models.ID) (*User, error) {
	user, err := lockUser(tx, id)
	if models.HasCode(err, models.CodeNotFound) {
		err = errOvertaken
	}
	return user, err
}

// createExternal makes the account of a person who was never here, whatever
// SIGN_UP says.
func (s *Service) createExternal(tx *models.Tx, who Asserted, email string) (*User, error) {
	user := &User{
		ID: tx.NewID(), Email: email, Address: email, DisplayName: shownName(who.Name, email),
		EmailVerifiedAt: &tx.Now, AddressProvenAt: &tx.Now, CreatedAt: tx.Now, UpdatedAt: tx.Now,
	}
	if err := s.createUser(tx, user); err != nil {
		return nil, err
	}
	if err := tx.Where("email = ?", email).Delete(&PendingSignUp{}).Error; err != nil {
		return nil, err
	}
	return user, link(tx, user, who)
}

// link connects an account that is held with an identity. A password stays.
func link(tx *models.Tx, user *User, who Asserted) error {
	tx.Notify(models.RightsTopic(user.ID))
	return tx.Create(&ExternalIdentity{
		ID: tx.NewID(), UserID: user.ID, Origin: who.Origin, Provider: who.Provider, Subject: who.Subject,
		CreatedAt: tx.Now, LastUsedAt: tx.Now,
	}).Error
}

// provenBy notes that the address of an account is its person's, when the
// provider confirmed that very address.
func (s *Service) provenBy(tx *models.Tx, who Asserted, email string, user *User) error {
	if !who.EmailVerified || email != user.Email {
		return nil
	}
	if s.onOperatorList(email) {
		s.awaitedUntil.Store(0)
	}
	if user.EmailVerified() && user.AddressProvenAt != nil {
		return nil
	}
	user.EmailVerifiedAt, user.AddressProvenAt = cmp.Or(user.EmailVerifiedAt, &tx.Now), cmp.Or(user.AddressProvenAt, &tx.Now)
	return proveAddress(tx, user.ID)
}

// maxName is how many characters of a name are shown.
const maxName = 100

// shownName is what a new account is called: as its provider says, without
// what no one sees, else what stands before the @ of its address, else New member.
func shownName(name, email string) string {
	local, _, _ := strings.Cut(email, "@")
	for _, text := range []string{name, local} {
		shown := []rune(strings.Join(strings.Fields(strings.Map(visible, humantext.Name(text))), " "))
		if text := strings.TrimSpace(string(shown[:min(len(shown), maxName)])); text != "" {
			return text
		}
	}
	return "New member"
}

// visible drops characters that are not seen, or that turn the text around
// them; what separates words stays as a space.
func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case humantext.Unseen(r): // what the name needs
		return r
	case r == unicode.ReplacementChar, !unicode.IsPrint(r):
		return -1
	}
	return r
}
