package account_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
)

// tally signs in n times at once and counts the answers by code; "" is a session.
func tally(n int, signIn func(i int) error) map[models.Code]int {
	var mu sync.Mutex
	var all sync.WaitGroup
	codes := map[models.Code]int{}
	for i := range n {
		all.Go(func() {
			err := signIn(i)
			var code models.Code
			if err != nil {
				refusal, _ := models.AsError(err)
				code = refusal.Code
			}
			mu.Lock()
			defer mu.Unlock()
			codes[code]++
		})
	}
	all.Wait()
	return codes
}

func signInAs(s *account.Service, ip, email, password string) error {
	_, err := s.SignIn(from(ip), account.SignInInput{Email: email, Password: password})
	return err
}

// used counts n calls toward a limit.
func used(t *testing.T, s *account.Service, limit, key string, n int, per time.Duration) {
	t.Helper()
	err := s.DB.CountCalls(context.Background(), models.Limit{Name: limit, Max: n, Per: per}, key, n)
	if err != nil {
		t.Fatal(err)
	}
}

// Of guesses that come at once, ten are compared, and the right password after
// them is refused.
func TestGuessesAtOnce(t *testing.T) {
	s := newService(t)
	signUp(t, s, "mara@example.com")
	codes := tally(80, func(i int) error { return signInAs(s, "192.0.2.7", "mara@example.com", fmt.Sprint("wrong ", i)) })
	if codes[models.CodeUnauthorized] != 10 || codes[models.CodeRateLimitExceeded] != 70 {
		t.Errorf("80 guesses at once: %v", codes)
	}
	wantCode(t, signInAs(s, "192.0.2.7", "mara@example.com", password), models.CodeRateLimitExceeded)
}

// Right passwords are no guesses: more than may guess share an account and sign
// in at once. They are few enough that no one waits too long on a slow machine.
func TestRightPasswordsAtOnce(t *testing.T) {
	s := newService(t)
	signUp(t, s, "mara@example.com")
	if codes := tally(15, func(int) error { return signInAs(s, "192.0.2.7", "mara@example.com", password) }); codes[""] != 15 {
		t.Errorf("15 right passwords at once: %v", codes)
	}
	for range 10 {
		wantCode(t, signInAs(s, "192.0.2.7", "mara@example.com", "wrong"), models.CodeUnauthorized)
	}
	wantCode(t, signInAs(s, "192.0.2.7", "mara@example.com", password), models.CodeRateLimitExceeded)
}

// Anyone who has one IPv6 address has its /64.
func TestGuessesFromOneNetwork(t *testing.T) {
	s := newService(t)
	signUp(t, s, "mara@example.com")
	for i := range 10 {
		wantCode(t, signInAs(s, fmt.Sprintf("2001:db8:1:2::%x", i+1), "mara@example.com", "wrong"), models.CodeUnauthorized)
	}
	wantCode(t, signInAs(s, "2001:db8:1:2:ffff::1", "mara@example.com", password), models.CodeRateLimitExceeded)
	if err := signInAs(s, "2001:db8:1:3::1", "mara@example.com", password); err != nil {
		t.Errorf("from the next network: %v", err)
	}
	for i := range 10 {
		ip := "192.0.2.50"
		if i%2 == 0 {
			ip = "::ffff:192.0.2.50"
		}
		wantCode(t, signInAs(s, ip, "mara@example.com", "wrong"), models.CodeUnauthorized)
	}
	wantCode(t, signInAs(s, "192.0.2.50", "mara@example.com", password), models.CodeRateLimitExceeded)
}

// An account is guessed at a hundred times from everywhere together; its owner
// still signs in from where they did before.
func TestGuessesFromEverywhere(t *testing.T) {
	s := newService(t)
	signUp(t, s, "mara@example.com") // from 192.0.2.1
	used(t, s, "sign_in.account", "mara@example.com", 98, 15*time.Minute)
	for i := range 2 {
		wantCode(t, signInAs(s, fmt.Sprintf("198.51.100.%d", i), "mara@example.com", "wrong"), models.CodeUnauthorized)
	}
	wantCode(t, signInAs(s, "203.0.113.1", "mara@example.com", password), models.CodeRateLimitExceeded)
	if err := signInAs(s, "192.0.2.1", "mara@example.com", password); err != nil {
		t.Errorf("the owner is locked out: %v", err)
	}
	s.DB.Clock.(*dbtest.Clock).Advance(15 * time.Minute)
	if err := signInAs(s, "203.0.113.1", "mara@example.com", password); err != nil {
		t.Error(err)
	}
}

// One address guesses at all accounts together 300 times; a class that mistypes
// is far below.
func TestGuessesAtManyAccounts(t *testing.T) {
	s := newService(t)
	signUp(t, s, "mara@example.com")
	used(t, s, "sign_in.network", "198.51.100.1", 298, 15*time.Minute)
	for i := range 2 {
		wantCode(t, signInAs(s, "198.51.100.1", fmt.Sprintf("p%d@example.com", i), "wrong"), models.CodeUnauthorized)
	}
	wantCode(t, signInAs(s, "198.51.100.1", "mara@example.com", password), models.CodeRateLimitExceeded)
	if err := signInAs(s, "192.0.2.1", "mara@example.com", password); err != nil {
		t.Error(err)
	}
}

func TestSignUpsOfOneNetwork(t *testing.T) {
	s := newService(t)
	try := func(ip, email string) error {
		_, err := s.SignUp(from(ip), input(email, password))
		return err
	}
	used(t, s, "sign_up.network", "2001:db8:1:2::/64", 599, time.Hour)
	if err := try("2001:db8:1:2::1", "a@example.com"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, try("2001:db8:1:2::2", "b@example.com"), models.CodeRateLimitExceeded)
	used(t, s, "sign_up.machine", "127.0.0.1", 19_999, time.Hour)
	if err := try("127.0.0.1", "c@example.com"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, try("::ffff:127.0.0.1", "d@example.com"), models.CodeRateLimitExceeded)
}
