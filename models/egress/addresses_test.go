package egress_test

import (
	"net/netip"
	"testing"

	"pgregory.net/rapid"

	"atelier/models/egress"
)

// registry is every network of the IANA IPv4 and IPv6 Special-Purpose Address
// Registries (as of 2025), with multicast and what lies outside 2000::/3.
var registry = []string{
	"0.0.0.0/8", "0.0.0.0/32", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.0.0/29", "192.0.0.8/32", "192.0.0.9/32", "192.0.0.10/32", "192.0.0.170/32", "192.0.0.171/32",
	"192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32", "168.63.129.16/32",
	"::1/128", "::/128", "::ffff:0:0/112", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23", "2001::/32",
	"2001:1::1/128", "2001:1::2/128", "2001:1::3/128", "2001:2::/48", "2001:3::/32", "2001:4:112::/48", "2001:10::/28",
	"2001:20::/28", "2001:30::/28", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", "5f00::/16",
	"fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "4000::/3", "6000::/3", "8000::/3", "a000::/3", "c000::/3", "e000::/4",
}

func TestNothingOfTheRegistriesIsPublic(t *testing.T) {
	for _, text := range registry {
		prefix := netip.MustParsePrefix(text)
		for _, addr := range []netip.Addr{prefix.Masked().Addr(), last(prefix)} {
			if egress.Public(addr) {
				t.Errorf("%v of %v is public", addr, prefix)
			}
		}
	}
}

// last is the last address of a network.
func last(p netip.Prefix) netip.Addr {
	b := p.Masked().Addr().AsSlice()
	for bit := p.Bits(); bit < len(b)*8; bit++ {
		b[bit/8] |= 0x80 >> (bit % 8)
	}
	addr, _ := netip.AddrFromSlice(b)
	return addr
}

func TestPublicNeighbours(t *testing.T) {
	for _, text := range []string{
		"1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
		"169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
		"198.17.255.255", "198.20.0.0", "223.255.255.255", "168.63.129.15", "168.63.129.17", "8.8.8.8",
		"2000::", "2001:200::", "2001:db7:ffff::1", "2001:db9::", "2003::", "2606:4700:4700::1111", "3ffe:ffff::1", "3fff:1000::",
		"::ffff:8.8.8.8", "2606:4700:4700::1111%eth0",
	} {
		if !egress.Public(netip.MustParseAddr(text)) {
			t.Errorf("%s is not public", text)
		}
	}
}

func TestAddressesInDisguise(t *testing.T) {
	for _, text := range []string{"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "fe80::1%eth0", "::1%lo"} {
		if egress.Public(netip.MustParseAddr(text)) {
			t.Errorf("%s is public", text)
		}
	}
	if egress.Public(netip.Addr{}) {
		t.Error("no address at all is public")
	}
}

func TestRandomAddressesAgainstTheRegistries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		addr := netip.AddrFrom4([4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "address")))
		listed := false
		for _, text := range registry {
			listed = listed || netip.MustParsePrefix(text).Contains(addr)
		}
		if egress.Public(addr) == listed {
			t.Fatalf("%v: listed %v", addr, listed)
		}
	})
}
