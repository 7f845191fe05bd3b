package account

import (
	"slices"
	"sync/atomic"
	"time"

	"atelier/models"
)

// Service holds the use cases of people.
type Service struct {
	DB *models.DB
	// SessionKey signs session JWTs.
	SessionKey []byte
	// SignUp is open, invited or closed.
	SignUpMode string
	// Mail is whether the install can send mail: then addresses are confirmed by it.
	Mail bool
	// Operators are the normalized addresses of platform operators.
	Operators []string

	onUser   []func(*models.Tx, *User) error
	invited  func(tx *models.Tx, email string, token *string) (bool, error)
	bindable func(tx *models.Tx, workspaceID models.ID) error
	held     holds
	anybody  atomic.Bool
}

// SessionLifetime is how long a session lasts.
const SessionLifetime = 30 * 24 * time.Hour

// OnUser adds what else a new account gets, in the same transaction.
func (s *Service) OnUser(fn func(*models.Tx, *User) error) { s.onUser = append(s.onUser, fn) }

// CheckBinding sets how a token's workspace is checked: the caller must be able to select it.
func (s *Service) CheckBinding(fn func(tx *models.Tx, workspaceID models.ID) error) { s.bindable = fn }

// IsOperator tells whether the account is a platform operator: its verified
// address is on the install's list.
func (s *Service) IsOperator(u *User) bool {
	return u.EmailVerified() && slices.Contains(s.Operators, u.Email)
}

// CheckInvited sets how SIGN_UP=invited finds an open invitation.
func (s *Service) CheckInvited(fn func(tx *models.Tx, email string, token *string) (bool, error)) {
	s.invited = fn
}
