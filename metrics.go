package main

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// serveMetrics serves /metrics on METRICS_ADDR, when it is set, until the
// returned function is called.
func (h *house) serveMetrics() (stop func(), err error) {
	if h.MetricsAddr == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", h.MetricsAddr)
	if err != nil {
		return nil, fmt.Errorf("METRICS_ADDR: %w", err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		gauge("atelier_database_connections", "Connections of the pool.", func() float64 { return float64(h.db.Pool.Stat().TotalConns()) }),
		gauge("atelier_database_connections_busy", "Connections of the pool that are in use.", func() float64 { return float64(h.db.Pool.Stat().AcquiredConns()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "atelier_join_codes_refused_total", Help: "Join codes that admitted nobody; a rise is somebody guessing.",
		}, func() float64 { return float64(h.orgs.RefusedJoins()) }))
	router := http.NewServeMux()
	router.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: router, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }()
	return func() { _ = server.Close() }, nil
}

func gauge(name, help string, value func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
}
