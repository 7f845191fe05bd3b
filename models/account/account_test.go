package account_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
)

const (
	password     = "correct horse"
	operatorCode = "what the log says"
)

func newService(t *testing.T) *account.Service {
	t.Helper()
	return newServiceOn(dbtest.New(t))
}

// newServiceOn is a replica on a database.
func newServiceOn(db *models.DB) *account.Service {
	return &account.Service{DB: db, SessionKey: []byte(strings.Repeat("k", 32)), SignUpMode: "open", Operators: []string{"op@example.com"}, OperatorCode: operatorCode}
}

// from is a visitor at an address of the network.
func from(ip string) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.Anonymous, IP: ip})
}

func signUp(t *testing.T, s *account.Service, email string) (*account.SignedIn, context.Context) {
	t.Helper()
	result, err := s.SignUp(from("192.0.2.1"), account.SignUpInput{Email: email, Password: password, DisplayName: "Mara"})
	if err != nil {
		t.Fatal(err)
	}
	return result.SignedIn, as(t, s, result.SignedIn.Token)
}

func as(t *testing.T, s *account.Service, token string) context.Context {
	t.Helper()
	credentials, err := s.Authenticate(context.Background(), token)
	if err != nil {
		t.Fatal(err)
	}
	return models.WithActor(context.Background(), credentials.Actor)
}

func wantCode(t *testing.T, err error, code models.Code) {
	t.Helper()
	if !models.HasCode(err, code) {
		t.Errorf("error = %v, want %s", err, code)
	}
}

func TestSignUp(t *testing.T) {
	s := newService(t)
	signedIn, ctx := signUp(t, s, " Mara@Example.com ")
	if signedIn.User.Email != "mara@example.com" || signedIn.User.Address != "mara@example.com" {
		t.Errorf("address kept as %q and %q", signedIn.User.Email, signedIn.User.Address)
	}
	if actor := models.ActorFrom(ctx); actor.UserID != signedIn.User.ID || actor.Kind != models.BySession || !actor.EmailVerified {
		t.Errorf("the session stands for %+v", actor)
	}
	for name, test := range map[string]struct {
		in   account.SignUpInput
		code models.Code
	}{
		"taken":             {account.SignUpInput{Email: "MARA@example.com", Password: password, DisplayName: "x"}, models.CodeEmailTaken},
		"taken, full width": {account.SignUpInput{Email: "ｍａｒａ@example.com", Password: password, DisplayName: "x"}, models.CodeEmailTaken},
		"short password":    {account.SignUpInput{Email: "a@example.com", Password: "123456789", DisplayName: "x"}, models.CodeValidation},
		"long password":     {account.SignUpInput{Email: "a@example.com", Password: strings.Repeat("x", 1001), DisplayName: "x"}, models.CodeValidation},
		"no name":           {account.SignUpInput{Email: "a@example.com", Password: password, DisplayName: " "}, models.CodeValidation},
		"no address":        {account.SignUpInput{Email: "a", Password: password, DisplayName: "x"}, models.CodeValidation},
		"a name and address": {
			account.SignUpInput{Email: "Mara <a@example.com>", Password: password, DisplayName: "x"}, models.CodeValidation},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.SignUp(from("192.0.2.1"), test.in)
			wantCode(t, err, test.code)
		})
	}
}

func TestSignUpModes(t *testing.T) {
	s := newService(t)
	for _, mode := range []string{"closed", "invited"} {
		s.SignUpMode = mode
		_, err := s.SignUp(from("192.0.2.1"), account.SignUpInput{Email: "a@example.com", Password: password, DisplayName: "x"})
		wantCode(t, err, models.CodeForbidden)
	}
}

// Without mail the one who knows an invited address could sign up with it, so the
// invitation's token is asked for.
func TestSignUpByInvitation(t *testing.T) {
	s := newService(t)
	s.SignUpMode = "invited"
	s.SetInvitedCheck(func(_ *models.Tx, email string, token *string) (bool, error) {
		return email == "mara@example.com" && (token == nil || *token == "" || *token == "t0ken"), nil
	})
	right, wrong, empty := "t0ken", "another", ""
	for _, token := range []*string{nil, &empty, &wrong} {
		in := input("mara@example.com", password)
		in.InvitationToken = token
		_, err := s.SignUp(from("192.0.2.1"), in)
		wantCode(t, err, models.CodeForbidden)
	}
	in := input("mara@example.com", password)
	in.InvitationToken = &right
	if _, err := s.SignUp(from("192.0.2.1"), in); err != nil {
		t.Error(err)
	}
}

func TestSignUpRace(t *testing.T) {
	s := newService(t)
	var all sync.WaitGroup
	results := make([]error, 8)
	for i := range results {
		all.Go(func() {
			_, results[i] = s.SignUp(from("192.0.2.1"), account.SignUpInput{Email: "one@example.com", Password: password, DisplayName: "x"})
		})
	}
	all.Wait()
	made := 0
	for _, err := range results {
		if err == nil {
			made++
		} else {
			wantCode(t, err, models.CodeEmailTaken)
		}
	}
	if made != 1 {
		t.Errorf("%d accounts were made", made)
	}
}

func TestSignIn(t *testing.T) {
	s := newService(t)
	signUp(t, s, "mara@example.com")
	if _, err := s.SignIn(from("192.0.2.1"), account.SignInInput{Email: "MARA@example.com", Password: password}); err != nil {
		t.Fatal(err)
	}
	for _, in := range []account.SignInInput{{Email: "mara@example.com", Password: "wrong"}, {Email: "nobody@example.com", Password: password}} {
		_, err := s.SignIn(from("192.0.2.1"), in)
		wantCode(t, err, models.CodeUnauthorized)
	}
}

func TestWrongPasswordsAreLimited(t *testing.T) {
	s := newService(t)
	signUp(t, s, "mara@example.com")
	wrong := account.SignInInput{Email: "mara@example.com", Password: "wrong"}
	for range 10 {
		_, err := s.SignIn(from("192.0.2.1"), wrong)
		wantCode(t, err, models.CodeUnauthorized)
	}
	right := account.SignInInput{Email: "mara@example.com", Password: password}
	_, err := s.SignIn(from("192.0.2.1"), right)
	wantCode(t, err, models.CodeRateLimitExceeded)
	if _, err := s.SignIn(from("192.0.2.2"), right); err != nil {
		t.Errorf("from another address: %v", err)
	}
	s.DB.Clock.(*dbtest.Clock).Advance(15 * time.Minute)
	if _, err := s.SignIn(from("192.0.2.1"), right); err != nil {
		t.Errorf("a quarter of an hour later: %v", err)
	}
}

func TestSessionEnds(t *testing.T) {
	s := newService(t)
	first, ctx := signUp(t, s, "mara@example.com")
	second, err := s.SignIn(from("192.0.2.1"), account.SignInInput{Email: "mara@example.com", Password: password})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SignOut(ctx); err != nil {
		t.Fatal(err)
	}
	_, err = s.Authenticate(context.Background(), first.Token)
	wantCode(t, err, models.CodeUnauthorized)
	as(t, s, second.Token)
	s.DB.Clock.(*dbtest.Clock).Advance(account.SessionLifetime)
	_, err = s.Authenticate(context.Background(), second.Token)
	wantCode(t, err, models.CodeUnauthorized)
}

func TestForgedTokens(t *testing.T) {
	s := newService(t)
	signedIn, _ := signUp(t, s, "mara@example.com")
	other := &account.Service{DB: s.DB, SessionKey: []byte("another key of this length......"), SignUpMode: "open"}
	forged, _ := other.SignIn(from("192.0.2.1"), account.SignInInput{Email: "mara@example.com", Password: password})
	header, rest, _ := strings.Cut(signedIn.Token, ".")
	for name, token := range map[string]string{
		"another key": forged.Token, "no signature": header + "." + rest[:strings.LastIndex(rest, ".")+1],
		"alg none": "eyJhbGciOiJub25lIn0." + rest, "text": "x", "unknown token": account.TokenPrefix + "x", "empty": "",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Authenticate(context.Background(), token)
			wantCode(t, err, models.CodeUnauthorized)
		})
	}
}

func TestAPITokens(t *testing.T) {
	s := newService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	created, err := s.APITokens().Create(ctx, account.CreateAPITokenInput{Name: "CI"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(created.Token, "svc_") || created.APIToken.RateLimit != 30 {
		t.Errorf("made %q with %d a minute", created.Token, created.APIToken.RateLimit)
	}
	token := as(t, s, created.Token)
	if actor := models.ActorFrom(token); actor.Kind != models.ByToken || actor.RunsPerMinute != 30 {
		t.Errorf("the token stands for %+v", actor)
	}
	_, err = s.APITokens().Create(token, account.CreateAPITokenInput{Name: "x"})
	wantCode(t, err, models.CodeForbidden)
	for _, rate := range []int{0, -1, 121} {
		_, err = s.APITokens().Create(ctx, account.CreateAPITokenInput{Name: "x", RateLimit: &rate})
		wantCode(t, err, models.CodeValidation)
	}
	listed, err := s.APITokens().List(ctx)
	if err != nil || len(listed) != 1 || listed[0].LastUsedAt == nil {
		t.Errorf("listed %d tokens, last use %v (%v)", len(listed), listed[0].LastUsedAt, err)
	}
	_, other := signUp(t, s, "other@example.com")
	wantCode(t, s.APITokens().Delete(other, created.APIToken.ID), models.CodeNotFound)
	if err := s.APITokens().Delete(ctx, created.APIToken.ID); err != nil {
		t.Fatal(err)
	}
	_, err = s.Authenticate(context.Background(), created.Token)
	wantCode(t, err, models.CodeUnauthorized)
}

func TestElevenTokensAtOnce(t *testing.T) {
	s := newService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	var all sync.WaitGroup
	results := make([]error, 14)
	for i := range results {
		all.Go(func() {
			_, results[i] = s.APITokens().Create(ctx, account.CreateAPITokenInput{Name: fmt.Sprint(i)})
		})
	}
	all.Wait()
	made := 0
	for _, err := range results {
		if err == nil {
			made++
		} else {
			wantCode(t, err, models.CodeLimitReached)
		}
	}
	if made != account.MaxTokens {
		t.Errorf("%d tokens were made", made)
	}
}

func TestUpdateProfile(t *testing.T) {
	s := newService(t)
	_, ctx := signUp(t, s, "mara@example.com")
	user, err := s.UpdateProfile(ctx, account.UpdateProfileInput{DisplayName: models.Some(" Mara W "), AvatarURL: models.Some("https://example.com/a.png")})
	if err != nil || user.DisplayName != "Mara W" || user.AvatarURL == nil {
		t.Fatalf("%+v, %v", user, err)
	}
	user, err = s.UpdateProfile(ctx, account.UpdateProfileInput{AvatarURL: models.Null[string]()})
	if err != nil || user.AvatarURL != nil || user.DisplayName != "Mara W" {
		t.Errorf("%+v, %v", user, err)
	}
	user, err = s.UpdateProfile(ctx, account.UpdateProfileInput{TimeZone: models.Some("Europe/Berlin")})
	if err != nil || user.TimeZone == nil || *user.TimeZone != "Europe/Berlin" {
		t.Errorf("%+v, %v", user, err)
	}
	user, err = s.UpdateProfile(ctx, account.UpdateProfileInput{TimeZone: models.Null[string]()})
	if err != nil || user.TimeZone != nil {
		t.Errorf("%+v, %v", user, err)
	}
	user, err = s.UpdateProfile(ctx, account.UpdateProfileInput{Language: models.Some("de")})
	if err != nil || user.Language == nil || *user.Language != "de" {
		t.Errorf("%+v, %v", user, err)
	}
	for name, in := range map[string]account.UpdateProfileInput{
		"no language": {Language: models.Some("../x")}, "a long language": {Language: models.Some("de-x-" + strings.Repeat("a", 8) + "-bbbbbbbb")},
		"no zone": {TimeZone: models.Some("Mars/Olympus")}, "the server's zone": {TimeZone: models.Some("Local")}, "empty zone": {TimeZone: models.Some("")},
		"null name": {DisplayName: models.Null[string]()}, "script": {AvatarURL: models.Some("javascript:alert(1)")},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.UpdateProfile(ctx, in)
			wantCode(t, err, models.CodeValidation)
		})
	}
}

func TestOperator(t *testing.T) {
	s := newService(t)
	code := operatorCode
	result, err := s.SignUp(from("192.0.2.1"), account.SignUpInput{Email: "Op@Example.com", Password: password, DisplayName: "Op", OperatorCode: &code})
	if err != nil {
		t.Fatal(err)
	}
	if err := models.ActorFrom(as(t, s, result.SignedIn.Token)).RequireOperator(); err != nil {
		t.Error(err)
	}
	result, err = s.SignUp(from("192.0.2.1"), account.SignUpInput{Email: "mara@example.com", Password: password, DisplayName: "Mara", OperatorCode: &code})
	if err != nil {
		t.Fatal(err)
	}
	wantCode(t, models.ActorFrom(as(t, s, result.SignedIn.Token)).RequireOperator(), models.CodeInsufficientRole)
}
