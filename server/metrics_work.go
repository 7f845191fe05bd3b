package server

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"

	"atelier/models"
	"atelier/models/event"
	"atelier/models/lane"
)

// traffic is what came in over HTTP, by route.
type traffic struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

func newTraffic() *traffic {
	return &traffic{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "atelier_http_requests_total", Help: "Requests by route, method and status.",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "atelier_http_request_seconds", Help: "How long requests took, by route; held answers and streams take as long as they are held.",
			Buckets: shortTimes,
		}, []string{"route"}),
	}
}

func (t *traffic) collectors() []prometheus.Collector {
	return []prometheus.Collector{t.requests, t.seconds}
}

// noRoute is the route of what matches none: addresses that clients make up must not become labels.
const noRoute = "none"

// count counts a request.
func (t *traffic) count(ctx context.Context, route, method string, status int, took time.Duration) {
	t.requests.WithLabelValues(route, knownMethod(method), strconv.Itoa(status)).Inc()
	observe(ctx, t.seconds.WithLabelValues(route), took)
}

// knownMethod is the method of a request; only those that routes have are told apart.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

type routeKey struct{}

// withRoute is a context in which the route that a request takes is noted.
func withRoute(ctx context.Context) (context.Context, *string) {
	route := noRoute
	return context.WithValue(ctx, routeKey{}, &route), &route
}

// noteRoute notes the route that matched.
func noteRoute(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if noted, ok := r.Context().Value(routeKey{}).(*string); ok {
			if template, err := mux.CurrentRoute(r).GetPathTemplate(); err == nil {
				*noted = template
			}
		}
		next.ServeHTTP(w, r)
	})
}

// queues are the figures of lanes, asked from the database when they are read.
type queues struct {
	db                      *models.DB
	waiting, atWork, oldest *prometheus.Desc
	resting                 *prometheus.Desc
}

func newQueues(db *models.DB) *queues {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, []string{"kind"}, nil)
	}
	return &queues{
		db,
		desc("atelier_queue_waiting", "Pieces of work that could begin now, by kind: deliveries, and the pools of nodes."),
		desc("atelier_queue_at_work", "Pieces of work under way, by kind."),
		desc("atelier_queue_oldest_seconds", "For how long the oldest piece of work that could begin has waited, by kind."),
		prometheus.NewDesc("atelier_endpoints_resting", "Endpoints that get nothing for a while, for they do not answer.", nil, nil),
	}
}

func (q *queues) Describe(out chan<- *prometheus.Desc) {
	out <- q.waiting
	out <- q.atWork
	out <- q.oldest
	out <- q.resting
}

// Collect asks within a second, on the reserve; without an answer there are no figures.
func (q *queues) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(models.FromReserve(context.Background()), time.Second)
	defer cancel()
	all, err := lane.FindKinds(ctx, q.db)
	if err != nil {
		return
	}
	if resting, err := lane.CountResting(ctx, q.db, event.Lane); err == nil {
		out <- prometheus.MustNewConstMetric(q.resting, prometheus.GaugeValue, float64(resting))
	}
	now := q.db.Clock.Now()
	for _, kind := range all {
		var oldest time.Duration
		if kind.OldestDue != nil {
			oldest = max(0, now.Sub(*kind.OldestDue))
		}
		for desc, value := range map[*prometheus.Desc]float64{q.waiting: float64(kind.Waiting), q.atWork: float64(kind.AtWork), q.oldest: oldest.Seconds()} {
			out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, kind.Kind)
		}
	}
}
