package account_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
)

func withMail(t *testing.T) *account.Service {
	s := newService(t)
	s.Mail = true
	return s
}

func input(email, password string) account.SignUpInput {
	return account.SignUpInput{Email: email, Password: password, DisplayName: "Mara"}
}

// letters are what the mails waiting in the queue would say, oldest first; it empties the queue.
func letters(t *testing.T, s *account.Service) (all []*account.Letter) {
	t.Helper()
	var rows []struct {
		Kind string
		Args json.RawMessage
	}
	db := s.DB.Read(context.Background())
	if err := db.Raw(`DELETE FROM river_job RETURNING kind, args`).Scan(&rows).Error; err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		var args struct {
			SignUpID models.ID
			Email    string
		}
		if err := json.Unmarshal(row.Args, &args); err != nil {
			t.Fatal(err)
		}
		write := func() (*account.Letter, error) {
			return s.Passwords().WriteResetLetter(context.Background(), args.Email)
		}
		if row.Kind == (account.SignUpMail{}).Kind() {
			write = func() (*account.Letter, error) {
				return s.Addresses().WriteSignUpLetter(context.Background(), args.SignUpID)
			}
		}
		letter, err := write()
		if err != nil {
			t.Fatal(err)
		}
		if letter != nil {
			all = append(all, letter)
		}
	}
	return all
}

func onlyLetter(t *testing.T, s *account.Service, kind account.LetterKind) *account.Letter {
	t.Helper()
	all := letters(t, s)
	if len(all) != 1 || all[0].Kind != kind || (all[0].Token != "") != (kind == account.LetterConfirm || kind == account.LetterReset) {
		t.Fatalf("letters %+v, want one of kind %s", all, kind)
	}
	return all[0]
}

func TestSignUpByMail(t *testing.T) {
	s := withMail(t)
	ask := func(email string) {
		t.Helper()
		result, err := s.SignUp(from("192.0.2.1"), input(email, password))
		if err != nil || result.SignedIn != nil {
			t.Fatalf("%+v, %v", result, err)
		}
	}
	ask("Mara@Example.com")
	_, err := s.SignIn(from("192.0.2.1"), account.SignInInput{Email: "mara@example.com", Password: password})
	wantCode(t, err, models.CodeUnauthorized) // no account before the address is confirmed
	letter := onlyLetter(t, s, account.LetterConfirm)
	if letter.Address != "mara@example.com" || len(letter.Token) != 43 {
		t.Fatalf("letter %+v", letter)
	}
	signedIn, err := s.Addresses().Verify(from("192.0.2.1"), letter.Token)
	if err != nil || signedIn.User.Email != "mara@example.com" || !signedIn.User.EmailVerified() {
		t.Fatalf("%+v, %v", signedIn, err)
	}
	as(t, s, signedIn.Token)
	_, err = s.Addresses().Verify(from("192.0.2.1"), letter.Token)
	wantCode(t, err, models.CodeUnauthorized)
	if _, err := s.SignIn(from("192.0.2.1"), account.SignInInput{Email: "mara@example.com", Password: password}); err != nil {
		t.Error(err)
	}

	ask("mara@example.com") // the same answer, another mail
	onlyLetter(t, s, account.LetterExists)

	ask("late@example.com")
	late := onlyLetter(t, s, account.LetterConfirm)
	s.DB.Clock.(*dbtest.Clock).Advance(24 * time.Hour)
	_, err = s.Addresses().Verify(from("192.0.2.1"), late.Token)
	wantCode(t, err, models.CodeUnauthorized)
}

// The password of the account is that of the sign-up whose link was followed,
// so that no one prepares an account for another person's address.
func TestSignUpsDoNotMix(t *testing.T) {
	s := withMail(t)
	for _, password := range []string{"what mara chose", "what eve chose!"} {
		if _, err := s.SignUp(from("192.0.2.1"), input("mara@example.com", password)); err != nil {
			t.Fatal(err)
		}
	}
	all := letters(t, s)
	if _, err := s.Addresses().Verify(from("192.0.2.1"), all[0].Token); err != nil {
		t.Fatal(err)
	}
	_, err := s.SignIn(from("192.0.2.1"), account.SignInInput{Email: "mara@example.com", Password: "what eve chose!"})
	wantCode(t, err, models.CodeUnauthorized)
	_, err = s.Addresses().Verify(from("192.0.2.1"), all[1].Token)
	wantCode(t, err, models.CodeUnauthorized)
}

func TestVerifyRace(t *testing.T) {
	s := withMail(t)
	for range 2 {
		if _, err := s.SignUp(from("192.0.2.1"), input("mara@example.com", password)); err != nil {
			t.Fatal(err)
		}
	}
	all := letters(t, s)
	var wait sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		wait.Go(func() { _, errs[i] = s.Addresses().Verify(from("192.0.2.1"), all[i%2].Token) })
	}
	wait.Wait()
	made := 0
	for _, err := range errs {
		if err == nil {
			made++
		} else if !models.HasCode(err, models.CodeUnauthorized) && !models.HasCode(err, models.CodeEmailTaken) {
			t.Errorf("refused with %v", err)
		}
	}
	if made != 1 {
		t.Errorf("%d accounts were made", made)
	}
}

func TestSignUpByMailAndInvitation(t *testing.T) {
	s := withMail(t)
	s.SignUpMode = "invited"
	s.SetInvitedCheck(func(_ *models.Tx, email string, _ *string) (bool, error) { return email == "mara@example.com", nil })
	for email, kind := range map[string]account.LetterKind{"mara@example.com": account.LetterConfirm, "eve@example.com": account.LetterUninvited} {
		if _, err := s.SignUp(from("192.0.2.1"), input(email, password)); err != nil {
			t.Fatal(err)
		}
		onlyLetter(t, s, kind)
	}
	s.SignUpMode = "closed"
	_, err := s.SignUp(from("192.0.2.1"), input("mara@example.com", password))
	wantCode(t, err, models.CodeForbidden)
}

// Every address leads to the same work: one statement's rows, one job.
func TestSignUpTellsNothing(t *testing.T) {
	s := newService(t)
	signUp(t, s, "taken@example.com")
	s.Mail = true
	count := func() (n int) {
		s.DB.Read(context.Background()).Raw(`SELECT (SELECT count(*) FROM sign_ups) + (SELECT count(*) FROM river_job)`).Scan(&n)
		return n
	}
	for i, email := range []string{"taken@example.com", "free@example.com"} {
		if _, err := s.SignUp(from("192.0.2.1"), input(email, password)); err != nil {
			t.Fatal(err)
		}
		if err := s.Passwords().Forgot(from("192.0.2.1"), email); err != nil {
			t.Fatal(err)
		}
		if n := count(); n != 3*(i+1) {
			t.Errorf("%d rows after %s", n, email)
		}
	}
}

func TestResetPassword(t *testing.T) {
	s := newService(t)
	first, _ := signUp(t, s, "mara@example.com")
	s.Mail = true
	forget := func() string {
		t.Helper()
		if err := s.Passwords().Forgot(from("192.0.2.1"), "MARA@example.com"); err != nil {
			t.Fatal(err)
		}
		return onlyLetter(t, s, account.LetterReset).Token
	}
	token, second := forget(), forget()
	_, err := s.Passwords().Reset(from("192.0.2.1"), token, "short")
	wantCode(t, err, models.CodeValidation)
	signedIn, err := s.Passwords().Reset(from("192.0.2.1"), token, "a new password")
	if err != nil {
		t.Fatal(err)
	}
	as(t, s, signedIn.Token)
	_, err = s.Authenticate(context.Background(), first.Token)
	wantCode(t, err, models.CodeUnauthorized) // other sessions are over
	for _, used := range []string{token, second, "guess", ""} {
		_, err = s.Passwords().Reset(from("192.0.2.1"), used, "another password")
		wantCode(t, err, models.CodeUnauthorized)
	}
	_, err = s.SignIn(from("192.0.2.1"), account.SignInInput{Email: "mara@example.com", Password: password})
	wantCode(t, err, models.CodeUnauthorized)
	if _, err := s.SignIn(from("192.0.2.1"), account.SignInInput{Email: "mara@example.com", Password: "a new password"}); err != nil {
		t.Error(err)
	}
	late := forget()
	s.DB.Clock.(*dbtest.Clock).Advance(time.Hour)
	_, err = s.Passwords().Reset(from("192.0.2.1"), late, "another password")
	wantCode(t, err, models.CodeUnauthorized)

	if err := s.Passwords().Forgot(from("192.0.2.1"), "nobody@example.com"); err != nil {
		t.Error(err)
	}
	if all := letters(t, s); len(all) != 0 {
		t.Errorf("nobody gets %+v", all)
	}
	s.DB.Read(context.Background()).Exec(`UPDATE users SET password_hash = NULL`)
	if err := s.Passwords().Forgot(from("192.0.2.1"), "mara@example.com"); err != nil {
		t.Fatal(err)
	}
	onlyLetter(t, s, account.LetterExternal)
}

func TestMailedTokensAreHashed(t *testing.T) {
	s := newService(t)
	signUp(t, s, "mara@example.com")
	s.Mail = true
	_ = s.Passwords().Forgot(from("192.0.2.1"), "mara@example.com")
	_, _ = s.SignUp(from("192.0.2.1"), input("new@example.com", password))
	for _, letter := range letters(t, s) {
		for _, table := range []string{"sign_ups", "email_tokens", "river_job"} {
			var found int
			s.DB.Read(context.Background()).Raw(`SELECT count(*) FROM `+table+` t WHERE t::text LIKE ?`, "%"+letter.Token+"%").Scan(&found)
			if letter.Token == "" || found > 0 {
				t.Errorf("%s holds a token", table)
			}
		}
	}
}

func TestMailLimits(t *testing.T) {
	s := withMail(t)
	for range 5 {
		if err := s.Passwords().Forgot(from("192.0.2.1"), "mara@example.com"); err != nil {
			t.Fatal(err)
		}
	}
	wantCode(t, s.Passwords().Forgot(from("192.0.2.1"), "mara@example.com"), models.CodeRateLimitExceeded)
	_, err := s.SignUp(from("192.0.2.1"), input("Mara@example.com", password))
	wantCode(t, err, models.CodeRateLimitExceeded)
	for i := range 15 { // others use up what the address gets from them all
		if err := s.Passwords().Forgot(from(fmt.Sprintf("198.51.100.%d", i/5)), "mara@example.com"); err != nil {
			t.Fatal(err)
		}
	}
	wantCode(t, s.Passwords().Forgot(from("192.0.2.2"), "mara@example.com"), models.CodeRateLimitExceeded)
	for i := range 55 {
		if err := s.Passwords().Forgot(from("192.0.2.1"), fmt.Sprintf("p%d@example.com", i)); err != nil {
			t.Fatal(err)
		}
	}
	wantCode(t, s.Passwords().Forgot(from("192.0.2.1"), "other@example.com"), models.CodeRateLimitExceeded)
	for range 30 {
		_, err = s.Addresses().Verify(from("192.0.2.1"), "guess")
		wantCode(t, err, models.CodeUnauthorized)
	}
	_, err = s.Passwords().Reset(from("192.0.2.1"), "guess", strings.Repeat("x", 10))
	wantCode(t, err, models.CodeRateLimitExceeded)
}

func TestNoMailNoRoutes(t *testing.T) {
	s := newService(t)
	ctx := from("192.0.2.1")
	wantCode(t, s.Passwords().Forgot(ctx, "mara@example.com"), models.CodeNotFound)
	_, err := s.Addresses().Verify(ctx, "x")
	wantCode(t, err, models.CodeNotFound)
	_, err = s.Passwords().Reset(ctx, "x", "x")
	wantCode(t, err, models.CodeNotFound)
}
