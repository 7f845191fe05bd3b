package flow

import (
	"crypto/sha256"
	"sync"
)

// renderedTexts keeps what was rendered last, so that a page that many visit costs its rendering once.
var renderedTexts = &textCache{room: 8 << 20}

// textCache keeps results by their text, the oldest of them leaving first.
type textCache struct {
	mu    sync.Mutex
	room  int // bytes that are free
	byKey map[[sha256.Size]byte]string
	order [][sha256.Size]byte
}

// get is the result for a text, made again when it is not kept.
func (c *textCache) get(text string, make func(string) string) string {
	key := sha256.Sum256([]byte(text))
	c.mu.Lock()
	kept, ok := c.byKey[key]
	c.mu.Unlock()
	if ok {
		return kept
	}
	made := make(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(key, made)
	return made
}

func (c *textCache) keep(key [sha256.Size]byte, made string) {
	if _, ok := c.byKey[key]; ok {
		return
	}
	if c.byKey == nil {
		c.byKey = map[[sha256.Size]byte]string{}
	}
	c.byKey[key], c.order, c.room = made, append(c.order, key), c.room-len(made)
	for c.room < 0 && len(c.order) > 0 {
		c.room += len(c.byKey[c.order[0]])
		delete(c.byKey, c.order[0])
		c.order = c.order[1:]
	}
}
