package frame

import (
	"context"
	"crypto/rand"
	"net/http"
)

// onceField is the hidden field of forms that create or spend, ui.FormProps.Key: sending such a form twice does its
// work once.
const onceField = "idempotency_key"

// NewOnceKey is a fresh key for each rendering of a form, so that a corrected form is a new one.
func NewOnceKey() string { return rand.Text() }

type onceKey struct{}

// withOnceKey keeps the key of a posted form for the mutations that its action calls.
func withOnceKey(r *http.Request) *http.Request {
	key := Text(r, onceField)
	if key == "" || len(key) > 100 {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), onceKey{}, key))
}

// WithoutOnceKey forgets the key of a form whose work takes its time, such as hashing a password: with a key, a
// transaction is open from the first write to the answer.
func WithoutOnceKey(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), onceKey{}, ""))
}

func onceKeyOf(ctx context.Context) string {
	key, _ := ctx.Value(onceKey{}).(string)
	return key
}
