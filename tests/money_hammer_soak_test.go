//go:build soak

package tests

import (
	"testing"
	"time"
)

// The hammer's long form, which make soak runs.
const (
	hammerTime       = 10 * time.Minute
	hammerOperations = 20_000
)

func TestSoakMoneyHammer(t *testing.T) { hammerMoney(t) }
