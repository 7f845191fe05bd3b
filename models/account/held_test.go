package account

import (
	"context"
	"testing"
	"time"

	"atelier/models"
)

// TestHeldIsBounded opens as much as an account may, and as all may together; a
// class behind one address has room, for accounts count by themselves.
func TestHeldIsBounded(t *testing.T) {
	s := &Service{}
	open := func(account models.ID) (close func(), err error) {
		ctx, end := context.WithCancel(models.WithActor(t.Context(), models.Actor{Kind: models.BySession, UserID: account}))
		ctx, err = s.Hold(ctx)
		if err == nil {
			if _, again := s.Hold(ctx); again != nil {
				t.Error("one request counted twice")
			}
		}
		return end, err
	}
	full := models.NewID(time.Now())
	var closers []func()
	for range HeldPerAccount {
		end, err := open(full)
		if err != nil {
			t.Fatal(err)
		}
		closers = append(closers, end)
	}
	_, err := open(full)
	if refusal, _ := models.AsError(err); err == nil || refusal.Code != models.CodeRateLimitExceeded || refusal.RetryAfter == 0 {
		t.Errorf("beyond the bound of an account: %v", err)
	}
	for range 40 {
		pupil := models.NewID(time.Now())
		for range 5 {
			if _, err := open(pupil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for s.held.all < HeldInAll {
		if _, err := open(models.NewID(time.Now())); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := open(models.NewID(time.Now())); !models.HasCode(err, models.CodeRateLimitExceeded) {
		t.Errorf("beyond the bound of all: %v", err)
	}
	closers[0]()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := open(full); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("what was closed still counts")
		}
	}
}

// What has its answer counts no more, at once and once only.
func TestWhatWasReleasedIsOpenNoMore(t *testing.T) {
	s := &Service{}
	ctx, end := context.WithCancel(models.WithActor(t.Context(), models.Actor{Kind: models.BySession, UserID: models.NewID(time.Now())}))
	defer end()
	for range HeldPerAccount - 1 {
		if _, err := s.Hold(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		last, err := s.Hold(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Hold(ctx); !models.HasCode(err, models.CodeRateLimitExceeded) {
			t.Errorf("one more than the bound: %v", err)
		}
		Release(last)
		Release(last)
		if s.held.all != HeldPerAccount-1 {
			t.Errorf("%d are open", s.held.all)
		}
	}
	Release(ctx) // holds nothing
}
