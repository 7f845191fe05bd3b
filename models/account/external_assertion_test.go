package account_test

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"

	"github.com/golang-jwt/jwt/v5"
)

const schoolSecret = "a secret of the school"

// withSchool is a service at a time of its own, with two providers of assertions.
func withSchool(t *testing.T) (s *account.Service, claim func(email, jti string, changes jwt.MapClaims) string, advance func(time.Duration)) {
	s, clock := newServiceAt(t)
	for _, id := range []string{"school", "other"} {
		s.External.Providers = append(s.External.Providers, account.SSOProvider{
			ID: id, Kind: account.KindAssertion, Secret: schoolSecret, Audience: "atelier",
			EmailClaim: "email", VerifiedClaim: "email_verified", SubjectClaim: "sub", MaxLifetime: 300 * time.Second,
		})
	}
	claim = func(email, jti string, changes jwt.MapClaims) string {
		now := clock.Now()
		claims := jwt.MapClaims{
			"aud": "atelier", "sub": email, "email": email, "email_verified": true, "jti": jti, "iat": now.Unix(), "exp": now.Add(time.Minute).Unix(),
		}
		for name, value := range changes {
			claims[name] = value
		}
		compact, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(schoolSecret))
		if err != nil {
			t.Fatal(err)
		}
		return compact
	}
	return s, claim, func(d time.Duration) { clock.Advance(d) }
}

func TestAssertionsAreRememberedWhileTheyCouldBeUsed(t *testing.T) {
	s, claim, advance := withSchool(t)
	accept := func(provider, compact string) error {
		_, err := s.SSO().AcceptAssertion(from("192.0.2.1"), provider, compact, "")
		return err
	}
	compact := claim("mara@example.com", "j1", nil)
	if err := accept("school", compact); err != nil {
		t.Fatal(err)
	}
	wantCode(t, accept("school", compact), models.CodeAssertionReplayed)
	wantCode(t, accept("school", claim("ben@example.com", "j1", nil)), models.CodeAssertionReplayed)
	if err := accept("other", claim("ben@example.com", "j1", nil)); err != nil {
		t.Errorf("another provider's: %v", err)
	}
	wantCode(t, accept("school", claim("cleo@example.com", "j2", jwt.MapClaims{"aud": "x"})), models.CodeInvalidClaims)
	wantCode(t, accept("school", claim("cleo@example.com", "j2", nil)), models.CodeAssertionReplayed)
	advance(65 * time.Second) // the last moment
	wantCode(t, accept("school", compact), models.CodeAssertionReplayed)
	advance(2 * time.Second)
	wantCode(t, accept("school", compact), models.CodeExpired)
	if err := accept("school", claim("dora@example.com", "j1", nil)); err != nil {
		t.Errorf("a jti that is remembered no more: %v", err)
	}
	advance(10 * time.Minute)
	if err := s.Sweep(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, "SELECT count(*) FROM used_assertions"); n != 0 {
		t.Errorf("%d assertions are remembered for good", n)
	}
	if n := count(t, s, "SELECT clock_offset_ms FROM external_sign_ins WHERE provider = 'school' AND code = 'ok'"); n != 0 {
		t.Errorf("the clock is said to be off by %d ms", n)
	}
	if n := count(t, s, "SELECT count FROM external_sign_ins WHERE provider = 'school' AND code = 'assertion_replayed'"); n != 4 {
		t.Errorf("%d replays", n)
	}
}

// The two refusals that say nothing of an account take the same statements.
func TestRefusedLinkingsTakeTheSameWork(t *testing.T) {
	s, claim, _ := withSchool(t)
	signUp(t, s, "mara@example.com")
	statements, work := dbtest.CountStatements(t, s.DB), map[int64]bool{}
	for email, code := range map[string]models.Code{
		"mara@example.com": models.CodeAccountExists, "nobody@example.com": models.CodeEmailUnverified, "nobody2@example.com": models.CodeEmailUnverified,
	} {
		before := statements.Load()
		_, err := s.SSO().AcceptAssertion(from("192.0.2.1"), "school", claim(email, email, jwt.MapClaims{"email_verified": false}), "")
		wantCode(t, err, code)
		work[statements.Load()-before] = true
	}
	if len(work) != 1 {
		t.Errorf("refusals take different work: %v", work)
	}
}
