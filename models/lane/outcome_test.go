package lane

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestWhatBecameOfALease(t *testing.T) {
	trouble := errors.New("trouble")
	for _, test := range []struct {
		ended error // the cause of the context's end
		err   error
		want  string
	}{
		{nil, nil, Done}, {nil, trouble, Unfinished}, {nil, fmt.Errorf("late: %w", ErrLost), Lost},
		{ErrLost, context.Canceled, Lost}, {ErrDraining, context.Canceled, GivenBack}, {ErrDraining, nil, Done},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		if test.ended != nil {
			cancel(test.ended)
		}
		if got := outcomeOf(ctx, test.err); got != test.want {
			t.Errorf("%v in a context that ended for %v is %s, not %s", test.err, test.ended, got, test.want)
		}
		cancel(nil)
	}
}
