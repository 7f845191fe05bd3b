package egress

import (
	"context"
	"errors"
	"net"
	"net/http/httptrace"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// waitTimeout is how long a question for a name waits for the one before it.
const waitTimeout = 50 * time.Millisecond

// lookups has requests that ask for the same name at the same time share an
// answer. It keeps no answer: a request is only ever given the answer to a
// question that was put after the request came, so that a name that has moved
// is seen by the next request.
type lookups struct {
	resolver Resolver
	timeout  time.Duration

	mu sync.Mutex
	// last is the youngest question that was put for a name and not answered
	// yet; next is the one to be put after it, which requests may still join.
	last, next map[string]*question
}

// question is one question for a name's addresses.
type question struct {
	done  chan struct{}
	addrs []netip.Addr
	err   error
}

func newLookups(resolver Resolver, timeout time.Duration) *lookups {
	return &lookups{resolver: resolver, timeout: timeout, last: map[string]*question{}, next: map[string]*question{}}
}

// LookupNetIP asks for a name's addresses.
func (l *lookups) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	trace := httptrace.ContextClientTrace(ctx)
	if trace != nil && trace.DNSStart != nil {
		trace.DNSStart(httptrace.DNSStartInfo{Host: host})
	}
	addrs, err := l.wait(ctx, network, host)
	if trace != nil && trace.DNSDone != nil {
		trace.DNSDone(httptrace.DNSDoneInfo{Err: err})
	}
	return addrs, err
}

func (l *lookups) wait(ctx context.Context, network, host string) ([]netip.Addr, error) {
	l.mu.Lock()
	q := l.next[host]
	if q == nil {
		q = &question{done: make(chan struct{})}
		l.next[host] = q
		go l.ask(network, host, q, l.last[host])
	}
	l.mu.Unlock()
	select {
	case <-q.done:
		return slices.Clone(q.addrs), q.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ask puts the question once the one before it was answered, or takes too long.
func (l *lookups) ask(network, host string, q, before *question) {
	defer close(q.done)
	if before != nil {
		late := time.NewTimer(waitTimeout)
		select {
		case <-before.done:
		case <-late.C:
		}
		late.Stop()
	}
	l.mu.Lock()
	delete(l.next, host)
	l.last[host] = q
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), l.timeout)
	defer cancel()
	q.addrs, q.err = l.resolver.LookupNetIP(ctx, network, host)
	l.mu.Lock()
	if l.last[host] == q {
		delete(l.last, host)
	}
	l.mu.Unlock()
}

// rootName is a name that every resolver that works can say something about.
const rootName = "a.root-servers.net."

// Resolves tells whether names can be asked for at all, be it that there is no
// such name: when they cannot, ErrResolver is this service's own trouble.
func (c *Client) Resolves(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout/5)
	defer cancel()
	_, err := c.dialer.resolver.LookupNetIP(ctx, "ip", rootName)
	var dns *net.DNSError
	return err == nil || errors.As(err, &dns) && dns.IsNotFound
}
