package egress

import "net/netip"

// special4 is what is not the public internet in IPv4: the IANA IPv4
// Special-Purpose Address Registry, multicast and the reserved class E, and
// the address under which a large cloud serves its machines' metadata.
var special4 = prefixes(
	"0.0.0.0/8",        // "this network" (RFC 791)
	"10.0.0.0/8",       // private use (RFC 1918)
	"100.64.0.0/10",    // shared address space (RFC 6598)
	"127.0.0.0/8",      // loopback (RFC 1122)
	"168.63.129.16/32", // Azure's platform address
	"169.254.0.0/16",   // link local (RFC 3927), metadata services
	"172.16.0.0/12",    // private use (RFC 1918)
	"192.0.0.0/24",     // IETF protocol assignments (RFC 6890)
	"192.0.2.0/24",     // documentation (RFC 5737)
	"192.31.196.0/24",  // AS112-v4 (RFC 7535)
	"192.52.193.0/24",  // AMT (RFC 7450)
	"192.88.99.0/24",   // 6to4 relay anycast, deprecated (RFC 7526)
	"192.168.0.0/16",   // private use (RFC 1918)
	"192.175.48.0/24",  // direct delegation AS112 (RFC 7534)
	"198.18.0.0/15",    // benchmarking (RFC 2544)
	"198.51.100.0/24",  // documentation (RFC 5737)
	"203.0.113.0/24",   // documentation (RFC 5737)
	"224.0.0.0/4",      // multicast (RFC 5771)
	"240.0.0.0/4",      // reserved, limited broadcast (RFC 1112, RFC 8190)
)

// global6 is the only part of IPv6 that is given out for the public internet.
var global6 = netip.MustParsePrefix("2000::/3")

// special6 is what the IANA IPv6 Special-Purpose Address Registry takes out of global6.
var special6 = prefixes(
	"2001::/23",         // IETF protocol assignments (RFC 2928): Teredo, benchmarking, ORCHID and more
	"2001:db8::/32",     // documentation (RFC 3849)
	"2002::/16",         // 6to4 (RFC 3056), which embeds any IPv4 address
	"2620:4f:8000::/48", // direct delegation AS112 (RFC 7534)
	"3fff::/20",         // documentation (RFC 9637)
)

func prefixes(texts ...string) []netip.Prefix {
	parsed := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		parsed[i] = netip.MustParsePrefix(text)
	}
	return parsed
}

// Public tells whether an address is one of the public internet. IPv4
// addresses mapped into IPv6 are judged as what they are.
func Public(addr netip.Addr) bool {
	addr = normalize(addr)
	switch {
	case addr.Is4():
		return !contains(special4, addr)
	case addr.Is6():
		return global6.Contains(addr) && !contains(special6, addr)
	}
	return false
}

// permitted is Public, or in one of the allowed networks.
func permitted(addr netip.Addr, allow []netip.Prefix) bool {
	return Public(addr) || contains(allow, normalize(addr))
}

// normalize unmaps an IPv4 address written as IPv6 and strips the zone: no prefix contains an address with either.
func normalize(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

func contains(networks []netip.Prefix, addr netip.Addr) bool {
	for _, network := range networks {
		if network.Contains(addr) {
			return true
		}
	}
	return false
}
