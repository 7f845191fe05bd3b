package server

import (
	"net"
	"net/netip"
	"sync"
	"time"

	"atelier/models"
)

// How many connections may be open: of one network address, unless it is a
// trusted proxy, and in all. One beyond is answered 503 and closed.
const (
	connectionsPerAddress = 4_096
	connectionsInAll      = 8_192
)

// fullAnswer is what a connection beyond the bound gets.
const fullAnswer = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 10\r\nConnection: close\r\n\r\n" +
	`{"error":{"code":"service_unavailable","message":"Too many connections are open. Try again in 10 seconds."}}` + "\n"

// boundedListener counts the open connections.
type boundedListener struct {
	net.Listener
	proxies []netip.Prefix

	mu        sync.Mutex
	all       int
	byAddress map[string]int
}

func bounded(listener net.Listener, proxies []netip.Prefix) *boundedListener {
	return &boundedListener{Listener: listener, proxies: proxies, byAddress: map[string]int{}}
}

// Accept waits for a connection within the bounds.
func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address := l.counted(conn.RemoteAddr())
		if l.add(address) {
			return &countedConn{Conn: conn, end: sync.OnceFunc(func() { l.remove(address) })}, nil
		}
		_ = conn.SetDeadline(time.Now().Add(100 * time.Millisecond))
		_, _ = conn.Write([]byte(fullAnswer))
		_ = conn.Close()
	}
}

// counted is what the connections of an address count by; empty for a proxy.
func (l *boundedListener) counted(remote net.Addr) string {
	at, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return ""
	}
	for _, proxy := range l.proxies {
		if proxy.Contains(at.Addr().Unmap().WithZone("")) {
			return ""
		}
	}
	return models.Network(at.Addr().String())
}

func (l *boundedListener) add(address string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= connectionsInAll || address != "" && l.byAddress[address] >= connectionsPerAddress {
		return false
	}
	l.all++
	l.byAddress[address]++
	return true
}

func (l *boundedListener) remove(address string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.byAddress[address]--; l.byAddress[address] == 0 {
		delete(l.byAddress, address)
	}
}

// countedConn leaves the count when it is closed.
type countedConn struct {
	net.Conn
	end func()
}

// Close closes it.
func (c *countedConn) Close() error {
	c.end()
	return c.Conn.Close()
}
