package account

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"atelier/models"

	"golang.org/x/crypto/argon2"
)

// The cost of argon2id: OWASP's second recommendation, about 20 ms on one core.
const (
	argonMemory  = 19 * 1024 // KiB
	argonTime    = 2
	argonThreads = 1
)

// checkPassword refuses passwords under 10 characters or over 1,000 bytes.
func checkPassword(password string) error {
	if utf8.RuneCountInString(password) < 10 {
		return models.Invalid("password", "must have at least 10 characters")
	}
	if len(password) > 1000 {
		return models.Invalid("password", "must be at most 1000 bytes")
	}
	return nil
}

// hashPassword is the PHC string of a password.
func hashPassword(password string) string {
	salt := make([]byte, 16)
	rand.Read(salt)
	key := argon2.IDKey([]byte(password), salt, argonTime, argonMemory, argonThreads, 32)
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", argonMemory, argonTime, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// nobody is compared against when there is no account, so that an unknown
// address takes as long as a wrong password.
var nobody = hashPassword("nobody has this password")

// passwordMatches compares in the time of one hash, whatever the result.
func passwordMatches(hash *string, password string) bool {
	known := hash != nil
	if !known {
		hash = &nobody
	}
	parts := strings.Split(*hash, "$")
	var memory, passes uint32
	var threads uint8
	if len(parts) != 6 {
		return false
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &passes, &threads); err != nil {
		return false
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	want, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	if err1 != nil || err2 != nil {
		return false
	}
	got := argon2.IDKey([]byte(password), salt, passes, memory, threads, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1 && known
}
