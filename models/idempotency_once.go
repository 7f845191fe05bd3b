package models

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"gorm.io/gorm"
)

// idempotentTx is the one transaction of a request with an Idempotency-Key. Its first
// write begins it; each write is a savepoint within it.
type idempotentTx struct {
	db      *DB
	ctx     context.Context
	account ID
	key     string
	hash    []byte
	room    int64 // how many answers are remembered at once

	mu    sync.Mutex
	tx    *Tx // nil until it begins, and when it has ended
	after afterCommit
	// answered is the answer of an earlier request that came to light when the
	// transaction began, refused why it did not begin: either ends the work.
	answered *Answer
	refused  error
	standing []string // see NoteStanding
	// stands keeps the writes of a refused request, see RefusalStands.
	stands bool
}

type idempotentTxKey struct{}

var (
	errInProgress = Err(CodeIdempotencyInProgress, "The first request with this Idempotency-Key is still at work")
	errAnswered   = errors.New("the request was answered meanwhile")
)

// beforeWork is the savepoint to which refused work is taken back.
const beforeWork = "before_work"

func (o *idempotentTx) name() string { return o.account.String() + o.key }

// WithoutTx returns a context whose writes commit by themselves, also those of a request
// with an Idempotency-Key: for what has to stand before something outside is
// asked. It is refused in a transaction that has begun, which would be held
// meanwhile.
func WithoutTx(ctx context.Context) (context.Context, error) {
	if transactionIn(ctx) != nil {
		return ctx, Err(CodeValidation, "This asks a service outside and cannot follow another change of the same request: send it in a request of its own")
	}
	return context.WithValue(ctx, idempotentTxKey{}, nil), nil
}

// transaction is the one that has begun, nil when none has.
func (o *idempotentTx) transaction() *Tx {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.tx
}

// write is DB.Write within the request's transaction.
func (o *idempotentTx) write(ctx context.Context, fn func(*Tx) error) error {
	tx, err := o.begun()
	if err != nil {
		return err
	}
	return retried(func() error { return tx.join(ctx, fn) })
}

// begun is the transaction. When it begins it takes the key, and looks whether
// another replica answered the request meanwhile.
func (o *idempotentTx) begun() (*Tx, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.tx != nil || o.refused != nil {
		return o.tx, o.refused
	}
	o.refused = o.begin()
	return o.tx, o.refused
}

func (o *idempotentTx) begin() error {
	g := o.db.gorm.WithContext(o.ctx).Begin()
	if g.Error != nil {
		return g.Error
	}
	tx := o.db.newTx(o.ctx, g, &o.after)
	err := o.takeKey(tx)
	if err == nil {
		err = tx.SavePoint(beforeWork).Error
	}
	if err != nil {
		g.Rollback()
		return err
	}
	o.tx = tx
	return nil
}

func (o *idempotentTx) takeKey(tx *Tx) error {
	var free bool
	err := tx.Raw(`SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0))`, o.name()).Scan(&free).Error
	if err != nil {
		return err
	}
	if !free {
		return errInProgress
	}
	var row IdempotencyKey
	err = tx.Where("account_id = ? AND key = ?", o.account, o.key).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if o.answered, err = o.read(row); err != nil {
		return err
	}
	if o.answered != nil {
		if err := o.stillStands(tx.Context(), row.Standing); err != nil {
			o.answered = nil
			return err
		}
		return errAnswered
	}
	return tx.Where("account_id = ? AND key = ?", o.account, o.key).Delete(&IdempotencyKey{}).Error
}

// read is what a row remembers, nil when its time is over.
func (o *idempotentTx) read(row IdempotencyKey) (*Answer, error) {
	if o.db.Clock.Now().Sub(row.CreatedAt) >= IdempotencyWindow {
		return nil, nil
	}
	if string(row.RequestHash) != string(o.hash) {
		return nil, Err(CodeIdempotencyReused, "This Idempotency-Key was used with another request")
	}
	body, err := o.open(row.Answer)
	return &Answer{Status: row.Status, Body: body, Replayed: true}, err
}

// look finds the answer to an earlier request before any work is done, and
// refuses an account whose remembered answers leave no room for another.
func (o *idempotentTx) look() (*Answer, error) {
	var kept struct {
		answers, bytes int64
		oldest         sql.NullTime
	}
	var row struct {
		status       sql.NullInt64
		hash, answer []byte
		at           sql.NullTime
		standing     Strings
	}
	err := o.db.Row(o.ctx, `
		SELECT kept.answers, kept.bytes, kept.oldest, k.status, k.request_hash, k.answer, k.created_at, coalesce(k.standing, '{}')
		FROM (SELECT count(*) AS answers, coalesce(sum(octet_length(answer)), 0) AS bytes, min(created_at) AS oldest
			FROM idempotency_keys WHERE account_id = $1 AND created_at > $3) kept
		LEFT JOIN idempotency_keys k ON k.account_id = $1 AND k.key = $2`,
		o.account, o.key, o.db.Clock.Now().Add(-IdempotencyWindow),
	).Scan(&kept.answers, &kept.bytes, &kept.oldest, &row.status, &row.hash, &row.answer, &row.at, &row.standing)
	if err != nil {
		return nil, err
	}
	if row.at.Valid {
		found := IdempotencyKey{RequestHash: row.hash, Status: int(row.status.Int64), Answer: row.answer, CreatedAt: row.at.Time}
		answer, err := o.read(found)
		if err == nil && answer != nil {
			err = o.stillStands(o.ctx, row.standing)
		}
		if err != nil {
			return nil, err
		}
		if answer != nil {
			return answer, nil
		}
	}
	if kept.answers < o.room && kept.bytes < MaxAnswersBytes {
		return nil, nil
	}
	return nil, noRoom(kept.oldest.Time.Add(IdempotencyWindow).Sub(o.db.Clock.Now()))
}

func noRoom(wait time.Duration) error {
	refusal := Err(CodeRateLimitExceeded, "This account used as many Idempotency-Keys as can be remembered for a day. Try again later, or without one.")
	refusal.RetryAfter = max(wait, time.Second)
	return refusal
}

// end commits the work with its answer. Refused work is taken back, and so is
// work whose answer is too long to be remembered: done, it could be done twice.
func (o *idempotentTx) end(answer Answer) (Answer, error) {
	kept := answer.Status != 401 && answer.Status != 429 && answer.Status < 500 && !answer.Passing
	if o.tx == nil && o.refused == nil && !kept {
		return answer, nil
	}
	tx, err := o.begun()
	if o.answered != nil {
		return *o.answered, nil
	}
	if err != nil {
		return Answer{}, err
	}
	if !kept {
		return answer, nil
	}
	if len(answer.Body) > MaxAnswer {
		return Answer{}, Err(CodePayloadTooLarge,
			"The answer has more than %d MiB, too much to be remembered, so nothing was done. Send the request without an Idempotency-Key.", MaxAnswer>>20)
	}
	if answer.Status >= 400 && !o.stands {
		o.after = afterCommit{}
		if err := tx.RollbackTo(beforeWork).Error; err != nil {
			return Answer{}, err
		}
	}
	return answer, o.remember(tx, answer)
}

func (o *idempotentTx) remember(tx *Tx, answer Answer) error {
	sealed, err := o.seal(answer.Body)
	if err != nil {
		return err
	}
	err = tx.Create(&IdempotencyKey{
		AccountID: o.account, Key: o.key, RequestHash: o.hash, Status: answer.Status, Answer: sealed, Standing: o.keptStandings(tx.Context()), CreatedAt: tx.Now,
	}).Error
	if err != nil {
		return err
	}
	if err := tx.Commit().Error; err != nil {
		return err
	}
	o.mu.Lock()
	o.tx = nil
	o.mu.Unlock()
	o.after.run(o.ctx, o.db)
	return nil
}

// rollback ends a transaction that was not committed.
func (o *idempotentTx) rollback() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.tx != nil {
		o.tx.Rollback()
		o.tx = nil
	}
}
