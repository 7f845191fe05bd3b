package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Config says what a client may do; the zero value is fit for deliveries.
type Config struct {
	// AllowCIDRs are networks that may be reached although they are not public.
	AllowCIDRs []netip.Prefix
	// Configured says that the operator named the address in the configuration:
	// http and addresses that are not public pass. Never for an address that a
	// user, or an answer, gave.
	Configured bool
	// Timeout bounds the whole exchange, the body included; 0 is 10 seconds.
	Timeout time.Duration
	// MaxBytes bounds the body of the answer; 0 is 1 MiB.
	MaxBytes int64
	// MaxHeaderBytes bounds the head of the answer; 0 is 64 KiB.
	MaxHeaderBytes int64
	// Redirects is how many redirects are followed, each judged like the first
	// address; 0 follows none and returns the redirect itself. Headers of the
	// request do not go along to another host.
	Redirects int
	// Resolver is the system's when nil.
	Resolver Resolver
	// RootCAs are the system's when nil, which the environment variable
	// SSL_CERT_FILE may add to.
	RootCAs *x509.CertPool
	// Keep says which connections are kept for further requests of this client;
	// the zero value gives every request one of its own. Kept ones are shared
	// by all who send to the same host, so a client whose requests carry keys
	// keeps none. A client that keeps connections follows no redirects.
	Keep Keep
}

// Client makes requests to addresses that a person gave. It may be used
// concurrently; unless it is to keep connections every request has one of its own.
type Client struct {
	config Config
	http   http.Client
	dialer *dialer
	pool   *pool // nil: no connection is kept
}

// everywhere are the networks of an address that the operator configured.
var everywhere = prefixes("0.0.0.0/0", "::/0")

// New makes a client.
func New(config Config) *Client {
	if config.Timeout == 0 {
		config.Timeout = 10 * time.Second
	}
	if config.MaxBytes == 0 {
		config.MaxBytes = 1 << 20
	}
	if config.MaxHeaderBytes == 0 {
		config.MaxHeaderBytes = 64 << 10
	}
	if config.Resolver == nil {
		config.Resolver = net.DefaultResolver
	}
	if config.Configured {
		config.AllowCIDRs = everywhere
	}
	d := &dialer{
		allow: config.AllowCIDRs, resolver: config.Resolver, timeout: config.Timeout,
		tls: &tls.Config{RootCAs: config.RootCAs, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}},
	}
	c := &Client{config: config, dialer: d}
	if config.Keep.Idle > 0 {
		d.resolver = newLookups(config.Resolver, config.Timeout/2)
		c.pool = newPool(config, d)
		return c
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	c.http = http.Client{
		CheckRedirect: c.redirect,
		Transport: &http.Transport{
			Proxy:                  nil, // not even the environment's
			DialContext:            d.dial,
			DialTLSContext:         d.dialTLS,
			DisableKeepAlives:      true, // a kept connection would escape the next judgement
			DisableCompression:     true,
			MaxResponseHeaderBytes: config.MaxHeaderBytes,
			Protocols:              protocols,
		},
	}
	return c
}

// Do sends the request and returns the answer once its head is there. Reading
// its body fails with ErrTooLarge beyond MaxBytes and with a timeout when the
// whole takes too long; the caller closes it. For errors see Classify.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	if !c.config.Configured {
		if err := CheckURL(req.URL.String(), c.config.AllowCIDRs); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrBlockedAddress, err)
		}
	}
	ctx, span := traceRequest(req)
	resp, err := c.within(ctx, req)
	endRequest(span, resp, err)
	return resp, err
}

// within makes a request that was judged.
func (c *Client) within(ctx context.Context, req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	again := req.GetBody
	req = req.Clone(ctx)
	req.GetBody = nil // so that nothing is ever sent twice by itself
	resp, err := c.send(req, again)
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = &body{ReadCloser: resp.Body, ctx: ctx, left: c.config.MaxBytes, cancel: cancel}
	return resp, nil
}

func (c *Client) send(req *http.Request, again func() (io.ReadCloser, error)) (*http.Response, error) {
	switch {
	case c.pool != nil:
		return c.pool.roundTrip(req, again)
	case c.config.Redirects == 0:
		return c.http.Transport.RoundTrip(req) // http.Client refuses an answer whose Location it cannot read
	}
	return c.http.Do(req)
}

// Close ends the connections that wait for further requests. Requests under
// way, and those that come, go on without keeping theirs.
func (c *Client) Close() {
	if c.pool != nil {
		c.pool.close()
	}
}

// redirect judges the next address; headers meant for one host stay there.
func (c *Client) redirect(req *http.Request, via []*http.Request) error {
	if len(via) > c.config.Redirects {
		return ErrRedirects
	}
	if err := CheckURL(req.URL.String(), c.config.AllowCIDRs); err != nil {
		return fmt.Errorf("%w: %w", ErrBlockedAddress, err)
	}
	last := via[len(via)-1]
	if req.URL.Host != last.URL.Host || req.URL.Scheme != last.URL.Scheme {
		kept := http.Header{}
		for _, name := range []string{"Accept", "User-Agent"} {
			if values := req.Header.Values(name); len(values) > 0 {
				kept[name] = values
			}
		}
		req.Header = kept
	}
	return nil
}

// body ends the request's time with the reading, and bounds what is read.
type body struct {
	io.ReadCloser
	ctx    context.Context
	left   int64
	cancel context.CancelFunc
}

func (b *body) Read(p []byte) (int, error) {
	if b.left <= 0 {
		if n, err := b.ReadCloser.Read(make([]byte, 1)); n == 0 {
			return 0, b.end(err)
		}
		return 0, ErrTooLarge
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, b.end(err)
}

// end tells a body that is complete from one that a server, told that the time
// is over, ended properly.
func (b *body) end(err error) error {
	if err != nil && b.ctx.Err() != nil {
		return b.ctx.Err()
	}
	return err
}

func (b *body) Close() error {
	b.cancel() // first: closing waits for nothing then
	return b.ReadCloser.Close()
}

// Answer is what a receiver said.
type Answer struct {
	Status int
	// StatusLine is its first line, with whatever words the receiver put there.
	StatusLine string
	Header     http.Header
	// Body is the beginning of the body.
	Body []byte
	// Complete tells whether Body is all of it; it is not when there was more
	// than was to be kept, or when the rest did not come in time or at all.
	Complete bool
}

// Exchange sends the request and keeps the first bytes of the answer's body. An
// answer counts once its head is there, whatever becomes of its body.
func (c *Client) Exchange(req *http.Request, keep int64) (*Answer, error) {
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer := &Answer{Status: resp.StatusCode, StatusLine: resp.Proto + " " + resp.Status, Header: resp.Header}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return answer, nil // what follows is no body
	}
	content, err := io.ReadAll(io.LimitReader(resp.Body, keep+1))
	// A receiver that sees the end of the time may still close its body properly.
	inTime := resp.Request.Context().Err() == nil
	answer.Complete = err == nil && inTime && int64(len(content)) <= keep
	answer.Body = content[:min(int64(len(content)), keep)]
	if err == nil && inTime && !answer.Complete && c.pool != nil {
		drain(resp)
	}
	return answer, nil
}

const (
	// drained is how much of a body that no one wants is read, in bytes, so that
	// its HTTP/1.1 connection can be kept; drainTime is how long.
	drained   = 64 << 10
	drainTime = 50 * time.Millisecond
)

// drain reads the rest of a body where that costs less than a new connection.
// HTTP/2 needs none of it.
func drain(resp *http.Response) {
	if rest, bounded := resp.Body.(*body); resp.ProtoMajor == 1 && resp.ContentLength <= drained && bounded {
		late := time.AfterFunc(drainTime, rest.cancel)
		defer late.Stop()
		_, _ = io.CopyN(io.Discard, rest, drained)
	}
}
