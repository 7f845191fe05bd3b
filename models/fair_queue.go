package models

import (
	"context"
	"slices"
	"sync"
	"time"
)

// FairQueue holds callers that wait for something, by where they are from, and calls
// them in turn of that: who comes with many waits behind those who come with one. It is guarded by its owner's lock.
type FairQueue struct {
	waiting map[string][]chan struct{}
	order   []string // of those for whom a person waits
	n       int
}

// Len is how many wait, LenOf how many of one origin.
func (t *FairQueue) Len() int { return t.n }

// LenOf is how many of one origin wait.
func (t *FairQueue) LenOf(from string) int { return len(t.waiting[from]) }

// Add has a person wait; the channel closes when they are called.
func (t *FairQueue) Add(from string) chan struct{} {
	if t.waiting == nil {
		t.waiting = map[string][]chan struct{}{}
	}
	if len(t.waiting[from]) == 0 {
		t.order = append(t.order, from)
	}
	called := make(chan struct{})
	t.waiting[from] = append(t.waiting[from], called)
	t.n++
	return called
}

// Wait has a person wait until they are called: refusal once patience is over,
// the context's error when it ends. The lock mu, which guards the turns, is held
// and let go. Who was called in the same moment in which they gave up has an
// error and was called all the same: what they were called to is theirs to pass on.
func (t *FairQueue) Wait(ctx context.Context, mu *sync.Mutex, from string, patience time.Duration, refusal error) (called bool, err error) {
	call := t.Add(from)
	mu.Unlock()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-call:
		return true, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = refusal
	}
	mu.Lock()
	defer mu.Unlock()
	return !t.Remove(from, call), err
}

// Next calls the first one of the caller whose turn it is; false when no one waits.
func (t *FairQueue) Next() bool {
	_, called := t.NextWhere(func(string) bool { return true })
	return called
}

// NextWhere is Next for the first origin in turn that may be called; false when there is none.
func (t *FairQueue) NextWhere(may func(from string) bool) (from string, found bool) {
	i := slices.IndexFunc(t.order, may)
	if i < 0 {
		return "", false
	}
	from = t.order[i]
	called := t.waiting[from][0]
	t.order = slices.Delete(t.order, i, i+1)
	t.waiting[from] = t.waiting[from][1:]
	t.n--
	if len(t.waiting[from]) > 0 {
		t.order = append(t.order, from)
	} else {
		delete(t.waiting, from)
	}
	close(called)
	return from, true
}

// Remove takes out a person who waits no longer; false when they were called.
func (t *FairQueue) Remove(from string, called chan struct{}) bool {
	i := slices.Index(t.waiting[from], called)
	if i < 0 {
		return false
	}
	t.waiting[from] = slices.Delete(t.waiting[from], i, i+1)
	t.n--
	if len(t.waiting[from]) == 0 {
		delete(t.waiting, from)
		t.order = slices.DeleteFunc(t.order, func(s string) bool { return s == from })
	}
	return true
}
