package egress_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models/egress"
)

// resolver answers each lookup with the next of its answers, the last one for good.
type resolver struct {
	answers [][]string
	asked   atomic.Int64
	err     error
}

func (r *resolver) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	n := int(r.asked.Add(1)) - 1
	if r.err != nil {
		return nil, r.err
	}
	var addrs []netip.Addr
	for _, text := range r.answers[min(n, len(r.answers)-1)] {
		addrs = append(addrs, netip.MustParseAddr(text))
	}
	return addrs, nil
}

func serve(t *testing.T, handler http.HandlerFunc) (*httptest.Server, *x509.CertPool) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = quiet
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
}

// lab is a client that may reach the loopback addresses.
func lab(config egress.Config) *egress.Client {
	config.AllowCIDRs = loopback
	if config.Timeout == 0 {
		config.Timeout = 3 * time.Second
	}
	return egress.New(config)
}

// bothWays runs a test with a client that keeps connections, and one that does not.
func bothWays(t *testing.T, test func(t *testing.T, keep egress.Keep)) {
	t.Run("kept", func(t *testing.T) { test(t, egress.Deliveries) })
	t.Run("fresh", func(t *testing.T) { test(t, egress.Keep{}) })
}

func post(t *testing.T, raw, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, raw, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func wantClass(t *testing.T, err error, want string) {
	t.Helper()
	if got := egress.Classify(err); got != want {
		t.Errorf("%v is %q, want %q", err, got, want)
	}
}

func TestExchange(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1") // which nothing may use
	server, roots := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Seen", string(body)+r.Header.Get("X-Sent")+r.Header.Get("Accept-Encoding"))
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, "short and stout")
	})
	req := post(t, server.URL, "bytes")
	req.Header.Set("X-Sent", "+header")
	for keep, want := range map[int64]string{100: "short and stout", 15: "short and stout", 5: "short", 0: ""} {
		again := req.Clone(t.Context())
		again.Body = io.NopCloser(strings.NewReader("bytes"))
		answer, err := lab(egress.Config{RootCAs: roots}).Exchange(again, keep)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Status != http.StatusTeapot || answer.Header.Get("X-Seen") != "bytes+header" ||
			string(answer.Body) != want || answer.Complete != (keep >= 15) {
			t.Errorf("keeping %d: %+v", keep, answer)
		}
	}
}

func TestBlockedBeforeConnecting(t *testing.T) { bothWays(t, blockedBeforeConnecting) }

func blockedBeforeConnecting(t *testing.T, keep egress.Keep) {
	var reached atomic.Int64
	server, roots := serve(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	named := "https://receiver.example:" + port + "/"
	for name, test := range map[string]struct {
		url     string
		answers []string
		err     error
	}{
		"a literal loopback address":      {url: server.URL},
		"a name that points at localhost": {url: named, answers: []string{"127.0.0.1"}},
		"one bad address among good ones": {url: named, answers: []string{"8.8.8.8", "127.0.0.1"}},
		"a mapped address":                {url: named, answers: []string{"::ffff:127.0.0.1"}},
		"a link-local address with zone":  {url: named, answers: []string{"fe80::1%lo"}},
		"a metadata service":              {url: named, answers: []string{"169.254.169.254"}},
		"no address":                      {url: named, answers: []string{}},
		"an unknown name":                 {url: named, err: &net.DNSError{Err: "no such host", IsNotFound: true}},
		"a resolver that fails":           {url: named, err: &net.DNSError{Err: "server misbehaving", IsTemporary: true}},
		"an odd notation":                 {url: "https://127.1:" + port + "/", answers: []string{"8.8.8.8"}},
		"plain http":                      {url: "http://receiver.example/", answers: []string{"8.8.8.8"}},
	} {
		t.Run(name, func(t *testing.T) {
			client := egress.New(egress.Config{
				Resolver: &resolver{answers: [][]string{test.answers}, err: test.err}, RootCAs: roots, Timeout: 2 * time.Second, Keep: keep,
			})
			_, err := client.Exchange(post(t, test.url, "x"), 10)
			wantClass(t, err, egress.ClassBlockedAddress)
			if ours := name == "a resolver that fails"; errors.Is(err, egress.ErrResolver) != ours {
				t.Errorf("our resolver's fault: %v, want %v", !ours, ours)
			}
		})
	}
	if reached.Load() != 0 {
		t.Errorf("the receiver was reached %d times", reached.Load())
	}
}

// A name that is public once and private then is judged at each request.
func TestRebinding(t *testing.T) { bothWays(t, rebinding) }

func rebinding(t *testing.T, keep egress.Keep) {
	var reached atomic.Int64
	server, roots := serve(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	names := &resolver{answers: [][]string{{"127.0.0.1"}, {"127.0.0.1"}, {"192.168.0.1"}}}
	client := lab(egress.Config{Resolver: names, RootCAs: roots, Keep: keep})
	for i, want := range []string{"", "", egress.ClassBlockedAddress} {
		_, err := client.Exchange(post(t, "https://example.com:"+port+"/", "x"), 10) // the test certificate's name
		wantClass(t, err, want)
		if got := names.asked.Load(); got != int64(i+1) {
			t.Errorf("resolved %d times for %d requests", got, i+1)
		}
	}
	if reached.Load() != 2 {
		t.Errorf("reached %d times, want 2", reached.Load())
	}
}

func TestTheNextAddressIsTried(t *testing.T) { bothWays(t, theNextAddressIsTried) }

func theNextAddressIsTried(t *testing.T, keep egress.Keep) {
	server, roots := serve(t, func(http.ResponseWriter, *http.Request) {})
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	client := lab(egress.Config{Resolver: &resolver{answers: [][]string{{"::1", "127.0.0.1"}}}, RootCAs: roots, Keep: keep})
	if _, err := client.Exchange(post(t, "https://example.com:"+port+"/", "x"), 10); err != nil {
		t.Error(err)
	}
}

func TestRedirects(t *testing.T) {
	var server *httptest.Server
	server, roots := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, "https://10.0.0.1:1/", http.StatusFound)
		case "/odd":
			w.Header().Set("Location", "https://127.1/")
			w.WriteHeader(http.StatusFound)
		case "/http":
			http.Redirect(w, r, "http://127.0.0.1/", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/other":
			http.Redirect(w, r, strings.Replace(server.URL, "127.0.0.1", "example.com", 1)+"/end", http.StatusFound)
		case "/start":
			http.Redirect(w, r, "/end", http.StatusFound)
		default:
			fmt.Fprint(w, "end ", r.Header.Get("X-Key"), r.Header.Get("User-Agent"))
		}
	})
	names := &resolver{answers: [][]string{{"127.0.0.1"}}}
	get := func(client *egress.Client, path string) (*egress.Answer, error) {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
		req.Header.Set("X-Key", "secret")
		req.Header.Set("User-Agent", "-agent")
		return client.Exchange(req, 100)
	}
	still := lab(egress.Config{RootCAs: roots})
	if answer, err := get(still, "/start"); err != nil || answer.Status != http.StatusFound {
		t.Errorf("without redirects: %+v, %v", answer, err)
	}
	following := egress.New(egress.Config{
		RootCAs: roots, Redirects: 3, Resolver: names, Timeout: 3 * time.Second,
		AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
	})
	for path, want := range map[string]string{"/start": "end secret-agent", "/other": "end -agent"} {
		if answer, err := get(following, path); err != nil || string(answer.Body) != want {
			t.Errorf("%s: %+v, %v", path, answer, err)
		}
	}
	for path, want := range map[string]string{
		"/away": egress.ClassBlockedAddress, "/odd": egress.ClassBlockedAddress, "/http": egress.ClassBlockedAddress, "/loop": egress.ClassNetworkError,
	} {
		_, err := get(following, path)
		wantClass(t, err, want)
	}
}

// hostile accepts TLS connections and lets answer do what it wants with them.
func hostile(t *testing.T, answer func(net.Conn)) (string, *x509.CertPool) {
	t.Helper()
	server, roots := serve(t, func(http.ResponseWriter, *http.Request) {})
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: server.TLS.Certificates})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go accept(listener, answer)
	return "https://" + listener.Addr().String() + "/", roots
}

func accept(listener net.Listener, answer func(net.Conn)) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			answer(conn)
		}()
	}
}

func readRequest(conn net.Conn) { _, _ = conn.Read(make([]byte, 4096)) }

func drip(w io.Writer, text string) {
	for {
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestHostileReceivers(t *testing.T) { bothWays(t, hostileReceivers) }

func hostileReceivers(t *testing.T, keep egress.Keep) {
	const short = 2 * time.Second // for those that go on until the exchange's time is over
	for name, test := range map[string]struct {
		answer func(net.Conn)
		want   string
		check  func(*egress.Answer) bool
	}{
		"never answers":      {func(c net.Conn) { readRequest(c); time.Sleep(5 * time.Second) }, egress.ClassTimeout, nil},
		"drips its head":     {func(c net.Conn) { readRequest(c); io.WriteString(c, "HTTP/1.1 200 OK\r\nX: "); drip(c, "a") }, egress.ClassTimeout, nil},
		"closes at once":     {func(c net.Conn) { readRequest(c) }, egress.ClassConnectionReset, nil},
		"resets":             {reset, egress.ClassConnectionReset, nil},
		"closes in its head": {func(c net.Conn) { readRequest(c); io.WriteString(c, "HTTP/1.1 200 OK\r\nX: y") }, egress.ClassConnectionReset, nil},
		"speaks no HTTP":     {func(c net.Conn) { readRequest(c); io.WriteString(c, "220 mail ready\r\n\r\n") }, egress.ClassNetworkError, nil},
		"floods headers": {func(c net.Conn) {
			readRequest(c)
			io.WriteString(c, "HTTP/1.1 200 OK\r\n")
			for i := range 100_000 {
				if _, err := fmt.Fprintf(c, "X-%d: %s\r\n", i, strings.Repeat("a", 100)); err != nil {
					return
				}
			}
		}, egress.ClassNetworkError, nil},
		"sends 100s without end": {func(c net.Conn) {
			readRequest(c)
			drip(c, strings.Repeat("HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n", 500))
		}, egress.ClassNetworkError, nil},
		"drips its body": {func(c net.Conn) {
			readRequest(c)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
			drip(c, "a")
		}, "", func(a *egress.Answer) bool { return a.Status == 200 && !a.Complete && len(a.Body) > 0 }},
		"resets in its body": {func(c net.Conn) {
			readRequest(c)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nhello")
		}, "", func(a *egress.Answer) bool { return a.Status == 200 && !a.Complete && string(a.Body) == "hello" }},
		"sends without end": {func(c net.Conn) {
			readRequest(c)
			io.WriteString(c, "HTTP/1.1 500 No\r\n\r\n")
			_, _ = io.Copy(c, endless{})
		}, "", func(a *egress.Answer) bool { return a.Status == 500 && !a.Complete && len(a.Body) == 2048 }},
		"switches protocols": {func(c net.Conn) {
			readRequest(c)
			io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
			drip(c, "a")
		}, "", func(a *egress.Answer) bool { return a.Status == 101 }},
		"answers 304":       {func(c net.Conn) { readRequest(c); io.WriteString(c, "HTTP/1.1 304 Not Modified\r\n\r\n") }, "", func(a *egress.Answer) bool { return a.Status == 304 }},
		"redirects nowhere": {func(c net.Conn) { readRequest(c); io.WriteString(c, "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n") }, "", func(a *egress.Answer) bool { return a.Status == 302 }},
		"redirects to trash": {func(c net.Conn) {
			readRequest(c)
			io.WriteString(c, "HTTP/1.1 302 Found\r\nLocation: ::%zz\r\nContent-Length: 0\r\n\r\n")
		}, "", func(a *egress.Answer) bool { return a.Status == 302 }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, roots := hostile(t, test.answer)
			limit := 30 * time.Second
			if test.want == egress.ClassTimeout || name == "drips its body" {
				limit = short
			}
			began := time.Now()
			answer, err := lab(egress.Config{RootCAs: roots, Timeout: limit, Keep: keep}).Exchange(post(t, raw, "x"), 2048)
			wantClass(t, err, test.want)
			if test.check != nil && (answer == nil || !test.check(answer)) {
				t.Errorf("unexpected answer %+v", answer)
			}
			if took := time.Since(began); took > short+20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(bytes.Repeat([]byte("a"), len(p))), nil }

func reset(c net.Conn) {
	readRequest(c)
	_ = c.(*tls.Conn).NetConn().(*net.TCPConn).SetLinger(0)
	_ = c.(*tls.Conn).NetConn().Close()
}

func TestConnectionFailures(t *testing.T) { bothWays(t, connectionFailures) }

func connectionFailures(t *testing.T, keep egress.Keep) {
	listen := func(answer func(net.Conn)) string {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { listener.Close() })
		go accept(listener, answer)
		return "https://" + listener.Addr().String() + "/"
	}
	closed, _ := net.Listen("tcp", "127.0.0.1:0")
	closed.Close()
	untrusted, _ := serve(t, func(http.ResponseWriter, *http.Request) {})
	_, port, _ := net.SplitHostPort(untrusted.Listener.Addr().String())
	demanding, demandingRoots := demandingServer(t)
	for name, test := range map[string]struct {
		url   string
		roots *x509.CertPool
		want  string
	}{
		"nobody listens":                {"https://" + closed.Addr().String() + "/", nil, egress.ClassConnectionRefused},
		"an unknown certificate":        {untrusted.URL, x509.NewCertPool(), egress.ClassTLSError},
		"a certificate of another name": {"https://wrong.example:" + port + "/", roots(untrusted), egress.ClassTLSError},
		"no TLS at all":                 {listen(func(c net.Conn) { readRequest(c); io.WriteString(c, "HTTP/1.1 400 Bad\r\n\r\n") }), nil, egress.ClassTLSError},
		"a stall in the handshake":      {listen(func(net.Conn) { time.Sleep(5 * time.Second) }), nil, egress.ClassTimeout},
		"a close in the handshake":      {listen(func(c net.Conn) { readRequest(c) }), nil, egress.ClassConnectionReset},
		"a certificate wanted of us":    {demanding, demandingRoots, egress.ClassTLSError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := 30 * time.Second
			if test.want == egress.ClassTimeout {
				limit = 500 * time.Millisecond
			}
			client := lab(egress.Config{RootCAs: test.roots, Timeout: limit, Keep: keep, Resolver: &resolver{answers: [][]string{{"127.0.0.1"}}}})
			_, err := client.Exchange(post(t, test.url, "x"), 10)
			wantClass(t, err, test.want)
		})
	}
}

func roots(server *httptest.Server) *x509.CertPool {
	return server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
}

func demandingServer(t *testing.T) (string, *x509.CertPool) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = quiet
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL, roots(server)
}

func TestBodyLimit(t *testing.T) { bothWays(t, bodyLimit) }

func bodyLimit(t *testing.T, keep egress.Keep) {
	server, roots := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, io.LimitReader(endless{}, 1000))
	})
	for limit, want := range map[int64]error{999: egress.ErrTooLarge, 1000: nil, 1001: nil} {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		resp, err := lab(egress.Config{RootCAs: roots, MaxBytes: limit, Keep: keep}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if !errors.Is(err, want) || int64(len(body)) != min(limit, 1000) {
			t.Errorf("limit %d: %d bytes, %v", limit, len(body), err)
		}
	}
}

// A body that drips fails a download, when its time is over.
func TestDownloadTimeout(t *testing.T) { bothWays(t, downloadTimeout) }

func downloadTimeout(t *testing.T, keep egress.Keep) {
	server, roots := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			io.WriteString(w, "a")
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	resp, err := lab(egress.Config{RootCAs: roots, Timeout: 2 * time.Second, Keep: keep}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	_, err = io.ReadAll(resp.Body)
	wantClass(t, err, egress.ClassTimeout)
}

func TestNothingIsSentTwice(t *testing.T) { bothWays(t, nothingIsSentTwice) }

func nothingIsSentTwice(t *testing.T, keep egress.Keep) {
	var requests atomic.Int64
	raw, roots := hostile(t, func(c net.Conn) {
		readRequest(c)
		requests.Add(1)
	})
	client := lab(egress.Config{RootCAs: roots, Keep: keep})
	for range 3 {
		req := post(t, raw, "x")
		req.Header.Set("Idempotency-Key", "k")
		_, err := client.Exchange(req, 10)
		wantClass(t, err, egress.ClassConnectionReset)
	}
	if requests.Load() != 3 {
		t.Errorf("3 exchanges made %d requests", requests.Load())
	}
}

func TestPlainHTTP(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "plain") }))
	t.Cleanup(server.Close)
	get, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	_, err := lab(egress.Config{}).Exchange(get, 10)
	wantClass(t, err, egress.ClassBlockedAddress)
	bothWays(t, func(t *testing.T, keep egress.Keep) { // what the operator configured may be http
		client := egress.New(egress.Config{Configured: true, Keep: keep})
		for range 2 {
			if answer, err := client.Exchange(get, 10); err != nil || string(answer.Body) != "plain" {
				t.Errorf("%+v, %v", answer, err)
			}
		}
	})
}

func TestClassify(t *testing.T) {
	for want, err := range map[string]error{
		"":                       nil,
		egress.ClassNetworkError: errors.New("no route to host"),
		egress.ClassTimeout:      &url.Error{Op: "Post", Err: context.DeadlineExceeded},
	} {
		wantClass(t, err, want)
	}
}

var quiet = log.New(io.Discard, "", 0)
