package account

import (
	"context"
	"errors"
	"time"

	"atelier/models"

	"gorm.io/gorm"
)

// How many accounts a network may ask for: several classes in an hour. Behind
// the address of this machine are the people at it, or everyone whom a proxy
// brings that TRUSTED_PROXIES does not name.
var (
	signUpsOfNetwork = models.Limit{Name: "sign_up.network", Max: 600, Per: time.Hour}
	signUpsOfMachine = models.Limit{Name: "sign_up.machine", Max: 20_000, Per: time.Hour}
)

// SignUp creates an account and begins a session. On an install without mail
// the address counts as verified, a taken one is email_taken, and an operator's
// needs their code; with mail the account waits for its address to be confirmed,
// and the answer is the same for every address. What can be refused is, before
// the password is hashed.
func (s *Service) SignUp(ctx context.Context, in SignUpInput) (*SignUpResult, error) {
	if s.SignUpMode == "closed" {
		return nil, models.Err(models.CodeForbidden, "This install does not take new accounts. Ask its operator for one.")
	}
	user, err := newUser(in)
	if err != nil {
		return nil, err
	}
	proven, err := s.checkOperatorCode(ctx, user.Email, in.OperatorCode)
	if err != nil {
		return nil, err
	}
	if err := s.countSignUp(ctx, user.Email); err != nil {
		return nil, err
	}
	mayJoin := func(tx *models.Tx) error {
		if proven { // the first operator is invited by no one
			return nil
		}
		return s.mayJoin(tx, user.Email, in.InvitationToken)
	}
	if !s.Mail { // with mail the address alone is told whether it may
		if err := s.DB.Write(ctx, mayJoin); err != nil {
			return nil, err
		}
	}
	hash, err := hashPassword(ctx, in.Password)
	if err != nil {
		return nil, err
	}
	user.PasswordHash = &hash
	if s.Mail {
		return &SignUpResult{}, s.askToConfirm(ctx, user)
	}
	result := &SignUpResult{}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if err := mayJoin(tx); err != nil {
			return err
		}
		user.ID, user.EmailVerifiedAt, user.CreatedAt, user.UpdatedAt = tx.NewID(), &tx.Now, tx.Now, tx.Now
		if proven {
			user.AddressProvenAt = &tx.Now
			s.awaitedUntil.Store(0)
		}
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

// newUser checks the form of a sign-up.
func newUser(in SignUpInput) (*User, error) {
	email, err := CheckEmail("email", in.Email)
	if err != nil {
		return nil, err
	}
	if err := checkPassword("password", in.Password); err != nil {
		return nil, err
	}
	name, err := models.CleanName("displayName", in.DisplayName)
	return &User{Email: email, Address: email, DisplayName: name}, err
}

// countSignUp counts a sign-up, and the mail that it causes: rate_limit_exceeded.
func (s *Service) countSignUp(ctx context.Context, email string) error {
	if actor := models.ActorFrom(ctx); actor.IP != "" {
		limit := signUpsOfNetwork
		if actor.OnThisMachine() {
			limit = signUpsOfMachine
		}
		if err := s.DB.CountCall(ctx, limit, actor.Network()); err != nil {
			return err
		}
	}
	if s.Mail {
		return s.countMail(ctx, email)
	}
	return nil
}

// createUser adds the account and what else a new account gets.
func (s *Service) createUser(tx *models.Tx, user *User) error {
	if err := tx.Create(user).Error; err != nil {
		return err
	}
	tx.Actor.UserID, tx.Actor.DisplayName = user.ID, user.DisplayName
	for _, hook := range s.hooks.created {
		if err := hook.Do(tx, user); err != nil {
			return hook.Failed(err)
		}
	}
	return nil
}

// mayJoin checks SIGN_UP=invited; whether there is an open invitation is known
// to the organizations above. On an install without mail nothing but the
// invitation's token tells the invited person from a person who knows the address.
func (s *Service) mayJoin(tx *models.Tx, email string, token *string) error {
	if s.SignUpMode != "invited" {
		return nil
	}
	if !s.Mail && (token == nil || *token == "") {
		return models.Err(models.CodeForbidden, "This install takes new accounts by invitation only: open the link of your invitation, and sign up from there")
	}
	if s.invited != nil {
		if ok, err := s.invited(tx, email, token); err != nil || ok {
			return err
		}
	}
	return models.Err(models.CodeForbidden, "This install takes new accounts by invitation only")
}

// CheckEmail is the one form of an address as it was typed or pasted; one that is none, or whose domain
// is another one after folding, is a validation_error naming field.
func CheckEmail(field, s string) (string, error) {
	email, err := models.ParseTypedEmail(s)
	if err != nil {
		return "", models.Invalid(field, "%s", err.Error())
	}
	return email, nil
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

// AnyUserBut tells whether anyone has an account whose address is none of these.
func (s *Service) AnyUserBut(ctx context.Context, addresses []string) (any bool, err error) {
	err = s.DB.Read(ctx).Raw(`SELECT EXISTS (SELECT FROM users WHERE email NOT IN ?)`, addresses).Scan(&any).Error
	return any, err
}

// AnyUser tells whether anyone has an account yet. Accounts are never removed
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
