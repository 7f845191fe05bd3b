package egress

import (
	"container/list"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Keep says which connections are kept for further requests.
type Keep struct {
	// Idle is how many connections may wait for further requests; 0 keeps none.
	Idle int
	// PerHost is how many of them may lead to one host; 0 is all.
	PerHost int
	// For is how long a connection may wait; 0 is 90 seconds.
	For time.Duration
}

func (k Keep) withDefaults() Keep {
	if k.For == 0 {
		k.For = Deliveries.For
	}
	if k.PerHost == 0 {
		k.PerHost = k.Idle
	}
	return k
}

// Deliveries is what is kept for event deliveries.
var Deliveries = Keep{Idle: 512, PerHost: 128, For: 90 * time.Second}

const (
	// maxStreams is how many requests an HTTP/2 connection carries at once.
	maxStreams = 32
	// stall is after how long without any answer a connection on which a person
	// waits is given no further request.
	stall = time.Second
	// maxAge is how long a connection is used, so that a certificate, and the
	// receiver's choice of a machine, come up again.
	maxAge = 10 * time.Minute
	// tlsSessions is how many TLS sessions may be resumed.
	tlsSessions = 1024
)

// pool keeps connections. It holds no protocol code: a connection is the
// standard library's http.ClientConn, and the pool decides which one a request
// takes. One that leads to an address that this very request has not judged is
// never taken.
type pool struct {
	keep      Keep
	dialer    *dialer
	transport *http.Transport

	mu     sync.Mutex
	closed bool
	hosts  map[string][]*pooledConn
	idle   *list.List // of *kept, the one that waits longest at the back
	sweep  *time.Timer
}

// pooledConn is a connection. Its fields below conn are the pool's to lock.
type pooledConn struct {
	host string
	peer netip.Addr
	h2   bool
	raw  net.Conn
	conn *http.ClientConn
	born time.Time

	// streams are the requests on it, unanswered those among them without an
	// answer, silentSince the moment from which they heard nothing.
	streams, unanswered int
	silentSince         time.Time
	lastAnswer          time.Time
	// pooled says that it stands in hosts; waiting is its place in idle.
	pooled    bool
	waiting   *list.Element
	idleSince time.Time
	// retired says that it takes no further request and ends with its last.
	retired bool
}

type dialedKey struct{}

func newPool(config Config, d *dialer) *pool {
	d.tls.NextProtos = []string{"h2", "http/1.1"}
	d.tls.ClientSessionCache = tls.NewLRUClientSessionCache(tlsSessions)
	dialed := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return ctx.Value(dialedKey{}).(net.Conn), nil
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	return &pool{
		keep: config.Keep.withDefaults(), dialer: d, hosts: map[string][]*pooledConn{}, idle: list.New(),
		transport: &http.Transport{
			Proxy:                  nil, // not even the environment's
			DialContext:            dialed,
			DialTLSContext:         dialed,
			DisableCompression:     true,
			MaxResponseHeaderBytes: config.MaxHeaderBytes,
			Protocols:              protocols,
			HTTP2: &http.HTTP2Config{
				MaxReadFrameSize:              16 << 10,
				MaxReceiveBufferPerStream:     256 << 10,
				MaxReceiveBufferPerConnection: 1 << 20,
				WriteByteTimeout:              config.Timeout,
			},
		},
	}
}

// target is where a request goes: the key of its connections, and what is dialed.
type target struct{ key, scheme, host, port string }

func targetOf(req *http.Request) (target, error) {
	host, err := asciiName(strings.ToLower(req.URL.Hostname()))
	if err != nil {
		return target{}, fmt.Errorf("%w: %w", ErrBlockedAddress, err)
	}
	t := target{scheme: req.URL.Scheme, host: host, port: req.URL.Port()}
	if t.port == "" {
		t.port = map[string]string{"https": "443", "http": "80"}[t.scheme]
	}
	t.key = t.scheme + " " + net.JoinHostPort(t.host, t.port)
	return t, nil
}

// open makes a connection to one of the judged addresses.
func (p *pool) open(ctx context.Context, t target, addrs []netip.Addr) (*pooledConn, error) {
	raw, err := p.dialer.connectAny(ctx, addrs, t.port)
	if err != nil {
		return nil, err
	}
	k := &pooledConn{host: t.key, peer: peerOf(raw), raw: raw, born: time.Now(), streams: 1}
	dialed := raw
	if t.scheme == "https" {
		secure, err := p.dialer.secure(ctx, raw, t.host)
		if err != nil {
			return nil, err
		}
		dialed, k.h2 = secure, secure.ConnectionState().NegotiatedProtocol == "h2"
	}
	ctx = context.WithValue(ctx, dialedKey{}, dialed)
	if k.conn, err = p.transport.NewClientConn(ctx, t.scheme, net.JoinHostPort(t.host, t.port)); err != nil {
		dialed.Close()
		return nil, err
	}
	if err := k.conn.Reserve(); err != nil {
		k.conn.Close()
		return nil, err
	}
	return k, nil
}

func peerOf(conn net.Conn) netip.Addr {
	address, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return netip.Addr{}
	}
	return normalize(address.Addr())
}

// take is a kept connection to one of the judged addresses, with a place for a
// request on it; nil when there is none. No one ever waits for one.
func (p *pool) take(key string, addrs []netip.Addr) *pooledConn {
	var ended []*pooledConn
	defer func() { end(ended) }() // after the lock is given back
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	conns := p.hosts[key]
	for i := len(conns) - 1; i >= 0; i-- {
		k := conns[i]
		if !slices.Contains(addrs, k.peer) || k.full(now) {
			continue
		}
		if p.expired(k, now) || k.conn.Reserve() != nil {
			if k.streams == 0 && k.conn.InFlight() == 0 || p.expired(k, now) {
				ended = p.retire(k, ended)
			}
			continue
		}
		p.busy(k)
		k.streams++
		return k
	}
	return nil
}

// full tells whether a connection has no place for a request: all are taken,
// or those who wait there hear nothing.
func (k *pooledConn) full(now time.Time) bool {
	if !k.h2 {
		return k.streams > 0
	}
	return k.streams >= maxStreams || k.unanswered > 0 && now.Sub(k.silentSince) > stall
}

// expired tells whether a connection has waited, or lived, for too long. The
// times are compared by the wall clock too, for the machine may have slept.
func (p *pool) expired(k *pooledConn, now time.Time) bool {
	idle := k.streams == 0 && (now.Sub(k.idleSince) >= p.keep.For || now.Round(0).Sub(k.idleSince.Round(0)) >= p.keep.For)
	return idle || now.Sub(k.born) >= maxAge
}

// busy takes a connection out of those that wait.
func (p *pool) busy(k *pooledConn) {
	if k.waiting != nil {
		p.idle.Remove(k.waiting)
		k.waiting = nil
	}
}

// retire lets no one take the connection any more; those that have no one on
// them are to be ended.
func (p *pool) retire(k *pooledConn, ended []*pooledConn) []*pooledConn {
	p.busy(k)
	k.retired = true
	if k.pooled {
		k.pooled = false
		conns := slices.DeleteFunc(p.hosts[k.host], func(other *pooledConn) bool { return other == k })
		if p.hosts[k.host] = conns; len(conns) == 0 {
			delete(p.hosts, k.host)
		}
	}
	if k.streams == 0 {
		ended = append(ended, k)
	}
	return ended
}

// end closes connections. Closing may write, so no lock is held.
func end(conns []*pooledConn) {
	for _, k := range conns {
		k.conn.Close()
	}
}

// began notes when a request goes out on the connection.
func (p *pool) began(k *pooledConn) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if k.unanswered++; k.unanswered == 1 {
		k.silentSince = now
	}
	return now
}

// answered notes an answer: from now on others may share an HTTP/2 connection.
func (p *pool) answered(k *pooledConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k.unanswered--
	k.silentSince = time.Now()
	k.lastAnswer = k.silentSince
	if k.h2 {
		p.add(k)
	}
}

// add makes a connection that has given an answer one of the kept ones.
func (p *pool) add(k *pooledConn) {
	if k.pooled || k.retired || p.closed {
		return
	}
	k.pooled = true
	p.hosts[k.host] = append(p.hosts[k.host], k)
	live(k.raw)
	k.conn.SetStateHook(func(conn *http.ClientConn) {
		if conn.Err() != nil {
			go p.forget(k) // the hook runs in the middle of others' calls
		}
	})
}

// forget drops a connection that the other side has ended.
func (p *pool) forget(k *pooledConn) {
	p.mu.Lock()
	ended := p.retire(k, nil)
	p.mu.Unlock()
	end(ended)
}

// failed ends a request that got no answer. Its connection takes no other,
// unless the request was given up on an HTTP/2 connection that has answered
// others meanwhile, and just now.
func (p *pool) failed(k *pooledConn, began time.Time, givenUp bool) {
	var ended []*pooledConn
	p.mu.Lock()
	k.unanswered--
	k.streams--
	now := time.Now()
	alive := givenUp && k.h2 && k.pooled && k.conn.Err() == nil && k.lastAnswer.After(began) && now.Sub(k.lastAnswer) <= stall
	switch {
	case !alive:
		ended = p.retire(k, ended)
	case k.streams == 0:
		ended = p.rest(k, now, ended)
	}
	p.mu.Unlock()
	end(ended)
}

// done ends a request that was answered; sound says that the connection may
// take another.
func (p *pool) done(k *pooledConn, sound bool) {
	sound = sound && k.conn.Err() == nil && (k.h2 || k.conn.Available() > 0)
	var ended []*pooledConn
	p.mu.Lock()
	k.streams--
	now := time.Now()
	switch {
	case !sound, k.retired, p.closed, now.Sub(k.born) >= maxAge:
		ended = p.retire(k, ended)
	case k.streams == 0:
		p.add(k)
		ended = p.rest(k, now, ended)
	}
	p.mu.Unlock()
	end(ended)
}

// rest has a connection wait for further requests, and ends those that are too many.
func (p *pool) rest(k *pooledConn, now time.Time, ended []*pooledConn) []*pooledConn {
	k.idleSince, k.waiting = now, p.idle.PushFront(k)
	conns := p.hosts[k.host]
	if i := slices.Index(conns, k); i < len(conns)-1 { // the youngest is at the end
		copy(conns[i:], conns[i+1:])
		conns[len(conns)-1] = k
	}
	waiting := 0
	for i := len(conns) - 1; i >= 0; i-- {
		if conns[i].waiting == nil {
			continue
		}
		if waiting++; waiting > p.keep.PerHost {
			ended = p.retire(conns[i], ended)
			break
		}
	}
	for p.idle.Len() > p.keep.Idle {
		ended = p.retire(p.idle.Back().Value.(*pooledConn), ended)
	}
	if p.sweep == nil && p.idle.Len() > 0 {
		p.sweep = time.AfterFunc(p.keep.For, p.expire)
	}
	return ended
}

// expire ends what has waited too long, and comes again when the next will have.
func (p *pool) expire() {
	var ended []*pooledConn
	p.mu.Lock()
	now := time.Now()
	p.sweep = nil
	for last := p.idle.Back(); last != nil; last = p.idle.Back() {
		k := last.Value.(*pooledConn)
		if left := p.keep.For - now.Sub(k.idleSince); left > 0 {
			p.sweep = time.AfterFunc(left, p.expire)
			break
		}
		ended = p.retire(k, ended)
	}
	p.mu.Unlock()
	end(ended)
}

// close ends all connections that wait; the others end with their requests.
func (p *pool) close() {
	var ended []*pooledConn
	p.mu.Lock()
	p.closed = true
	if p.sweep != nil {
		p.sweep.Stop()
		p.sweep = nil
	}
	for _, conns := range p.hosts {
		for _, k := range slices.Clone(conns) {
			ended = p.retire(k, ended)
		}
	}
	p.mu.Unlock()
	end(ended)
}
