package egress_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models/egress"
)

// BenchmarkExchange is a post of 2 KB to a TLS server on this machine, which
// costs its share: on a new connection (resumed or not), on a kept one, and
// beside them the bare client of the standard library.
func BenchmarkExchange(b *testing.B) {
	body := strings.Repeat("e", 2<<10)
	handler := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	}
	request := func(b *testing.B, url string) *http.Request {
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		return req
	}
	for _, version := range []struct {
		name string
		h2   bool
	}{{"HTTP1", false}, {"HTTP2", true}} {
		server := newCounted(b, version.h2, handler)
		exchange := func(client *egress.Client) func(b *testing.B) {
			return func(b *testing.B) {
				if _, err := client.Exchange(request(b, server.URL), 2048); err != nil {
					b.Error(err)
				}
			}
		}
		config := egress.Config{AllowCIDRs: loopback, RootCAs: roots(server.Server)}
		kept := config
		kept.Keep = egress.Deliveries
		ended := config // one that keeps nothing, but resumes
		ended.Keep = egress.Keep{Idle: 1, For: time.Nanosecond}
		bare := server.Client()
		bare.Transport.(*http.Transport).MaxIdleConnsPerHost = 128
		ways := []struct {
			name string
			do   func(b *testing.B)
		}{
			{"fresh", exchange(egress.New(config))},
			{"resumed", exchange(egress.New(ended))},
			{"kept", exchange(egress.New(kept))},
			{"bare", func(b *testing.B) {
				response, err := bare.Do(request(b, server.URL))
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, response.Body)
				response.Body.Close()
			}},
		}
		for _, way := range ways {
			if way.name == "fresh" && version.h2 {
				continue // it speaks HTTP/1.1 alone
			}
			b.Run(version.name+"/"+way.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					way.do(b)
				}
			})
			b.Run(version.name+"/"+way.name+"/64 at once", func(b *testing.B) {
				b.ReportAllocs()
				b.SetParallelism(32)
				before := server.all.Load()
				b.RunParallel(func(p *testing.PB) {
					for p.Next() {
						way.do(b)
					}
				})
				b.ReportMetric(float64(server.all.Load()-before)/float64(b.N), "connections/op")
			})
		}
	}
}

// BenchmarkRefusedAddress is what asking for a name and judging its address cost.
func BenchmarkRefusedAddress(b *testing.B) {
	var asked atomic.Int64
	client := egress.New(egress.Config{Keep: egress.Deliveries, Resolver: &resolver{answers: [][]string{{"192.168.0.1"}}}})
	b.ReportAllocs()
	for b.Loop() {
		req, _ := http.NewRequestWithContext(b.Context(), http.MethodPost, "https://example.com/", nil)
		if _, err := client.Exchange(req, 1); err == nil {
			asked.Add(1)
		}
	}
	if asked.Load() > 0 {
		b.Error("it was reached")
	}
}
