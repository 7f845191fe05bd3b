package models

import "net/netip"

// networkBits is how much of an IPv6 address one customer of a provider has:
// the one who holds it can choose the rest.
const networkBits = 64

// Network is what an address of the net is counted by in every limit: an IPv4
// address itself, an IPv6 address by its /64. What is no address stays as it is.
func Network(ip string) string {
	address, err := netip.ParseAddr(ip)
	if err != nil {
		return ip
	}
	address = address.Unmap().WithZone("")
	if address.Is4() {
		return address.String()
	}
	prefix, _ := address.Prefix(networkBits)
	return prefix.String()
}

// Network is where the actor is, for limits; empty where there is no address,
// as in work that happens by itself.
func (a Actor) Network() string { return Network(a.IP) }

// OnThisMachine tells whether the actor's address is a loopback one: a person
// at the machine, or everyone behind a proxy that is not trusted.
func (a Actor) OnThisMachine() bool {
	address, err := netip.ParseAddr(a.IP)
	return err == nil && address.Unmap().IsLoopback()
}
