//go:build !race

package tests

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// measurements are what `make bench` measures, in the order of its table.
var measurements = []func(testing.TB){
	benchRunAccept, benchDeliveries, benchRunInAFlood, benchDeliveryLatency, benchDeliveriesWhileRunsCome, benchBesideAHangingEndpoint,
	benchAppRead, benchConsolePage, benchThreeStepRun, benchChain, benchNodeJobs, benchLargeOrganization, benchStorage, benchTriggerCalls,
	benchUsage, benchUsageExports, benchMillionRuns,
}

// subject is the name of a measurement without the word bench.
func subject(measure func(testing.TB)) string {
	_, name, _ := strings.Cut(runtime.FuncForPC(reflect.ValueOf(measure).Pointer()).Name(), ".bench")
	return name
}

// BenchmarkService measures the service beside bare baselines.
func BenchmarkService(b *testing.B) {
	for _, measure := range measurements {
		b.Run(subject(measure), func(b *testing.B) { measure(b) })
	}
}

// TestMeasurements makes each measurement once with next to nothing, so that `make bench` works when it is wanted.
func TestMeasurements(t *testing.T) {
	trial = true
	defer func() { trial = false }()
	for _, measure := range measurements {
		t.Run(subject(measure), func(t *testing.T) { measure(t) })
	}
}
