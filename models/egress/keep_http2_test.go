package egress_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"atelier/models/egress"
)

// frames is the receiver's side of an HTTP/2 connection, frame by frame.
type frames struct {
	*http2.Framer
	conn net.Conn
}

// answer ends a stream with a status.
func (f *frames) answer(stream uint32, status string) { f.headers(stream, true, ":status", status) }

func (f *frames) headers(stream uint32, end bool, pairs ...string) {
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for i := 0; i < len(pairs); i += 2 {
		_ = encoder.WriteField(hpack.HeaderField{Name: pairs[i], Value: pairs[i+1]})
	}
	fragment := block.Bytes()
	for first := true; first || len(fragment) > 0; first = false {
		part := fragment[:min(len(fragment), 16<<10)]
		fragment = fragment[len(part):]
		var err error
		if first {
			err = f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: part, EndStream: end, EndHeaders: len(fragment) == 0})
		} else {
			err = f.WriteContinuation(stream, len(fragment) == 0, part)
		}
		if err != nil {
			return
		}
	}
}

// receiver2 speaks HTTP/2 by hand. request is called for each request that is
// whole: the number of its connection and of the request on it, both from 1.
// When it returns false the connection is closed.
type receiver2 struct {
	settings    []http2.Setting
	request     func(f *frames, connection, n int, stream uint32) bool
	connections atomic.Int64
}

func (r *receiver2) start(t *testing.T) (string, *x509.CertPool) {
	t.Helper()
	server, pool := serve(t, func(http.ResponseWriter, *http.Request) {})
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: server.TLS.Certificates, NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go accept(listener, r.serve)
	return "https://" + listener.Addr().String() + "/", pool
}

func (r *receiver2) serve(conn net.Conn) {
	connection, n := int(r.connections.Add(1)), 0
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	f := &frames{http2.NewFramer(conn, conn), conn}
	_ = f.WriteSettings(r.settings...)
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return
		}
		if settings, is := frame.(*http2.SettingsFrame); is && !settings.IsAck() {
			_ = f.WriteSettingsAck()
		}
		if ping, is := frame.(*http2.PingFrame); is && !ping.IsAck() {
			_ = f.WritePing(true, ping.Data)
		}
		stream, ended := frame.Header().StreamID, false
		switch frame := frame.(type) {
		case *http2.HeadersFrame:
			ended = frame.StreamEnded()
		case *http2.DataFrame:
			ended = frame.StreamEnded()
			if size := uint32(len(frame.Data())); size > 0 && len(r.settings) == 0 {
				_ = f.WriteWindowUpdate(0, size)
			}
		}
		if ended {
			if n++; !r.request(f, connection, n, stream) {
				return
			}
		}
	}
}

// What a receiver does to the second request on an HTTP/2 connection; the
// third request always goes well.
func TestHTTP2ConnectionsEnd(t *testing.T) {
	goAway := func(last uint32, code http2.ErrCode) func(*frames, uint32) bool {
		return func(f *frames, stream uint32) bool {
			_ = f.WriteGoAway(last, code, []byte("away"))
			time.Sleep(50 * time.Millisecond)
			return true
		}
	}
	for name, test := range map[string]struct {
		act         func(f *frames, stream uint32) bool
		want        string
		connections int64
	}{
		"goes away before it":    {goAway(1, http2.ErrCodeNo), "", 2},
		"goes away with a fault": {goAway(1, http2.ErrCodeEnhanceYourCalm), "", 2},
		"goes away and answers": {func(f *frames, stream uint32) bool {
			_ = f.WriteGoAway(stream, http2.ErrCodeNo, nil)
			f.answer(stream, "200")
			return true
		}, "", 2},
		"goes away and closes": {func(f *frames, stream uint32) bool {
			_ = f.WriteGoAway(stream, http2.ErrCodeNo, nil)
			return false
		}, "", 2},
		"refuses the stream": {func(f *frames, stream uint32) bool {
			_ = f.WriteRSTStream(stream, http2.ErrCodeRefusedStream)
			return true
		}, "", 2},
		"ends the stream with a fault": {func(f *frames, stream uint32) bool {
			_ = f.WriteRSTStream(stream, http2.ErrCodeInternal)
			return true
		}, egress.ClassConnectionReset, 2},
		"closes": {func(*frames, uint32) bool { return false }, "", 2},
		"resets": {func(f *frames, _ uint32) bool { abort(f.conn.(*tls.Conn)); return false }, "", 2},
		"closes in the answer": {func(f *frames, stream uint32) bool {
			f.headers(stream, false, ":status", "200")
			_ = f.WriteData(stream, false, []byte("hello"))
			return false
		}, "", 2},
		"speaks something else": {func(f *frames, _ uint32) bool {
			_, _ = io.WriteString(f.conn, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
			return true
		}, "", 2}, // no byte of an answer came
		"answers 101": {func(f *frames, stream uint32) bool { f.answer(stream, "101"); return true }, egress.ClassNetworkError, 2},
		"stalls":      {func(*frames, uint32) bool { return true }, egress.ClassTimeout, 2},
		"floods headers": {func(f *frames, stream uint32) bool {
			pairs := []string{":status", "200"}
			for range 2000 {
				pairs = append(pairs, "x-flood", strings.Repeat("~", 100))
			}
			f.headers(stream, true, pairs...)
			return true
		}, egress.ClassNetworkError, 2},
		"floods with 103": {func(f *frames, stream uint32) bool {
			for range 2000 {
				f.headers(stream, false, ":status", "103", "x-flood", strings.Repeat("~", 100))
			}
			return true
		}, egress.ClassNetworkError, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &receiver2{}
			r.request = func(f *frames, connection, n int, stream uint32) bool {
				if connection == 1 && n == 2 {
					return test.act(f, stream)
				}
				f.answer(stream, "200")
				return true
			}
			raw, roots := r.start(t)
			client := lab(egress.Config{RootCAs: roots, Keep: egress.Deliveries, Timeout: time.Second})
			for _, want := range []string{"", test.want, ""} {
				_, err := client.Exchange(post(t, raw, "body"), 2048)
				wantClass(t, err, want)
			}
			if got := r.connections.Load(); got != test.connections {
				t.Errorf("%d connections, want %d", got, test.connections)
			}
		})
	}
}

// A new connection that goes away, or refuses, is the attempt's result.
func TestANewHTTP2ConnectionIsNotReplaced(t *testing.T) {
	for name, act := range map[string]func(f *frames, stream uint32) bool{
		"goes away": func(f *frames, _ uint32) bool { _ = f.WriteGoAway(0, http2.ErrCodeNo, nil); return true },
		"refuses": func(f *frames, stream uint32) bool {
			_ = f.WriteRSTStream(stream, http2.ErrCodeRefusedStream)
			return true
		},
		"closes": func(*frames, uint32) bool { return false },
	} {
		r := &receiver2{request: func(f *frames, _, _ int, stream uint32) bool { return act(f, stream) }}
		raw, roots := r.start(t)
		_, err := lab(egress.Config{RootCAs: roots, Keep: egress.Deliveries}).Exchange(post(t, raw, "body"), 10)
		wantClass(t, err, egress.ClassConnectionReset)
		if got := r.connections.Load(); got != 1 {
			t.Errorf("%s: %d connections, want 1", name, got)
		}
	}
}

// A receiver that takes a part of a body and no more holds a request for its time, and
// the next one gets another connection.
func TestFlowControlStalls(t *testing.T) {
	r := &receiver2{settings: []http2.Setting{{ID: http2.SettingInitialWindowSize, Val: 1000}}}
	r.request = func(f *frames, _, _ int, stream uint32) bool { f.answer(stream, "200"); return true }
	raw, roots := r.start(t)
	client := lab(egress.Config{RootCAs: roots, Keep: egress.Deliveries, Timeout: 2 * time.Second})
	for n := range 3 {
		ok(t, client, raw) // after which the receiver's settings are known
		began := time.Now()
		_, err := client.Exchange(post(t, raw, bigBody), 10)
		wantClass(t, err, egress.ClassTimeout)
		if took := time.Since(began); took > 20*time.Second || r.connections.Load() != int64(n+1) {
			t.Errorf("%v, %d connections", took, r.connections.Load())
		}
	}
}

// Requests share an HTTP/2 connection, up to a bound, and to what the receiver
// allows: hanging ones take others with them no further than that.
func TestStreamsAreBounded(t *testing.T) {
	for allowed, most := range map[uint32]int{0: 32, 10: 10} {
		var mu sync.Mutex
		hanging := map[int]int{}
		r := &receiver2{}
		if allowed > 0 {
			r.settings = []http2.Setting{{ID: http2.SettingMaxConcurrentStreams, Val: allowed}}
		}
		r.request = func(f *frames, connection, n int, stream uint32) bool {
			if n == 1 {
				f.answer(stream, "200")
				return true
			}
			mu.Lock()
			defer mu.Unlock()
			hanging[connection]++
			return true
		}
		raw, roots := r.start(t)
		client := lab(egress.Config{RootCAs: roots, Keep: egress.Deliveries, Timeout: 3 * time.Second})
		ok(t, client, raw)
		time.Sleep(100 * time.Millisecond) // its stream is given back a moment after the answer
		var group sync.WaitGroup
		for range 2 * most {
			group.Go(func() { _, _ = client.Exchange(post(t, raw, "x"), 10) })
		}
		group.Wait()
		mu.Lock()
		if hanging[1] != most { // the others found it full, and opened connections of their own
			t.Errorf("%d requests shared the first connection, want %d", hanging[1], most)
		}
		for connection, got := range hanging {
			if got > most {
				t.Errorf("%d requests at once on connection %d, want at most %d", got, connection, most)
			}
		}
		mu.Unlock()
	}
}

// A connection on which a person waits and nothing is heard takes no further
// requests; one that answers others does.
func TestASilentConnectionGetsNoCompany(t *testing.T) {
	release := make(chan struct{})
	server := newCounted(t, true, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			<-release
		}
	})
	client := server.client(egress.Config{Timeout: 20 * time.Second})
	ok(t, client, server.URL)
	var group sync.WaitGroup
	group.Go(func() { ok(t, client, server.URL+"/hang") })
	time.Sleep(50 * time.Millisecond)
	ok(t, client, server.URL)
	if n := server.all.Load(); n != 1 {
		t.Errorf("%d connections beside one that answers, want 1", n)
	}
	time.Sleep(1200 * time.Millisecond)
	ok(t, client, server.URL)
	if n := server.all.Load(); n != 2 {
		t.Errorf("%d connections beside a silent one, want 2", n)
	}
	close(release)
	group.Wait()
	ok(t, client, server.URL)
	if n := server.all.Load(); n != 2 {
		t.Errorf("%d connections once it has answered, want 2", n)
	}
}

// A request that is given up costs its connection only where nothing else was
// answered on it: one handler that hangs is not the others' trouble.
func TestAHangingRequestIsNotTheOthersTrouble(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	server := newCounted(t, true, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			<-release
		}
	})
	client := server.client(egress.Config{Timeout: 1500 * time.Millisecond})
	ok(t, client, server.URL)
	for i, want := range []int64{1, 2} {
		ended := make(chan error)
		go func() {
			_, err := client.Exchange(post(t, server.URL+"/hang", "x"), 10)
			ended <- err
		}()
		var err error
		for waiting := true; waiting; {
			select {
			case err = <-ended:
				waiting = false
			case <-time.After(50 * time.Millisecond):
				if i == 0 {
					ok(t, client, server.URL)
				}
			}
		}
		wantClass(t, err, egress.ClassTimeout)
		ok(t, client, server.URL)
		if n := server.all.Load(); n != want {
			t.Errorf("round %d: %d connections, want %d", i, n, want)
		}
	}
}
