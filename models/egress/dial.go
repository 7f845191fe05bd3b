package egress

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// Resolver finds the addresses of a name; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// dialer connects to vetted addresses only.
type dialer struct {
	allow    []netip.Prefix
	resolver Resolver
	tls      *tls.Config
	timeout  time.Duration
}

// dial connects to the first address of the host that answers, after all of
// them were judged.
func (d *dialer) dial(ctx context.Context, _, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, d.timeout) // net/http takes the request's deadline off
	defer cancel()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addrs, err := d.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	return d.connectAny(ctx, addrs, port)
}

// connectAny connects to the first of the judged addresses that answers.
func (d *dialer) connectAny(ctx context.Context, addrs []netip.Addr, port string) (net.Conn, error) {
	var failures []error
	for i, addr := range addrs {
		conn, err := d.connect(ctx, addr, port, len(addrs)-i)
		if err == nil {
			return conn, nil
		}
		failures = append(failures, err)
	}
	return nil, failures[0]
}

// resolve returns the host's addresses, or refuses it when one of them is not permitted.
func (d *dialer) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	addrs := []netip.Addr{}
	if addr, err := netip.ParseAddr(host); err == nil {
		addrs = append(addrs, addr)
	} else if strings.HasSuffix(host, ".invalid") { // there are none, whatever a resolver says (RFC 6761)
		return nil, fmt.Errorf("%w: %s has no address", ErrBlockedAddress, host)
	} else {
		limited, cancel := context.WithTimeout(ctx, d.timeout/2)
		defer cancel()
		if addrs, err = d.resolver.LookupNetIP(limited, "ip", host); err != nil {
			return nil, unresolved(err)
		}
	}
	if len(addrs) == 0 {
		return nil, fmt.Errorf("%w: %s has no address", ErrBlockedAddress, host)
	}
	for i, addr := range addrs {
		if !permitted(addr, d.allow) {
			return nil, fmt.Errorf("%w: %s", ErrBlockedAddress, host)
		}
		addrs[i] = normalize(addr)
	}
	return addrs, nil
}

func unresolved(err error) error {
	var dns *net.DNSError
	if errors.As(err, &dns) && dns.IsNotFound {
		return fmt.Errorf("%w: %w", ErrBlockedAddress, err)
	}
	return fmt.Errorf("%w: %w: %w", ErrBlockedAddress, ErrResolver, err)
}

// connect gives each of the left addresses its share of the time that is left.
func (d *dialer) connect(ctx context.Context, addr netip.Addr, port string, left int) (net.Conn, error) {
	if deadline, ok := ctx.Deadline(); ok && left > 1 {
		limited, cancel := context.WithTimeout(ctx, time.Until(deadline)/time.Duration(left))
		defer cancel()
		ctx = limited
	}
	plainly := net.Dialer{KeepAlive: -1, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !permitted(to.Addr(), d.allow) {
			return fmt.Errorf("%w: %s", ErrBlockedAddress, address)
		}
		return nil
	}}
	return plainly.DialContext(ctx, "tcp", net.JoinHostPort(addr.String(), port))
}

// dialTLS is dial with a handshake; its failures are ErrTLS.
func (d *dialer) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	conn, err := d.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	return d.secure(ctx, conn, host)
}

// secure makes the handshake; a connection on which it fails is closed.
func (d *dialer) secure(ctx context.Context, conn net.Conn, host string) (*tls.Conn, error) {
	config := d.tls.Clone()
	config.ServerName = host
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, fmt.Errorf("%w: %w", ErrTLS, err)
	}
	return secure, nil
}
