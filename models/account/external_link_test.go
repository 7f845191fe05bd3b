package account_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"atelier/models"
	"atelier/models/account"
)

// asserted is a verified person of the provider "school".
func asserted(subject, email string) account.Asserted {
	return account.Asserted{Origin: account.OriginSSO, Provider: "school", Subject: subject, Email: email, EmailVerified: true, Name: "Mara Lind"}
}

func unverified(a account.Asserted) account.Asserted { a.EmailVerified = false; return a }

func elsewhere(a account.Asserted) account.Asserted { a.Provider = "other"; return a }

func count(t *testing.T, s *account.Service, sql string, args ...any) (n int) {
	t.Helper()
	if err := s.DB.Pool.QueryRow(context.Background(), sql, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func exec(t *testing.T, s *account.Service, sql string, args ...any) {
	t.Helper()
	if _, err := s.DB.Pool.Exec(context.Background(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

// The linking table row by row, with and without the flag (contract 3, "Account linking").
func TestLinkingTable(t *testing.T) {
	const ok = models.Code("")
	for _, row := range []struct {
		name            string
		before          string // none, local, linked, linked elsewhere, linked otherwise
		who             account.Asserted
		flagOff, flagOn models.Code
	}{
		{"nobody, verified", "none", asserted("s1", "mara@example.com"), ok, ok},
		{"nobody, unverified", "none", unverified(asserted("s1", "mara@example.com")), models.CodeEmailUnverified, models.CodeEmailUnverified},
		{"linked, verified", "linked", asserted("s1", "mara@example.com"), ok, ok},
		{"linked, unverified", "linked", unverified(asserted("s1", "mara@example.com")), ok, ok},
		{"linked, another address there", "linked", asserted("s1", "new@example.com"), ok, ok},
		{"linked, no address there", "linked", asserted("s1", ""), ok, ok},
		{"linked elsewhere", "linked elsewhere", asserted("s1", "mara@example.com"), models.CodeLinkedOtherProvider, models.CodeLinkedOtherProvider},
		{"linked elsewhere, unverified", "linked elsewhere", unverified(asserted("s1", "mara@example.com")), models.CodeLinkedOtherProvider, models.CodeLinkedOtherProvider},
		{"another subject", "linked otherwise", asserted("s1", "mara@example.com"), models.CodeLinkedOtherSubject, models.CodeLinkedOtherSubject},
		{"another subject, unverified", "linked otherwise", unverified(asserted("s1", "mara@example.com")), models.CodeLinkedOtherSubject, models.CodeLinkedOtherSubject},
		{"local, verified", "local", asserted("s1", "mara@example.com"), models.CodeAccountExists, ok},
		{"local, unverified", "local", unverified(asserted("s1", "mara@example.com")), models.CodeAccountExists, models.CodeAccountExists},
		{"local, other letter case", "local", asserted("s1", " MARA@Example.COM "), models.CodeAccountExists, ok},
		{"local, full width", "local", asserted("s1", "ｍａｒａ@example.com"), models.CodeAccountExists, ok},
		{"local, homoglyph", "local", asserted("s1", "mаra@example.com"), ok, ok}, // a Cyrillic а: another person
		{"full width at sign", "none", asserted("s1", "mara＠example.com"), models.CodeMissingEmail, models.CodeMissingEmail},
		{"no address", "none", asserted("s1", ""), models.CodeMissingEmail, models.CodeMissingEmail},
		{"two addresses", "none", asserted("s1", "a@example.com,b@example.com"), models.CodeMissingEmail, models.CodeMissingEmail},
	} {
		for _, on := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, flag %t", row.name, on), func(t *testing.T) {
				s := newService(t)
				s.External.LinkExisting = on
				var before models.ID
				switch row.before {
				case "local":
					signedIn, _ := signUp(t, s, "mara@example.com")
					before = signedIn.User.ID
				case "linked":
					before = follow(t, s, asserted("s1", "mara@example.com")).ID
				case "linked elsewhere":
					before = follow(t, s, elsewhere(asserted("s1", "mara@example.com"))).ID
				case "linked otherwise":
					before = follow(t, s, asserted("s0", "mara@example.com")).ID
				}
				want := row.flagOff
				if on {
					want = row.flagOn
				}
				accounts := count(t, s, "SELECT count(*) FROM users")
				user, err := s.SSO().Follow(context.Background(), row.who)
				if want != ok {
					wantCode(t, err, want)
					if n := count(t, s, "SELECT count(*) FROM users"); n != accounts {
						t.Errorf("a refusal made %d accounts", n-accounts)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if same := user.ID == before; before != (models.ID{}) && same == strings.Contains(row.name, "homoglyph") {
					t.Errorf("signed in as %s, not as %s", user.ID, before)
				}
				if n := count(t, s, "SELECT count(*) FROM external_identities WHERE user_id = $1 AND origin = 'sso' AND provider = 'school' AND subject = 's1'", user.ID); n != 1 {
					t.Errorf("connected %d times", n)
				}
				if stored, err := s.FindUserByID(context.Background(), user.ID); err != nil || stored.Email == "new@example.com" {
					t.Errorf("the address became %v, %v", stored, err)
				}
			})
		}
	}
}

func follow(t *testing.T, s *account.Service, who account.Asserted) *account.User {
	t.Helper()
	user, err := s.SSO().Follow(context.Background(), who)
	if err != nil {
		t.Fatal(err)
	}
	return user
}

// The five rules of the billing account, and operators there.
func TestLinkingOfTheBillingAccount(t *testing.T) {
	const payer, op = "pay@example.com", "op@example.com"
	for _, flag := range []bool{false, true} {
		t.Run(fmt.Sprintf("flag %t", flag), func(t *testing.T) {
			s := newService(t)
			s.Payer, s.External.LinkExisting = payer, flag
			refused := func(code models.Code, who account.Asserted) {
				t.Helper()
				_, err := s.SSO().Follow(context.Background(), who)
				wantCode(t, err, code)
			}
			signedIn, _ := signUp(t, s, payer)
			refused(models.CodeEmailUnverified, unverified(asserted("p1", payer)))
			if user := follow(t, s, asserted("p1", payer)); user.ID != signedIn.User.ID || user.PasswordHash == nil {
				t.Error("the billing account was not linked on its first verified sign-in, or lost its password")
			}
			follow(t, s, asserted("p1", payer))
			follow(t, s, asserted("p1", "renamed@example.com")) // by its subject
			refused(models.CodeEmailUnverified, unverified(asserted("p1", payer)))
			refused(models.CodeEmailUnverified, unverified(asserted("p2", payer)))
			refused(models.CodeLinkedOtherSubject, asserted("p2", payer))
			refused(models.CodeLinkedOtherProvider, elsewhere(asserted("p1", payer)))
			refused(models.CodeAccountExists, asserted("o1", op)) // no account yet
			in := input(op, password)
			in.OperatorCode = new(string)
			*in.OperatorCode = operatorCode
			if _, err := s.SignUp(from("192.0.2.1"), in); err != nil {
				t.Fatal(err)
			}
			refused(models.CodeAccountExists, asserted("o1", op))
			s.Payer = "" // an operator who was linked before there was a billing account keeps signing in
			s.External.LinkExisting = true
			linked := follow(t, s, asserted("o1", op))
			s.Payer, s.External.LinkExisting = payer, flag
			if follow(t, s, unverified(asserted("o1", op))).ID != linked.ID {
				t.Error("a linked operator cannot sign in")
			}
		})
	}
	t.Run("without an account yet", func(t *testing.T) {
		s := newService(t)
		s.Payer = payer
		_, err := s.SSO().Follow(context.Background(), unverified(asserted("p1", payer)))
		wantCode(t, err, models.CodeEmailUnverified)
		follow(t, s, asserted("p1", payer))
	})
	t.Run("who is an operator too", func(t *testing.T) {
		s := newService(t)
		s.Payer = op
		follow(t, s, asserted("p1", op))
	})
}

func TestNewAccountsOfProviders(t *testing.T) {
	s := newService(t)
	s.SignUpMode = "closed"
	got := 0
	s.OnUser("test", func(tx *models.Tx, u *account.User) error { got++; return nil })
	user := follow(t, s, asserted("s1", "Mara@Example.com"))
	if got != 1 || user.Email != "mara@example.com" || user.DisplayName != "Mara Lind" || !user.EmailVerified() || user.HasPassword() {
		t.Errorf("%+v, hooks %d", user, got)
	}
	operator := follow(t, s, asserted("o1", "op@example.com"))
	if !s.IsOperator(operator) {
		t.Error("a verified sign-in does not prove an operator's address")
	}
	for name, want := range map[string]string{
		"": "n", "  ": "n", "\x00\u202eevil\u202c \t name": "evil name", strings.Repeat("ß", 300): strings.Repeat("ß", 100), "\u200b": "n", "\ufffd": "n",
	} {
		who := asserted(fmt.Sprintf("n%x", name), fmt.Sprintf("n@d%x.example.com", sha256.Sum224([]byte(name))))
		who.Name = name
		if user := follow(t, s, who); user.DisplayName != want {
			t.Errorf("%q became %q", name, user.DisplayName)
		}
	}
}

func TestBannedAndDeletedAccountsOfProviders(t *testing.T) {
	s := newService(t)
	user := follow(t, s, asserted("s1", "mara@example.com"))
	exec(t, s, "UPDATE users SET banned_at = now() WHERE id = $1", user.ID)
	_, err := s.SSO().Follow(context.Background(), asserted("s1", "mara@example.com"))
	wantCode(t, err, models.CodeForbidden)
	local, _ := signUp(t, s, "ben@example.com")
	exec(t, s, "UPDATE users SET banned_at = now() WHERE id = $1", local.User.ID)
	_, err = s.SSO().Follow(context.Background(), asserted("s2", "ben@example.com"))
	wantCode(t, err, models.CodeAccountExists) // says nothing of who is banned
	exec(t, s, "UPDATE users SET banned_at = NULL")
	signedIn, err := s.SSO().SignIn(from("192.0.2.1"), asserted("s1", "mara@example.com"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteAccount(as(t, s, signedIn.Token), "mara@example.com"); err != nil {
		t.Fatal(err)
	}
	if again := follow(t, s, asserted("s1", "mara@example.com")); again.ID == user.ID {
		t.Error("the deleted account came back")
	}
}

// Fifty first sign-ins of one person make one account, and all of them sign in to it or are account_exists.
func TestLinkingRaces(t *testing.T) {
	race := func(n int, call func(i int) error) []error {
		var all sync.WaitGroup
		errs, barrier := make([]error, n), make(chan struct{})
		for i := range errs {
			all.Go(func() { <-barrier; errs[i] = call(i) })
		}
		close(barrier)
		all.Wait()
		return errs
	}
	follow := func(s *account.Service, who account.Asserted) error {
		_, err := s.SSO().Follow(context.Background(), who)
		return err
	}
	t.Run("one person", func(t *testing.T) {
		s := newService(t)
		for _, err := range race(50, func(int) error { return follow(s, asserted("s1", "mara@example.com")) }) {
			if err != nil && !models.HasCode(err, models.CodeAccountExists) {
				t.Error(err)
			}
		}
		if users, links := count(t, s, "SELECT count(*) FROM users"), count(t, s, "SELECT count(*) FROM external_identities"); users != 1 || links != 1 {
			t.Errorf("%d accounts, %d connections", users, links)
		}
	})
	for _, on := range []bool{false, true} {
		t.Run(fmt.Sprintf("two people for one address, flag %t", on), func(t *testing.T) {
			s := newService(t)
			s.External.LinkExisting = on
			for round := range 10 {
				address := fmt.Sprintf("p%d@example.com", round)
				errs := race(2, func(i int) error { return follow(s, asserted(fmt.Sprintf("r%d-%d", round, i), address)) })
				if won := slices.Index(errs, error(nil)); won < 0 || errs[1-won] == nil ||
					!models.HasCode(errs[1-won], models.CodeAccountExists) && !models.HasCode(errs[1-won], models.CodeLinkedOtherSubject) {
					t.Errorf("%v", errs)
				}
			}
		})
	}
	t.Run("two providers for a local account", func(t *testing.T) {
		s := newService(t)
		s.External.LinkExisting = true
		for round := range 5 {
			address := fmt.Sprintf("p%d@example.com", round)
			signUp(t, s, address)
			errs := race(2, func(i int) error {
				who := asserted(fmt.Sprintf("s%d", round), address)
				if i == 1 {
					who = elsewhere(who)
				}
				return follow(s, who)
			})
			if won := slices.Index(errs, error(nil)); won < 0 || !models.HasCode(errs[1-won], models.CodeLinkedOtherProvider) {
				t.Errorf("%v", errs)
			}
		}
	})
	t.Run("deletion and ban", func(t *testing.T) {
		s := newService(t)
		s.External.LinkExisting = true
		for round := range 8 {
			address := fmt.Sprintf("p%d@example.com", round)
			local, ctx := signUp(t, s, address)
			errs := race(2, func(i int) error {
				if i == 0 {
					return follow(s, asserted(fmt.Sprintf("s%d", round), address))
				}
				return s.DeleteAccount(ctx, password)
			})
			if errs[0] != nil && !models.HasCode(errs[0], models.CodeAccountExists) || errs[1] != nil {
				t.Errorf("%v", errs)
			}
			if n := count(t, s, "SELECT count(*) FROM external_identities WHERE user_id = $1", local.User.ID); n != 0 {
				t.Error("a deleted account is connected")
			}
		}
	})
}
