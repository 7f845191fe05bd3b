package event_test

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models/egress"
	"atelier/models/event"
)

// names is a resolver of tests: it leads every name to the receiver, but fails
// for those that hold one of the broken words.
type names struct {
	mu     sync.Mutex
	broken []string
	moved  string
}

func (n *names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, word := range n.broken {
		if strings.Contains(host, word) {
			return nil, &net.DNSError{Err: "server misbehaving", Name: host, IsTemporary: true}
		}
	}
	if n.moved != "" {
		return []netip.Addr{netip.MustParseAddr(n.moved)}, nil
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

func (n *names) set(moved string, broken ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.moved, n.broken = moved, broken
}

// byName has the world's service ask the resolver, and is the receiver's
// address under a name.
func (w *world) byName(resolver egress.Resolver) string {
	w.Egress = egress.New(egress.Config{
		AllowCIDRs: w.AllowCIDRs, Timeout: plentyOfTime, Resolver: resolver, Keep: egress.Deliveries,
		RootCAs: w.receiver.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs,
	})
	u, err := url.Parse(w.receiver.URL)
	w.must(err)
	return "https://example.com:" + u.Port() + "/"
}

// When no name can be asked for at all that is not the receiver's fault: the
// delivery waits, and no attempt is used. When its name alone cannot be, it is.
func TestOwnResolverDown(t *testing.T) {
	w := newWorld(t)
	resolver := &names{}
	address := w.byName(resolver)
	e := w.create(address).Endpoint
	resolver.set("", ".")
	w.publish(1)
	for range 7 { // more than bring a rest
		w.work()
		d := w.only(e.ID)
		wantState(t, d, event.DeliveryPending, 0, egress.ClassBlockedAddress)
		if wait := d.NextAttemptAt.Sub(w.clock.Now()); wait <= 0 || wait > time.Minute || len(w.attempts(d)) != 0 {
			t.Errorf("waits %v after %d attempts", wait, len(w.attempts(d)))
		}
		w.clock.Advance(time.Minute)
	}
	resolver.set("", "example.com")
	w.work()
	wantState(t, w.only(e.ID), event.DeliveryPending, 1, egress.ClassBlockedAddress)
	resolver.set("")
	w.clock.Advance(time.Minute)
	w.work()
	wantState(t, w.only(e.ID), event.DeliveryDelivered, 2, "")
	if got := w.receiver.got(); len(got) != 1 || got[0].header.Get("Service-Attempt") != "2" {
		t.Errorf("%d posts, %v", len(got), got)
	}
}

// A ping has one attempt, and keeps it while no name can be asked for.
func TestOwnResolverDownAtAPing(t *testing.T) {
	w := newWorld(t)
	resolver := &names{}
	e := w.create(w.byName(resolver)).Endpoint
	resolver.set("", ".")
	_, err := w.TestEndpoint(w.ctx(), e.ID)
	w.must(err)
	w.work()
	wantState(t, w.only(e.ID), event.DeliveryPending, 0, egress.ClassBlockedAddress)
	resolver.set("")
	w.clock.Advance(time.Minute)
	w.work()
	wantState(t, w.only(e.ID), event.DeliveryDelivered, 1, "")
}

// Deliveries share a connection; the log names its address, and no time of
// connecting. When the name moves to a private address it serves no more.
func TestDeliveriesOnAKeptConnection(t *testing.T) {
	w := newWorld(t)
	resolver := &names{}
	e := w.create(w.byName(resolver)).Endpoint
	w.publish(1)
	w.work()
	w.publish(1)
	w.work()
	for _, d := range w.deliveries(e.ID) {
		wantState(t, d, event.DeliveryDelivered, 1, "")
		log := w.attempts(d)
		if len(log) != 1 || log[0].Address == nil || !strings.HasPrefix(*log[0].Address, "127.0.0.1:") {
			t.Errorf("attempts %+v", log)
		}
	}
	resolver.set("192.168.0.1")
	w.publish(1)
	w.work()
	all := w.deliveries(e.ID)
	wantState(t, all[len(all)-1], event.DeliveryPending, 1, egress.ClassBlockedAddress)
	if got := len(w.receiver.got()); got != 2 {
		t.Errorf("%d posts, want 2", got)
	}
}
