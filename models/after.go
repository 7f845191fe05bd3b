package models

import "context"

// afterCommit is the work that follows the commit of a transaction.
type afterCommit struct {
	topics []string
	work   []func(context.Context)
}

// run does the work, outside any transaction, whether or not the client still waits
// for the request.
func (a *afterCommit) run(ctx context.Context, db *DB) {
	db.Bus.Publish(a.topics...)
	if len(a.work) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx)
	ctx = context.WithValue(context.WithValue(ctx, txKey{}, nil), idempotentTxKey{}, nil)
	for _, work := range a.work {
		work(ctx)
	}
}

// After does work once the transaction has committed, before its use case
// returns. What must happen is written in the transaction as well, for a process
// may die in between.
func (tx *Tx) After(work func(context.Context)) { tx.after.work = append(tx.after.work, work) }
