// Package account holds people: accounts, sessions, personal tokens.
package account

import (
	"time"

	"atelier/models"
)

// User is an account. Email is the address in the one form in which it is kept,
// compared and mailed; Address is the same, for the program of an earlier
// version that runs beside this one while replicas are exchanged.
type User struct {
	ID              models.ID `gorm:"primaryKey"`
	Email           string
	Address         string
	DisplayName     string
	AvatarURL       *string
	PasswordHash    *string
	EmailVerifiedAt *time.Time
	// AddressProvenAt is when it was proven that the address is the person's: by
	// a mailed link, or by the operators' code. Without it no one is an operator.
	AddressProvenAt *time.Time
	// SecondFactorAt is since when the account has a second factor; nil without.
	SecondFactorAt  *time.Time
	LastWorkspaceID *models.ID
	// TimeZone is the zone in which the person wants to read times, such as
	// Europe/Berlin; nil follows the browser.
	TimeZone *string
	// Language is the one in which the person wants to read, such as de; nil follows the browser.
	Language *string
	// PageLanguage is that of the page on which the person signed in last; mails are in it where they chose none.
	PageLanguage *string
	BannedAt     *time.Time
	CreatedAt    time.Time
	UpdatedAt    time.Time
	DeletedAt    *time.Time
}

func (User) TableName() string { return "users" }

// EmailVerified tells whether the address is known to be the person's.
func (u *User) EmailVerified() bool { return u.EmailVerifiedAt != nil }

// HasPassword tells whether the person can sign in with a password.
func (u *User) HasPassword() bool { return u.PasswordHash != nil }

// Session is a signed-in browser or program.
type Session struct {
	ID       models.ID `gorm:"primaryKey"`
	UserID   models.ID
	Origin   string // password, passkey, sso or oidc
	Provider *string
	// UserAgent is what the client called itself, cut; see Device.
	UserAgent string
	IP        string `gorm:"column:ip"`
	CreatedAt time.Time
	ExpiresAt time.Time
	RevokedAt *time.Time
	// SeenAt and SeenIP are its last use, to the minute; IP is where it began.
	SeenAt *time.Time
	SeenIP string `gorm:"column:seen_ip"`
	// ConfirmedAt is when its person proved once more that it is them; nil: never since it began.
	ConfirmedAt *time.Time
}

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
