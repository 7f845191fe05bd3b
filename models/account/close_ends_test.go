package account_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
)

// end is rows of an account, and which of them are still of use.
type end struct {
	table, live string
	// deleted marks those that a ban leaves: they open nothing while it holds.
	deleted bool
}

// ends are the rows by which an account is used or guarded, and what of them an end leaves.
var ends = []end{
	{"sessions", "revoked_at IS NULL", false},
	{"api_tokens", "revoked_at IS NULL", false},
	{"email_tokens", "used_at IS NULL", false},
	{"sso_tokens", "used_at IS NULL", false},
	{"second_steps", "used_at IS NULL", false},
	{"external_identities", "true", true},
	{"totp_secrets", "true", true},
	{"recovery_codes", "true", true},
	{"passkeys", "true", true},
	{"user_pictures", "true", true},
}

// everyWay gives an account of its own every row of ends, and returns its session.
func everyWay(t *testing.T, s *account.Service, op context.Context) (id models.ID, session context.Context) {
	t.Helper()
	who := account.Asserted{Origin: "sso", Provider: "school", Subject: "s-1", Email: "mara@example.com", EmailVerified: true, Name: "Mara"}
	_, session = signUp(t, s, "mara@example.com")
	id = models.ActorFrom(session).UserID
	if _, err := s.APITokens().Create(session, account.CreateAPITokenInput{Name: "CI"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.People().CreateResetLink(op, id); err != nil {
		t.Fatal(err)
	}
	if _, err := s.SSO().HandOver(from("192.0.2.1"), who, ""); err != nil {
		t.Fatal(err)
	}
	now := s.DB.Clock.Now()
	exec(t, s, `INSERT INTO totp_secrets (user_id, secret, created_at, confirmed_at) VALUES ($1, 'sealed', $2, $2)`, id, now)
	exec(t, s, `INSERT INTO recovery_codes (user_id, code_hash, created_at) VALUES ($1, '\x01', $2)`, id, now)
	exec(t, s, `INSERT INTO passkeys (id, user_id, credential_id, credential, name, created_at) VALUES ($1, $2, '\x01', '{}', 'Phone', $3)`, models.NewID(now), id, now)
	exec(t, s, `INSERT INTO second_steps (token_hash, user_id, of_password, created_at, expires_at) VALUES ('\x01', $1, '\x01', $2, $3)`, id, now, now.Add(time.Hour))
	exec(t, s, `INSERT INTO user_pictures (user_id, key, content, created_at) VALUES ($1, 'k', '\x01', $2)`, id, now)
	exec(t, s, `UPDATE users SET second_factor_at = $2 WHERE id = $1`, id, now)
	for _, end := range ends {
		if count(t, s, `SELECT count(*) FROM `+end.table+` WHERE user_id = $1 AND `+end.live, id) == 0 {
			t.Fatalf("%s has nothing to end", end.table)
		}
	}
	return id, session
}

// TestWhatEnds closes and deletes an account that is used and guarded in every
// way, on one replica, while something of it is open on another.
func TestWhatEnds(t *testing.T) {
	for name, act := range map[string]func(*account.Service, context.Context, models.ID) error{
		"banning": func(s *account.Service, op context.Context, id models.ID) error {
			_, err := s.People().Ban(op, id, "")
			return err
		},
		"deleting": func(s *account.Service, op context.Context, id models.ID) error {
			_, err := s.People().Delete(op, id)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			url, clock := dbtest.NewURL(t), dbtest.NewClock()
			replica := func() *account.Service {
				db := dbtest.Open(t, url, clock)
				ctx, stop := context.WithCancel(context.Background())
				done := make(chan struct{})
				go func() { defer close(done); db.Bus.Run(ctx) }()
				t.Cleanup(func() { stop(); <-done })
				s := newServiceOn(db)
				s.External.LinkExisting = true
				return s
			}
			here, there := replica(), replica()
			op := operator(t, here)
			id, session := everyWay(t, here, op)
			open, others := there.WhileValid(session), there.WhileValid(op)
			if err := act(here, op, id); err != nil {
				t.Fatal(err)
			}
			select {
			case <-open.Done():
			case <-time.After(10 * time.Second):
				t.Error("what was open stays open on the other replica")
			}
			if others.Err() != nil {
				t.Error("what others hold open ended too")
			}
			for _, e := range ends {
				left := count(t, here, `SELECT count(*) FROM `+e.table+` WHERE user_id = $1 AND `+e.live, id)
				if ended := left == 0; ended != (!e.deleted || name == "deleting") {
					t.Errorf("%s: %d are left", e.table, left)
				}
			}
			wantCode(t, there.StillValid(session), models.CodeUnauthorized)
			who := account.Asserted{Origin: "sso", Provider: "school", Subject: "s-1", Email: "mara@example.com", EmailVerified: true}
			if name == "banning" {
				_, err := there.SSO().SignIn(from("192.0.2.1"), who)
				wantCode(t, err, models.CodeForbidden)
				wantCode(t, signInAs(there, "192.0.2.1", "mara@example.com", password), models.CodeForbidden)
				return
			}
			// The address and the subject are free for another person.
			signedIn, err := there.SSO().SignIn(from("192.0.2.1"), who)
			if err != nil || signedIn.User.ID == id || signedIn.User.Email != "mara@example.com" || signedIn.User.SecondFactorAt != nil {
				t.Errorf("%+v %v", signedIn, err)
			}
			if _, err := here.People().Ban(op, id, ""); !models.HasCode(err, models.CodeNotFound) {
				t.Errorf("a deleted account is banned: %v", err)
			}
		})
	}
}

// TestEverythingEnds finds tables of the area that no one thought of above.
func TestEverythingEnds(t *testing.T) {
	s := newService(t)
	owned, err := os.ReadFile("../tables.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, area, _ := strings.Cut(string(owned), "  models/account:\n")
	area, _, _ = strings.Cut(area, "\n  models/")
	var tables []string
	err = s.DB.Read(context.Background()).Raw(`
		SELECT DISTINCT c.conrelid::regclass::text FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
		WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass`).Scan(&tables).Error
	if err != nil || len(tables) < len(ends) {
		t.Fatalf("%v %q", err, tables)
	}
	for _, table := range tables {
		listed := slices.ContainsFunc(ends, func(e end) bool { return e.table == table })
		if strings.Contains(area+"\n", "- "+table+"\n") && !listed {
			t.Errorf("nobody says what becomes of %s when an account ends", table)
		}
	}
}
