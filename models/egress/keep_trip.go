package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
)

// roundTrip resolves and judges the address, and sends the request on a kept
// connection to one of the judged addresses, else on a new one. A kept
// connection that ends before a byte of the answer is replaced by a new one,
// once; again gives the body for that. A new one is never replaced.
func (p *pool) roundTrip(req *http.Request, again func() (io.ReadCloser, error)) (*http.Response, error) {
	t, err := targetOf(req)
	if err != nil {
		return nil, err
	}
	ctx := req.Context()
	addrs, err := p.dialer.resolve(ctx, t.host)
	if err != nil {
		return nil, err
	}
	if k := p.take(t.key, addrs); k != nil {
		resp, silent, err := p.send(k, req, true)
		replaceable := silent && ctx.Err() == nil && (req.Body == nil || again != nil)
		if err == nil || !replaceable {
			return resp, err
		}
		if req.Body != nil {
			body, cannot := again()
			if cannot != nil {
				return nil, err
			}
			req = req.Clone(ctx)
			req.Body = body
		}
	}
	k, err := p.open(ctx, t, addrs)
	if err != nil {
		return nil, err
	}
	resp, _, err := p.send(k, req, false)
	return resp, err
}

// send makes the request on a connection on which it has a place. silent tells
// of a failure that the connection ended without a byte of the answer.
func (p *pool) send(k *pooledConn, req *http.Request, reused bool) (resp *http.Response, silent bool, err error) {
	var heard atomic.Bool
	ctx := req.Context()
	if trace := httptrace.ContextClientTrace(ctx); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{Conn: k.raw, Reused: reused, WasIdle: reused && !k.h2})
	}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotFirstResponseByte: func() { heard.Store(true) }})
	began := p.began(k)
	resp, err = k.conn.RoundTrip(req.WithContext(ctx))
	if err != nil {
		silent = !heard.Load() && (k.conn.Err() != nil || unprocessed(err))
		p.failed(k, began, ctx.Err() != nil)
		return nil, silent, err
	}
	p.answered(k)
	resp.Body = &keptBody{ReadCloser: resp.Body, ctx: ctx, done: func(sound bool) { p.done(k, sound) }}
	return resp, false, nil
}

// keptBody gives the connection back when it is closed.
type keptBody struct {
	io.ReadCloser
	ctx    context.Context
	once   sync.Once
	broken bool
	done   func(sound bool)
}

func (b *keptBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.broken = true
	}
	return n, err
}

func (b *keptBody) Close() error {
	err := b.ReadCloser.Close()
	b.once.Do(func() { b.done(!b.broken) })
	return err
}

// streamError has the shape of the standard library's HTTP/2 stream errors,
// which turn into anything that looks like them.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

// Error names the code.
func (e streamError) Error() string { return fmt.Sprintf("HTTP/2 stream error %d", e.Code) }

// refusedStream is the code of a stream that was not looked at (RFC 9113, 8.7).
const refusedStream = 7

// unprocessed tells whether the receiver of an HTTP/2 request said that it has
// not begun with it.
func unprocessed(err error) bool {
	var stream streamError
	if errors.As(err, &stream) {
		return stream.Code == refusedStream
	}
	return strings.Contains(err.Error(), "graceful shutdown GOAWAY") || strings.Contains(err.Error(), "client conn not usable")
}
