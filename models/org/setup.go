package org

import (
	"context"
	"time"
)

// SetupStep is what is to be done before an install is in use.
type SetupStep string

const (
	// NameOperator: no one is named as an operator.
	NameOperator SetupStep = "name_operator"
	// OperatorAccount: no operator has an account yet.
	OperatorAccount SetupStep = "operator_account"
	// ApproveOrganization: no organization has been approved yet.
	ApproveOrganization SetupStep = "approve_organization"
)

// setupAsked is how long an answer about an install that is not in use is given again.
const setupAsked = 10 * time.Second

// NextSetupStep is what is to be done before the install is in use; nil once an organization was approved, on its own or by
// an operator, and an operator has an account where some are named. The database is asked every ten seconds at most, and no more once
// it is in use.
func (s *Service) NextSetupStep(ctx context.Context) (*SetupStep, error) {
	next := func(step SetupStep) (*SetupStep, error) { return &step, nil }
	awaited, err := s.Accounts.AwaitsOperator(ctx)
	if err != nil {
		return nil, err
	}
	if awaited {
		return next(OperatorAccount)
	}
	used, err := s.inUse(ctx)
	switch {
	case err != nil || used:
		return nil, err
	case len(s.Accounts.Operators) == 0:
		return next(NameOperator)
	}
	return next(ApproveOrganization)
}

// inUse tells whether an organization was ever approved.
func (s *Service) inUse(ctx context.Context) (used bool, err error) {
	if s.setUp.Load() {
		return true, nil
	}
	now := s.DB.Clock.Now().UnixNano()
	if now < s.unusedUntil.Load() {
		return false, nil
	}
	err = s.DB.Row(ctx, `SELECT EXISTS (SELECT FROM organizations WHERE status <> $1)`, Pending).Scan(&used)
	if err == nil {
		s.setUp.Store(used)
		s.unusedUntil.Store(now + int64(setupAsked))
	}
	return used, err
}
