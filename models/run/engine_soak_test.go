//go:build soak

package run

import (
	"flag"
	"testing"
)

// The long forms of the engine's tests.

func TestSoakCancelRacesFinish(t *testing.T) { cancelRacesFinish(t, newEngine(t), 10_000) }

func TestSoakKillAtEachCommit(t *testing.T) {
	killAtCommits(t, 20, func(int) []bool { return []bool{false, true} })
}

func TestSoakChaos(t *testing.T) { chaos(t, 5000, 6, 1000) }

func TestSoakRandomGraphs(t *testing.T) {
	if err := flag.Set("rapid.checks", "5000"); err != nil {
		t.Fatal(err)
	}
	maxNodes = 90
	testRandomGraphs(t, newEngine(t))
}
