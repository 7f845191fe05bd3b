package models_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
)

// Of attempts at once no more than the limit are under way, refused ones count
// toward nothing, and what is given back can be used again.
func TestCountAttempts(t *testing.T) {
	db, ctx := dbtest.New(t), context.Background()
	narrow := models.Attempt{Limit: models.Limit{Name: "narrow", Max: 3, Per: time.Minute}, Key: "key"}
	wide := models.Attempt{Limit: models.Limit{Name: "wide", Max: 5, Per: time.Minute}, Key: "key"}
	var mu sync.Mutex
	var all sync.WaitGroup
	var backs []models.GiveBack
	for range 20 {
		all.Go(func() {
			back, err := db.CountAttempts(ctx, wide, narrow)
			if err != nil && !models.HasCode(err, models.CodeRateLimitExceeded) {
				t.Error(err)
			}
			if err == nil {
				mu.Lock()
				backs = append(backs, back)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if len(backs) != 3 {
		t.Fatalf("%d attempts are under way", len(backs))
	}
	for range 2 { // the refused ones left room in the wide limit
		if _, err := db.CountAttempts(ctx, wide); err != nil {
			t.Error(err)
		}
	}
	if _, err := db.CountAttempts(ctx, wide); !models.HasCode(err, models.CodeRateLimitExceeded) {
		t.Errorf("beyond the wide limit: %v", err)
	}
	if err := backs[0](ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := db.CountAttempts(ctx, wide, narrow); err != nil {
		t.Errorf("after one was given back: %v", err)
	}
	if _, err := db.CountAttempts(ctx, narrow); !models.HasCode(err, models.CodeRateLimitExceeded) {
		t.Errorf("beyond the narrow limit: %v", err)
	}
}
