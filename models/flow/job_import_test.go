package flow

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
)

// testImports asks for twenty imports at once, through two replicas: four are
// let in, and another one as soon as one of them has ended.
func testImports(t *testing.T, e *engine) {
	replica := &Service{
		DB: dbtest.Open(t, e.DB.Pool.Config().ConnString(), e.clock), Accounts: e.Accounts, Orgs: e.Orgs, Credits: e.Credits, Events: e.Events, PublicURL: e.PublicURL,
	}
	var mu sync.Mutex
	var admitted []models.ID
	refused := 0
	var calls sync.WaitGroup
	for i := range 20 {
		service := []*Service{e.Service, replica}[i%2]
		calls.Go(func() {
			run, err := service.RunNode(e.as(e.user), importType, map[string]any{"url": fmt.Sprintf("https://else.example/%d.mp4", i)})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				admitted = append(admitted, run.Job.ID)
				return
			}
			refused++
			wantCode(t, err, models.CodeTooManyDownloads)
			if refusal, _ := models.AsError(err); refusal.RetryAfter <= 0 {
				t.Error("a refusal does not say when to come back")
			}
		})
	}
	calls.Wait()
	if len(admitted) != 4 || refused != 16 {
		t.Fatalf("%d were let in and %d refused", len(admitted), refused)
	}
	again := map[string]any{"url": "https://else.example/again.mp4"}
	if _, err := e.RunNode(e.as(e.addUser(0)), importType, again); err != nil {
		t.Errorf("another account: %v", err)
	}
	if err := e.CancelJob(e.as(e.user), admitted[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := e.RunNode(e.as(e.user), importType, again); err != nil {
		t.Errorf("after one has ended: %v", err)
	}
	_, err := e.RunNode(e.as(e.user), importType, again)
	wantCode(t, err, models.CodeTooManyDownloads)
	_, err = e.RunNode(e.as(e.user), importType, map[string]any{"url": "no address"})
	wantCode(t, err, models.CodeValidation)
}

// testNodeLimits counts refused calls of limited nodes, too, until the minute is over.
func testNodeLimits(t *testing.T, e *engine) {
	for nodeType, most := range map[string]int{"freecut-export": 10, "video-overlay": 30} {
		e.clock.Advance(time.Minute)
		for range most {
			_, err := e.RunNode(e.as(e.user), nodeType, map[string]any{})
			wantCode(t, err, models.CodeValidation)
		}
		_, err := e.RunNode(e.as(e.user), nodeType, map[string]any{})
		wantCode(t, err, models.CodeRateLimitExceeded)
		if refusal, _ := models.AsError(err); refusal.RetryAfter <= 0 || refusal.RetryAfter > time.Minute {
			t.Errorf("%s: come back in %v", nodeType, refusal.RetryAfter)
		}
		_, err = e.RunNode(e.as(e.addUser(0)), nodeType, map[string]any{})
		wantCode(t, err, models.CodeValidation)
		e.clock.Advance(time.Minute)
		_, err = e.RunNode(e.as(e.user), nodeType, map[string]any{})
		wantCode(t, err, models.CodeValidation)
	}
}

func testModelCosts(t *testing.T, e *engine) {
	costs, err := e.ModelCosts(e.as(e.user), []string{"resize-image", "nope", "text", "resize-image"})
	if err != nil || len(costs) != 2 || *costs[0] != (ModelCost{"resize-image", models.Credit / 2}) || *costs[1] != (ModelCost{"text", 0}) {
		t.Errorf("%+v, %v", costs, err)
	}
	if costs, err = e.ModelCosts(e.as(e.user), make([]string, 50)); err != nil || costs == nil || len(costs) != 0 {
		t.Errorf("%+v, %v", costs, err)
	}
	_, err = e.ModelCosts(e.as(e.user), make([]string, 51))
	wantCode(t, err, models.CodeValidation)
	_, err = e.ModelCosts(t.Context(), nil)
	wantCode(t, err, models.CodeUnauthorized)
}
