package account

import (
	"context"
	"sync"
	"time"
)

// mostTurns is how many may wait for their turn at one key.
const mostTurns = 500

// turns lets callers with the same key pass one after another: right passwords
// that come at once are not refused because they are counted at once.
type turns struct {
	mu   sync.Mutex
	keys map[string]*turn
}

// turn is one key while somebody wants it; free holds the right to pass.
type turn struct {
	free   chan struct{}
	wanted int
}

// attempts are the turns of this process, by account and network.
var attempts = &turns{keys: map[string]*turn{}}

// take waits for the key; done passes it on. Refusals are those of the line of hashes.
func (t *turns) take(ctx context.Context, key string) (done func(), err error) {
	t.mu.Lock()
	mine := t.keys[key]
	if mine == nil {
		mine = &turn{free: make(chan struct{}, 1)}
		mine.free <- struct{}{}
		t.keys[key] = mine
	}
	if mine.wanted >= mostTurns {
		t.mu.Unlock()
		return nil, errLine()
	}
	mine.wanted++
	t.mu.Unlock()
	patience := time.NewTimer(longestWait)
	defer patience.Stop()
	select {
	case <-mine.free:
		return func() { mine.free <- struct{}{}; t.forget(key, mine) }, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-patience.C:
		err = errLine()
	}
	t.forget(key, mine)
	return nil, err
}

// forget drops a key that nobody wants any more.
func (t *turns) forget(key string, mine *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if mine.wanted--; mine.wanted == 0 {
		delete(t.keys, key)
	}
}
