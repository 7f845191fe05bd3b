//go:build !race

package account_test

import (
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
)

// Guesses are counted over steps, sign-ins and what a session asks, as wrong
// passwords are, and over the day.
func TestGuessedCodes(t *testing.T) {
	g := newGuarded(t)
	guess := func(i int) error { _, err := g.complete(g.step(), g.wrong()); return err }
	for i := range 4 {
		wantCode(t, guess(i), models.CodeValidation)
	}
	wrong := g.wrong()
	ctx := models.WithActor(g.ctx, func() models.Actor { a := models.ActorFrom(g.ctx); a.IP = "192.0.2.7"; return a }())
	for range 3 {
		wantCode(t, g.Sessions().Confirm(ctx, account.ConfirmSessionInput{Code: &wrong}), models.CodeValidation)
	}
	for range 3 {
		wantCode(t, signInAs(g.Service, "192.0.2.7", g.email, "wrong"), models.CodeUnauthorized)
	}
	wantCode(t, g.Sessions().Confirm(ctx, account.ConfirmSessionInput{Code: &wrong}), models.CodeRateLimitExceeded)
	_, err := g.SignIn(from("192.0.2.8"), account.SignInInput{Email: g.email, Password: password})
	token := g.tokenOf(nil, err)
	code := g.code()
	_, err = g.complete(token, code)
	wantCode(t, err, models.CodeRateLimitExceeded)
	if _, err := g.SecondFactors().CompleteSignIn(from("192.0.2.8"), account.SecondStepInput{SecondFactorToken: token, Code: &code}); err != nil {
		t.Errorf("from elsewhere: %v", err)
	}

	wrongs := 7
	for range 20 { // of a day
		g.clock.Advance(15 * time.Minute)
		for range 10 {
			if err := guess(0); models.HasCode(err, models.CodeValidation) {
				wrongs++
			}
		}
	}
	if wrongs > 50 {
		t.Errorf("%d codes were guessed in a day", wrongs)
	}
}
