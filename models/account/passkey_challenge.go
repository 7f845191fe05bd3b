package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"atelier/models"

	"github.com/go-webauthn/webauthn/webauthn"
)

// Challenges of passkeys are kept nowhere until they are answered, so that
// visitors can ask for any number of them without filling a table. A challenge is
// a MAC over its id under a key of the install; the id is random and carries when
// it was made. The MAC also covers what the challenge is for, whose account it is
// and which session asked, so that an answer to one counts nowhere else. Anyone who
// makes an id up does not know its challenge, and has nothing to be signed. What
// was answered is kept until it expires: each challenge is answered once.

// passkeyAsk is what a challenge was made for. UserID is empty where the one who
// answers signs in, SessionID where no session asks.
type passkeyAsk struct {
	purpose           PasskeyPurpose
	userID, sessionID models.ID
}

// askOf is an ask of the actor's, for an account.
func askOf(actor models.Actor, purpose PasskeyPurpose, userID models.ID) passkeyAsk {
	ask := passkeyAsk{purpose: purpose, userID: userID}
	if purpose == PasskeyRegister || purpose == PasskeyConfirm {
		ask.sessionID = actor.SessionID
	}
	return ask
}

// challenge is what is signed for an id.
func (s *Service) challenge(ask passkeyAsk, id models.ID) []byte {
	key := hmac.New(sha256.New, s.SessionKey)
	key.Write([]byte("challenges of passkeys"))
	mac := hmac.New(sha256.New, key.Sum(nil))
	for _, part := range [][]byte{id[:], ask.userID[:], ask.sessionID[:], []byte(ask.purpose)} { // except for the last of one length each
		mac.Write(part)
	}
	return mac.Sum(nil)
}

// awaited is what the answer to a challenge must hold; expired where it comes too
// late, and unauthorized for an id that was not made here.
func (s *Service) awaited(party *webauthn.WebAuthn, ask passkeyAsk, id models.ID) (webauthn.SessionData, error) {
	now, made := s.DB.Clock.Now(), models.TimeOf(id)
	if id.Version() != 7 || made.After(now.Add(time.Minute)) { // replicas may differ a little
		return webauthn.SessionData{}, errPasskey
	}
	if !now.Before(made.Add(passkeyPatience)) {
		return webauthn.SessionData{}, errPasskeyLate
	}
	awaited := webauthn.SessionData{
		Challenge: base64.RawURLEncoding.EncodeToString(s.challenge(ask, id)), RelyingPartyID: party.Config.RPID,
		UserVerification: ask.purpose.verification(), CredParams: passkeyAlgorithms,
	}
	if ask.userID != (models.ID{}) {
		awaited.UserID = userHandle(ask.userID)
	}
	return awaited, nil
}

// useChallenge notes that a challenge was answered; fresh is false the second time.
func useChallenge(tx *models.Tx, id models.ID) (fresh bool, err error) {
	used, err := tx.Run(`INSERT INTO passkey_challenges (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, id, models.TimeOf(id).Add(passkeyPatience))
	return used == 1, err
}

var (
	errPasskey     = models.Err(models.CodeUnauthorized, "The passkey was not accepted. Try once more.")
	errPasskeyLate = models.Err(models.CodeExpired, "The passkey answered too late. Try once more.")
)
