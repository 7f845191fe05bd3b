package account

import (
	"context"
	"errors"
	"net/mail"
	"strings"

	"atelier/models"

	"gorm.io/gorm"
)

// SignUp creates an account and begins a session. On an install without mail
// the address counts as verified and a taken one is email_taken; with mail the
// account waits for its address to be confirmed, and the answer is the same
// for every address.
func (s *Service) SignUp(ctx context.Context, in SignUpInput) (*SignUpResult, error) {
	if s.SignUpMode == "closed" {
		return nil, models.Err(models.CodeForbidden, "This install does not take new accounts. Ask its operator for one.")
	}
	email, err := CheckEmail("email", in.Email)
	if err != nil {
		return nil, err
	}
	if err := checkPassword(in.Password); err != nil {
		return nil, err
	}
	name, err := models.CleanName("displayName", in.DisplayName)
	if err != nil {
		return nil, err
	}
	hash := hashPassword(in.Password)
	user := &User{Email: email, Address: strings.TrimSpace(in.Email), DisplayName: name, PasswordHash: &hash}
	result := &SignUpResult{}
	if s.Mail {
		return result, s.askToConfirm(ctx, user)
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if err := s.mayJoin(tx, email, in.InvitationToken); err != nil {
			return err
		}
		user.ID, user.EmailVerifiedAt, user.CreatedAt, user.UpdatedAt = tx.NewID(), &tx.Now, tx.Now, tx.Now
		if err := s.createUser(tx, user); err != nil {
			return err
		}
		result.SignedIn, err = s.beginSession(tx, user, "password", nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// createUser adds the account and what else a new account gets.
func (s *Service) createUser(tx *models.Tx, user *User) error {
	if err := tx.Create(user).Error; err != nil {
		return err
	}
	tx.Actor.UserID, tx.Actor.DisplayName = user.ID, user.DisplayName
	for _, fn := range s.onUser {
		if err := fn(tx, user); err != nil {
			return err
		}
	}
	return nil
}

// mayJoin checks SIGN_UP=invited; whether there is an open invitation is known
// to the organizations above.
func (s *Service) mayJoin(tx *models.Tx, email string, token *string) error {
	if s.SignUpMode != "invited" {
		return nil
	}
	if s.invited != nil {
		if ok, err := s.invited(tx, email, token); err != nil || ok {
			return err
		}
	}
	return models.Err(models.CodeForbidden, "This install takes new accounts by invitation only")
}

// CheckEmail is the normalized form of an address; a malformed one is a
// validation_error naming field.
func CheckEmail(field, s string) (string, error) {
	trimmed := strings.TrimSpace(s)
	parsed, err := mail.ParseAddress(trimmed)
	if err != nil || parsed.Address != trimmed || len(trimmed) > 254 {
		return "", models.Invalid(field, "must be an e-mail address")
	}
	_, domain, _ := strings.Cut(trimmed, "@")
	if !strings.Contains(strings.Trim(domain, "."), ".") && domain != "localhost" || strings.ContainsAny(trimmed, " \t\"") {
		return "", models.Invalid(field, "must be an e-mail address")
	}
	return models.NormalizeEmail(trimmed), nil
}

// FindUserByEmail finds the account of a normalized address.
func (s *Service) FindUserByEmail(ctx context.Context, email string) (*User, error) {
	return models.First[User](s.DB.Read(ctx).Where("email = ? AND deleted_at IS NULL", email), models.NotFound("Account"))
}

// FindUserByID finds an account.
func (s *Service) FindUserByID(ctx context.Context, id models.ID) (*User, error) {
	return models.First[User](s.DB.Read(ctx).Where("id = ? AND deleted_at IS NULL", id), models.NotFound("Account"))
}

// UsersByID reads many accounts in one statement, deleted ones too, so that
// history keeps its names.
func (s *Service) UsersByID(ctx context.Context, ids []models.ID) (map[models.ID]*User, error) {
	var users []*User
	if err := s.DB.Read(ctx).Where("id IN ?", ids).Find(&users).Error; err != nil {
		return nil, err
	}
	byID := make(map[models.ID]*User, len(users))
	for _, user := range users {
		byID[user.ID] = user
	}
	return byID, nil
}

// AnyUser tells whether anybody has an account yet. Accounts are never removed
// altogether, so that once there is one the database is asked no more.
func (s *Service) AnyUser(ctx context.Context) (bool, error) {
	if s.anybody.Load() {
		return true, nil
	}
	var user User
	err := s.DB.Read(ctx).Select("id").Take(&user).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return false, nil
	}
	s.anybody.Store(err == nil)
	return err == nil, err
}
