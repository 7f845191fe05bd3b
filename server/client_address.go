package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"

	"atelier/models"
)

// clientIP is the sender's address: the connection's, or what a trusted proxy says. What a proxy names in no notation of an
// address ends the way back: the last proxy that is known counts as the sender.
func (c *chain) clientIP(r *http.Request) string {
	host := r.RemoteAddr
	if address, ok := peerAddress(host); ok {
		host = address.String()
	}
	c.tellOfProxy(r, host)
	for peer := range forwardedPeers(r.Header) {
		if !c.trusted(host) {
			break
		}
		address, ok := peerAddress(peer)
		if !ok {
			c.tellOfPeer(r.Context(), peer)
			break
		}
		host = address.String()
	}
	return host
}

// forwardedPeers are the peers that proxies have named, the nearest first: of X-Forwarded-For, else of Forwarded (RFC 7239).
// Empty elements of a list are none.
func forwardedPeers(header http.Header) func(yield func(string) bool) {
	values, parameter := header.Values("X-Forwarded-For"), ""
	if len(values) == 0 {
		values, parameter = header.Values("Forwarded"), "for"
	}
	return func(yield func(string) bool) {
		for i := len(values) - 1; i >= 0; i-- {
			rest, more := values[i], true
			for more {
				cut := strings.LastIndexByte(rest, ',')
				element := strings.TrimSpace(rest[cut+1:])
				if more = cut >= 0; more {
					rest = rest[:cut]
				}
				if element != "" && !yield(forwardedFor(element, parameter)) {
					return
				}
			}
		}
	}
}

// forwardedFor is the peer of an element: the element itself, or the value of its parameter "for". Some proxies write
// elements of Forwarded into X-Forwarded-For.
func forwardedFor(element, parameter string) string {
	for pair := range strings.SplitSeq(element, ";") {
		if name, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok && strings.EqualFold(strings.TrimSpace(name), "for") {
			return strings.TrimSpace(value)
		}
	}
	if parameter != "" {
		return "" // an element that does not say for whom
	}
	return element
}

// peerAddress reads the notations of a peer: an address, an address with a port, an IPv6 address in brackets with or without
// a port, and each of them in quotes. Zones say something to the machine that wrote them only, so they fall away.
func peerAddress(peer string) (netip.Addr, bool) {
	peer = strings.TrimSpace(peer)
	if len(peer) >= 2 && peer[0] == '"' && peer[len(peer)-1] == '"' {
		peer = strings.TrimSpace(peer[1 : len(peer)-1])
	}
	address, err := netip.ParseAddr(peer)
	if err != nil {
		address, err = netip.ParseAddr(withoutPort(peer))
	}
	if err != nil {
		return netip.Addr{}, false
	}
	return address.Unmap().WithZone(""), true
}

// withoutPort takes the brackets and the port off a peer. Some proxies leave a colon without a port, or a port that is an
// obfuscated name ("_" and letters, RFC 7239): what stands there is not looked at.
func withoutPort(peer string) string {
	if inner, bracketed := strings.CutPrefix(peer, "["); bracketed {
		host, rest, closed := strings.Cut(inner, "]")
		if closed && (rest == "" || rest[0] == ':') && strings.Contains(host, ":") {
			return host
		}
		return ""
	}
	if strings.Count(peer, ":") > 1 {
		return peer[:strings.LastIndexByte(peer, ':')]
	}
	host, _, _ := strings.Cut(peer, ":")
	return host
}

// maxPeer is how many bytes of an unreadable peer the log shows.
const maxPeer = 64

// tellOfPeer warns once of a trusted proxy that names its peers in a way that is not understood: everyone behind it counts
// as one visitor.
func (c *chain) tellOfPeer(ctx context.Context, peer string) {
	c.unreadable.Do(func() {
		slog.WarnContext(ctx, "a trusted proxy names a sender that is no address: every client that comes through it counts as the proxy itself, and limits by address hold for all of them together. This is said once.",
			"sender", peer[:min(len(peer), maxPeer)])
	})
}

// tellOfProxy warns once of a proxy on this machine that is not trusted:
// everyone behind it counts as one visitor, who is at this machine.
func (c *chain) tellOfProxy(r *http.Request, host string) {
	if (r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != "") && (models.Actor{IP: host}).OnThisMachine() && !c.trusted(host) {
		c.unbelieved.Do(func() {
			slog.WarnContext(r.Context(), "a proxy on this machine sends X-Forwarded-For, which is not believed: every visitor counts as one, and limits by address hold for all together. Name the proxy in TRUSTED_PROXIES.", "address", host)
		})
	}
}

func (c *chain) trusted(host string) bool {
	address, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	for _, prefix := range c.TrustedProxies {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}
