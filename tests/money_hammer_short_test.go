//go:build !soak

package tests

import "time"

// The hammer's short form; HAMMER_TIME says another length.
const (
	hammerTime       = 6 * time.Second
	hammerOperations = 400
)
