package account

import (
	"crypto/sha256"
	"net/url"
	"strings"
	"time"

	"atelier/models"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"
	"github.com/go-webauthn/webauthn/webauthn"
)

// passkeyPatience is how long a browser may take to answer a challenge.
const passkeyPatience = 5 * time.Minute

var errNoPasskeys = models.Err(models.CodeNotFound,
	"This install has no passkeys: its own address must be https with a host name, or http://localhost; an address made of numbers cannot have any")

// Available tells whether browsers can have passkeys for PUBLIC_URL.
func (s Passkeys) Available() bool {
	_, err := s.account.relyingParty()
	return err == nil
}

// OffersSignIn tells whether people can sign in with a passkey alone: not
// where identity providers alone sign them in.
func (s Passkeys) OffersSignIn() bool { return s.Available() && !s.account.External.Only }

// relyingParty is the install as passkeys know it, by the host name and origin of
// PUBLIC_URL: not_found where browsers refuse to have passkeys for that.
func (s *Service) relyingParty() (*webauthn.WebAuthn, error) {
	u, err := url.Parse(s.PublicURL)
	if err != nil {
		return nil, errNoPasskeys
	}
	host := strings.ToLower(u.Hostname())
	local := host == "localhost" || strings.HasSuffix(host, ".localhost")
	if u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return nil, errNoPasskeys
	}
	if protocol.ValidateRPID(host) != nil { // an address of numbers among others
		return nil, errNoPasskeys
	}
	waits := webauthn.TimeoutConfig{Timeout: passkeyPatience, TimeoutUVD: passkeyPatience}
	party, err := webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "Atelier", RPOrigins: []string{u.Scheme + "://" + strings.ToLower(u.Host)},
		AttestationPreference: protocol.PreferNoAttestation,
		Timeouts:              webauthn.TimeoutsConfig{Login: waits, Registration: waits},
		// Some password managers tell of extensions that no one asked for; none counts.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil, errNoPasskeys
	}
	return party, nil
}

// passkeyAlgorithms are the signatures that are asked for, the dearest last.
var passkeyAlgorithms = []protocol.CredentialParameter{
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgES256},
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgEdDSA},
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgRS256},
}

// verification is whether a passkey must find out who uses it, by a finger, a
// face or a code: where it stands for everything, and where it proves once more
// that it is the person. Beside a password it is asked to, and may not be able to.
func (p PasskeyPurpose) verification() protocol.UserVerificationRequirement {
	if p == PasskeySignIn || p == PasskeyConfirm {
		return protocol.VerificationRequired
	}
	return protocol.VerificationPreferred
}

// passkeyOwner is an account as the library wants it.
type passkeyOwner struct {
	user *User
	keys []webauthn.Credential
}

func (o passkeyOwner) WebAuthnID() []byte                         { return userHandle(o.user.ID) }
func (o passkeyOwner) WebAuthnName() string                       { return o.user.Email }
func (o passkeyOwner) WebAuthnDisplayName() string                { return o.user.DisplayName }
func (o passkeyOwner) WebAuthnCredentials() []webauthn.Credential { return o.keys }

// userHandle is what passkeys keep of an account: always the same, and nothing
// that is seen elsewhere.
func userHandle(userID models.ID) []byte {
	sum := sha256.Sum256(append([]byte("passkey user handle:"), userID[:]...))
	return sum[:]
}
