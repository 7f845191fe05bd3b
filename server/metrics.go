package server

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"atelier/models"
)

// serveMetrics serves /metrics on METRICS_ADDR, when it is set, until the
// returned function is called.
func (s *Server) serveMetrics() (stop func(), err error) {
	if s.MetricsAddr == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", s.MetricsAddr)
	if err != nil {
		return nil, fmt.Errorf("METRICS_ADDR: %w", err)
	}
	router := http.NewServeMux()
	router.Handle("/metrics", promhttp.HandlerFor(s.registry(), promhttp.HandlerOpts{EnableOpenMetrics: true}))
	server := &http.Server{Handler: router, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }()
	return func() { _ = server.Close() }, nil
}

// registry has every figure of the process.
func (s *Server) registry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "atelier_join_codes_refused_total", Help: "Join codes that admitted no one; a rise means that someone is guessing.",
		}, func() float64 { return float64(s.Orgs.JoinCodes().Refused()) }))
	registry.MustRegister(s.scheduleMetrics()...)
	registry.MustRegister(s.ledgerMetrics()...)
	registry.MustRegister(s.standbyMetrics()...)
	registry.MustRegister(s.traffic.collectors()...)
	registry.MustRegister(s.done.collectors()...)
	registry.MustRegister(newConnections(s.DB), newQueues(s.DB), newNodeMetrics(s.install),
		gauge("atelier_backup_seconds", "When the last backup was made, in seconds since 1970; -1 when it is not known.", func() float64 {
			if at := s.lastBackup(); at != nil {
				return float64(at.Unix())
			}
			return -1
		}))
	return registry
}

// connections are the figures of the pools of connections.
type connections struct {
	pools                     map[string]*pgxpool.Pool
	all, busy, waits, waiting *prometheus.Desc
}

func newConnections(db *models.DB) *connections {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, []string{"pool"}, nil)
	}
	return &connections{
		map[string]*pgxpool.Pool{"requests": db.Pool, "work": db.Work, "reserve": db.Reserve, "deliveries": db.Deliveries},
		desc("atelier_database_connections", "Connections to the database by pool: of requests, background work, deliveries and the reserve."),
		desc("atelier_database_connections_busy", "Those of them that are in use, by pool."),
		desc("atelier_database_waits_total", "How often a connection was waited for, by pool."),
		desc("atelier_database_wait_seconds_total", "For how long connections were waited for in all, by pool."),
	}
}

func (c *connections) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{c.all, c.busy, c.waits, c.waiting} {
		out <- desc
	}
}

func (c *connections) Collect(out chan<- prometheus.Metric) {
	for name, pool := range c.pools {
		stat := pool.Stat()
		out <- prometheus.MustNewConstMetric(c.all, prometheus.GaugeValue, float64(stat.TotalConns()), name)
		out <- prometheus.MustNewConstMetric(c.busy, prometheus.GaugeValue, float64(stat.AcquiredConns()), name)
		out <- prometheus.MustNewConstMetric(c.waits, prometheus.CounterValue, float64(stat.EmptyAcquireCount()), name)
		out <- prometheus.MustNewConstMetric(c.waiting, prometheus.CounterValue, stat.EmptyAcquireWaitTime().Seconds(), name)
	}
}

func gauge(name, help string, value func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
}

// standbyMetrics tell whether reports are read from the standby.
func (s *Server) standbyMetrics() []prometheus.Collector {
	reads := func(from string, value func() float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "atelier_standby_reads_total", Help: "Reads of reports, by the server that answered.", ConstLabels: prometheus.Labels{"from": from},
		}, value)
	}
	return []prometheus.Collector{
		gauge("atelier_standby_usable", "1 while reports are read from the standby, 0 while it is not usable; -1 where none is set or no reports are read.", func() float64 {
			switch {
			case !s.DB.WatchesStandby():
				return -1
			case s.DB.StandbyState().Usable:
				return 1
			}
			return 0
		}),
		gauge("atelier_standby_behind_seconds", "For how long the standby has not had what the primary wrote.", func() float64 { return s.DB.StandbyState().Behind.Seconds() }),
		reads("standby", func() float64 { served, _ := s.DB.StandbyReads(); return float64(served) }),
		reads("primary", func() float64 { _, declined := s.DB.StandbyReads(); return float64(declined) }),
	}
}

// scheduleMetrics are the minutes of schedules that this process has seen to.
func (s *Server) scheduleMetrics() []prometheus.Collector {
	counter := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value)
	}
	return []prometheus.Collector{
		counter("atelier_schedules_started_total", "Minutes of schedules that started a run.",
			func() float64 { started, _, _, _ := s.Triggers.FiredSchedules(); return float64(started) }),
		counter("atelier_schedules_not_started_total", "Minutes of schedules that were skipped, refused or missed.",
			func() float64 { _, other, _, _ := s.Triggers.FiredSchedules(); return float64(other) }),
		counter("atelier_schedules_late_total", "Minutes of schedules whose run started more than a second late.",
			func() float64 { _, _, late, _ := s.Triggers.FiredSchedules(); return float64(late) }),
		counter("atelier_schedules_lateness_seconds_total", "By how much the runs of schedules started late, in all.",
			func() float64 { _, _, _, seconds := s.Triggers.FiredSchedules(); return seconds }),
	}
}
