package tests

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"atelier/models"
	"atelier/web"
)

// BenchmarkProfile does what is done most, with eight clients and without baselines, and tells what each time costs: figures
// that other work on the machine hardly changes. `make profile` adds where it is spent.
func BenchmarkProfile(b *testing.B) {
	b.Run("Accept", func(b *testing.B) {
		priced(b, "template-text", models.Credit/10)
		h := newTestServer(b)
		costs(b, h, h.appRuns(b), http.StatusAccepted)
	})
	b.Run("Class", func(b *testing.B) { // paid by a class, by eight of its students
		priced(b, "template-text", models.Credit/10)
		h := newTestServer(b)
		s := h.school()
		id := s.owner.in(s.class).post("/v1/workflows", threeSteps).want(201).text("data.id")
		s.owner.in(s.class).post("/v1/workflows/"+id+"/publish", object{"slug": "three-steps", "name": "Three steps"}).want(201)
		var requests []func() *http.Request
		for _, student := range h.people(8) {
			student.post("/v1/workspaces/join", object{"code": s.code}).want(200)
			run := h.post("/v1/app/three-steps/run", student.token, object{})
			requests = append(requests, func() *http.Request {
				r := run()
				r.Header.Set("X-Service-Workspace", s.class)
				return r
			})
		}
		h.exec(`UPDATE workspace_budgets SET allocated = allocated + 1000000000000`)
		costs(b, h, requests, http.StatusAccepted)
	})
	b.Run("Run", func(b *testing.B) {
		priced(b, "template-text", models.Credit/10)
		h := newTestServer(b)
		who := h.people(8)
		requests := make([]func() *http.Request, len(who))
		for i := range who {
			requests[i] = h.post("/v1/workflows/"+who[i].post("/v1/workflows", threeSteps).want(201).text("data.id")+"/run?wait=true", who[i].token, object{})
		}
		defer h.work()()
		costs(b, h, requests, http.StatusOK)
	})
	b.Run("Read", func(b *testing.B) {
		h := newTestServer(b)
		s := h.school()
		s.publish()
		costs(b, h, []func() *http.Request{get(b, h.server.URL+"/v1/app/poster", http.Header{"Authorization": {"Bearer " + s.owner.token}})}, http.StatusOK)
	})
	b.Run("Visit", func(b *testing.B) { // from many addresses
		h := newTestServer(b)
		h.school().publish()
		var requests []func() *http.Request
		for client := range 8 {
			requests = append(requests, get(b, h.server.URL+"/v1/app/poster", http.Header{"X-Forwarded-For": {fmt.Sprintf("192.0.2.%d", client)}}))
		}
		costs(b, h, requests, http.StatusOK)
	})
	b.Run("Overview", func(b *testing.B) {
		h := newTestServer(b)
		s := h.school()
		cookie := (&http.Cookie{Name: web.SessionCookie(false), Value: s.owner.token}).String()
		costs(b, h, []func() *http.Request{get(b, h.server.URL+"/orgs/"+s.school, http.Header{"Cookie": {cookie}})}, http.StatusOK)
	})
}

// appRuns are requests that start an app of three nodes, by a token each of eight accounts.
func (h *testServer) appRuns(b testing.TB) (requests []func() *http.Request) {
	people := h.people(8)
	id := people[0].post("/v1/workflows", threeSteps).want(201).text("data.id")
	people[0].post("/v1/workflows/"+id+"/publish", object{"slug": "three-steps", "name": "Three steps"}).want(201)
	for _, who := range people {
		token := who.post("/v1/api-tokens", object{"name": "bench"}).want(201).text("token")
		requests = append(requests, h.post("/v1/app/three-steps/run", token, object{}))
	}
	return requests
}

// costs makes the requests for b.N times, by turns with eight clients, and reports what one cost: processor time of this process,
// the client's included, and of the database's, statements, write-ahead log, and by pg_stat_statements, if it is there, buffers
// and time of planning.
func costs(b *testing.B, h *testServer, requests []func() *http.Request, status int) {
	each := func(n int) {
		var all sync.WaitGroup
		var done atomic.Int64
		for client := range 8 {
			all.Go(func() {
				for done.Add(1) <= int64(n) {
					fetch(b, manyConnections, requests[client%len(requests)](), status)
				}
			})
		}
		all.Wait()
	}
	each(400) // plans and pools are warm
	_, _ = h.DB.Pool.Exec(context.Background(), `CREATE EXTENSION IF NOT EXISTS pg_stat_statements`)
	_, _ = h.DB.Pool.Exec(context.Background(), `SELECT pg_stat_statements_reset()`)
	before := h.spent()
	began := time.Now()
	each(b.N)
	took := time.Since(began)
	after := h.spent()
	for i, unit := range []string{"own-us/op", "db-us/op", "statements/op", "wal-bytes/op", "buffers/op", "planning-us/op"} {
		b.ReportMetric((after[i]-before[i])/float64(b.N), unit)
	}
	b.ReportMetric(float64(b.N)/took.Seconds(), "/s")
	b.ReportMetric(0, "ns/op")
}

// spent is what this process and the database have used so far.
func (h *testServer) spent() (all [6]float64) {
	var used syscall.Rusage
	h.must(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	all[0] = float64(used.Utime.Nano()+used.Stime.Nano()) / 1e3
	all[2] = float64(h.tracer.n.Load())
	ctx := context.Background()
	h.must(h.DB.Pool.QueryRow(ctx, `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn`).Scan(&all[3]))
	_ = h.DB.Pool.QueryRow(ctx, `SELECT sum(shared_blks_hit + shared_blks_read), sum(total_plan_time) * 1000 FROM pg_stat_statements WHERE toplevel`).Scan(&all[4], &all[5])
	rows, err := h.DB.Pool.Query(ctx, `SELECT pid FROM pg_stat_activity WHERE datname = current_database()`)
	h.must(err)
	defer rows.Close()
	for rows.Next() {
		var pid int
		h.must(rows.Scan(&pid))
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // on another machine
		}
		_, line, _ := strings.Cut(string(stat), ") ")
		var user, system float64
		if fields := strings.Fields(line); len(fields) > 12 {
			_, _ = fmt.Sscan(fields[11]+" "+fields[12], &user, &system)
		}
		all[1] += (user + system) * 1e4 // of a hundredth of a second
	}
	h.must(rows.Err())
	return all
}
