package account

import (
	"context"
	"errors"

	"atelier/jsontext"
	"atelier/models"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"gorm.io/gorm/clause"
)

// checkPasskey compares what a passkey answered to a challenge that was made for
// purpose and for the account, and uses the challenge up, within tx, whose caller
// holds the account's row. An answer that is not right is a validation_error,
// after which the caller commits, so that it stays noted that a counter went back.
func (s *Service) checkPasskey(tx *models.Tx, purpose PasskeyPurpose, userID models.ID, answer *PasskeyAnswer) error {
	if purpose != PasskeySecondStep && purpose != PasskeyConfirm {
		return errWrongPasskey
	}
	read, err := s.readAnswer(askOf(tx.Actor, purpose, userID), answer)
	if err != nil {
		return wrongPasskey(err)
	}
	wrong, err := read.accept(tx, userID)
	if err == nil {
		err = wrong
	}
	return wrongPasskey(err)
}

// errWrongPasskey is the answer to every passkey that does not fit.
var errWrongPasskey = models.Invalid("passkey", "did not fit. Try once more, or use a code.")

// wrongPasskey is a refusal as one of the field passkey.
func wrongPasskey(err error) error {
	switch {
	case errors.Is(err, errPasskeyLate):
		return models.Invalid("passkey", "answered too late. Try once more.")
	case err == errCopied:
		return models.Invalid("passkey", "may have been copied, and is accepted no more. Use a code, delete it, and add a new one.")
	case errors.Is(err, errPasskey), errors.Is(err, errMalformedAnswer):
		return errWrongPasskey
	}
	return err
}

// SignIn begins a session with a passkey alone, which found out who
// uses it: it stands for the password and the second step. unauthorized for every
// wrong answer, expired, forbidden for accounts that are closed or have no
// password, rate_limit_exceeded.
func (s Passkeys) SignIn(ctx context.Context, answer *PasskeyAnswer) (*SignedIn, error) {
	var counted []models.Attempt
	if network := models.ActorFrom(ctx).Network(); network != "" {
		counted = append(counted, models.Attempt{Limit: wrongPasskeys, Key: network})
	}
	giveBack, err := s.account.DB.CountAttempts(ctx, counted...)
	if err != nil {
		return nil, err
	}
	signedIn, err := s.account.signInWithPasskey(ctx, answer)
	if err != nil {
		return nil, err
	}
	return signedIn, giveBack(context.WithoutCancel(ctx))
}

func (s *Service) signInWithPasskey(ctx context.Context, answer *PasskeyAnswer) (*SignedIn, error) {
	read, err := s.readAnswer(passkeyAsk{purpose: PasskeySignIn}, answer)
	if err != nil {
		return nil, err
	}
	found, err := models.First[Passkey](s.DB.Read(ctx).Where("credential_id = ?", read.given.RawID), errPasskey)
	if err != nil {
		return nil, err
	}
	var signedIn *SignedIn
	var wrong error
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		user, err := lockUser(tx, found.UserID)
		if models.HasCode(err, models.CodeNotFound) {
			err = errPasskey
		}
		if err != nil {
			return err
		}
		if wrong, err = read.accept(tx, user.ID); err != nil || wrong != nil {
			return err
		}
		if user.BannedAt != nil {
			return errBanned
		}
		if !user.HasPassword() {
			return errNoPassword
		}
		signedIn, err = s.beginSession(tx, user, OriginPasskey, nil)
		return err
	})
	if err == nil {
		err = wrong
	}
	return signedIn, err
}

// readPasskey is an answer that was read, and what it must hold.
type readPasskey struct {
	party       *webauthn.WebAuthn
	awaited     webauthn.SessionData
	given       *protocol.ParsedCredentialAssertionData
	challengeID models.ID
}

// readAnswer reads an answer to what was asked: unauthorized or expired where
// that was never asked or long ago, and a validation_error where it is none.
func (s *Service) readAnswer(ask passkeyAsk, answer *PasskeyAnswer) (*readPasskey, error) {
	party, awaited, err := s.expected(ask, answer)
	if err != nil {
		return nil, err
	}
	given, err := protocol.ParseCredentialRequestResponseBytes(answer.Response)
	if err != nil || len(given.RawID) > maxCredentialID {
		return nil, errMalformedAnswer
	}
	return &readPasskey{party, awaited, given, answer.ChallengeID}, nil
}

// expected returns what an answer is checked against: unauthorized or expired where that was never asked or long ago,
// and a validation_error for an answer that is too large or nests too deep.
func (s *Service) expected(ask passkeyAsk, answer *PasskeyAnswer) (*webauthn.WebAuthn, webauthn.SessionData, error) {
	party, err := s.relyingParty()
	if err != nil {
		return nil, webauthn.SessionData{}, err
	}
	awaited, err := s.awaited(party, ask, answer.ChallengeID)
	if err != nil {
		return nil, webauthn.SessionData{}, err
	}
	return party, awaited, boundAnswer(answer)
}

// accept checks an answer for an account, whose row is held, keeps the passkey's
// counter, and uses the challenge up. wrong says why it does not count; the
// caller commits then, for it may have been noted that the counter went back.
func (r *readPasskey) accept(tx *models.Tx, userID models.ID) (wrong, err error) {
	key, err := models.First[Passkey](tx.Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("credential_id = ? AND user_id = ?", r.given.RawID, userID), errPasskey)
	if err == errPasskey {
		return errPasskey, nil
	} else if err != nil {
		return nil, err
	}
	used, err := r.verify(key)
	switch {
	case err != nil:
		return errPasskey, nil
	case key.Suspected():
		return errCopied, nil
	case used.Authenticator.CloneWarning:
		return errCopied, tx.Model(&Passkey{}).Where("id = ?", key.ID).Update("suspected_at", tx.Now).Error
	}
	fresh, err := useChallenge(tx, r.challengeID)
	if err != nil {
		return nil, err
	}
	if !fresh {
		return errPasskey, nil
	}
	key.Credential, key.LastUsedAt = *used, &tx.Now
	return nil, tx.Model(key).Select("credential", "last_used_at").Updates(key).Error
}

// verify is the passkey as it is after its answer.
func (r *readPasskey) verify(key *Passkey) (*webauthn.Credential, error) {
	owner := passkeyOwner{user: &User{ID: key.UserID}, keys: []webauthn.Credential{key.Credential}}
	if len(r.awaited.UserID) > 0 {
		return r.party.ValidateLogin(owner, r.awaited, r.given)
	}
	_, used, err := r.party.ValidatePasskeyLogin(func(_, _ []byte) (webauthn.User, error) { return owner, nil }, r.awaited, r.given)
	return used, err
}

var errCopied = models.Err(models.CodeUnauthorized,
	"This passkey may have been copied, and is accepted no more. Sign in another way, delete it, and add a new one.")

// boundAnswer refuses what is too large or nests too deep to be read.
func boundAnswer(answer *PasskeyAnswer) error {
	if len(answer.Response) > maxPasskeyAnswer {
		return models.Invalid("response", "must be at most %d KiB", maxPasskeyAnswer>>10)
	}
	if jsontext.CheckDepth(answer.Response) != nil {
		return models.Invalid("response", "nests too deep")
	}
	return nil
}

var errMalformedAnswer = models.Invalid("response", "must be what the browser's PublicKeyCredential says of itself as JSON")
