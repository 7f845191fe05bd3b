package rest

import (
	"context"
	"io"

	"atelier/models"
)

// ahead is what a slow route has done before the transaction in which its
// repeatable request is answered.
type ahead struct {
	asked bool
	value any
	err   error
}

type aheadKey struct{}

// errAhead ends the run of a handler whose slow work is done; the answer is
// made by a second run.
var errAhead = models.Err(models.CodeInternal, "The work goes on")

// beforehand does the slow part of a handler, such as reading a file or
// fetching one, which no transaction may wait for. A request with an
// Idempotency-Key is handled twice: the first time the work is done, the second
// time, within the transaction, its result is there.
func beforehand[T io.Closer](ctx context.Context, work func() (T, error)) (T, error) {
	done, repeatable := ctx.Value(aheadKey{}).(*ahead)
	if !repeatable {
		return work()
	}
	if done.asked {
		value, _ := done.value.(T)
		return value, done.err
	}
	var none T
	value, err := work()
	done.asked, done.err = true, err
	if err == nil {
		done.value = value
	}
	return none, errAhead
}

// close frees what the work left, also when it was not used.
func (d *ahead) close() {
	if value, ok := d.value.(io.Closer); ok {
		_ = value.Close()
	}
}
