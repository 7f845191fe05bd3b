package library

import (
	"context"
	"errors"
)

// Tidy finishes what was left for later: contents of deleted files, results that
// go with an element, runs that use what depicts a person and is gone, copies at
// providers, what deleted organizations kept, and counts of uses. One that fails keeps no other
// from it.
func (s *Service) Tidy(ctx context.Context) error {
	var failed []error
	for _, chore := range []func(context.Context) error{
		s.removeContents, s.CancelMarked, s.EraseResults, s.RemoveAtProviders, s.RemoveGone, s.CountUses,
	} {
		failed = append(failed, chore(ctx))
	}
	return errors.Join(failed...)
}

func (s *Service) removeContents(ctx context.Context) error {
	if s.Media == nil {
		return nil
	}
	return s.Media.RemoveContents(ctx)
}

// Sweep removes the pictures of people whose consents ended long ago.
func (s *Service) Sweep(ctx context.Context) error { return s.SweepConsents(ctx) }
