package inbound

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	// MaxBody is the largest body of any route: a file of 100 MiB and a form around it.
	MaxBody = 101 << 20
	// How much of a body that is refused is read to its end, and for how long, so
	// that clients that send before they read see why.
	maxDrained = 160 << 20
	drainTime  = 20 * time.Second

	codingGzip = "gzip"
)

// Body is a body as it arrives: unpacked, within its route's limit in both
// forms, and counted for its sender.
type Body struct {
	arrival   *Arrival
	raw       *counted
	from      io.Reader // nil until it is read
	packed    bool
	refused   *Refusal // of its coding
	announced int64
	limit     int64
	read      int64
	err       error
}

// counted is a body as it was sent.
type counted struct {
	io.ReadCloser
	n   int64
	err error
	of  *Body
}

func newBody(a *Arrival, r *http.Request) *Body {
	b := &Body{arrival: a, limit: MaxBody, announced: r.ContentLength}
	b.raw = &counted{ReadCloser: r.Body, of: b}
	switch coding, one := codingOf(r.Header); {
	case !one || coding != "" && coding != codingGzip && coding != "x-gzip":
		b.refused = unsupported("Send the body as it is, or packed once with gzip")
	case coding != "":
		b.packed = true
		r.ContentLength = -1
		r.Header.Del("Content-Length")
		r.Header.Del("Content-Encoding")
	}
	return b
}

// Read reads what was sent as it was before it was packed.
func (b *Body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.next(p)
	b.read += int64(n)
	if b.read > b.limit {
		n, err = 0, TooLarge()
	}
	if max(b.read, b.raw.n) > LargeBody && (err == nil || errors.Is(err, io.EOF)) {
		if refused := b.arrival.Large(); refused != nil {
			n, err = 0, refused
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = b.why(err)
	}
	b.err = err
	return n, err
}

func (b *Body) next(p []byte) (int, error) {
	if b.refused != nil {
		b.arrival.refuseCoding()
		return 0, b.refused
	}
	if b.from == nil {
		b.from = b.raw
		if b.packed {
			unpacked, err := gzip.NewReader(b.raw)
			if err != nil {
				return 0, err
			}
			b.from = unpacked
		}
	}
	return b.from.Read(p)
}

// why tells an arrival that broke off from a body that is not what it says.
func (b *Body) why(err error) error {
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		return refusal
	case b.raw.err != nil && !errors.Is(b.raw.err, io.EOF):
		return broken(b.raw.err)
	case b.packed:
		return invalid("The body is not gzip, as its Content-Encoding says, or it is not whole")
	}
	return broken(err)
}

// Close closes the connection's body.
func (b *Body) Close() error { return b.raw.Close() }

// Read counts what was sent; packed it may not be longer than unpacked.
func (c *counted) Read(p []byte) (int, error) {
	if c.of.packed && c.n > c.of.limit {
		return 0, TooLarge()
	}
	n, err := c.ReadCloser.Read(p)
	c.n += int64(n)
	if err != nil {
		c.err = err
	}
	return n, err
}

// Limit sets the largest body of a route, in bytes.
func Limit(r *http.Request, most int64) {
	if a := From(r.Context()); a != nil && a.body != nil {
		a.body.limit = most
		return
	}
	if r.Body != nil {
		r.Body = &limited{r.Body, most}
	}
}

// limited is a body outside of the chain.
type limited struct {
	io.ReadCloser
	left int64
}

// Read ends with TooLarge beyond the limit.
func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, TooLarge()
	}
	return n, err
}

// Announced tells whether a body says that it is longer than a limit.
func Announced(r *http.Request, most int64) bool { return announced(r) > most }

// Drain reads what is left of a refused body, as it was sent.
func Drain(r *http.Request) {
	var from io.Reader = r.Body
	if a := From(r.Context()); a != nil && a.body != nil {
		from = a.body.raw.ReadCloser
	}
	if from == nil {
		return
	}
	part := make([]byte, 32<<10)
	end := time.Now().Add(drainTime)
	for left := maxDrained; left > 0 && time.Now().Before(end); {
		n, err := from.Read(part)
		if err != nil {
			return
		}
		left -= n
	}
}
