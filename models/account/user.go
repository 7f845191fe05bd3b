// Package account holds people: accounts, sessions, personal tokens.
package account

import (
	"time"

	"atelier/models"
)

// User is an account. Email is the normalized address that is compared;
// Address is as the person typed it, for mail.
type User struct {
	ID              models.ID `gorm:"primaryKey"`
	Email           string
	Address         string
	DisplayName     string
	AvatarURL       *string
	PasswordHash    *string
	EmailVerifiedAt *time.Time
	LastWorkspaceID *models.ID
	BannedAt        *time.Time
	CreatedAt       time.Time
	UpdatedAt       time.Time
	DeletedAt       *time.Time
}

// TableName is the table of the accounts.
func (User) TableName() string { return "users" }

// EmailVerified tells whether the address is known to be the person's.
func (u *User) EmailVerified() bool { return u.EmailVerifiedAt != nil }

// Session is a signed-in browser or program.
type Session struct {
	ID        models.ID `gorm:"primaryKey"`
	UserID    models.ID
	Origin    string // password, sso or oidc
	Provider  *string
	UserAgent string
	IP        string `gorm:"column:ip"`
	CreatedAt time.Time
	ExpiresAt time.Time
	RevokedAt *time.Time
}

// TableName is the table of the sessions.
func (Session) TableName() string { return "sessions" }

// SignedIn is a session that was just begun; Token is its JWT.
type SignedIn struct {
	User      *User
	Token     string
	ExpiresAt time.Time
}

// SignUpResult is the answer to a sign-up: SignedIn is nil where the address
// has to be confirmed by mail first.
type SignUpResult struct {
	SignedIn *SignedIn
}
