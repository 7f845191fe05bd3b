//go:build !race && !soak

package tests

import "time"

// The siege's short form: whether the class is slowed down is not judged.
const (
	siegeClass     = 5
	siegeAttackers = 3
	siegeCalm      = 3 * time.Second
	siegeTime      = 10 * time.Second
	siegeSlowdown  = 0
	fatTextBytes   = 20 << 20
)
