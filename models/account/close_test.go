package account_test

import (
	"context"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/account"
)

func operator(t *testing.T, s *account.Service) context.Context {
	t.Helper()
	code := operatorCode
	result, err := s.SignUp(from("192.0.2.9"), account.SignUpInput{Email: "op@example.com", Password: password, DisplayName: "Op", OperatorCode: &code})
	if err != nil {
		t.Fatal(err)
	}
	return as(t, s, result.SignedIn.Token)
}

func TestDeleteAccount(t *testing.T) {
	s := newService(t)
	here, there, token := twoSessions(t, s)
	wantField(t, s.DeleteAccount(here, "wrong"), "confirmation")
	wantCode(t, s.DeleteAccount(as(t, s, token), password), models.CodeForbidden)
	if err := s.DeleteAccount(here, password); err != nil {
		t.Fatal(err)
	}
	for _, ctx := range []context.Context{here, there} {
		wantCode(t, s.StillValid(ctx), models.CodeUnauthorized)
	}
	if _, err := s.Authenticate(context.Background(), token); !models.HasCode(err, models.CodeUnauthorized) {
		t.Errorf("the token: %v", err)
	}
	wantCode(t, signInAs(s, "192.0.2.1", "mara@example.com", password), models.CodeUnauthorized)
	signUp(t, s, "mara@example.com") // the address is free
}

func TestBanAndReset(t *testing.T) {
	s := newService(t)
	s.PublicURL = "https://atelier.example"
	here, _, token := twoSessions(t, s)
	id := models.ActorFrom(here).UserID
	op := operator(t, s)
	for _, act := range []func(context.Context) error{
		func(ctx context.Context) error { _, err := s.People().Ban(ctx, id, ""); return err },
		func(ctx context.Context) error { _, err := s.People().Unban(ctx, id); return err },
		func(ctx context.Context) error { _, err := s.People().Delete(ctx, id); return err },
		func(ctx context.Context) error { _, err := s.People().CreateResetLink(ctx, id); return err },
		func(ctx context.Context) error { _, err := s.People().EndSessions(ctx, id); return err },
	} {
		wantCode(t, act(here), models.CodeInsufficientRole)
	}
	_, err := s.People().Ban(op, models.ActorFrom(op).UserID, "")
	wantCode(t, err, models.CodeInsufficientRole)

	link, err := s.People().CreateResetLink(op, id)
	if err != nil {
		t.Fatal(err)
	}
	secret, ok := strings.CutPrefix(link.URL, "https://atelier.example/reset-password?token=")
	if !ok {
		t.Fatal(link.URL)
	}
	signedIn, err := s.Passwords().Reset(from("192.0.2.1"), secret, "another password")
	if err != nil {
		t.Fatal(err)
	}
	again := as(t, s, signedIn.Token)
	if user, err := s.FindUserByID(op, id); err != nil || user.AddressProvenAt != nil {
		t.Errorf("a handed link proves the address: %v %v", user, err)
	}
	_, err = s.Passwords().Reset(from("192.0.2.1"), secret, "another password")
	wantCode(t, err, models.CodeNotFound)
	wantCode(t, s.StillValid(here), models.CodeUnauthorized)

	if _, err := s.People().Ban(op, id, "spam"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.StillValid(again), models.CodeUnauthorized)
	wantCode(t, signInAs(s, "192.0.2.1", "mara@example.com", "another password"), models.CodeForbidden)
	if _, err := s.Authenticate(context.Background(), token); !models.HasCode(err, models.CodeUnauthorized) {
		t.Errorf("the token: %v", err)
	}
	if _, err := s.People().Unban(op, id); err != nil {
		t.Fatal(err)
	}
	if err := signInAs(s, "192.0.2.1", "mara@example.com", "another password"); err != nil {
		t.Error(err)
	}
	acts, err := s.People().ListActs(op, id)
	if err != nil || len(acts) != 3 || acts[1].Action != account.ActBanned || acts[1].Reason != "spam" || acts[1].ActorName != "Op" {
		t.Errorf("%v %+v", err, acts)
	}
	search := "MARA@"
	people, err := s.People().List(op, &search, nil, models.Page{})
	if err != nil || len(people.Nodes) != 1 {
		t.Errorf("%v %+v", err, people)
	}
	for want, by := range map[string]models.SortBy{"Mara": models.SortByName, "Op": models.SortByCreated} {
		people, err = s.People().List(op, nil, nil, models.Page{Sort: &models.Sort{By: by, Descending: by == models.SortByCreated}})
		if err != nil || len(people.Nodes) != 2 || !strings.HasPrefix(people.Nodes[0].DisplayName, want) {
			t.Errorf("by %s: %v %+v", by, err, people)
		}
	}
}

func TestPayerIsProtected(t *testing.T) {
	s := newService(t)
	s.Payer = "mara@example.com"
	_, here := signUp(t, s, "mara@example.com")
	op := operator(t, s)
	_, err := s.People().Delete(op, models.ActorFrom(here).UserID)
	wantCode(t, err, models.CodePayerProtected)
	wantCode(t, s.DeleteAccount(here, password), models.CodePayerProtected)
}

func TestDeviceAndPlace(t *testing.T) {
	for userAgent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":           "Chrome on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0": "Edge on Windows",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1":       "Safari on iPhone",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0":                                      "Firefox on Mac",
		"curl/8.5.0": "Curl", "": "An unknown device",
	} {
		if got := models.Device(userAgent); got != want {
			t.Errorf("%q: %s", userAgent, got)
		}
	}
	for address, want := range map[string]string{"203.0.113.77": "203.0.113.…", "2001:db8:1:2::3": "2001:db8:1::…", "127.0.0.1": "this machine", "": ""} {
		if got := models.Place(address); got != want {
			t.Errorf("%q: %s", address, got)
		}
	}
	if got := models.CutUserAgent(strings.Repeat("é", 300)); len(got) > 300 {
		t.Errorf("%d bytes are kept", len(got))
	}
}
