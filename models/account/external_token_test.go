package account_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
)

func handOver(t *testing.T, s *account.Service, subject, browser string) string {
	t.Helper()
	token, err := s.SSO().HandOver(from("192.0.2.1"), asserted(subject, subject+"@example.com"), browser)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func newServiceAt(t *testing.T) (*account.Service, *dbtest.Clock) {
	clock := dbtest.NewClock()
	s := &account.Service{DB: dbtest.NewWithClock(t, clock), SessionKey: []byte(strings.Repeat("k", 32)), SignUpMode: "open"}
	return s, clock
}

func TestOneTimeTokens(t *testing.T) {
	s, clock := newServiceAt(t)
	refused := func(code models.Code, token, browser string) {
		t.Helper()
		_, err := s.SSO().ExchangeToken(from("192.0.2.1"), token, browser)
		wantCode(t, err, code)
	}
	exchange := func(token, browser string) *account.SignedIn {
		t.Helper()
		signedIn, err := s.SSO().ExchangeToken(from("192.0.2.1"), token, browser)
		if err != nil {
			t.Fatal(err)
		}
		return signedIn
	}
	token := handOver(t, s, "s1", "")
	signedIn := exchange(token, "")
	if n := count(t, s, "SELECT count(*) FROM sessions WHERE user_id = $1 AND origin = 'sso' AND provider = 'school'", signedIn.User.ID); n != 1 {
		t.Errorf("%d sessions of the provider", n)
	}
	refused(models.CodeUnauthorized, token, "")
	refused(models.CodeUnauthorized, "", "")
	refused(models.CodeUnauthorized, strings.Repeat("x", 1<<20), "")
	bound := handOver(t, s, "s1", "this browser")
	refused(models.CodeUnauthorized, bound, "")
	refused(models.CodeUnauthorized, bound, "another")
	exchange(bound, "this browser")
	exchange(handOver(t, s, "s1", ""), "a browser that began something else")
	late := handOver(t, s, "s1", "")
	clock.Advance(60 * time.Second)
	refused(models.CodeUnauthorized, late, "")
	banned := handOver(t, s, "s2", "")
	exec(t, s, "UPDATE users SET banned_at = now() WHERE email = 's2@example.com'")
	refused(models.CodeForbidden, banned, "")
}

func TestOneTimeTokenRace(t *testing.T) {
	s, _ := newServiceAt(t)
	token := handOver(t, s, "s1", "")
	var all sync.WaitGroup
	var won, lost atomic.Int32
	barrier := make(chan struct{})
	for i := range 50 {
		all.Go(func() {
			<-barrier
			_, err := s.SSO().ExchangeToken(from("192.0.2."+strings.Repeat("1", 1+i%3)), token, "")
			switch {
			case err == nil:
				won.Add(1)
			case models.HasCode(err, models.CodeUnauthorized):
				lost.Add(1)
			default:
				t.Log(err)
			}
		})
	}
	close(barrier)
	all.Wait()
	if won.Load() != 1 || lost.Load() != 49 {
		t.Errorf("%d won, %d lost", won.Load(), lost.Load())
	}
}

// A class behind one address: beyond twenty a minute it waits, and a token that
// came in time works when the wait is over.
func TestExchangesOfAnAddressAreBounded(t *testing.T) {
	s, clock := newServiceAt(t)
	tokens := make([]string, 35)
	for i := range tokens {
		tokens[i] = handOver(t, s, "pupil"+strings.Repeat("i", i), "")
	}
	wrong := from("2001:db8::1:2")
	var limited *models.Error
	for i, token := range tokens {
		_, err := s.SSO().ExchangeToken(wrong, token, "")
		if i < 20 && err != nil || i >= 20 && !models.HasCode(err, models.CodeRateLimitExceeded) {
			t.Fatalf("%d: %v", i, err)
		}
		if i >= 20 {
			limited, _ = models.AsError(err)
		}
	}
	if _, err := s.SSO().ExchangeToken(from("2001:db8:0:0:ffff::9"), "x", ""); !models.HasCode(err, models.CodeRateLimitExceeded) {
		t.Errorf("another address of the same network: %v", err)
	}
	clock.Advance(limited.RetryAfter)
	for i, token := range tokens[20:] {
		if _, err := s.SSO().ExchangeToken(wrong, token, ""); err != nil {
			t.Fatalf("pupil %d after the wait: %v", i+20, err)
		}
	}
}
