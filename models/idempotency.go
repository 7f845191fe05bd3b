package models

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"
)

// IdempotencyWindow is how long a repeated request gets the first answer.
const IdempotencyWindow = 24 * time.Hour

// IdempotencyKey is a remembered answer to a request that creates or spends.
type IdempotencyKey struct {
	AccountID   ID     `gorm:"primaryKey"`
	Key         string `gorm:"primaryKey"`
	RequestHash []byte
	Status      int
	// Answer is the body, encrypted: it may carry a secret.
	Answer    []byte
	CreatedAt time.Time
}

// TableName is the table of the keys.
func (IdempotencyKey) TableName() string { return "idempotency_keys" }

// Answer is what a face sends: a status and a body.
type Answer struct {
	Status int
	Body   []byte
	// Replayed marks the answer of an earlier request.
	Replayed bool
}

// errKeep makes the transaction keep the remembered answer of a refusal while
// the work itself is undone.
var errKeep = errors.New("undo the work, keep the answer")

// Idempotently runs work once for the account and key within 24 hours. The
// work, its consequences and the remembered answer commit together, so that a
// crash leaves all or nothing. A repeat with the same request gets the answer
// again; with another request it is idempotency_key_reused; while the first is
// still at work, idempotency_in_progress. Answers 401, 429 and 5xx are not kept.
func (db *DB) Idempotently(ctx context.Context, key string, request []byte, work func(context.Context) Answer) (answer Answer, err error) {
	if err := checkIdempotencyKey(key); err != nil {
		return Answer{}, err
	}
	account, hash := ActorFrom(ctx).UserID, sha256.Sum256(request)
	err = db.Write(ctx, func(tx *Tx) error {
		remembered, err := tx.rememberedAnswer(account, key, hash[:])
		if err != nil || remembered != nil {
			if remembered != nil {
				answer = *remembered
			}
			return err
		}
		err = db.Write(tx.Context(), func(inner *Tx) error {
			answer = work(inner.Context())
			if answer.Status >= 400 {
				return errKeep
			}
			return nil
		})
		if err != nil && !errors.Is(err, errKeep) {
			return err
		}
		if answer.Status == 401 || answer.Status == 429 || answer.Status >= 500 {
			return nil
		}
		sealed, err := db.answers.Seal(account.String()+key, string(answer.Body))
		if err != nil {
			return err
		}
		return tx.Create(&IdempotencyKey{
			AccountID: account, Key: key, RequestHash: hash[:],
			Status: answer.Status, Answer: []byte(sealed), CreatedAt: tx.Now,
		}).Error
	})
	return answer, err
}

// Remembered is the answer to an earlier request with the key, nil without one:
// for requests whose slow work comes before Idempotently.
func (db *DB) Remembered(ctx context.Context, key string, request []byte) (answer *Answer, err error) {
	if err := checkIdempotencyKey(key); err != nil {
		return nil, err
	}
	account, hash := ActorFrom(ctx).UserID, sha256.Sum256(request)
	err = db.Write(ctx, func(tx *Tx) error {
		answer, err = tx.rememberedAnswer(account, key, hash[:])
		return err
	})
	return answer, err
}

func checkIdempotencyKey(key string) error {
	if n := utf8.RuneCountInString(key); n < 1 || n > 255 || !utf8.ValidString(key) {
		return Invalid("Idempotency-Key", "must have 1 to 255 characters of UTF-8")
	}
	return nil
}

// rememberedAnswer takes the key for this transaction and finds an earlier answer.
func (tx *Tx) rememberedAnswer(account ID, key string, hash []byte) (*Answer, error) {
	var free bool
	err := tx.Raw(`SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0))`, account.String()+key).Scan(&free).Error
	if err != nil {
		return nil, err
	}
	if !free {
		return nil, Err(CodeIdempotencyInProgress, "The first request with this Idempotency-Key is still at work")
	}
	var row IdempotencyKey
	err = tx.Where("account_id = ? AND key = ?", account, key).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if tx.Now.Sub(row.CreatedAt) >= IdempotencyWindow {
		return nil, tx.Where("account_id = ? AND key = ?", account, key).Delete(&IdempotencyKey{}).Error
	}
	if string(row.RequestHash) != string(hash) {
		return nil, Err(CodeIdempotencyReused, "This Idempotency-Key was used with another request")
	}
	body, err := tx.db.answers.Open(account.String()+key, string(row.Answer))
	return &Answer{Status: row.Status, Body: []byte(body), Replayed: true}, err
}
