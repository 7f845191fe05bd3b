package account

import (
	"context"
	"time"

	"atelier/models"
)

// How often codes may be guessed, beside what holds for passwords: a code has six
// digits, of which three are right at a time, so that a day of guesses is bounded
// too. An account from one network, and from everywhere together, where those
// networks pass that the account was signed in from.
var (
	wrongCodes          = models.Limit{Name: "second_factor", Max: 50, Per: 24 * time.Hour}
	wrongCodesOfAccount = models.Limit{Name: "second_factor.account", Max: 100, Per: 24 * time.Hour}
)

// attemptCode is attempt for a second factor: a wrong one counts like a wrong
// password, and toward the limits of codes. rate_limit_exceeded.
func (s *Service) attemptCode(ctx context.Context, email string, compare func() (right bool, err error)) (right bool, err error) {
	return s.attempt(ctx, email, func() (bool, error) {
		network := models.ActorFrom(ctx).Network()
		counted := []models.Attempt{{Limit: wrongCodes, Key: email + " " + network}}
		giveBack, err := s.countKnown(ctx, email, models.Attempt{Limit: wrongCodesOfAccount, Key: email}, counted)
		if err != nil {
			return false, err
		}
		right, err := compare()
		if right || err != nil {
			if failed := giveBack(context.WithoutCancel(ctx)); err == nil {
				err = failed
			}
		}
		return right, err
	})
}
