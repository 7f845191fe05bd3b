package tests

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestFloodOfVisitors has many visitors ask at full speed for everything that
// no one needs an account for, while a person who is signed in runs a workflow:
// the visitors are answered or told to come back, the runs succeed, the service
// stays ready, and its memory stays bounded.
func TestFloodOfVisitors(t *testing.T) {
	t.Parallel()
	p := startService(t, "LOG_LEVEL=error")
	_, token := newcomer(t, p, "Runner")
	workflow := token.post("/v1/workflows", threeSteps).want(201).text("data.id")
	stop := flood(p.URL, floodClients, func(status int) {
		switch status {
		case 200, 400, 401, 403, 404, 429, 503:
		default:
			t.Errorf("a visitor was answered %d", status)
		}
	})
	defer stop()
	visitor := client{t: t, URL: p.URL}
	for end := time.Now().Add(floodTime); time.Now().Before(end); {
		token.post("/v1/workflows/"+workflow+"/run?wait=true", object{}).want(200)
		visitor.get("/readyz").want(200)
		time.Sleep(floodTime / 250) // an account may start 300 runs a minute
	}
	if most := residentOf(p.cmd.Process.Pid); most > 1<<30 {
		t.Errorf("the flood took %d MiB", most>>20)
	}
	stop()
	visitor.get("/login").want(200)
}

// flood sends visitors' requests until it is stopped; statuses are told.
func flood(url string, clients int, answered func(status int)) (stop func()) {
	ctx, end := context.WithCancel(context.Background())
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for n := i; ctx.Err() == nil; n++ {
				method, path, body := visits[n%len(visits)][0], visits[n%len(visits)][1], visits[n%len(visits)][2]
				request, _ := http.NewRequestWithContext(ctx, method, url+path, strings.NewReader(strings.ReplaceAll(body, "N", strconv.Itoa(rand.IntN(1e6)))))
				if body != "" {
					request.Header.Set("Content-Type", "application/json")
				}
				response, err := transport.RoundTrip(request)
				if err != nil {
					continue // the flood ends
				}
				readAll(response.Body)
				response.Body.Close()
				answered(response.StatusCode)
			}
		})
	}
	return sync.OnceFunc(func() { end(); all.Wait(); transport.CloseIdleConnections() })
}

// visits are the requests that no one needs an account for: method, path, body.
var visits = [][3]string{
	{"GET", "/login", ""}, {"GET", "/sign-up", ""}, {"GET", "/join", ""}, {"GET", "/app/nothing", ""}, {"GET", "/embed/nothing", ""},
	{"GET", "/v1/app/nothing", ""}, {"GET", "/v1/openapi.json", ""}, {"GET", "/v1/invitations/by-token/nonsense", ""}, {"GET", "/media/none", ""},
	{"POST", "/auth/sign-in", `{"email":"xN@example.com","password":"wrong wrong wrong"}`},
	{"POST", "/auth/sign-up", `{"email":"nobody","password":"short","displayName":"X"}`},
	{"POST", "/graphql", `{"query":"{ nodeTypes { type label } }"}`},
}

// residentOf is the memory of a process in bytes; 0 where it cannot be read.
func residentOf(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize()
}

// TestSlowBodies begins forms, JSON and uploads without ending them: each is
// ended by the service, whose other visitors are answered meanwhile.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	p := startService(t, "LOG_LEVEL=error")
	session, _ := newcomer(t, p, "Slow")
	var late atomic.Int64
	var all sync.WaitGroup
	for i := range 90 {
		head := [...]string{
			"POST /auth/sign-in HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n",
			"POST /auth/sign-in HTTP/1.1\r\nContent-Type: application/json\r\n",
			"POST /v1/projects HTTP/1.1\r\nContent-Type: application/json\r\nIdempotency-Key: k" + strconv.Itoa(i) + "\r\nAuthorization: Bearer " + session.token + "\r\n",
		}[i%3]
		all.Go(func() {
			conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(2 * time.Minute))
			fmt.Fprintf(conn, "%sHost: here\r\nContent-Length: 1000\r\n\r\n{\"emai", head)
			answer := make([]byte, 64)
			n, err := conn.Read(answer)
			if err != nil || !strings.HasPrefix(string(answer[:n]), "HTTP/1.1 408") {
				t.Errorf("a body that does not come: %q, %v", answer[:n], err)
			}
			late.Add(1)
		})
	}
	visitor := client{t: t, URL: p.URL}
	for late.Load() == 0 {
		visitor.get("/login").want(200)
		session.get("/v1/me").want(200)
		time.Sleep(200 * time.Millisecond)
	}
	all.Wait()
}
