package models_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"atelier/models"
	"atelier/models/dbtest"
)

// withTwo is a database whose requests have two connections and wait shortly.
func withTwo(t *testing.T) *models.DB {
	t.Helper()
	config, err := pgxpool.ParseConfig(dbtest.NewURL(t))
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns = 2
	db, err := models.Open(models.Config{Database: config, Clock: dbtest.NewClock(), Secret: []byte("a secret of this test alone"), Wait: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// TestConnectionsAreWaitedForShortly takes all connections of requests: the
// next one is told to come back, while the reserve and background work go on.
func TestConnectionsAreWaitedForShortly(t *testing.T) {
	db := withTwo(t)
	for range 2 {
		conn, err := db.Pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Release()
	}
	err := db.Write(t.Context(), func(*models.Tx) error { return nil })
	if refusal, known := models.AsError(err); known || refusal.Code != models.CodeServiceUnavailable || refusal.RetryAfter == 0 {
		t.Errorf("without a free connection: %v", err)
	}
	if err := db.CountCall(t.Context(), three, "key"); err != nil {
		t.Errorf("a limit: %v", err)
	}
	for _, ctx := range []context.Context{models.ForWork(t.Context()), models.FromReserve(t.Context())} {
		if err := db.Write(ctx, func(tx *models.Tx) error { return tx.Exec(`SELECT 1`).Error }); err != nil {
			t.Error(err)
		}
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := db.Write(gone, func(*models.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who left: %v", err)
	}
}

// TestLimitThatCannotBeLookedAt refuses rather than letting pass.
func TestLimitThatCannotBeLookedAt(t *testing.T) {
	db := withTwo(t)
	for range 3 {
		conn, err := db.Reserve.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Release()
	}
	for _, err := range []error{db.CountCall(t.Context(), three, "key"), db.CheckLimit(t.Context(), three, "key")} {
		if refusal, _ := models.AsError(err); refusal.Code != models.CodeRateLimitUnavailable || refusal.HTTPStatus() != 503 || refusal.RetryAfter == 0 {
			t.Errorf("uncounted: %v", err)
		}
	}
}

// TestNoSecondConnectionWithinATransaction refuses the pool to the one who is in a
// transaction, except for the reserve, whose counts outlive a rollback.
func TestNoSecondConnectionWithinATransaction(t *testing.T) {
	db := withTwo(t)
	boom := errors.New("boom")
	err := db.Write(t.Context(), func(tx *models.Tx) error {
		if _, err := db.Pool.Exec(tx.Context(), `SELECT 1`); err == nil {
			t.Error("a second connection was given")
		}
		if _, err := db.SQL.ExecContext(tx.Context(), `SELECT 1`); err == nil {
			t.Error("a second connection was given to database/sql")
		}
		for range 3 {
			if err := db.CountCall(tx.Context(), three, "key"); err != nil {
				t.Error(err)
			}
		}
		return boom
	})
	if !errors.Is(err, boom) {
		t.Fatal(err)
	}
	if err := db.CountCall(t.Context(), three, "key"); !models.HasCode(err, models.CodeRateLimitExceeded) {
		t.Errorf("the counts went with the transaction: %v", err)
	}
}

// TestSlowWorkBeforeTheFirstWriteHoldsNoConnection is a request with a key
// whose work takes its time before it writes, and joins the answer when it does.
func TestSlowWorkBeforeTheFirstWriteHoldsNoConnection(t *testing.T) {
	db := withTwo(t)
	ctx := asUser(models.NewID(time.Now()))
	answer, err := db.Idempotently(ctx, "k", nil, func(ctx context.Context) models.Answer {
		if n := db.Pool.Stat().AcquiredConns(); n != 0 {
			t.Errorf("%d connections are held before the first write", n)
		}
		for range 2 {
			err := db.Write(ctx, func(tx *models.Tx) error {
				return tx.Exec(`INSERT INTO audit_heads VALUES (?, 1, 'x')`, tx.NewID()).Error
			})
			if err != nil {
				t.Error(err)
			}
		}
		var within, outside int64
		if err := db.Read(ctx).Table("audit_heads").Count(&within).Error; err != nil || within != 2 {
			t.Errorf("the work sees %d of its own rows (%v)", within, err)
		}
		if err := db.Read(context.Background()).Table("audit_heads").Count(&outside).Error; err != nil || outside != 0 {
			t.Errorf("others see %d rows before the answer is remembered (%v)", outside, err)
		}
		return models.Answer{Status: 201}
	})
	if err != nil || answer.Status != 201 {
		t.Fatalf("%+v, %v", answer, err)
	}
	var rows int64
	if err := db.Read(ctx).Table("audit_heads").Count(&rows).Error; err != nil || rows != 2 {
		t.Errorf("%d rows were committed (%v)", rows, err)
	}
}

// TestNobodyIsNotRemembered does the work of no one each time.
func TestNobodyIsNotRemembered(t *testing.T) {
	db, times := dbtest.New(t), 0
	for range 2 {
		answer, err := db.Idempotently(t.Context(), "k", nil, func(context.Context) models.Answer { times++; return models.Answer{Status: 201} })
		if err != nil || answer.Replayed {
			t.Errorf("%+v, %v", answer, err)
		}
	}
	if _, err := db.Idempotently(t.Context(), "", nil, nil); !models.HasCode(err, models.CodeValidation) {
		t.Errorf("an empty key: %v", err)
	}
	var rows int64
	if err := db.Read(t.Context()).Model(&models.IdempotencyKey{}).Count(&rows).Error; err != nil || rows != 0 || times != 2 {
		t.Errorf("%d rows, done %d times (%v)", rows, times, err)
	}
}

// TestRememberedAnswersAreBounded refuses what could not be remembered, before
// or with the work undone, so that no repeat can do it twice.
func TestRememberedAnswersAreBounded(t *testing.T) {
	db, account := dbtest.New(t), models.NewID(time.Now())
	ctx := asUser(account)
	write := func(size int) func(context.Context) models.Answer {
		return func(ctx context.Context) models.Answer {
			_ = db.Write(ctx, func(tx *models.Tx) error {
				return tx.Exec(`INSERT INTO audit_heads VALUES (?, 1, 'x')`, tx.NewID()).Error
			})
			return models.Answer{Status: 201, Body: []byte(strings.Repeat("x", size))}
		}
	}
	if _, err := db.Idempotently(ctx, "long", nil, write(models.MaxAnswer+1)); !models.HasCode(err, models.CodePayloadTooLarge) {
		t.Errorf("too long an answer: %v", err)
	}
	var rows int64
	if err := db.Read(ctx).Table("audit_heads").Count(&rows).Error; err != nil || rows != 0 {
		t.Errorf("%d rows of work whose answer is not remembered (%v)", rows, err)
	}
	for range 2 {
		answer, err := db.Idempotently(ctx, "longest", nil, write(models.MaxAnswer))
		if err != nil || len(answer.Body) != models.MaxAnswer {
			t.Fatalf("the longest answer: %d bytes, %v", len(answer.Body), err)
		}
	}
	err := db.Read(ctx).Exec(`INSERT INTO idempotency_keys SELECT ?, 'n' || n, '', 201, '', ? FROM generate_series(2, ?) n`,
		account, db.Clock.Now(), models.MaxAnswers).Error
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Idempotently(ctx, "one more", nil, write(1))
	if refusal, _ := models.AsError(err); err == nil || refusal.Code != models.CodeRateLimitExceeded || refusal.RetryAfter != models.IdempotencyWindow {
		t.Errorf("beyond the number of answers: %v", err)
	}
	if again, err := db.Idempotently(ctx, "longest", nil, write(models.MaxAnswer)); err != nil || !again.Replayed {
		t.Errorf("a repeat is refused for want of room: %v", err)
	}
	if _, err := db.Idempotently(asUser(models.NewID(time.Now())), "one more", nil, write(1)); err != nil {
		t.Errorf("another account: %v", err)
	}
	clockOf(db).Advance(models.IdempotencyWindow)
	if _, err := db.Idempotently(ctx, "one more", nil, write(1)); err != nil {
		t.Errorf("a day later: %v", err)
	}
	if err := db.Read(ctx).Exec(`UPDATE idempotency_keys SET created_at = ?, answer = convert_to(repeat('x', ?), 'UTF8') WHERE key = 'longest'`,
		db.Clock.Now(), models.MaxAnswersBytes).Error; err != nil {
		t.Fatal(err)
	}
	if _, err := db.Idempotently(ctx, fmt.Sprint("two", " more"), nil, write(1)); !models.HasCode(err, models.CodeRateLimitExceeded) {
		t.Errorf("beyond the bytes of answers: %v", err)
	}
}

// TestColumnsThatCome adds a column to what prepared statements read, as a migration does under a program that works on: no
// read and no transaction fails.
func TestColumnsThatCome(t *testing.T) {
	db := withTwo(t)
	exec := func(sql string) {
		t.Helper()
		if _, err := db.Work.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	exec(`CREATE TABLE things (id int); INSERT INTO things VALUES (1)`)
	for i, read := range []func() error{
		func() error { return db.Read(t.Context()).Raw(`SELECT * FROM things`).Scan(&map[string]any{}).Error },
		func() error {
			return db.Write(t.Context(), func(tx *models.Tx) error { return tx.Raw(`SELECT * FROM things`).Scan(&map[string]any{}).Error })
		},
		func() error {
			return db.Write(t.Context(), func(tx *models.Tx) error { return tx.Exec(`UPDATE things SET id = id RETURNING *`).Error })
		},
	} {
		for range 2 { // the second time with what was prepared
			if err := read(); err != nil {
				t.Fatal(err)
			}
		}
		exec(fmt.Sprintf(`ALTER TABLE things ADD COLUMN more%d int`, i))
		if err := read(); err != nil {
			t.Errorf("the statement %d: %v", i, err)
		}
	}
}
