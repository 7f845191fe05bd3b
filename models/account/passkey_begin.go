package account

import (
	"context"
	"encoding/json"
	"time"

	"atelier/models"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
)

// How often passkeys may be asked, and may answer. No one guesses a signature:
// the bounds are for the work. A class behind one address stays far below them.
var (
	passkeysAsked     = models.Limit{Name: "passkeys.asked", Max: 60, Per: 15 * time.Minute}             // of an account
	passkeysAnswered  = models.Limit{Name: "passkeys.answered", Max: 60, Per: 15 * time.Minute}          // of an account
	passkeysOfNetwork = models.Limit{Name: "passkeys.asked.network", Max: 600, Per: 15 * time.Minute}    // of visitors
	wrongPasskeys     = models.Limit{Name: "passkeys.answered.network", Max: 300, Per: 15 * time.Minute} // of visitors
)

// Begin makes what a browser asks a passkey. To add one, the caller needs
// a session that was confirmed, a password and fewer than 20 passkeys
// (reauthentication_required, forbidden, limit_reached); to confirm a session,
// the session, and for a second step its token (unauthorized): then only the
// account's own passkeys answer, and without one it is not_found. Anyone may
// begin a sign-in. rate_limit_exceeded; not_found where the install can have no
// passkeys.
func (s Passkeys) Begin(ctx context.Context, purpose PasskeyPurpose, secondFactorToken *string) (*PasskeyChallenge, error) {
	party, err := s.account.relyingParty()
	if err != nil {
		return nil, err
	}
	switch purpose {
	case PasskeyRegister:
		return s.account.beginRegistration(ctx, party)
	case PasskeySignIn:
		return s.account.beginSignIn(ctx, party)
	case PasskeySecondStep:
		if secondFactorToken == nil {
			return nil, models.Invalid("secondFactorToken", "is needed for a second step")
		}
		if err := s.account.countVisitor(ctx); err != nil {
			return nil, err
		}
		user, err := s.account.findStep(ctx, *secondFactorToken)
		if err != nil {
			return nil, err
		}
		return s.account.beginForAccount(ctx, party, purpose, user)
	case PasskeyConfirm:
		actor := models.ActorFrom(ctx)
		if err := actor.RequireSession(); err != nil {
			return nil, err
		}
		user, err := s.account.FindUserByID(ctx, actor.UserID)
		if err != nil {
			return nil, err
		}
		return s.account.beginForAccount(ctx, party, purpose, user)
	}
	return nil, models.Invalid("purpose", "is none that there is")
}

// countVisitor counts what a person asks who may be anyone.
func (s *Service) countVisitor(ctx context.Context) error {
	if network := models.ActorFrom(ctx).Network(); network != "" {
		return s.DB.CountCall(ctx, passkeysOfNetwork, network)
	}
	return nil
}

func (s *Service) beginRegistration(ctx context.Context, party *webauthn.WebAuthn) (*PasskeyChallenge, error) {
	user, err := s.guarding(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.DB.CountCall(ctx, passkeysAsked, user.ID.String()); err != nil {
		return nil, err
	}
	keys, err := s.passkeysOf(ctx, user.ID)
	if err != nil {
		return nil, err
	}
	if len(keys) >= MaxPasskeys {
		return nil, errManyPasskeys
	}
	id := s.DB.NewID(s.DB.Clock.Now())
	challenge := s.challenge(askOf(models.ActorFrom(ctx), PasskeyRegister, user.ID), id)
	required := true
	creation, _, err := party.BeginRegistration(passkeyOwner{user: user},
		webauthn.WithExclusions(webauthn.Credentials(credentials(keys)).CredentialDescriptors()), webauthn.WithCredentialParameters(passkeyAlgorithms),
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: &required, UserVerification: PasskeyRegister.verification(),
		}),
		func(o *protocol.PublicKeyCredentialCreationOptions) error {
			o.Challenge = challenge
			return nil
		})
	if err != nil {
		return nil, err
	}
	return challengeOf(id, creation.Response)
}

func (s *Service) beginSignIn(ctx context.Context, party *webauthn.WebAuthn) (*PasskeyChallenge, error) {
	if err := s.countVisitor(ctx); err != nil {
		return nil, err
	}
	id := s.DB.NewID(s.DB.Clock.Now())
	request, _, err := party.BeginDiscoverableLogin(webauthn.WithChallenge(s.challenge(passkeyAsk{purpose: PasskeySignIn}, id)),
		webauthn.WithUserVerification(PasskeySignIn.verification()))
	if err != nil {
		return nil, err
	}
	return challengeOf(id, request.Response)
}

// beginForAccount asks the passkeys of an account that is known.
func (s *Service) beginForAccount(ctx context.Context, party *webauthn.WebAuthn, purpose PasskeyPurpose, user *User) (*PasskeyChallenge, error) {
	if err := s.DB.CountCall(ctx, passkeysAsked, user.ID.String()); err != nil {
		return nil, err
	}
	keys, err := s.passkeysOf(ctx, user.ID)
	if err != nil {
		return nil, err
	}
	owner := passkeyOwner{user: user, keys: credentials(keys)}
	if len(owner.keys) == 0 {
		return nil, models.Err(models.CodeNotFound, "Your account has no passkey that could answer")
	}
	id := s.DB.NewID(s.DB.Clock.Now())
	challenge := s.challenge(askOf(models.ActorFrom(ctx), purpose, user.ID), id)
	request, _, err := party.BeginLogin(owner, webauthn.WithChallenge(challenge), webauthn.WithUserVerification(purpose.verification()))
	if err != nil {
		return nil, err
	}
	return challengeOf(id, request.Response)
}

// credentials are those of the passkeys that are accepted.
func credentials(keys []*Passkey) (all []webauthn.Credential) {
	for _, key := range keys {
		if !key.Suspected() {
			all = append(all, key.Credential)
		}
	}
	return all
}

func challengeOf(id models.ID, options any) (*PasskeyChallenge, error) {
	text, err := json.Marshal(options)
	return &PasskeyChallenge{ID: id, Options: text}, err
}

var errManyPasskeys = models.Err(models.CodeLimitReached, "At most %d passkeys. Delete one that you do not need any more.", MaxPasskeys)
