package models

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// NewSecret makes a random text of n bytes behind a prefix, safe in URLs and headers.
func NewSecret(prefix string, n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return prefix + base64.RawURLEncoding.EncodeToString(b)
}

// HashSecret is how a token is kept: SHA-256 of a text of at least 128 random
// bits needs no salt and is looked up by equality.
func HashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// DerivedKey is a key of 32 bytes for one purpose, made of the install's SESSION_KEY.
func (db *DB) DerivedKey(purpose string) []byte {
	key, err := hkdf.Key(sha256.New, db.secret[:], nil, "atelier "+purpose, 32)
	if err != nil {
		panic(err) // only for lengths that SHA-256 cannot give
	}
	return key
}

// Vault encrypts secrets at rest: each value under its own random key, which
// in turn is encrypted under the install's key. The envelope names the
// install's key, so that old values stay readable after a rotation.
type Vault struct {
	primary string
	keys    map[string]cipher.AEAD
}

// NewVault makes a vault of 32-byte keys; the first encrypts, all decrypt.
// Without keys it is nil, and the routes that need one answer encryption_key_missing.
func NewVault(keys ...[]byte) (*Vault, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	v := &Vault{keys: map[string]cipher.AEAD{}}
	for i, key := range keys {
		aead, err := newAEAD(key)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(key)
		id := hex.EncodeToString(sum[:4])
		v.keys[id] = aead
		if i == 0 {
			v.primary = id
		}
	}
	return v, nil
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Seal encrypts a value for one purpose (such as "webhook:<id>"); it opens
// only for the same purpose.
func (v *Vault) Seal(purpose, value string) (string, error) {
	if v == nil {
		return "", Err(CodeEncryptionKeyMissing, "SERVICE_ENCRYPTION_KEY is not set on this install")
	}
	dataKey := make([]byte, 32)
	rand.Read(dataKey)
	data, err := newAEAD(dataKey)
	if err != nil {
		return "", err
	}
	return strings.Join([]string{"v1", v.primary,
		base64.RawStdEncoding.EncodeToString(v.keys[v.primary].Seal(nil, nil, dataKey, []byte(purpose))),
		base64.RawStdEncoding.EncodeToString(data.Seal(nil, nil, []byte(value), []byte(purpose))),
	}, "."), nil
}

// Open decrypts what Seal wrote for the purpose.
func (v *Vault) Open(purpose, sealed string) (string, error) {
	if v == nil {
		return "", Err(CodeEncryptionKeyMissing, "SERVICE_ENCRYPTION_KEY is not set on this install")
	}
	parts := strings.Split(sealed, ".")
	if len(parts) != 4 || parts[0] != "v1" {
		return "", fmt.Errorf("not a sealed value")
	}
	kek, ok := v.keys[parts[1]]
	if !ok {
		return "", fmt.Errorf("sealed under the unknown key %s", parts[1])
	}
	wrapped, err1 := base64.RawStdEncoding.DecodeString(parts[2])
	body, err2 := base64.RawStdEncoding.DecodeString(parts[3])
	if err1 != nil || err2 != nil {
		return "", fmt.Errorf("not a sealed value")
	}
	dataKey, err := kek.Open(nil, nil, wrapped, []byte(purpose))
	if err != nil {
		return "", err
	}
	data, err := newAEAD(dataKey)
	if err != nil {
		return "", err
	}
	value, err := data.Open(nil, nil, body, []byte(purpose))
	return string(value), err
}
