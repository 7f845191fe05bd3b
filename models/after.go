package models

import "context"

// afterwards is what follows the commit of a transaction, and does not without it.
type afterwards struct {
	topics []string
	work   []func(context.Context)
}

// happen does it, outside any transaction and whether or not the request is
// still waited for.
func (a *afterwards) happen(ctx context.Context, db *DB) {
	db.Bus.Publish(a.topics...)
	if len(a.work) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx)
	ctx = context.WithValue(context.WithValue(ctx, txKey{}, nil), onceKey{}, nil)
	for _, work := range a.work {
		work(ctx)
	}
}

// After does work once the transaction has committed, before its use case
// returns. What must happen is written in the transaction as well, for a process
// may die in between.
func (tx *Tx) After(work func(context.Context)) { tx.after.work = append(tx.after.work, work) }
