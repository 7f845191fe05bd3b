package models

import "fmt"

// Hooks are what other packages do when something happens in one, in the order in which they
// registered. A package offers them in its hooks.go, and others register there.
type Hooks[F any] []Hook[F]

// Hook is one of them. Its name says of which package it is and what it does, such as
// "credit: open a wallet".
type Hook[F any] struct {
	Name string
	Do   F
}

// Add registers a hook.
func (h *Hooks[F]) Add(name string, do F) { *h = append(*h, Hook[F]{name, do}) }

// Names lists the hooks in their order.
func (h Hooks[F]) Names() []string {
	names := make([]string, len(h))
	for i, hook := range h {
		names[i] = hook.Name
	}
	return names
}

// Failed adds the hook's name to an error; refusals stay as they are, and nil is nil.
func (h Hook[F]) Failed(err error) error {
	if _, refusal := AsError(err); refusal || err == nil {
		return err
	}
	return fmt.Errorf("%s: %w", h.Name, err)
}

// HookPoint is something that happens, and the names of the hooks that follow it.
type HookPoint struct {
	Event string
	Hooks []string
}
