package account

import (
	"context"
	"encoding/json"
	"time"

	"atelier/models"

	"github.com/go-webauthn/webauthn/webauthn"
	"gorm.io/gorm"
)

// Passkey is a key that a device or a password manager keeps for an account.
type Passkey struct {
	ID           models.ID `gorm:"primaryKey"`
	UserID       models.ID
	CredentialID []byte
	Credential   webauthn.Credential `gorm:"serializer:json"`
	Name         string
	CreatedAt    time.Time
	LastUsedAt   *time.Time
	// SuspectedAt is when its counter went back: a person may have a copy of it.
	// It is accepted no more.
	SuspectedAt *time.Time
}

func (Passkey) TableName() string { return "passkeys" }

// Synced tells whether the key is kept on several devices.
func (p *Passkey) Synced() bool { return p.Credential.Flags.BackupState }

// Suspected tells whether the key may have been copied; it is accepted no more.
func (p *Passkey) Suspected() bool { return p.SuspectedAt != nil }

// PasskeyPurpose is what a passkey is asked for.
type PasskeyPurpose string

// Purposes of passkeys.
const (
	PasskeyRegister   PasskeyPurpose = "register"
	PasskeySignIn     PasskeyPurpose = "sign_in"
	PasskeySecondStep PasskeyPurpose = "second_step"
	PasskeyConfirm    PasskeyPurpose = "confirm"
)

// PasskeyChallenge is what a browser asks a passkey: Options are the standard's
// PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON.
type PasskeyChallenge struct {
	ID      models.ID
	Options json.RawMessage
}

// PasskeyAnswer is a browser's PublicKeyCredential as JSON, and what it answers.
type PasskeyAnswer struct {
	ChallengeID models.ID
	Response    json.RawMessage
}

const (
	// MaxPasskeys is how many passkeys an account may have.
	MaxPasskeys = 20
	// maxPasskeyAnswer bounds what a browser sends of a passkey, in bytes.
	maxPasskeyAnswer = 64 << 10
	// maxCredentialID is the standard's bound of a credential's id, in bytes.
	maxCredentialID = 1023
	// maxPublicKey is more than any key needs that is asked for, in bytes: an RSA
	// key of 8,192 bits. Beyond it a signature takes long to check.
	maxPublicKey = 1200
)

// passkeysOf are the passkeys of an account, oldest first.
func (s *Service) passkeysOf(ctx context.Context, userID models.ID) ([]*Passkey, error) {
	return listPasskeys(s.DB.Read(ctx), userID)
}

func listPasskeys(db *gorm.DB, userID models.ID) (keys []*Passkey, err error) {
	err = db.Where("user_id = ?", userID).Order("id").Limit(MaxPasskeys).Find(&keys).Error
	return keys, err
}
