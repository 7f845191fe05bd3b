package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"atelier/models/dbtest"

	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"
	"go.yaml.in/yaml/v3"
)

var (
	describedName = regexp.MustCompile(`fqName: "(atelier_\w+)"`)
	namedFigure   = regexp.MustCompile(`atelier_\w+`)
)

// The dashboard and the alerts name figures that there are, and the dashboard shows all of them.
func TestMonitoringFiles(t *testing.T) {
	db := dbtest.New(t)
	s := &Server{install: &install{DB: db}, traffic: newTraffic(), done: newDone()}
	described := make(chan *prometheus.Desc)
	go func() { s.registry().Describe(described); close(described) }()
	figures := map[string]bool{}
	for desc := range described {
		if found := describedName.FindStringSubmatch(desc.String()); found != nil {
			figures[found[1]] = true
		}
	}
	if len(figures) < 10 {
		t.Fatalf("there are %v", figures)
	}
	named := func(path string, into any, decode func([]byte, any) error) map[string]bool {
		t.Helper()
		text, err := os.ReadFile(path)
		if err == nil {
			err = decode(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, name := range namedFigure.FindAllString(string(text), -1) {
			name = strings.TrimSuffix(name, "_bucket")
			if found[name] = true; !figures[name] {
				t.Errorf("%s names %s, which there is not", path, name)
			}
		}
		return found
	}
	var board struct{ Panels []struct{ Title string } }
	shown := named("../docs/monitoring/grafana.json", &board, json.Unmarshal)
	for name := range figures {
		if !shown[name] {
			t.Errorf("the dashboard does not show %s", name)
		}
	}
	var alerts struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Annotations map[string]string
			}
		}
	}
	named("../docs/monitoring/alerts.yaml", &alerts, func(b []byte, into any) error { return yaml.Unmarshal(b, into) })
	if len(alerts.Groups) != 1 || len(alerts.Groups[0].Rules) < 5 {
		t.Fatalf("alerts %+v", alerts)
	}
	for _, rule := range alerts.Groups[0].Rules {
		if rule.Alert == "" || rule.Expr == "" || rule.Annotations["summary"] == "" {
			t.Errorf("%+v", rule)
		}
	}
}

// Addresses that clients make up are one route.
func TestRequestsAreCountedByRoute(t *testing.T) {
	traffic := newTraffic()
	router := mux.NewRouter()
	router.Use(noteRoute)
	router.HandleFunc("/v1/jobs/{id}", func(http.ResponseWriter, *http.Request) {})
	for _, target := range []string{"/v1/jobs/1", "/v1/jobs/2", "/made/up/1", "/made/up/2"} {
		r := httptest.NewRequest("GET", target, nil)
		ctx, route := withRoute(r.Context())
		router.ServeHTTP(httptest.NewRecorder(), r.WithContext(ctx))
		traffic.count(ctx, *route, "GET", 200, 0)
	}
	traffic.count(t.Context(), "", "BREW", 200, 0)
	registry := prometheus.NewRegistry()
	registry.MustRegister(traffic.collectors()...)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.Metric {
			if metric.Counter != nil {
				counted[metric.Label[0].GetValue()+" "+metric.Label[1].GetValue()] = metric.Counter.GetValue()
			}
		}
	}
	if len(counted) != 3 || counted["GET /v1/jobs/{id}"] != 2 || counted["GET none"] != 2 {
		t.Errorf("counted are %v", counted)
	}
}
