package account

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"

	"atelier/models"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
)

// Add adds a passkey that answered; without a name it is called after
// what keeps it. Session only, and confirmed: reauthentication_required. An
// account without a password is forbidden, a passkey beyond the 20th
// limit_reached, and a wrong answer unauthorized; expired, rate_limit_exceeded.
func (s Passkeys) Add(ctx context.Context, name string, answer *PasskeyAnswer) (*Passkey, error) {
	user, err := s.account.guarding(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.account.DB.CountCall(ctx, passkeysAnswered, user.ID.String()); err != nil {
		return nil, err
	}
	credential, err := s.account.newCredential(user, askOf(models.ActorFrom(ctx), PasskeyRegister, user.ID), answer)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(name) == "" {
		name = keeperOf(credential.Authenticator.AAGUID, models.ActorFrom(ctx).UserAgent)
	}
	if name, err = models.CleanName("name", name); err != nil {
		return nil, err
	}
	key := &Passkey{UserID: user.ID, CredentialID: credential.ID, Credential: *credential, Name: name}
	err = s.account.DB.Write(ctx, func(tx *models.Tx) error {
		held, err := s.account.lockGuarding(tx, key.UserID)
		if err != nil {
			return err
		}
		if err := roomForPasskey(tx, key); err != nil {
			return err
		}
		fresh, err := useChallenge(tx, answer.ChallengeID)
		if err != nil {
			return err
		}
		if !fresh {
			return errPasskey
		}
		key.ID, key.CreatedAt = tx.NewID(), tx.Now
		if err := tx.Create(key).Error; err != nil {
			return err
		}
		return s.account.guardChanged(tx, held, PasskeyAdded)
	})
	if err != nil {
		return nil, err
	}
	return key, nil
}

// newCredential is what a new passkey says of itself, once that is checked.
func (s *Service) newCredential(user *User, ask passkeyAsk, answer *PasskeyAnswer) (*webauthn.Credential, error) {
	party, awaited, err := s.expected(ask, answer)
	if err != nil {
		return nil, err
	}
	given, err := protocol.ParseCredentialCreationResponseBytes(answer.Response)
	if err != nil || len(given.RawID) > maxCredentialID {
		return nil, errMalformedAnswer
	}
	credential, err := party.CreateCredential(passkeyOwner{user: user}, awaited, given)
	if err != nil || len(credential.PublicKey) > maxPublicKey {
		return nil, errPasskey
	}
	return kept(credential), nil
}

// kept is what is kept of a new passkey: which device made it is no one's
// business, and a browser writes what it likes into the rest.
func kept(c *webauthn.Credential) *webauthn.Credential {
	known := []protocol.AuthenticatorTransport{protocol.USB, protocol.NFC, protocol.BLE, protocol.SmartCard, protocol.Hybrid, protocol.Internal}
	transports := slices.DeleteFunc(slices.Clone(c.Transport), func(t protocol.AuthenticatorTransport) bool { return !slices.Contains(known, t) })
	slices.Sort(transports)
	return &webauthn.Credential{
		ID: c.ID, PublicKey: c.PublicKey, AttestationType: c.AttestationType, AttestationFormat: c.AttestationFormat,
		Transport: slices.Compact(transports), Flags: c.Flags, Authenticator: c.Authenticator,
	}
}

// roomForPasskey checks that the account, which is held, may have the passkey:
// limit_reached, and unauthorized where it is a person's already.
func roomForPasskey(tx *models.Tx, key *Passkey) error {
	var has, known int64
	if err := tx.Model(&Passkey{}).Where("user_id = ?", key.UserID).Count(&has).Error; err != nil {
		return err
	}
	if has >= MaxPasskeys {
		return errManyPasskeys
	}
	if err := tx.Model(&Passkey{}).Where("credential_id = ?", key.CredentialID).Count(&known).Error; err != nil {
		return err
	}
	if known > 0 {
		return errPasskey
	}
	return nil
}

// keepers are what passkeys are kept by, by the AAGUIDs that their makers give them.
var keepers = map[string]string{
	"ea9b8d664d011d213ce4b6b48cb575d4": "Google Password Manager",
	"adce000235bcc60a648b0b25f1f05503": "Chrome on Mac",
	"08987058cadc4b81b6e130de50dcbe96": "Windows Hello",
	"9ddd1817af5a4672a2b93e3dd95000a9": "Windows Hello",
	"6028b017b1d44c02b4b3afcdafc96bb2": "Windows Hello",
	"fbfc3007154e4ecc8c0b6e020557d7bd": "iCloud Keychain",
	"dd4ec289e01d41c9bb8970fa845d4bf2": "iCloud Keychain",
	"bada5566a7aa401fbd9645619a55120d": "1Password",
	"d548826e79b4db40a3d811116f7e8349": "Bitwarden",
	"531126d6e717415c93203d9aa6981239": "Dashlane",
	"53414d53554e47000000000000000000": "Samsung Pass",
	"b84e40484dc048608640f4f60813c8af": "NordPass",
	"fdb141b25d84443e8a354698c205a502": "KeePassXC",
}

// keeperOf is what a passkey without a name is called.
func keeperOf(aaguid []byte, userAgent string) string {
	if keeper, known := keepers[hex.EncodeToString(aaguid)]; known {
		return keeper
	}
	return models.Device(userAgent)
}
