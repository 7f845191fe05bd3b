package models

import "context"

// memo is what a transaction has read, by key.
type memo map[any]any

// Remember has the transaction keep what Recall reads in it: for one in which several people
// do the same at once, and that changes none of it.
func (tx *Tx) Remember() { tx.memo = memo{} }

// Recall returns what find found for a key earlier in the transaction that the context is
// in, if that one remembers, and asks find otherwise. Errors are not remembered. What it returns may be
// in use elsewhere: no one changes it.
func Recall[T any](ctx context.Context, key any, find func() (T, error)) (T, error) {
	known := memoIn(ctx)
	if found, ok := known[key]; ok {
		return found.(T), nil
	}
	found, err := find()
	if err == nil && known != nil {
		known[key] = found
	}
	return found, err
}

// NoteKnown has Recall return a value for a key in the transaction that the context is in, if that one remembers.
func NoteKnown(ctx context.Context, key, value any) {
	if known := memoIn(ctx); known != nil {
		known[key] = value
	}
}

func memoIn(ctx context.Context) memo {
	if tx, ok := ctx.Value(txKey{}).(*Tx); ok {
		return tx.memo
	}
	return nil
}
