//go:build !race

package nodes

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"atelier/models/egress"
	"atelier/nodes/kit"
)

// names is a name server of its own, which knows names inside.
type names struct{}

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	switch strings.TrimSuffix(host, ".") {
	case "inside.example.com":
		return []netip.Addr{netip.MustParseAddr("10.1.2.3")}, nil
	case "mixed.example.com":
		return []netip.Addr{netip.MustParseAddr("93.184.216.34"), netip.MustParseAddr("169.254.169.254")}, nil
	case "refuses.example.com":
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	case "slow.example.com":
		return nil, &net.DNSError{Err: "timed out", Name: host, IsTimeout: true}
	case "broken.example.com":
		return nil, errors.New("server misbehaving")
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// TestNamesInsideAreNotTold asks for names that lead nowhere, inside and to a
// closed port: the sentences are the same.
func TestNamesInsideAreNotTold(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	port := closed.Listener.Addr().(*net.TCPAddr).Port
	closed.Close()
	client := egress.New(egress.Config{
		Resolver: names{}, AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Timeout: 5 * time.Second,
	}).HTTP()
	ask := map[string]func(address string) error{
		"http-request": func(address string) error {
			_, err := httpRequestNode.Do(context.Background(), &kit.Call{HTTP: client, Attempt: 1, Input: map[string]any{"url": address, "method": "GET"}})
			return err
		},
		"webhook-output": func(address string) error {
			_, err := webhookOutputNode.Do(context.Background(), &kit.Call{HTTP: client, Attempt: 1, Input: map[string]any{"url": address}})
			return err
		},
		"a file": func(address string) error {
			res, err := client.Get(address)
			if err == nil {
				res.Body.Close()
			}
			return kit.NotOpened(err, "picture")
		},
	}
	for what, ask := range ask {
		said := map[string][]string{}
		for _, host := range []string{"nothing", "inside", "mixed", "refuses", "slow", "broken"} {
			err := ask(fmt.Sprintf("https://%s.example.com:%d/x", host, port))
			var failure *kit.Failure
			if !errors.As(err, &failure) {
				t.Fatalf("%s %s: %v", what, host, err)
			}
			words := failure.Message + " / " + failure.Hint
			said[words] = append(said[words], host)
		}
		if len(said) != 1 {
			t.Errorf("%s tells names apart: %v", what, said)
		}
	}
}
