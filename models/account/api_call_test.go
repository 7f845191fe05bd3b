package account_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
)

// newToken makes a personal token, and is who shows it.
func newToken(t *testing.T, s *account.Service, session context.Context, in account.CreateAPITokenInput) (*account.CreatedAPIToken, context.Context) {
	t.Helper()
	in.Name = "CI"
	made, err := s.APITokens().Create(session, in)
	if err != nil {
		t.Fatal(err)
	}
	return made, as(t, s, made.Token)
}

func TestTokenExpires(t *testing.T) {
	s := newService(t)
	clock := s.DB.Clock.(*dbtest.Clock)
	_, session := signUp(t, s, "mara@example.com")
	for name, after := range map[string]time.Duration{"past": -time.Second, "now": 0, "too far": 11 * 366 * 24 * time.Hour} {
		at := clock.Now().Add(after)
		_, err := s.APITokens().Create(session, account.CreateAPITokenInput{Name: "CI", ExpiresAt: &at})
		if e, known := models.AsError(err); !known || e.Code != models.CodeValidation || e.Field != "expiresAt" {
			t.Errorf("%s: %v", name, err)
		}
	}
	end := clock.Now().Add(time.Hour)
	made, caller := newToken(t, s, session, account.CreateAPITokenInput{ExpiresAt: &end})
	clock.Advance(time.Hour - time.Second)
	if err := s.StillValid(caller); err != nil {
		t.Error(err)
	}
	as(t, s, made.Token)
	clock.Advance(time.Second)
	_, err := s.Authenticate(context.Background(), made.Token)
	wantCode(t, err, models.CodeUnauthorized)
	wantCode(t, s.StillValid(caller), models.CodeUnauthorized)
	listed, err := s.APITokens().List(session)
	if err != nil || len(listed) != 1 || !listed[0].ExpiresAt.Equal(end) {
		t.Errorf("an expired token is listed until it is revoked: %v %v", listed, err)
	}
}

func TestTokenSaysWhereItWasUsed(t *testing.T) {
	s := newService(t)
	_, session := signUp(t, s, "mara@example.com")
	made, _ := newToken(t, s, session, account.CreateAPITokenInput{})
	s.DB.Clock.(*dbtest.Clock).Advance(time.Minute)
	if _, err := s.Authenticate(from("192.0.2.77"), made.Token); err != nil {
		t.Fatal(err)
	}
	listed, err := s.APITokens().List(session)
	if err != nil || listed[0].LastUsedIP != "192.0.2.77" {
		t.Errorf("%+v %v", listed[0], err)
	}
}

func TestCallsOfTokens(t *testing.T) {
	s := newService(t)
	clock := s.DB.Clock.(*dbtest.Clock)
	_, session := signUp(t, s, "mara@example.com")
	_, other := signUp(t, s, "nils@example.com")
	made, caller := newToken(t, s, session, account.CreateAPITokenInput{})
	second, _ := newToken(t, s, session, account.CreateAPITokenInput{})
	id := made.APIToken.ID
	note := func(token models.ID, n int) {
		for i := range n {
			clock.Advance(time.Millisecond)
			s.APITokens().NoteCall(account.APICall{TokenID: token, CalledAt: clock.Now(), Method: "GET", Path: fmt.Sprintf("/v1/jobs/%d", i), Status: 200, DurationUs: 1500, IP: "192.0.2.1"})
		}
		if err := s.APITokens().WriteCalls(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	note(second.APIToken.ID, 1)
	note(id, 60)
	note(id, 250)
	calls, err := s.APITokens().ListCalls(session, id)
	if err != nil || len(calls) != 100 || calls[0].Path != "/v1/jobs/249" || calls[99].Path != "/v1/jobs/150" || calls[0].DurationMs() != 1.5 {
		t.Fatalf("%d calls, %v", len(calls), err)
	}
	if n := count(t, s, `SELECT count(*) FROM token_calls`); n != 101 {
		t.Errorf("%d rows are kept of 100 calls and of one", n)
	}
	s.APITokens().NoteCall(account.APICall{TokenID: id, CalledAt: clock.Now(), Method: "GET", Path: strings.Repeat("\x00ä\xff", 300), Status: 404})
	if err := s.APITokens().WriteCalls(context.Background()); err != nil {
		t.Error(err)
	}
	_, err = s.APITokens().ListCalls(other, id)
	wantCode(t, err, models.CodeNotFound)
	_, err = s.APITokens().ListCalls(caller, id)
	wantCode(t, err, models.CodeForbidden)
	_, err = s.APITokens().ListCalls(from("192.0.2.1"), id)
	wantCode(t, err, models.CodeUnauthorized)
	if err := s.APITokens().Delete(session, id); err != nil {
		t.Fatal(err)
	}
	note(id, 3)
	if n := count(t, s, `SELECT count(*) FROM token_calls WHERE token_id = $1`, id); n != 0 {
		t.Errorf("%d calls of a revoked token are left", n)
	}
	clock.Advance(31 * 24 * time.Hour)
	if err := s.Sweep(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, `SELECT count(*) FROM token_calls`); n != 0 {
		t.Errorf("%d calls are left after a month", n)
	}
}
