//go:build race

package main

// raceEnabled builds the program under test with the race detector too.
const raceEnabled = true
