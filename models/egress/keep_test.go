package egress_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models/egress"
)

// counted is an https server that counts its connections: all, and those open now.
type counted struct {
	*httptest.Server
	all, open, resumed atomic.Int64
}

func newCounted(t testing.TB, h2 bool, handler http.HandlerFunc) *counted {
	t.Helper()
	c := &counted{Server: httptest.NewUnstartedServer(nil)}
	c.Config.ErrorLog = quiet
	c.EnableHTTP2 = h2
	c.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if (r.ProtoMajor == 2) != h2 {
			t.Errorf("%s, want HTTP/2: %v", r.Proto, h2)
		}
		handler(w, r)
	})
	c.Config.ConnState = func(conn net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			c.all.Add(1)
			c.open.Add(1)
		case http.StateActive:
			if secure, ok := conn.(*tls.Conn); ok && secure.ConnectionState().DidResume {
				c.resumed.Add(1)
			}
		case http.StateClosed, http.StateHijacked:
			c.open.Add(-1)
		}
	}
	c.StartTLS()
	t.Cleanup(c.Close)
	return c
}

// named is the server's address under a name of its certificate.
func (c *counted) named() string {
	_, port, _ := net.SplitHostPort(c.Listener.Addr().String())
	return "https://example.com:" + port + "/"
}

func (c *counted) client(config egress.Config) *egress.Client {
	config.RootCAs = roots(c.Server)
	if config.Keep.Idle == 0 {
		config.Keep = egress.Deliveries
	}
	return lab(config)
}

// wantEventually waits for a number.
func wantEventually(t *testing.T, what string, want int64, got func() int64) {
	t.Helper()
	for began := time.Now(); got() != want; time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%s: %d, want %d", what, got(), want)
		}
	}
}

func bothVersions(t *testing.T, test func(t *testing.T, h2 bool)) {
	t.Run("HTTP1", func(t *testing.T) { test(t, false) })
	t.Run("HTTP2", func(t *testing.T) { test(t, true) })
}

func ok(t *testing.T, client *egress.Client, url string) *egress.Answer {
	t.Helper()
	answer, err := client.Exchange(post(t, url, "body"), 2048)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// Every complete answer leaves its connection to the next request.
func TestConnectionsAreKept(t *testing.T) {
	bothVersions(t, func(t *testing.T, h2 bool) {
		server := newCounted(t, h2, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			switch r.URL.Path {
			case "/204":
				w.WriteHeader(http.StatusNoContent)
			case "/304":
				w.WriteHeader(http.StatusNotModified)
			case "/302":
				http.Redirect(w, r, "/elsewhere", http.StatusFound)
			case "/500":
				http.Error(w, "no", http.StatusInternalServerError)
			case "/long":
				_, _ = io.Copy(w, io.LimitReader(endless{}, 20_000))
			case "/chunked":
				w.(http.Flusher).Flush()
				_, _ = io.Copy(w, io.LimitReader(endless{}, 5_000))
			}
		})
		client := server.client(egress.Config{})
		for _, path := range []string{"/", "/204", "/304", "/302", "/500", "/long", "/chunked", "/"} {
			ok(t, client, server.URL+path)
		}
		if n := server.all.Load(); n != 1 {
			t.Errorf("%d connections, want 1", n)
		}
		client.Close()
		wantEventually(t, "open after the end", 0, server.open.Load)
		ok(t, client, server.URL) // goes on, but keeps nothing
		wantEventually(t, "open after a late request", 0, server.open.Load)
	})
}

// A body without end costs its connection, in HTTP/2 its stream alone.
func TestEndlessBodies(t *testing.T) {
	bothVersions(t, func(t *testing.T, h2 bool) {
		server := newCounted(t, h2, func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, endless{}) })
		client := server.client(egress.Config{})
		began := time.Now()
		for range 3 {
			if answer := ok(t, client, server.URL); answer.Status != 200 || answer.Complete || len(answer.Body) != 2048 {
				t.Errorf("%d %v, %d bytes", answer.Status, answer.Complete, len(answer.Body))
			}
		}
		want := int64(3)
		if h2 {
			want = 1
		}
		if n := server.all.Load(); n != want || time.Since(began) > 30*time.Second {
			t.Errorf("%d connections in %v, want %d", n, time.Since(began), want)
		}
	})
}

// While a connection is open its name moves: to a private address, to mixed
// ones, to nowhere, and back.
func TestTheNameMovesWhileAConnectionIsOpen(t *testing.T) {
	bothVersions(t, func(t *testing.T, h2 bool) {
		var reached atomic.Int64
		server := newCounted(t, h2, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
		names := &resolver{answers: [][]string{
			{"127.0.0.1"}, {"192.168.0.1"}, {"127.0.0.1", "192.168.0.1"}, {"8.8.8.8", "169.254.169.254"}, {}, {"::ffff:192.168.0.1"}, {"127.0.0.1"},
		}}
		client := server.client(egress.Config{Resolver: names})
		for i := range names.answers {
			_, err := client.Exchange(post(t, server.named(), "x"), 10)
			want := egress.ClassBlockedAddress
			if i == 0 || i == len(names.answers)-1 {
				want = ""
			}
			wantClass(t, err, want)
		}
		if reached.Load() != 2 || server.all.Load() != 1 {
			t.Errorf("reached %d times on %d connections, want 2 on 1", reached.Load(), server.all.Load())
		}
	})
}

// A kept connection is taken only where its address is among those just judged.
func TestKeptConnectionsLeadToJudgedAddresses(t *testing.T) {
	var peers sync.Map
	server := newCounted(t, false, func(_ http.ResponseWriter, r *http.Request) {
		peers.Store(r.Context().Value(http.LocalAddrContextKey).(net.Addr).String(), true)
	})
	other, err := net.Listen("tcp", strings.Replace(server.Listener.Addr().String(), "127.0.0.1", "127.0.0.2", 1))
	if err != nil {
		t.Skip(err)
	}
	go server.Config.Serve(tls.NewListener(other, server.TLS))
	names := &resolver{answers: [][]string{{"127.0.0.1"}, {"127.0.0.2"}, {"127.0.0.2", "127.0.0.1"}, {"127.0.0.1"}, {"127.0.0.2"}}}
	client := egress.New(egress.Config{
		AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Resolver: names, RootCAs: roots(server.Server), Keep: egress.Deliveries,
	})
	for i, want := range []int64{1, 2, 2, 2, 2} {
		ok(t, client, server.named())
		if got := server.all.Load(); got != want {
			t.Errorf("after request %d: %d connections, want %d", i, got, want)
		}
	}
}

func TestConnectionsOfOneHostAreNotAnothers(t *testing.T) {
	server := newCounted(t, true, func(http.ResponseWriter, *http.Request) {})
	client := server.client(egress.Config{Resolver: &resolver{answers: [][]string{{"127.0.0.1"}}}})
	for range 2 { // one certificate and address for both names
		ok(t, client, server.URL)
		ok(t, client, server.named())
	}
	if n := server.all.Load(); n != 2 {
		t.Errorf("%d connections, want 2", n)
	}
}

func TestSessionsAreResumed(t *testing.T) {
	bothVersions(t, func(t *testing.T, h2 bool) {
		server := newCounted(t, h2, func(http.ResponseWriter, *http.Request) {})
		client := server.client(egress.Config{})
		ok(t, client, server.URL)
		server.CloseClientConnections()
		wantEventually(t, "open", 0, server.open.Load)
		ok(t, client, server.URL)
		if server.all.Load() != 2 || server.resumed.Load() == 0 {
			t.Errorf("%d connections, %d resumed", server.all.Load(), server.resumed.Load())
		}
	})
}

// stage is what a receiver does with the second request on a connection.
type stage struct {
	act func(conn *tls.Conn, in *bufio.Reader)
	// replaced tells whether a new connection takes over.
	replaced bool
	want     string
	complete bool
}

func answer(conn net.Conn) {
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
}

func headers(in *bufio.Reader) {
	for line := ""; line != "\r\n"; {
		var err error
		if line, err = in.ReadString('\n'); err != nil {
			return
		}
	}
}

func abort(conn *tls.Conn) {
	_ = conn.NetConn().(*net.TCPConn).SetLinger(0)
	_ = conn.NetConn().Close()
}

var bigBody = strings.Repeat("b", 60<<10)

// Kept connections are closed and reset at every point.
func TestKeptConnectionsDie(t *testing.T) {
	half := func(in *bufio.Reader) { headers(in); _, _ = io.CopyN(io.Discard, in, int64(len(bigBody)/2)) }
	whole := func(in *bufio.Reader) { headers(in); _, _ = io.CopyN(io.Discard, in, int64(len(bigBody))) }
	some := func(text string) func(*tls.Conn, *bufio.Reader) {
		return func(c *tls.Conn, in *bufio.Reader) { whole(in); _, _ = io.WriteString(c, text) }
	}
	for name, test := range map[string]stage{
		"closed at the first byte":     {func(_ *tls.Conn, in *bufio.Reader) { _, _ = in.ReadByte() }, true, "", true},
		"reset at the first byte":      {func(c *tls.Conn, in *bufio.Reader) { _, _ = in.ReadByte(); abort(c) }, true, "", true},
		"closed after the headers":     {func(_ *tls.Conn, in *bufio.Reader) { headers(in) }, true, "", true},
		"reset after the headers":      {func(c *tls.Conn, in *bufio.Reader) { headers(in); abort(c) }, true, "", true},
		"closed in the request":        {func(_ *tls.Conn, in *bufio.Reader) { half(in) }, true, "", true},
		"reset in the request":         {func(c *tls.Conn, in *bufio.Reader) { half(in); abort(c) }, true, "", true},
		"closed before the first byte": {func(_ *tls.Conn, in *bufio.Reader) { whole(in) }, true, "", true},
		"reset before the first byte":  {func(c *tls.Conn, in *bufio.Reader) { whole(in); abort(c) }, true, "", true},
		"closed without a word of TLS": {func(c *tls.Conn, in *bufio.Reader) { whole(in); c.NetConn().Close() }, true, "", true},
		"closed after one byte":        {some("H"), false, egress.ClassNetworkError, false},
		"closed in the head":           {some("HTTP/1.1 200 OK\r\nX: y"), false, egress.ClassConnectionReset, false},
		"reset in the head": {func(c *tls.Conn, in *bufio.Reader) {
			some("HTTP/1.1 200")(c, in)
			time.Sleep(50 * time.Millisecond)
			abort(c)
		}, false, egress.ClassConnectionReset, false},
		"closed in the body":    {some("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"), false, "", false},
		"speaks something else": {some("220 mail ready\r\n\r\n"), false, egress.ClassNetworkError, false},
		"stalls":                {func(*tls.Conn, *bufio.Reader) { time.Sleep(5 * time.Second) }, false, egress.ClassTimeout, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var connections atomic.Int64
			raw, roots := hostile(t, func(conn net.Conn) {
				first := connections.Add(1) == 1
				in := bufio.NewReader(conn)
				for n := 0; ; n++ {
					if n == 1 && first {
						test.act(conn.(*tls.Conn), in)
						return
					}
					request, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					if size, _ := io.Copy(io.Discard, request.Body); size != int64(len(bigBody)) {
						t.Errorf("a body of %d bytes", size)
					}
					answer(conn)
				}
			})
			limit := 30 * time.Second
			if test.want == egress.ClassTimeout {
				limit = 3 * time.Second
			}
			client := lab(egress.Config{RootCAs: roots, Keep: egress.Deliveries, Timeout: limit})
			for i, want := range []string{"", test.want, ""} {
				got, err := client.Exchange(post(t, raw, bigBody), 2048)
				wantClass(t, err, want)
				if complete := got != nil && got.Complete; complete != (i != 1 || test.complete) {
					t.Errorf("request %d: complete is %v", i, complete)
				}
			}
			if got := connections.Load(); got != 2 {
				t.Errorf("%d connections, want 2", got)
			}
		})
	}
}

// One replacement is all: what it meets is the attempt's result. A connection
// that is closed between requests costs nothing.
func TestReplacedOnce(t *testing.T) {
	var requests atomic.Int64
	raw, roots := hostile(t, func(conn net.Conn) {
		in := bufio.NewReader(conn)
		for {
			request, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, request.Body)
			if requests.Add(1) > 1 {
				return
			}
			answer(conn)
		}
	})
	client := lab(egress.Config{RootCAs: roots, Keep: egress.Deliveries})
	ok(t, client, raw)
	_, err := client.Exchange(post(t, raw, "x"), 10)
	wantClass(t, err, egress.ClassConnectionReset)
	if requests.Load() != 3 {
		t.Errorf("%d requests, want 3", requests.Load())
	}
	req := post(t, raw, "")
	req.Body, req.GetBody = io.NopCloser(strings.NewReader("once")), nil // cannot be sent again
	_, err = client.Exchange(req, 10)
	wantClass(t, err, egress.ClassConnectionReset)
	if requests.Load() != 4 {
		t.Errorf("%d requests, want 4", requests.Load())
	}
}

// A receiver that closes after each answer without saying so never fails an attempt.
func TestClosedBetweenRequests(t *testing.T) {
	raw, roots := hostile(t, func(conn net.Conn) {
		if request, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			_, _ = io.Copy(io.Discard, request.Body)
			answer(conn)
		}
	})
	client := lab(egress.Config{RootCAs: roots, Keep: egress.Deliveries})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 100 {
				if _, err := client.Exchange(post(t, raw, "x"), 10); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

// What arrives unasked on a connection is no answer to the next request.
func TestUnaskedAnswers(t *testing.T) {
	ended := make(chan struct{}, 20)
	raw, roots := hostile(t, func(conn net.Conn) {
		in := bufio.NewReader(conn)
		for {
			request, err := http.ReadRequest(in)
			if err != nil {
				ended <- struct{}{}
				return
			}
			_, _ = io.Copy(io.Discard, request.Body)
			answer(conn)
			_, _ = io.WriteString(conn, "HTTP/1.1 418 Unasked\r\nContent-Length: 0\r\n\r\n")
		}
	})
	client := lab(egress.Config{RootCAs: roots, Keep: egress.Deliveries})
	for range 20 {
		if got := ok(t, client, raw); got.Status != 200 {
			t.Fatal(got.Status)
		}
		select { // the client ends a connection that says what no one asked
		case <-ended:
		case <-time.After(time.Minute):
			t.Fatal("the connection goes on")
		}
	}
}

func TestIdleConnectionsEnd(t *testing.T) {
	bothVersions(t, func(t *testing.T, h2 bool) {
		t.Parallel()
		server := newCounted(t, h2, func(http.ResponseWriter, *http.Request) {})
		client := server.client(egress.Config{Keep: egress.Keep{Idle: 4, For: 3 * time.Second}})
		for range 4 {
			ok(t, client, server.URL)
			time.Sleep(1100 * time.Millisecond) // each use begins the time again
		}
		if n := server.all.Load(); n != 1 {
			t.Errorf("%d connections, want 1", n)
		}
		wantEventually(t, "open", 0, server.open.Load)
	})
}

func TestTheNumberOfIdleConnectionsIsBounded(t *testing.T) {
	var gate sync.WaitGroup
	handler := func(http.ResponseWriter, *http.Request) { gate.Done(); gate.Wait() }
	servers := []*counted{newCounted(t, false, handler), newCounted(t, false, handler), newCounted(t, false, handler)}
	client := servers[0].client(egress.Config{Keep: egress.Keep{Idle: 7, PerHost: 3}}) // all have the same certificate
	for i, want := range [][]int64{{3, 0, 0}, {3, 3, 0}, {1, 3, 3}, {3, 1, 3}} {
		var group sync.WaitGroup
		gate.Add(5)
		for range 5 {
			group.Go(func() { ok(t, client, servers[i%3].URL) })
		}
		group.Wait()
		for n, server := range servers {
			wantEventually(t, fmt.Sprintf("round %d, server %d", i, n), want[n], server.open.Load)
		}
	}
}

// slowNames answers when told, and counts the questions.
type slowNames struct {
	asked  atomic.Int64
	answer chan string
}

func (s *slowNames) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	s.asked.Add(1)
	select {
	case text := <-s.answer:
		return []netip.Addr{netip.MustParseAddr(text)}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Requests share the answer to a question for a name, but none is given one to
// a question that was put before the request came.
func TestQuestionsForNamesAreShared(t *testing.T) {
	server := newCounted(t, true, func(http.ResponseWriter, *http.Request) {})
	names := &slowNames{answer: make(chan string)}
	client := server.client(egress.Config{Resolver: names})
	results := make(chan error, 100)
	send := func() {
		_, err := client.Exchange(post(t, server.named(), "x"), 10)
		results <- err
	}
	go send()
	wantEventually(t, "questions", 1, names.asked.Load)
	for range 50 {
		go send() // while the first question has no answer yet
	}
	time.Sleep(500 * time.Millisecond)
	names.answer <- "127.0.0.1"
	wantClass(t, <-results, "")
	names.answer <- "192.168.0.1" // it has moved since
	for range 50 {
		wantClass(t, <-results, egress.ClassBlockedAddress)
	}
	if n := names.asked.Load(); n != 2 {
		t.Errorf("%d questions, want 2", n)
	}
	// a question that takes long keeps no one waiting
	go send()
	wantEventually(t, "questions", 3, names.asked.Load)
	go send()
	wantEventually(t, "questions", 4, names.asked.Load)
	names.answer <- "127.0.0.1"
	names.answer <- "127.0.0.1"
	wantClass(t, <-results, "")
	wantClass(t, <-results, "")
}

func TestOwnResolverDown(t *testing.T) {
	bothWays(t, func(t *testing.T, keep egress.Keep) {
		notFound := &net.DNSError{Err: "no such host", IsNotFound: true}
		for name, test := range map[string]struct {
			err  error
			want bool
		}{
			"answers": {nil, true}, "knows no such name": {notFound, true},
			"fails":        {&net.DNSError{Err: "server misbehaving", IsTemporary: true}, false},
			"is not there": {errors.New("connection refused"), false}, "is silent": {context.DeadlineExceeded, false},
		} {
			client := egress.New(egress.Config{Keep: keep, Resolver: &resolver{answers: [][]string{{"8.8.8.8"}}, err: test.err}})
			if got := client.Resolves(t.Context()); got != test.want {
				t.Errorf("a resolver that %s works: %v", name, got)
			}
		}
	})
}

func openFiles(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(entries)
}

// Thousands of requests to receivers of all kinds leave nothing behind.
func TestNothingLeaks(t *testing.T) {
	misbehave := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/0":
			_, _ = io.Copy(w, io.LimitReader(endless{}, 300_000))
		case "/1":
			panic(http.ErrAbortHandler)
		case "/2":
			select {
			case <-r.Context().Done():
			case <-time.After(100 * time.Millisecond):
			}
		case "/3":
			w.Header().Set("Connection", "close")
		case "/4":
			w.WriteHeader(http.StatusNoContent)
		}
	}
	var servers []*counted
	for _, h2 := range []bool{false, true} {
		servers = append(servers, newCounted(t, h2, misbehave))
	}
	before, files := runtime.NumGoroutine(), openFiles(t)
	client := servers[0].client(egress.Config{Keep: egress.Keep{Idle: 16, PerHost: 8}})
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			for n := range 150 {
				path := (n/2 + i) % 16
				request := post(t, fmt.Sprintf("%s/%d", servers[n%2].URL, path), "x")
				if path == 2 {
					ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
					defer cancel()
					request = request.WithContext(ctx)
				}
				_, _ = client.Exchange(request, 2048)
			}
		})
	}
	group.Wait()
	client.Close()
	for _, server := range servers {
		wantEventually(t, "open", 0, server.open.Load)
	}
	settled := func() int64 {
		return int64(max(runtime.NumGoroutine()-before, 0) + max(openFiles(t)-files, 0))
	}
	wantEventually(t, "goroutines and files", 0, settled)
}
