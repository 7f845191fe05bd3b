package account

import (
	"time"

	"atelier/models"
)

// SignUpInput is what a new account needs.
type SignUpInput struct {
	Email           string
	Password        string
	DisplayName     string
	InvitationToken *string
	// OperatorCode proves the address of an operator on an install without mail.
	OperatorCode *string
}

// SignInInput is an address and a password.
type SignInInput struct {
	Email    string
	Password string
	// Page asks as on the sign-in page: where that offers external sign-in alone,
	// its form admits the account that pays for everyone, and no other.
	Page bool
}

// ChangePasswordInput chooses a new password; RevokeTokens ends the API tokens as well.
type ChangePasswordInput struct {
	CurrentPassword string
	NewPassword     string
	RevokeTokens    bool
}

// UpdateProfileInput changes the caller's profile; an AvatarURL, TimeZone or Language of null removes it.
type UpdateProfileInput struct {
	DisplayName models.Opt[string]
	AvatarURL   models.Opt[string]
	TimeZone    models.Opt[string]
	Language    models.Opt[string]
}

// CreateAPITokenInput makes a personal token.
type CreateAPITokenInput struct {
	Name        string
	RateLimit   *int
	WorkspaceID *models.ID
	WorkflowIds []models.ID
	// ExpiresAt is when the token stops working by itself; nil lasts until it is revoked.
	ExpiresAt *time.Time
}

// UpdateAPITokenInput changes a personal token; a WorkspaceID of null unbinds it.
type UpdateAPITokenInput struct {
	Name        models.Opt[string]
	RateLimit   models.Opt[int]
	WorkspaceID models.Opt[models.ID]
	WorkflowIds models.Opt[[]models.ID]
}
