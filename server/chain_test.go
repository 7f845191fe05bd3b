package server

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// A proxy on this machine that no one named is told of once: behind it everyone is one visitor.
func TestUntrustedProxyIsToldOf(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	plain, trusting := &chain{}, &chain{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}
	from := func(c *chain, peer, forwarded string) string {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = peer + ":1234"
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		return c.clientIP(r)
	}
	if ip := from(trusting, "127.0.0.1", "192.0.2.1"); ip != "192.0.2.1" || log.Len() > 0 {
		t.Errorf("%s behind a proxy that is named: %s", ip, &log)
	}
	if from(plain, "127.0.0.1", ""); log.Len() > 0 {
		t.Errorf("without a proxy: %s", &log)
	}
	for range 3 {
		if ip := from(plain, "127.0.0.1", "192.0.2.1"); ip != "127.0.0.1" {
			t.Errorf("believed %s", ip)
		}
	}
	if strings.Count(log.String(), "TRUSTED_PROXIES") != 1 {
		t.Errorf("logged %s", &log)
	}
}
