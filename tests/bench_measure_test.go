package tests

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// trial is measuring so little that the figures say nothing, but the measurements are known to work.
var trial bool

// times is how often something is done or how many of it there are: n for figures, at most two in a trial.
func times(n int) int {
	if trial {
		return min(n, 2)
	}
	return n
}

// figure is what was measured of one way of doing something.
type figure struct {
	p50, p99   time.Duration // of one client alone
	rate       float64       // a second, of several clients
	statements float64       // for each operation
	allocs     float64
	bytes      float64
}

// report adds a figure to what a benchmark tells.
func report(b testing.TB, value float64, unit string) {
	if b, ok := b.(*testing.B); ok {
		b.ReportMetric(value, unit)
	}
}

// row prints a line of the table that scripts/bench collects, and reports the
// same to the benchmark.
func row(b testing.TB, what string, ours, bare figure, baseline string) {
	report(b, 0, "ns/op")
	cell := func(v float64, form string) string {
		if v == 0 {
			return "–"
		}
		return fmt.Sprintf(form, v)
	}
	milliseconds := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	latency, throughput := 0.0, 0.0
	if bare.p50 > 0 {
		latency = float64(ours.p50) / float64(bare.p50)
		report(b, latency, "latency-ratio")
	}
	if bare.rate > 0 && ours.rate > 0 {
		throughput = ours.rate / bare.rate
		report(b, throughput, "rate-ratio")
	}
	report(b, ours.statements, "statements/op")
	line := fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", what,
		cell(milliseconds(ours.p50), "%.2f"), cell(milliseconds(ours.p99), "%.2f"), cell(ours.rate, "%.0f"),
		cell(ours.statements, "%.1f"), cell(ours.allocs, "%.0f"),
		baseline, cell(milliseconds(bare.p50), "%.2f"), cell(bare.rate, "%.0f"), cell(latency, "%.1f"), cell(throughput, "%.2f"))
	if !trial {
		fmt.Fprint(os.Stdout, "\n", line)
	}
}

// alternate measures two operations turn by turn, so that whatever else the
// machine does falls on both alike.
func alternate(n int, ours, bare func()) (o, r figure) {
	var mine, theirs []time.Duration
	for range n {
		mine = append(mine, took(ours))
		theirs = append(theirs, took(bare))
	}
	o.p50, o.p99 = quantiles(mine)
	r.p50, r.p99 = quantiles(theirs)
	return o, r
}

func took(fn func()) time.Duration {
	began := time.Now()
	fn()
	return time.Since(began)
}

func quantiles(all []time.Duration) (p50, p99 time.Duration) {
	slices.Sort(all)
	return all[len(all)/2], all[len(all)*99/100]
}

// rate is how often clients together did fn within a time.
func rate(clients int, length time.Duration, fn func(client int)) float64 {
	if trial {
		clients, length = min(clients, 2), length/200
	}
	var all sync.WaitGroup
	var n atomic.Int64
	began := time.Now()
	for i := range clients {
		all.Go(func() {
			for time.Since(began) < length {
				fn(i)
				n.Add(1)
			}
		})
	}
	all.Wait()
	return float64(n.Load()) / time.Since(began).Seconds()
}

// rates measures two operations in turns of a second each, once connections are
// there and statements planned.
func rates(clients, turns int, ours, bare func(client int)) (o, r float64) {
	rate(clients, time.Second, ours)
	rate(clients, time.Second, bare)
	for range turns {
		o += rate(clients, time.Second, ours) / float64(turns)
		r += rate(clients, time.Second, bare) / float64(turns)
	}
	return o, r
}

// perCall counts what one call of a handler allocates, without network.
func perCall(handler http.Handler, request func() *http.Request) (allocs, bytes float64) {
	calls := times(200)
	handler.ServeHTTP(httptest.NewRecorder(), request())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		handler.ServeHTTP(httptest.NewRecorder(), request())
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(calls), float64(after.TotalAlloc-before.TotalAlloc) / float64(calls)
}

// perOperation is how many statements one operation makes.
func (s *statements) perOperation(n int, fn func()) float64 {
	before := s.n.Load()
	for range n {
		fn()
	}
	return float64(s.n.Load()-before) / float64(n)
}

// fetch reads an answer whole and fails on another status.
func fetch(b testing.TB, client *http.Client, request *http.Request, status int) {
	response, err := client.Do(request)
	if err != nil {
		b.Error(err)
		return
	}
	defer response.Body.Close()
	body := readAll(response.Body)
	if response.StatusCode != status {
		b.Errorf("%s %s: %d %s", request.Method, request.URL, response.StatusCode, body)
	}
}

// manyConnections is a client that keeps a connection for each of many callers.
var manyConnections = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}}

func get(b testing.TB, address string, header http.Header) func() *http.Request {
	return func() *http.Request {
		request, err := http.NewRequest("GET", address, nil)
		if err != nil {
			b.Fatal(err)
		}
		for key, values := range header {
			request.Header[key] = values
		}
		return request
	}
}
