package server

import (
	"io"
	"net"
	"net/netip"
	"testing"
)

// TestConnectionsAreCounted counts connections of an address up to its bound,
// IPv6 by its /64, and a trusted proxy's in all alone.
func TestConnectionsAreCounted(t *testing.T) {
	l := bounded(nil, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})
	at := func(address string) string { return l.counted(&net.TCPAddr{IP: net.ParseIP(address), Port: 1}) }
	if at("10.1.2.3") != "" || at("2001:db8:1:2::1") != at("2001:db8:1:2::2") || at("203.0.113.1") == at("203.0.113.2") {
		t.Errorf("%q, %q, %q", at("10.1.2.3"), at("2001:db8:1:2::1"), at("203.0.113.1"))
	}
	for range connectionsPerAddress {
		if !l.add("a") {
			t.Fatal("refused within the bound of an address")
		}
	}
	if l.add("a") {
		t.Error("admitted beyond the bound of an address")
	}
	for range connectionsInAll - connectionsPerAddress {
		if !l.add("") {
			t.Fatal("refused within the bound of all")
		}
	}
	if l.add("b") {
		t.Error("admitted beyond the bound of all")
	}
	l.remove("a")
	if !l.add("b") {
		t.Error("a closed connection still counts")
	}
}

// TestConnectionBeyondTheBoundIsAnswered says what to do instead of hanging up.
func TestConnectionBeyondTheBoundIsAnswered(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := bounded(inner, nil)
	l.all = connectionsInAll
	ended := make(chan error, 1)
	go func() { _, err := l.Accept(); ended <- err }()
	conn, err := net.Dial("tcp", inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if text, _ := io.ReadAll(conn); string(text) != fullAnswer {
		t.Errorf("answered %q", text)
	}
	inner.Close()
	if <-ended == nil {
		t.Error("a connection was let in")
	}
}
