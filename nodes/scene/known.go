package scene

import "sync"

// known keeps what was worked out once. It is a map with a lock, for sync.Map is generic within: its code would be
// shared with packages that the race detector watches, as it is compiled here, where it does not.
type known[K comparable, V any] struct {
	mu  sync.Mutex
	all map[K]V
}

func (k *known[K, V]) load(key K) (v V, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	v, ok = k.all[key]
	return v, ok
}

func (k *known[K, V]) store(key K, v V) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all == nil {
		k.all = map[K]V{}
	}
	k.all[key] = v
}
