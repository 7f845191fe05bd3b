package account

import (
	"context"
	"sync"
	"time"
)

// maxAtKey is how many may wait for one key.
const maxAtKey = 500

// keyLocks lets callers with the same key pass one after another: right
// passwords that come at once are not refused because they are counted at once.
type keyLocks struct {
	mu   sync.Mutex
	keys map[string]*keyLock
}

// keyLock is one key while a person wants it; free holds the right to pass.
type keyLock struct {
	free   chan struct{}
	wanted int
}

// attempts are the locks of this process, by account and network.
var attempts = &keyLocks{keys: map[string]*keyLock{}}

// take waits for the key; done passes it on. Refusals are those of the line of hashes.
func (l *keyLocks) take(ctx context.Context, key string) (done func(), err error) {
	l.mu.Lock()
	mine := l.keys[key]
	if mine == nil {
		mine = &keyLock{free: make(chan struct{}, 1)}
		mine.free <- struct{}{}
		l.keys[key] = mine
	}
	if mine.wanted >= maxAtKey {
		l.mu.Unlock()
		return nil, errLine()
	}
	mine.wanted++
	l.mu.Unlock()
	patience := time.NewTimer(maxWait)
	defer patience.Stop()
	select {
	case <-mine.free:
		return func() { mine.free <- struct{}{}; l.forget(key, mine) }, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-patience.C:
		err = errLine()
	}
	l.forget(key, mine)
	return nil, err
}

// forget drops a key that no one wants any more.
func (l *keyLocks) forget(key string, mine *keyLock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if mine.wanted--; mine.wanted == 0 {
		delete(l.keys, key)
	}
}
