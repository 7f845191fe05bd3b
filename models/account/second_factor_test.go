package account_test

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"

	"github.com/pquerna/otp/totp"
)

// guarded is a person with an authenticator app.
type guarded struct {
	*account.Service
	t      *testing.T
	clock  *dbtest.Clock
	ctx    context.Context
	id     models.ID
	email  string
	secret string
	codes  []string
}

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	s := newService(t)
	clock := s.DB.Clock.(*dbtest.Clock)
	s.Vault, _ = models.NewVault([]byte(strings.Repeat("v", 32)))
	s.PublicURL = "https://atelier.example"
	signedIn, ctx := signUp(t, s, "mara@example.com")
	g := &guarded{Service: s, t: t, clock: clock, ctx: ctx, id: signedIn.User.ID, email: "mara@example.com"}
	setup, err := s.SecondFactors().BeginTotp(ctx)
	if err != nil {
		t.Fatal(err)
	}
	g.secret = setup.Secret
	if g.codes, err = s.SecondFactors().ConfirmTotp(ctx, g.code()); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute) // that code was used
	return g
}

// code is what the app shows now.
func (g *guarded) code() string {
	g.t.Helper()
	code, err := totp.GenerateCode(g.secret, g.clock.Now())
	if err != nil {
		g.t.Fatal(err)
	}
	return code
}

// wrong is a code that is not right in any step around now.
func (g *guarded) wrong() string {
	right := map[string]bool{}
	for d := -3; d <= 3; d++ {
		code, _ := totp.GenerateCode(g.secret, g.clock.Now().Add(time.Duration(d)*30*time.Second))
		right[code] = true
	}
	for i := 0; ; i++ {
		if code := fmt.Sprintf("%06d", i); !right[code] {
			return code
		}
	}
}

// step is the token of a sign-in whose password was right.
func (g *guarded) step() string {
	g.t.Helper()
	signedIn, err := g.SignIn(from("192.0.2.7"), account.SignInInput{Email: g.email, Password: password})
	return g.tokenOf(signedIn, err)
}

func (g *guarded) tokenOf(signedIn *account.SignedIn, err error) string {
	g.t.Helper()
	if signedIn != nil || !models.HasCode(err, models.CodeSecondFactor) {
		g.t.Fatalf("the right password: %v, %v", signedIn, err)
	}
	refusal, _ := models.AsError(err)
	return refusal.Extra["secondFactorToken"].(string)
}

func (g *guarded) complete(token, code string) (*account.SignedIn, error) {
	return g.SecondFactors().CompleteSignIn(from("192.0.2.7"), account.SecondStepInput{SecondFactorToken: token, Code: &code})
}

func TestTwoSteps(t *testing.T) {
	g := newGuarded(t)
	_, err := g.SignIn(from("192.0.2.7"), account.SignInInput{Email: g.email, Password: password})
	refusal, _ := models.AsError(err)
	if refusal.HTTPStatus() != 401 || fmt.Sprint(refusal.Extra["methods"]) != "[totp recovery]" {
		t.Errorf("the right password: %d %v", refusal.HTTPStatus(), refusal.Extra)
	}
	_, err = g.SignIn(from("192.0.2.7"), account.SignInInput{Email: g.email, Password: "wrong"})
	wantCode(t, err, models.CodeUnauthorized)

	token := g.step()
	_, err = g.complete(token, g.wrong())
	wantCode(t, err, models.CodeValidation)
	code := g.code()
	signedIn, err := g.complete(token, code[:3]+" "+code[3:])
	if err != nil {
		t.Fatal(err)
	}
	if actor := models.ActorFrom(as(t, g.Service, signedIn.Token)); !actor.Guarded || actor.UserID != g.id {
		t.Errorf("the session stands for %+v", actor)
	}
	_, err = g.complete(token, g.codes[0])
	wantCode(t, err, models.CodeUnauthorized) // the step was taken
	_, err = g.complete(g.step(), code)
	wantCode(t, err, models.CodeValidation) // and the code used
	_, err = g.complete("no such token", code)
	wantCode(t, err, models.CodeUnauthorized)
	as(t, g.Service, signedIn.Token)
	if _, err := g.FindProfile(g.ctx); err != nil { // a session of before stays
		t.Error(err)
	}
}

// The step before and the one after count, older and later ones do not, and
// after a code no older one does.
func TestStepsOfCodes(t *testing.T) {
	g := newGuarded(t)
	at := func(steps int) string {
		code, _ := totp.GenerateCode(g.secret, g.clock.Now().Add(time.Duration(steps)*30*time.Second))
		return code
	}
	for steps, want := range map[int]bool{-2: false, 2: false, -3: false, 3: false} {
		if _, err := g.complete(g.step(), at(steps)); (err == nil) != want {
			t.Errorf("a code of %d steps: %v", steps, err)
		}
	}
	for _, steps := range []int{-1, 0, 1} {
		if _, err := g.complete(g.step(), at(steps)); err != nil {
			t.Errorf("a code of %d steps: %v", steps, err)
		}
	}
	for _, steps := range []int{-1, 0, 1} {
		_, err := g.complete(g.step(), at(steps))
		wantCode(t, err, models.CodeValidation)
	}
}

// Of one code, one recovery code and one token that come many times at once, one works.
func TestOnceAtOnce(t *testing.T) {
	g := newGuarded(t)
	var code string
	for name, use := range map[string]func(tokens []string, i int) error{
		"code":          func(tokens []string, i int) error { _, err := g.complete(tokens[i], code); return err },
		"recovery code": func(tokens []string, i int) error { _, err := g.complete(tokens[i], g.codes[0]); return err },
		"token":         func(tokens []string, i int) error { _, err := g.complete(tokens[0], g.codes[1+i]); return err },
	} {
		t.Run(name, func(t *testing.T) {
			tokens := make([]string, 9)
			for i := range tokens {
				tokens[i] = g.step()
			}
			code = g.code()
			if codes := tally(len(tokens), func(i int) error { return use(tokens, i) }); codes[""] != 1 {
				t.Errorf("at once: %v", codes)
			}
			g.clock.Advance(15 * time.Minute) // what was wrong is forgotten
		})
	}
}

// A step ends after five minutes, five tries, and with everything that changes
// what it stands on.
func TestStepsEnd(t *testing.T) {
	for name, end := range map[string]func(g *guarded){
		"time":  func(g *guarded) { g.clock.Advance(5 * time.Minute) },
		"tries": func(g *guarded) {},
		"password changed": func(g *guarded) {
			err := g.Passwords().Change(g.ctx, account.ChangePasswordInput{CurrentPassword: password, NewPassword: "battery staple"})
			if err != nil {
				g.t.Fatal(err)
			}
		},
		"banned": func(g *guarded) {
			if _, err := g.People().Ban(operator(g.t, g.Service), g.id, "x"); err != nil {
				g.t.Fatal(err)
			}
		},
		"second factor removed": func(g *guarded) {
			if err := g.SecondFactors().RemoveTotp(g.ctx); err != nil {
				g.t.Fatal(err)
			}
		},
		"second factor reset": func(g *guarded) {
			if _, err := g.SecondFactors().Reset(operator(g.t, g.Service), g.id); err != nil {
				g.t.Fatal(err)
			}
		},
		"account deleted": func(g *guarded) {
			if err := g.DeleteAccount(g.ctx, password); err != nil {
				g.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGuarded(t)
			token := g.step()
			end(g)
			if name == "tries" {
				for range 5 {
					_, err := g.complete(token, g.wrong())
					wantCode(t, err, models.CodeValidation)
				}
			}
			_, err := g.complete(token, g.codes[0])
			wantCode(t, err, models.CodeUnauthorized)
			_, err = g.complete(token, g.code())
			wantCode(t, err, models.CodeUnauthorized)
		})
	}
}

// A new password, by whatever link, leads to the second step.
func TestResetKeepsTheSecondFactor(t *testing.T) {
	g := newGuarded(t)
	op := operator(t, g.Service)
	g.Mail = true
	letter, err := g.Passwords().WriteResetLetter(context.Background(), g.email)
	if err != nil {
		t.Fatal(err)
	}
	signedIn, err := g.Passwords().Reset(from("192.0.2.7"), letter.Token, "battery staple")
	token := g.tokenOf(signedIn, err)
	_, err = g.FindProfile(g.ctx) // the context is of before; the session is not
	if err == nil {
		err = g.StillValid(g.ctx)
	}
	wantCode(t, err, models.CodeUnauthorized)
	if _, err = g.complete(token, g.code()); err != nil {
		t.Error(err)
	}
	link, err := g.People().CreateResetLink(op, g.id)
	if err != nil {
		t.Fatal(err)
	}
	signedIn, err = g.Passwords().Reset(from("192.0.2.7"), link.URL[strings.LastIndex(link.URL, "=")+1:], "staple battery")
	if _, err := g.complete(g.tokenOf(signedIn, err), g.codes[4]); err != nil {
		t.Error(err)
	}
}

// Eighty guesses at once over many tokens are ten guesses.
func TestGuessedCodesAtOnce(t *testing.T) {
	g := newGuarded(t)
	tokens := []string{g.step(), g.step(), g.step(), g.step()}
	wrong := g.wrong()
	codes := tally(60, func(i int) error { _, err := g.complete(tokens[i%len(tokens)], wrong); return err })
	if codes[models.CodeValidation] != 10 || codes[""] != 0 {
		t.Errorf("60 guesses at once: %v", codes)
	}
}

func TestRecoveryCodes(t *testing.T) {
	g := newGuarded(t)
	seen := map[string]bool{}
	for _, code := range g.codes {
		if !regexp.MustCompile(`^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$`).MatchString(code) || seen[code] {
			t.Errorf("recovery code %s", code)
		}
		seen[code] = true
	}
	if len(g.codes) != 10 {
		t.Errorf("%d recovery codes", len(g.codes))
	}
	typed := strings.ToLower(strings.NewReplacer("-", " ", "0", "o", "1", "l").Replace(g.codes[3]))
	if _, err := g.complete(g.step(), typed); err != nil {
		t.Errorf("typed as %s: %v", typed, err)
	}
	_, err := g.complete(g.step(), g.codes[3])
	wantCode(t, err, models.CodeValidation)
	f, err := g.SecondFactors().Find(g.ctx)
	if err != nil || f.RecoveryCodesLeft != 9 || f.TotpSince == nil || f.Since == nil {
		t.Errorf("%+v, %v", f, err)
	}
	fresh, err := g.SecondFactors().CreateRecoveryCodes(g.ctx)
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.complete(g.step(), g.codes[5])
	wantCode(t, err, models.CodeValidation)
	if _, err := g.complete(g.step(), fresh[5]); err != nil {
		t.Error(err)
	}
	wantCode(t, g.Sessions().Confirm(g.ctx, account.ConfirmSessionInput{Code: &fresh[6]}), models.CodeValidation)
	if err := g.SecondFactors().RemoveTotp(g.ctx); err != nil {
		t.Fatal(err)
	}
	if f, err = g.SecondFactors().Find(g.ctx); err != nil || f.RecoveryCodesLeft != 0 || f.Since != nil || f.TotpSince != nil {
		t.Errorf("without a second factor: %+v, %v", f, err)
	}
	_, err = g.SecondFactors().CreateRecoveryCodes(g.ctx)
	wantCode(t, err, models.CodeValidation)
	if err := signInAs(g.Service, "192.0.2.7", g.email, password); err != nil {
		t.Error(err)
	}
}

func TestSettingTotpUp(t *testing.T) {
	g := newGuarded(t)
	_, err := g.SecondFactors().BeginTotp(g.ctx)
	wantCode(t, err, models.CodeValidation) // there is one

	_, other := signUp(t, g.Service, "noa@example.com")
	_, err = g.SecondFactors().ConfirmTotp(other, "123456")
	wantCode(t, err, models.CodeValidation)
	first, _ := g.SecondFactors().BeginTotp(other)
	second, err := g.SecondFactors().BeginTotp(other)
	if err != nil || first.Secret == second.Secret {
		t.Fatal(err)
	}
	u, err := url.Parse(second.URI)
	if err != nil || u.Scheme != "otpauth" || u.Query().Get("secret") != second.Secret || u.Path != "/Atelier (atelier.example):noa@example.com" {
		t.Errorf("URI %s: %v", second.URI, err)
	}
	old, _ := totp.GenerateCode(first.Secret, g.clock.Now())
	_, err = g.SecondFactors().ConfirmTotp(other, old)
	wantCode(t, err, models.CodeValidation)
	g.clock.Advance(59 * time.Minute)
	code, _ := totp.GenerateCode(second.Secret, g.clock.Now())
	if err := signInAs(g.Service, "192.0.2.7", "noa@example.com", password); err != nil { // not in use yet
		t.Error(err)
	}
	codes := tally(4, func(int) error { _, err := g.SecondFactors().ConfirmTotp(other, code); return err })
	if codes[""] != 1 {
		t.Errorf("confirmed at once: %v", codes)
	}
	g.Vault = nil
	_, ctx := signUp(t, g.Service, "lou@example.com")
	_, err = g.SecondFactors().BeginTotp(ctx)
	wantCode(t, err, models.CodeEncryptionKeyMissing)
	if f, err := g.SecondFactors().Find(ctx); err != nil || f.TotpAvailable {
		t.Errorf("%+v, %v", f, err)
	}
}

// What needs a confirmed session is refused an hour after the sign-in, until it is confirmed.
func TestConfirmedSessions(t *testing.T) {
	g := newGuarded(t)
	var signedIn *account.SignedIn
	signedIn, err := g.complete(g.step(), g.code())
	if err != nil {
		t.Fatal(err)
	}
	acts := map[string]func(context.Context) error{
		"recovery codes": func(ctx context.Context) error { _, err := g.SecondFactors().CreateRecoveryCodes(ctx); return err },
		"token": func(ctx context.Context) error {
			_, err := g.APITokens().Create(ctx, account.CreateAPITokenInput{Name: "x"})
			return err
		},
	}
	late := func() context.Context { return as(t, g.Service, signedIn.Token) }
	g.clock.Advance(time.Hour)
	for name, act := range acts {
		if err := act(late()); err != nil {
			t.Errorf("%s within the hour: %v", name, err)
		}
	}
	g.clock.Advance(time.Second)
	for _, act := range acts {
		wantCode(t, act(late()), models.CodeReauthentication)
	}
	for name, act := range map[string]func(context.Context) error{
		"begin":   func(ctx context.Context) error { _, err := g.SecondFactors().BeginTotp(ctx); return err },
		"confirm": func(ctx context.Context) error { _, err := g.SecondFactors().ConfirmTotp(ctx, g.code()); return err },
		"remove":  g.SecondFactors().RemoveTotp,
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, act(late()), models.CodeReauthentication) })
	}
	wrong, right, code := "wrong", password, g.code()
	wantCode(t, g.Sessions().Confirm(late(), account.ConfirmSessionInput{}), models.CodeValidation)
	wantCode(t, g.Sessions().Confirm(late(), account.ConfirmSessionInput{Password: &right, Code: &code}), models.CodeValidation)
	wantCode(t, g.Sessions().Confirm(late(), account.ConfirmSessionInput{Password: &wrong}), models.CodeValidation)
	for name, in := range map[string]account.ConfirmSessionInput{"password": {Password: &right}, "code": {Code: &code}} {
		t.Run(name, func(t *testing.T) {
			if err := g.Sessions().Confirm(late(), in); err != nil {
				t.Fatal(err)
			}
			for name, act := range acts {
				if err := act(late()); err != nil {
					t.Errorf("%s after it was confirmed: %v", name, err)
				}
			}
			g.clock.Advance(time.Hour + time.Second)
			wantCode(t, acts["token"](late()), models.CodeReauthentication)
		})
		code = g.code()
	}
	ended := late()
	if err := g.Sessions().EndAll(ended); err != nil {
		t.Fatal(err)
	}
	wantCode(t, g.Sessions().Confirm(ended, account.ConfirmSessionInput{Password: &right}), models.CodeUnauthorized)
}

// Signing in at once with the factor being turned on gives no session that was not asked.
func TestTurnedOnMeanwhile(t *testing.T) {
	s := newService(t)
	s.Vault, _ = models.NewVault([]byte(strings.Repeat("v", 32)))
	_, ctx := signUp(t, s, "mara@example.com")
	setup, err := s.SecondFactors().BeginTotp(ctx)
	if err != nil {
		t.Fatal(err)
	}
	code, _ := totp.GenerateCode(setup.Secret, s.DB.Clock.Now())
	var all sync.WaitGroup
	all.Go(func() { _, err = s.SecondFactors().ConfirmTotp(ctx, code) })
	for range 6 {
		all.Go(func() { _ = signInAs(s, "192.0.2.7", "mara@example.com", password) })
	}
	all.Wait()
	if err != nil {
		t.Fatal(err)
	}
	wantCode(t, signInAs(s, "192.0.2.7", "mara@example.com", password), models.CodeSecondFactor)
}
