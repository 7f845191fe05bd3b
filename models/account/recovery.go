package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"time"

	"atelier/models"
)

// Recovery codes are 16 characters of 32, which is 80 bits: so many that their
// hashes can be kept as those of tokens are. The characters are Crockford's,
// among which none is taken for another.
const (
	recoveryCodes    = 10
	recoveryLength   = 16
	recoveryGroup    = 4
	recoveryAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// RecoveryCode stands in for a second factor, once. It is kept as a hash.
type RecoveryCode struct {
	UserID    models.ID `gorm:"primaryKey"`
	CodeHash  []byte    `gorm:"primaryKey"`
	CreatedAt time.Time
	UsedAt    *time.Time
}

func (RecoveryCode) TableName() string { return "recovery_codes" }

// CreateRecoveryCodes makes recovery codes, shown once, in place of the earlier
// ones. Session only, confirmed within the hour; without a second factor a
// validation_error.
func (s SecondFactors) CreateRecoveryCodes(ctx context.Context) (codes []string, err error) {
	user, err := s.account.guarding(ctx)
	if err != nil {
		return nil, err
	}
	err = s.account.DB.Write(ctx, func(tx *models.Tx) error {
		locked, err := s.account.lockGuarding(tx, user.ID)
		if err != nil {
			return err
		}
		if locked.SecondFactorAt == nil {
			return errNoSecondYet
		}
		if codes, err = newRecoveryCodes(tx, user.ID); err != nil {
			return err
		}
		return s.account.tellGuard(tx, user.ID, RecoveryMade)
	})
	if err != nil {
		return nil, err
	}
	return codes, nil
}

// newRecoveryCodes puts new codes in place of all that the account has.
func newRecoveryCodes(tx *models.Tx, userID models.ID) ([]string, error) {
	if err := tx.Where("user_id = ?", userID).Delete(&RecoveryCode{}).Error; err != nil {
		return nil, err
	}
	codes, rows := make([]string, recoveryCodes), make([]*RecoveryCode, recoveryCodes)
	for i := range codes {
		codes[i] = newRecoveryCode()
		rows[i] = &RecoveryCode{UserID: userID, CodeHash: hashRecoveryCode(userID, codes[i]), CreatedAt: tx.Now}
	}
	return codes, tx.Create(rows).Error
}

// newRecoveryCode is a code in groups, such as 4G7K-0QXZ-9MRD-T2VB.
func newRecoveryCode() string {
	b := make([]byte, recoveryLength)
	rand.Read(b)
	var code strings.Builder
	for i, random := range b {
		if i > 0 && i%recoveryGroup == 0 {
			code.WriteByte('-')
		}
		code.WriteByte(recoveryAlphabet[int(random)%len(recoveryAlphabet)])
	}
	return code.String()
}

// hashRecoveryCode is the hash of a code however it was typed: small, without
// its hyphens, with O for 0 and I or L for 1.
func hashRecoveryCode(userID models.ID, code string) []byte {
	plain := strings.NewReplacer("O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(plainCode(code)))
	sum := sha256.Sum256(append(userID[:], plain...))
	return sum[:]
}

// useRecoveryCode tells whether the account has the code, and uses it up.
func (s *Service) useRecoveryCode(tx *models.Tx, userID models.ID, code string) (bool, error) {
	used, err := models.Affected(tx.Model(&RecoveryCode{}).
		Where("user_id = ? AND code_hash = ? AND used_at IS NULL", userID, hashRecoveryCode(userID, code)).Update("used_at", tx.Now))
	if err != nil || used == 0 {
		return false, err
	}
	return true, s.tellGuard(tx, userID, RecoveryUsed)
}
