package models_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
)

func clockOf(db *models.DB) *dbtest.Clock { return db.Clock.(*dbtest.Clock) }

func asUser(id models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: id, DisplayName: "Mara"})
}

var three = models.Limit{Name: "test", Max: 3, Per: time.Minute}

func TestLimitAdmitsExactlyItsNumber(t *testing.T) {
	db := dbtest.New(t)
	var admitted, refused atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			switch err := db.CountCall(context.Background(), three, "key"); {
			case err == nil:
				admitted.Add(1)
			case models.HasCode(err, models.CodeRateLimitExceeded):
				refused.Add(1)
			}
		})
	}
	all.Wait()
	if admitted.Load() != 3 || refused.Load() != 17 {
		t.Errorf("%d admitted and %d refused, want 3 and 17", admitted.Load(), refused.Load())
	}
	clockOf(db).Advance(time.Minute)
	if err := db.CountCall(context.Background(), three, "key"); err != nil {
		t.Errorf("the next window: %v", err)
	}
}

func TestLimitTellsWhatIsLeft(t *testing.T) {
	db := dbtest.New(t)
	ctx := models.WithAllowances(context.Background())
	clockOf(db).Advance(20 * time.Second)
	for range 4 {
		_ = db.CountCall(ctx, three, "key")
	}
	got := models.TightestAllowance(ctx)
	if got == nil || got.Limit != 3 || got.Remaining != 0 || got.Reset != 40*time.Second {
		t.Errorf("allowance = %+v, want 0 of 3 for 40 s", got)
	}
}

func TestIdempotently(t *testing.T) {
	db := dbtest.New(t)
	ctx, user := asUser(models.NewID(time.Now())), 0
	create := func(ctx context.Context) models.Answer {
		user++
		err := db.Write(ctx, func(tx *models.Tx) error {
			return tx.Exec(`INSERT INTO audit_heads VALUES (?, 1, 'x')`, tx.NewID()).Error
		})
		if err != nil {
			return models.Answer{Status: 500}
		}
		return models.Answer{Status: 201, Body: fmt.Appendf(nil, "made %d", user)}
	}
	first, err := db.Idempotently(ctx, "k", []byte("a"), create)
	if err != nil || first.Status != 201 || first.Replayed {
		t.Fatalf("first: %+v, %v", first, err)
	}
	again, err := db.Idempotently(ctx, "k", []byte("a"), create)
	if err != nil || !again.Replayed || string(again.Body) != "made 1" || again.Status != 201 {
		t.Errorf("again: %+v, %v", again, err)
	}
	if _, err := db.Idempotently(ctx, "k", []byte("b"), create); !models.HasCode(err, models.CodeIdempotencyReused) {
		t.Errorf("another request: %v", err)
	}
	if other, err := db.Idempotently(asUser(models.NewID(time.Now())), "k", []byte("b"), create); err != nil || other.Replayed {
		t.Errorf("another account: %+v, %v", other, err)
	}
	clockOf(db).Advance(models.IdempotencyWindow)
	if later, err := db.Idempotently(ctx, "k", []byte("b"), create); err != nil || later.Replayed {
		t.Errorf("a day later: %+v, %v", later, err)
	}
}

func TestIdempotencyUndoesRefusedWorkAndKeepsItsAnswer(t *testing.T) {
	db := dbtest.New(t)
	ctx, calls := asUser(models.NewID(time.Now())), 0
	for _, status := range []int{409, 429, 500} {
		refuse := func(ctx context.Context) models.Answer {
			calls++
			_ = db.Write(ctx, func(tx *models.Tx) error {
				return tx.Exec(`INSERT INTO audit_heads VALUES (?, 1, 'x')`, tx.NewID()).Error
			})
			return models.Answer{Status: status}
		}
		calls = 0
		for range 2 {
			if _, err := db.Idempotently(ctx, fmt.Sprint(status), nil, refuse); err != nil {
				t.Fatal(err)
			}
		}
		if want := map[int]int{409: 1, 429: 2, 500: 2}[status]; calls != want {
			t.Errorf("status %d: worked %d times, want %d", status, calls, want)
		}
	}
	var rows int64
	if err := db.Read(ctx).Table("audit_heads").Count(&rows).Error; err != nil || rows != 0 {
		t.Errorf("%d rows of refused work stayed (%v)", rows, err)
	}
}

// TestApart writes what stands whatever becomes of the request, and refuses to
// while the request's transaction would be held.
func TestApart(t *testing.T) {
	db := dbtest.New(t)
	ctx := asUser(models.NewID(time.Now()))
	write := func(ctx context.Context) error {
		return db.Write(ctx, func(tx *models.Tx) error {
			return tx.Exec(`INSERT INTO audit_heads VALUES (?, 1, 'x')`, tx.NewID()).Error
		})
	}
	_, err := db.Idempotently(ctx, "k", nil, func(ctx context.Context) models.Answer {
		apart, err := models.WithoutTx(ctx)
		if err != nil || write(apart) != nil || write(ctx) != nil {
			t.Errorf("apart: %v", err)
		}
		if _, err := models.WithoutTx(ctx); !models.HasCode(err, models.CodeValidation) {
			t.Errorf("behind a write: %v", err)
		}
		return models.Answer{Status: 503}
	})
	var rows int64
	if countErr := db.Read(ctx).Table("audit_heads").Count(&rows).Error; err != nil || countErr != nil || rows != 1 {
		t.Errorf("%d rows stayed (%v, %v)", rows, err, countErr)
	}
	err = db.Write(ctx, func(tx *models.Tx) error {
		_, err := models.WithoutTx(tx.Context())
		return err
	})
	if !models.HasCode(err, models.CodeValidation) {
		t.Errorf("in a transaction: %v", err)
	}
}

func TestIdempotencyInProgress(t *testing.T) {
	db := dbtest.New(t)
	ctx := asUser(models.NewID(time.Now()))
	working, finish := make(chan bool), make(chan bool)
	done := make(chan error, 1)
	go func() {
		_, err := db.Idempotently(ctx, "k", nil, func(context.Context) models.Answer {
			close(working)
			<-finish
			return models.Answer{Status: 201}
		})
		done <- err
	}()
	<-working
	_, err := db.Idempotently(ctx, "k", nil, func(context.Context) models.Answer { return models.Answer{Status: 201} })
	if !models.HasCode(err, models.CodeIdempotencyInProgress) {
		t.Errorf("while the first is at work: %v", err)
	}
	close(finish)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestCursorIsBoundAndAuthenticated(t *testing.T) {
	db := dbtest.New(t)
	ctx := asUser(models.NewID(time.Now()))
	organization := models.NewID(time.Now())
	for range 5 {
		if err := db.Write(ctx, func(tx *models.Tx) error {
			return tx.Audit(organization, "thing.made", models.Target{Type: "thing"}, nil)
		}); err != nil {
			t.Fatal(err)
		}
	}
	list := func(name string, cursor *string) (*models.Connection[models.AuditEntry], error) {
		two := 2
		return models.ListPage(db, models.List[models.AuditEntry]{Name: name, Position: func(e models.AuditEntry) string { return e.ID.String() }},
			models.Page{Limit: &two, Cursor: cursor}, db.Read(ctx).Where("organization_id = ?", organization), models.NewestFirst("id"))
	}
	var seen []int64
	var cursor *string
	for {
		page, err := list("a", cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Nodes {
			seen = append(seen, e.Sequence)
		}
		if cursor = page.Next(); cursor == nil {
			break
		}
		if _, err := list("b", cursor); !models.HasCode(err, models.CodeValidation) {
			t.Errorf("another list took the cursor: %v", err)
		}
		altered := "A" + (*cursor)[1:]
		if altered == *cursor {
			altered = "B" + (*cursor)[1:]
		}
		if _, err := list("a", &altered); !models.HasCode(err, models.CodeValidation) {
			t.Errorf("an altered cursor was taken: %v", err)
		}
	}
	if fmt.Sprint(seen) != "[5 4 3 2 1]" {
		t.Errorf("pages hold %v", seen)
	}
}

func TestAuditChainFindsAChangedEntry(t *testing.T) {
	db := dbtest.New(t)
	ctx := asUser(models.NewID(time.Now()))
	organization := models.NewID(time.Now())
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			err := db.Write(ctx, func(tx *models.Tx) error {
				return tx.Audit(organization, "thing.renamed", models.Target{Type: "thing", ID: tx.NewID()}, models.Fields{"name": {From: i, To: "<b>"}})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if broken, err := db.VerifyAudit(ctx, organization); err != nil || broken != nil {
		t.Fatalf("an untouched chain: %+v, %v", broken, err)
	}
	if err := db.Read(ctx).Exec(`UPDATE audit_entries SET actor_name = 'Jonas' WHERE sequence = 7`).Error; err != nil {
		t.Fatal(err)
	}
	if broken, err := db.VerifyAudit(ctx, organization); err != nil || broken == nil || broken.Sequence != 7 {
		t.Errorf("a changed entry: %+v, %v", broken, err)
	}
}

func TestWriteRollsBackAndWakes(t *testing.T) {
	db := dbtest.New(t)
	ctx := asUser(models.NewID(time.Now()))
	wakes, end := db.Bus.Subscribe("topic")
	defer end()
	boom := errors.New("boom")
	err := db.Write(ctx, func(tx *models.Tx) error {
		tx.Notify("topic")
		return boom
	})
	if !errors.Is(err, boom) || len(wakes) != 0 {
		t.Errorf("a failed transaction: %v, %d wake-ups", err, len(wakes))
	}
	if err := db.Write(ctx, func(tx *models.Tx) error { tx.Notify("topic"); return nil }); err != nil || len(wakes) != 1 {
		t.Errorf("a committed transaction: %v, %d wake-ups", err, len(wakes))
	}
}

// What another replica published before this one listened went by it; its listeners look once it listens.
func TestListenersLookOnceTheBusListens(t *testing.T) {
	db := dbtest.New(t)
	woken, end := db.Bus.Subscribe("topic")
	defer end()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); db.Bus.Run(ctx) }()
	defer func() { stop(); <-done }()
	select {
	case <-woken:
	case <-time.After(30 * time.Second):
		t.Error("a listener was not woken")
	}
}

// TestIdempotentlyFor remembers what an anonymous request was answered for what it is
// about, and keeps of a refusal what was told to stand.
func TestIdempotentlyFor(t *testing.T) {
	db := dbtest.New(t)
	ctx, trigger, other, calls := t.Context(), models.NewID(time.Now()), models.NewID(time.Now()), 0
	insert := func(ctx context.Context) error {
		return db.Write(ctx, func(tx *models.Tx) error {
			return tx.Exec(`INSERT INTO audit_heads VALUES (?, 1, 'x')`, tx.NewID()).Error
		})
	}
	refuse := func(ctx context.Context) models.Answer {
		calls++
		if err := insert(ctx); err != nil {
			t.Error(err)
		}
		models.RefusalStands(ctx)
		return models.Answer{Status: 402, Body: []byte("no")}
	}
	for range 2 {
		if answer, err := db.IdempotentlyFor(ctx, trigger, "k", []byte("a"), refuse); err != nil || string(answer.Body) != "no" {
			t.Errorf("%+v, %v", answer, err)
		}
	}
	if _, err := db.IdempotentlyFor(ctx, trigger, "k", []byte("b"), refuse); !models.HasCode(err, models.CodeIdempotencyReused) {
		t.Errorf("another request: %v", err)
	}
	if answer, err := db.IdempotentlyFor(ctx, other, "k", []byte("b"), refuse); err != nil || answer.Replayed {
		t.Errorf("for something else: %+v, %v", answer, err)
	}
	if _, err := db.IdempotentlyFor(ctx, trigger, strings.Repeat("k", 256), nil, refuse); !models.HasCode(err, models.CodeValidation) {
		t.Errorf("a long key: %v", err)
	}
	var rows int64
	if err := db.Read(ctx).Table("audit_heads").Count(&rows).Error; err != nil || rows != 2 || calls != 2 {
		t.Errorf("%d rows stood of %d refusals, want 2 of 2 (%v)", rows, calls, err)
	}
}

// Ids reach columns of ids as what they are, alone and in lists, and texts as they are written.
func TestIDsAreSent(t *testing.T) {
	db := dbtest.New(t)
	id, other := db.NewID(time.Now()), db.NewID(time.Now())
	var none *models.ID
	for _, c := range []struct {
		query string
		arg   any
		want  string
	}{
		{`SELECT $1::uuid::text`, id, id.String()},
		{`SELECT $1::uuid::text`, &id, id.String()},
		{`SELECT coalesce($1::uuid::text, 'none')`, none, "none"},
		{`SELECT array_to_string($1::uuid[], ',', 'none')`, []models.ID{id, other}, id.String() + "," + other.String()},
		{`SELECT array_to_string($1::uuid[], ',', 'none')`, []*models.ID{&id, none, &other}, id.String() + ",none," + other.String()},
		{`SELECT array_to_string($1::uuid[], ',', 'none')`, models.IDs{id, other}, id.String() + "," + other.String()},
		{`SELECT $1::text`, id, id.String()},
		{`SELECT array_to_string($1::text[], ',')`, []models.ID{id, other}, id.String() + "," + other.String()},
	} {
		var got string
		if err := db.Row(t.Context(), c.query, c.arg).Scan(&got); err != nil || got != c.want {
			t.Errorf("%s with %T: %q, want %q; %v", c.query, c.arg, got, c.want, err)
		}
	}
}
