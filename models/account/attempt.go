package account

import (
	"context"
	"time"

	"atelier/models"
)

// How often a secret of an account may be guessed: its password, at sign-in and
// where it is changed, and the operators' code for its address. Ten guesses in
// 15 minutes for an account and network (open points, "Sign-in"); beside it the
// account from everywhere together, where those networks pass that it was
// signed in from, and a network for all accounts, which a class behind one
// address stays far below.
var (
	wrongPasswords = models.Limit{Name: "sign_in", Max: 10, Per: 15 * time.Minute}
	wrongOfAccount = models.Limit{Name: "sign_in.account", Max: 100, Per: 15 * time.Minute}
	wrongOfNetwork = models.Limit{Name: "sign_in.network", Max: 300, Per: 15 * time.Minute}
	knownFor       = 30 * 24 * time.Hour
)

// attempt compares a secret of an account once it is counted; a right one is
// given back, and so is one that could not be compared. Guesses for one account
// and network pass one after another. rate_limit_exceeded.
func (s *Service) attempt(ctx context.Context, email string, compare func() (right bool, err error)) (right bool, err error) {
	key := email + " " + models.ActorFrom(ctx).Network()
	done, err := attempts.take(ctx, key)
	if err != nil {
		return false, err
	}
	defer done()
	giveBack, err := s.countAttempt(ctx, email, key)
	if err != nil {
		return false, err
	}
	right, err = compare()
	if right || err != nil {
		if failed := giveBack(context.WithoutCancel(ctx)); err == nil {
			err = failed
		}
	}
	return right, err
}

func (s *Service) countAttempt(ctx context.Context, email, key string) (models.GiveBack, error) {
	counted := []models.Attempt{{Limit: wrongPasswords, Key: key}}
	if network := models.ActorFrom(ctx).Network(); network != "" {
		counted = append(counted, models.Attempt{Limit: wrongOfNetwork, Key: network})
	}
	return s.countKnown(ctx, email, models.Attempt{Limit: wrongOfAccount, Key: email}, counted)
}

// countKnown counts attempts, and everywhere, the one for the account from all
// networks together, which those pass that the account was signed in from.
func (s *Service) countKnown(ctx context.Context, email string, everywhere models.Attempt, counted []models.Attempt) (models.GiveBack, error) {
	giveBack, err := s.DB.CountAttempts(ctx, append(counted, everywhere)...)
	if !models.HasCode(err, models.CodeRateLimitExceeded) {
		return giveBack, err
	}
	if known, failed := s.knowsNetwork(ctx, email); failed != nil || !known {
		return nil, err
	}
	return s.DB.CountAttempts(ctx, counted...)
}

// knowsNetwork tells whether the account has recently been signed in from the
// caller's network, so that no one elsewhere locks its owner out.
func (s *Service) knowsNetwork(ctx context.Context, email string) (bool, error) {
	network := models.ActorFrom(ctx).Network()
	if network == "" {
		return false, nil
	}
	var sessions []Session
	err := s.DB.Read(ctx).Model(&Session{}).Distinct("sessions.ip", "sessions.seen_ip").
		Joins("JOIN users u ON u.id = sessions.user_id AND u.deleted_at IS NULL").
		Where("u.email = ? AND sessions.created_at > ?", email, s.DB.Clock.Now().Add(-knownFor)).
		Limit(500).Find(&sessions).Error
	for _, session := range sessions {
		if models.Network(session.IP) == network || models.Network(session.SeenIP) == network {
			return true, err
		}
	}
	return false, err
}
