package account_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/account"
)

// twoSessions are two sessions and a token of one account.
func twoSessions(t *testing.T, s *account.Service) (here, there context.Context, token string) {
	t.Helper()
	_, here = signUp(t, s, "mara@example.com")
	second, err := s.SignIn(from("198.51.100.1"), account.SignInInput{Email: "mara@example.com", Password: password})
	if err != nil {
		t.Fatal(err)
	}
	created, err := s.APITokens().Create(here, account.CreateAPITokenInput{Name: "CI"})
	if err != nil {
		t.Fatal(err)
	}
	return here, as(t, s, second.Token), created.Token
}

func TestChangePassword(t *testing.T) {
	for _, revoke := range []bool{false, true} {
		t.Run(fmt.Sprint("revoking ", revoke), func(t *testing.T) {
			s := newService(t)
			here, there, token := twoSessions(t, s)
			in := account.ChangePasswordInput{CurrentPassword: password, NewPassword: "a new password", RevokeTokens: revoke}
			wantField(t, s.Passwords().Change(here, account.ChangePasswordInput{CurrentPassword: password, NewPassword: "short"}), "newPassword")
			wantField(t, s.Passwords().Change(here, account.ChangePasswordInput{CurrentPassword: "wrong", NewPassword: "a new password"}), "currentPassword")
			wantCode(t, s.Passwords().Change(as(t, s, token), in), models.CodeForbidden)
			wantCode(t, s.Passwords().Change(from("192.0.2.1"), in), models.CodeUnauthorized)
			if err := s.Passwords().Change(here, in); err != nil {
				t.Fatal(err)
			}
			if err := s.StillValid(here); err != nil {
				t.Errorf("the session that changed it ended: %v", err)
			}
			wantCode(t, s.StillValid(there), models.CodeUnauthorized)
			if _, err := s.Authenticate(context.Background(), token); (err != nil) != revoke {
				t.Errorf("the token: %v", err)
			}
			wantCode(t, signInAs(s, "192.0.2.1", "mara@example.com", password), models.CodeUnauthorized)
			if err := signInAs(s, "192.0.2.1", "mara@example.com", "a new password"); err != nil {
				t.Error(err)
			}
		})
	}
}

// Guessing the current password is guessing the password.
func TestChangePasswordIsLimited(t *testing.T) {
	s := newService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	actor := models.ActorFrom(ctx)
	actor.IP = "192.0.2.1"
	ctx = models.WithActor(ctx, actor)
	codes := tally(30, func(i int) error {
		return s.Passwords().Change(ctx, account.ChangePasswordInput{CurrentPassword: fmt.Sprint("wrong ", i), NewPassword: "a new password"})
	})
	if codes[models.CodeValidation] != 10 || codes[models.CodeRateLimitExceeded] != 20 {
		t.Errorf("30 guesses at once: %v", codes)
	}
	wantCode(t, s.Passwords().Change(ctx, account.ChangePasswordInput{CurrentPassword: password, NewPassword: "a new password"}), models.CodeRateLimitExceeded)
	wantCode(t, signInAs(s, "192.0.2.1", "mara@example.com", password), models.CodeRateLimitExceeded)
}

func TestNoPasswordToChange(t *testing.T) {
	s := newService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	s.DB.Read(context.Background()).Exec(`UPDATE users SET password_hash = NULL`)
	wantCode(t, s.Passwords().Change(ctx, account.ChangePasswordInput{CurrentPassword: password, NewPassword: "a new password"}), models.CodeForbidden)
}

// Who chooses a new password by mail thinks that another person had the old one.
func TestResetRevokesTokens(t *testing.T) {
	s := newService(t)
	here, there, token := twoSessions(t, s)
	_, other := signUp(t, s, "other@example.com")
	kept, err := s.APITokens().Create(other, account.CreateAPITokenInput{Name: "CI"})
	if err != nil {
		t.Fatal(err)
	}
	stream := s.WhileValid(as(t, s, token))
	s.Mail = true
	if err := s.Passwords().Forgot(from("192.0.2.1"), "mara@example.com"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Passwords().Reset(from("192.0.2.1"), onlyLetter(t, s, account.LetterReset).Token, "a new password"); err != nil {
		t.Fatal(err)
	}
	_, err = s.Authenticate(context.Background(), token)
	wantCode(t, err, models.CodeUnauthorized)
	wantCode(t, s.StillValid(here), models.CodeUnauthorized)
	wantCode(t, s.StillValid(there), models.CodeUnauthorized)
	<-stream.Done()
	_, err = s.APITokens().Create(here, account.CreateAPITokenInput{Name: "late"})
	wantCode(t, err, models.CodeUnauthorized)
	if _, err := s.Authenticate(context.Background(), kept.Token); err != nil {
		t.Errorf("somebody else's token: %v", err)
	}
}

func TestSessions(t *testing.T) {
	s := newService(t)
	here, there, token := twoSessions(t, s)
	_, other := signUp(t, s, "other@example.com")
	open, err := s.Sessions().List(here)
	if err != nil || len(open) != 2 || open[0].Current || !open[1].Current || open[0].LastAddress != "198.51.100.1" || open[1].LastAddress != "192.0.2.1" {
		t.Fatalf("sessions %+v, %v", open, err)
	}
	_, err = s.Sessions().List(as(t, s, token))
	wantCode(t, err, models.CodeForbidden)
	wantCode(t, s.Sessions().End(other, open[0].ID), models.CodeNotFound)
	if err := s.Sessions().End(here, open[0].ID); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.Sessions().End(here, open[0].ID), models.CodeNotFound)
	wantCode(t, s.StillValid(there), models.CodeUnauthorized)
	wantCode(t, s.Sessions().EndAll(as(t, s, token)), models.CodeForbidden)
	if err := s.Sessions().EndAll(here); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.StillValid(here), models.CodeUnauthorized)
	if err := s.StillValid(other); err != nil {
		t.Error(err)
	}
}

// A session says where it was used last.
func TestSessionIsSeen(t *testing.T) {
	s := newService(t)
	signedIn, ctx := signUp(t, s, "mara@example.com")
	if _, err := s.Authenticate(from("203.0.113.9"), signedIn.Token); err != nil {
		t.Fatal(err)
	}
	open, err := s.Sessions().List(ctx)
	if err != nil || len(open) != 1 || open[0].LastAddress != "203.0.113.9" {
		t.Errorf("sessions %+v, %v", open, err)
	}
}

// Mails go to addresses that a person typed, so they repeat nothing else that was.
func TestLettersNameNobody(t *testing.T) {
	s := withMail(t)
	in := input("mara@example.com", password)
	in.DisplayName = "You won, see evil.example"
	if _, err := s.SignUp(from("192.0.2.1"), in); err != nil {
		t.Fatal(err)
	}
	if letter := fmt.Sprintf("%+v", onlyLetter(t, s, account.LetterConfirm)); strings.Contains(letter, "evil.example") {
		t.Errorf("the letter is %s", letter)
	}
}
