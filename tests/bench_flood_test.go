package tests

import "testing"

// benchRunInAFlood compares a run of a person who is signed in while 500
// visitors ask at full speed with the same run without them.
func benchRunInAFlood(b testing.TB) {
	h := newTestServer(b)
	var runs []func() // of several people, so that no one's limit of a minute is reached
	for _, person := range h.people(4) {
		runs = append(runs, h.runWaiting(person, threeSteps))
	}
	next := 0
	run := func() {
		runs[next%len(runs)]()
		next++
	}
	defer h.work()()
	measure := func() (f figure) {
		f, _ = alternate(times(300), run, func() {})
		return f
	}
	run()
	quiet := measure()
	stop := flood(h.server.URL, times(500), func(int) {})
	defer stop()
	flooded := measure()
	row(b, "Three-step run with its result, in a flood of 500 visitors", flooded, quiet, "the same run without the flood")
	report(b, float64(flooded.p99)/float64(quiet.p99), "p99-ratio")
}
