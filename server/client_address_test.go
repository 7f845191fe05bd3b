package server

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// Proxies write a peer in many ways; all of them are the same visitor.
func TestPeersInEveryNotation(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	c := &chain{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fe80::/10")}}
	for _, test := range []struct{ remote, header, value, want string }{
		{"10.0.0.1:80", "X-Forwarded-For", "198.51.100.7", "198.51.100.7"},
		{"10.0.0.1:80", "X-Forwarded-For", "198.51.100.7:40001", "198.51.100.7"},
		{"10.0.0.1:80", "X-Forwarded-For", "198.51.100.7:", "198.51.100.7"},
		{"10.0.0.1:80", "X-Forwarded-For", " 198.51.100.7:40001 , 10.1.2.3:55 ", "198.51.100.7"},
		{"10.0.0.1:80", "X-Forwarded-For", `"198.51.100.7:40001"`, "198.51.100.7"},
		{"10.0.0.1:80", "X-Forwarded-For", "2001:db8::7", "2001:db8::7"},
		{"10.0.0.1:80", "X-Forwarded-For", "[2001:db8::7]", "2001:db8::7"},
		{"10.0.0.1:80", "X-Forwarded-For", "[2001:db8::7]:40001", "2001:db8::7"},
		{"10.0.0.1:80", "X-Forwarded-For", `"[2001:db8::7]:40001"`, "2001:db8::7"},
		{"10.0.0.1:80", "X-Forwarded-For", "2001:db8:0:0:0:0:0:7:40001", "2001:db8::7"},
		{"10.0.0.1:80", "X-Forwarded-For", "[fd00::7%eth0]:40001", "fd00::7"},
		{"10.0.0.1:80", "X-Forwarded-For", "fd00::7%eth0", "fd00::7"},
		{"10.0.0.1:80", "X-Forwarded-For", "::ffff:198.51.100.7", "198.51.100.7"},
		{"10.0.0.1:80", "X-Forwarded-For", "[::ffff:198.51.100.7]:1", "198.51.100.7"},
		{"10.0.0.1:80", "X-Forwarded-For", "for=198.51.100.7;proto=https", "198.51.100.7"},
		{"10.0.0.1:80", "X-Forwarded-For", `1.1.1.1, for="[2001:db8::7]:4711"`, "2001:db8::7"},
		{"10.0.0.1:80", "X-Forwarded-For", "198.51.100.7:1,,", "198.51.100.7"},
		{"10.0.0.1:80", "X-Forwarded-For", "1.1.1.1, 198.51.100.7:9", "198.51.100.7"}, // what the visitor wrote does not count
		{"10.0.0.1:80", "Forwarded", `for=1.1.1.1, For="[2001:db8:cafe::17]:4711";proto=https`, "2001:db8:cafe::17"},
		{"10.0.0.1:80", "Forwarded", `proto=https;for=198.51.100.7:40001;by=10.0.0.1`, "198.51.100.7"},
		{"[fe80::1%eth0]:80", "X-Forwarded-For", "198.51.100.7", "198.51.100.7"},
		{"[::ffff:10.0.0.1]:80", "X-Forwarded-For", "198.51.100.7", "198.51.100.7"},
		{"192.0.2.1:80", "X-Forwarded-For", "198.51.100.7", "192.0.2.1"},
		{"192.0.2.1:80", "Forwarded", "for=198.51.100.7", "192.0.2.1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = test.remote
		r.Header.Set(test.header, test.value)
		if ip := c.clientIP(r); ip != test.want {
			t.Errorf("%s: %s: %s is %q, want %q", test.remote, test.header, test.value, ip, test.want)
		}
	}
	if log.Len() > 0 {
		t.Errorf("logged %s", &log)
	}
}

// What is no address is said once, with no more of it than a line holds.
func TestPeersThatAreNoAddress(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	for _, value := range []string{
		"unknown", "_hidden", "[198.51.100.7]", "[2001:db8::7", "[2001:db8::7]x", "198.51.100", "1.2.3.4.5", "example.org", `"`, "for=",
		"for=unknown;proto=https", "198.51.100.7, " + strings.Repeat("x", 50_000),
	} {
		log.Reset()
		c := &chain{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
		for range 3 {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = "10.0.0.1:80"
			r.Header.Set("X-Forwarded-For", value)
			if ip := c.clientIP(r); ip != "10.0.0.1" {
				t.Errorf("%.40s is %s", value, ip)
			}
		}
		if strings.Count(log.String(), "is no address") != 1 || log.Len() > 500 {
			t.Errorf("%.40s: logged %d bytes: %.300s", value, log.Len(), &log)
		}
	}
}
