package server

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"atelier/models/event"
	"atelier/models/lane"
	"atelier/models/run"
	"atelier/models/tracing"
)

// done is the work that this process did: calls of nodes by type, leases by kind,
// attempts to deliver.
type done struct {
	nodeCalls, work, retries, attempts     *prometheus.CounterVec
	nodeSeconds, workSeconds, waited, sent *prometheus.HistogramVec
}

// How long things take that are waited for, and work that may take long.
var (
	shortTimes = []float64{.005, .02, .05, .1, .25, .5, 1, 2.5, 10, 60}
	longTimes  = []float64{.01, .1, .5, 1, 5, 20, 60, 300, 900}
)

func newDone() *done {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64, label string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, []string{label})
	}
	return &done{
		nodeCalls:   counter("atelier_node_calls_total", "Calls of nodes by type, by the pool that did them, inline with the run or another node, and by how they ended.", "type", "pool", "outcome"),
		nodeSeconds: histogram("atelier_node_seconds", "How long calls of nodes took, by type.", longTimes, "type"),
		work:        counter("atelier_work_total", "Pieces of work that workers let go, by kind and outcome: done, unfinished, lost (another had it, or it was cancelled), given_back.", "kind", "outcome"),
		workSeconds: histogram("atelier_work_seconds", "How long workers were at a piece of work, by kind.", longTimes, "kind"),
		waited:      histogram("atelier_work_waited_seconds", "How long pieces of work were due before a worker took them, by kind.", longTimes, "kind"),
		retries:     counter("atelier_work_retries_total", "Pieces of work that were taken another time, by kind.", "kind"),
		attempts:    counter("atelier_delivery_attempts_total", "Attempts to deliver events: delivered, answered (by anything but success), silent, unsent.", "outcome"),
		sent:        histogram("atelier_delivery_seconds", "How long receivers of events took, by outcome.", shortTimes, "outcome"),
	}
}

func (d *done) collectors() []prometheus.Collector {
	return []prometheus.Collector{d.nodeCalls, d.nodeSeconds, d.work, d.workSeconds, d.waited, d.retries, d.attempts, d.sent}
}

func (d *done) node(ctx context.Context, call run.NodeCall) {
	d.nodeCalls.WithLabelValues(call.Type, call.Pool, call.Outcome).Inc()
	observe(ctx, d.nodeSeconds.WithLabelValues(call.Type), call.Took)
}

func (d *done) lease(ctx context.Context, did lane.Did) {
	d.work.WithLabelValues(did.Kind, did.Outcome).Inc()
	observe(ctx, d.workSeconds.WithLabelValues(did.Kind), did.Took)
	observe(ctx, d.waited.WithLabelValues(did.Kind), did.Waited)
	if did.Attempt > 1 {
		d.retries.WithLabelValues(did.Kind).Inc()
	}
}

func (d *done) attempt(ctx context.Context, a event.Attempted) {
	d.attempts.WithLabelValues(a.Outcome).Inc()
	observe(ctx, d.sent.WithLabelValues(a.Outcome), a.Took)
}

// observe adds a time to a histogram, with the trace that it is of, where there is one, as its example.
func observe(ctx context.Context, histogram prometheus.Observer, took time.Duration) {
	if traceID, spanID := tracing.IDs(ctx); traceID != "" {
		if exemplary, ok := histogram.(prometheus.ExemplarObserver); ok {
			exemplary.ObserveWithExemplar(took.Seconds(), prometheus.Labels{"trace_id": traceID, "span_id": spanID})
			return
		}
	}
	histogram.Observe(took.Seconds())
}
