package models

import (
	"cmp"
	"context"
	"crypto/sha256"
	"time"
	"unicode/utf8"
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
	Answer []byte
	// Standing is as what the caller stood where; see NoteStanding.
	Standing  Strings
	CreatedAt time.Time
}

func (IdempotencyKey) TableName() string { return "idempotency_keys" }

// Answer is what a face sends: a status and a body.
type Answer struct {
	Status int
	Body   []byte
	// Replayed marks the answer of an earlier request.
	Replayed bool
	// Passing marks a refusal that the caller can lift, to send the same request again:
	// it is not remembered.
	Passing bool
}

// Idempotently runs work once for the account and key within 24 hours. What
// work writes and the remembered answer commit together, so that a crash leaves
// all or nothing. A repeat with the same request gets the answer again; with
// another request it is idempotency_key_reused; where its caller stands no more where it
// stood then, what it would be refused with now; while the first is still at
// work, idempotency_in_progress. Answers 401, 429, 5xx and passing ones are not
// kept, and an anonymous request is not remembered.
//
// The transaction begins with work's first write, so what is slow should come
// before: it holds no connection.
func (db *DB) Idempotently(ctx context.Context, key string, request []byte, work func(context.Context) Answer) (Answer, error) {
	if err := CheckIdempotencyKey(key); err != nil {
		return Answer{}, err
	}
	actor := ActorFrom(ctx)
	if !actor.SignedIn() {
		return work(ctx), nil
	}
	hash := sha256.Sum256(request)
	if app := actor.OfApp(); app != nil { // an app's keys are its own
		key = "app " + app.String() + " " + key
	}
	o := &idempotentTx{db: db, ctx: ctx, account: actor.UserID, key: key, hash: hash[:], room: MaxAnswers}
	return o.run(work)
}

// IdempotentlyFor is Idempotently for a request without an account: the keys are
// those of what it is about, such as a trigger, and so is the room for answers.
func (db *DB) IdempotentlyFor(ctx context.Context, owner ID, key string, request []byte, work func(context.Context) Answer) (Answer, error) {
	if err := CheckIdempotencyKey(key); err != nil {
		return Answer{}, err
	}
	hash := sha256.Sum256(request)
	o := &idempotentTx{db: db, ctx: ctx, account: owner, key: key, hash: hash[:], room: MaxAnswersOfTrigger}
	return o.run(work)
}

// RefusalStands keeps what was written so far though the answer to a request with
// an Idempotency-Key is a refusal, such as the entry in a history that says why.
func RefusalStands(ctx context.Context) {
	if o, ok := ctx.Value(idempotentTxKey{}).(*idempotentTx); ok {
		o.stands = true
	}
}

func (o *idempotentTx) run(work func(context.Context) Answer) (Answer, error) {
	if _, busy := o.db.atWork.LoadOrStore(o.name(), true); busy {
		return Answer{}, errInProgress
	}
	defer o.db.atWork.Delete(o.name())
	if remembered, err := o.look(); err != nil || remembered != nil {
		return *cmp.Or(remembered, &Answer{}), err
	}
	defer o.rollback()
	return o.end(work(context.WithValue(o.ctx, idempotentTxKey{}, o)))
}

// CheckIdempotencyKey refuses keys of another length than 1 to 255 characters.
func CheckIdempotencyKey(key string) error {
	if n := utf8.RuneCountInString(key); n < 1 || n > 255 || !utf8.ValidString(key) {
		return Invalid("Idempotency-Key", "must have 1 to 255 characters of UTF-8")
	}
	return nil
}
