package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"atelier/humantext"
	"atelier/models"

	"golang.org/x/crypto/argon2"
)

// The cost of argon2id: OWASP's second recommendation, about 20 ms on one core.
const (
	argonMemory  = 19 * 1024 // KiB
	argonTime    = 2
	argonThreads = 1
)

// The dearest hash that is compared; a stored one beyond it matches nothing.
const (
	maxArgonMemory  = 64 * 1024 // KiB
	maxArgonTime    = 8
	maxArgonThreads = 4
)

// checkPassword refuses passwords under 10 characters, counted in the form in
// which they are hashed, or over 1,000 bytes.
func checkPassword(field, password string) error {
	if len(password) <= maxPassword && utf8.RuneCountInString(humantext.Password(password)) < 10 {
		return models.Invalid(field, "must have at least 10 characters")
	}
	if len(password) > maxPassword {
		return models.Invalid(field, "must be at most %d bytes", maxPassword)
	}
	return nil
}

const maxPassword = 1000 // bytes

// storedPassword is the PHC string of a password, taken apart.
type storedPassword struct {
	memory, passes uint32
	threads        uint8
	salt, key      []byte
}

// no one is compared against when there is no account, so that an unknown
// address takes as long as a wrong password.
var nobody = storedPassword{argonMemory, argonTime, argonThreads, make([]byte, 16), make([]byte, 32)}

// hashPassword is the PHC string of a password in its one form (humantext.Password);
// it waits in the line of hashes.
func hashPassword(ctx context.Context, password string) (string, error) {
	p := storedPassword{argonMemory, argonTime, argonThreads, make([]byte, 16), make([]byte, 32)}
	rand.Read(p.salt)
	key, err := p.of(ctx, humantext.Password(password))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads,
		base64.RawStdEncoding.EncodeToString(p.salt), base64.RawStdEncoding.EncodeToString(key)), nil
}

// isPassword tells whether a password is that of a hash, which is the account's or
// nil: in its one form, then as it was typed, which older hashes are of. Such a
// hash is made again of the one form. An unknown account takes as long as a known
// one with a wrong password.
func (s *Service) isPassword(ctx context.Context, user *User, hash *string, password string) (bool, error) {
	form := humantext.Password(password)
	right, err := passwordMatches(ctx, hash, form)
	if right || err != nil || form == password {
		return right, err
	}
	if right, err = passwordMatches(ctx, hash, password); !right || err != nil {
		return right, err
	}
	fresh, err := hashPassword(ctx, form)
	if err != nil {
		return true, nil // the line is full: the next sign-in does it
	}
	return true, s.DB.Write(ctx, func(tx *models.Tx) error {
		changed, err := models.Affected(tx.Model(&User{}).Where("id = ? AND password_hash = ?", user.ID, *hash).UpdateColumn("password_hash", fresh))
		if changed == 1 {
			user.PasswordHash = &fresh
		}
		return err
	})
}

// passwordMatches compares in the time of one hash, whatever the result; it
// waits in the line of hashes.
func passwordMatches(ctx context.Context, hash *string, password string) (bool, error) {
	stored, known := nobody, false
	if hash != nil {
		if read, ok := readPassword(*hash); ok {
			stored, known = read, true
		}
	}
	got, err := stored.of(ctx, password)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, stored.key) == 1 && known, nil
}

// of hashes a password with the stored one's salt and cost.
func (p storedPassword) of(ctx context.Context, password string) ([]byte, error) {
	leave, err := hashes.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	defer hashes.tidy()
	return argon2.IDKey([]byte(password), p.salt, p.passes, p.memory, p.threads, uint32(len(p.key))), nil
}

// readPassword takes a stored hash apart; one that was not made here, or that
// costs too much, is none.
func readPassword(hash string) (p storedPassword, ok bool) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return p, false
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.passes, &p.threads); err != nil {
		return p, false
	}
	var err1, err2 error
	p.salt, err1 = base64.RawStdEncoding.DecodeString(parts[4])
	p.key, err2 = base64.RawStdEncoding.DecodeString(parts[5])
	return p, err1 == nil && err2 == nil && p.payable() && len(p.salt) >= 8 && len(p.salt) <= 64 && len(p.key) >= 16 && len(p.key) <= 64
}

func (p storedPassword) payable() bool {
	return p.memory >= 8 && p.memory <= maxArgonMemory && p.passes >= 1 && p.passes <= maxArgonTime && p.threads >= 1 && p.threads <= maxArgonThreads
}
