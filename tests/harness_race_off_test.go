//go:build !race

package tests

// raceEnabled builds the program under test with the race detector too.
const raceEnabled = false
