package account_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"
	"testing"

	"atelier/models/account"

	"github.com/go-webauthn/webauthn/protocol/webauthncbor"
)

const (
	passkeyHost   = "school.example"
	passkeyOrigin = "https://school.example"
)

// softKey is a passkey in software, as a browser shows it. What it says can be bent.
type softKey struct {
	t      *testing.T
	id     []byte
	key    *ecdsa.PrivateKey
	handle []byte
	count  uint32

	host, origin, kind string // kind replaces the type of the client data where it is not empty
	aaguid             [16]byte
	verified, synced   bool
	cross              bool
	transports         []string
}

func newSoftKey(t *testing.T) *softKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	k := &softKey{t: t, id: make([]byte, 32), key: key, host: passkeyHost, origin: passkeyOrigin, verified: true, transports: []string{"internal"}}
	rand.Read(k.id)
	return k
}

var b64 = base64.RawURLEncoding.EncodeToString

// asked are the options of a challenge that a key looks at.
type asked struct {
	Challenge string `json:"challenge"`
	User      struct {
		ID string `json:"id"`
	} `json:"user"`
}

func (k *softKey) read(c *account.PasskeyChallenge) (a asked) {
	k.t.Helper()
	if err := json.Unmarshal(c.Options, &a); err != nil {
		k.t.Fatal(err)
	}
	return a
}

func (k *softKey) clientData(kind, challenge string) []byte {
	if k.kind != "" {
		kind = k.kind
	}
	text, _ := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": k.origin, "crossOrigin": k.cross})
	return text
}

func (k *softKey) authData(attested bool) []byte {
	host := sha256.Sum256([]byte(k.host))
	flags := byte(1)
	if k.verified {
		flags |= 4
	}
	if k.synced {
		flags |= 8 | 16
	}
	if attested {
		flags |= 64
	}
	data := append(slices.Clone(host[:]), flags)
	return binary.BigEndian.AppendUint32(data, k.count)
}

func (k *softKey) publicKey() []byte {
	point, err := k.key.PublicKey.Bytes()
	if err != nil {
		k.t.Fatal(err)
	}
	text, err := webauthncbor.Marshal(map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]})
	if err != nil {
		k.t.Fatal(err)
	}
	return text
}

// create answers a challenge to add a passkey.
func (k *softKey) create(c *account.PasskeyChallenge) *account.PasskeyAnswer {
	k.t.Helper()
	a := k.read(c)
	k.handle, _ = base64.RawURLEncoding.DecodeString(a.User.ID)
	data := append(k.authData(true), k.aaguid[:]...)
	data = binary.BigEndian.AppendUint16(data, uint16(len(k.id)))
	data = append(append(data, k.id...), k.publicKey()...)
	object, err := webauthncbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})
	if err != nil {
		k.t.Fatal(err)
	}
	return k.answer(c, map[string]any{
		"clientDataJSON": b64(k.clientData("webauthn.create", a.Challenge)), "attestationObject": b64(object), "transports": k.transports,
	})
}

// get answers a challenge to sign.
func (k *softKey) get(c *account.PasskeyChallenge) *account.PasskeyAnswer {
	k.t.Helper()
	client, data := k.clientData("webauthn.get", k.read(c).Challenge), k.authData(false)
	sum := sha256.Sum256(client)
	digest := sha256.Sum256(append(slices.Clone(data), sum[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, k.key, digest[:])
	if err != nil {
		k.t.Fatal(err)
	}
	response := map[string]any{"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature)}
	if k.handle != nil {
		response["userHandle"] = b64(k.handle)
	}
	return k.answer(c, response)
}

func (k *softKey) answer(c *account.PasskeyChallenge, response map[string]any) *account.PasskeyAnswer {
	text, err := json.Marshal(map[string]any{
		"id": b64(k.id), "rawId": b64(k.id), "type": "public-key", "authenticatorAttachment": "platform", "response": response,
		"clientExtensionResults": map[string]any{"credProps": map[string]any{"rk": true}},
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return &account.PasskeyAnswer{ChallengeID: c.ID, Response: text}
}
