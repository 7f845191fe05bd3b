//go:build soak && !race

package tests

import (
	"testing"
	"time"
)

// The siege's long form, which make soak runs: the class may be three times as slow.
const (
	siegeClass     = 30
	siegeAttackers = 10
	siegeCalm      = 2 * time.Minute
	siegeTime      = time.Hour
	siegeSlowdown  = 3
	fatTextBytes   = 95 << 20
)

func TestSoakSiege(t *testing.T) { besiege(t) }
