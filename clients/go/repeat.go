package atelier

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

// How long a call waits before it is made again, as the API's guidance has it.
var (
	pauses = []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second} // after 429
	briefs = []time.Duration{1 * time.Second, 2 * time.Second, 4 * time.Second}   // after 503, and where nothing came back
	faults = []time.Duration{2 * time.Second}                                     // after another 5xx: once
)

const (
	// maxPause is the most that a call waits because it was told to; a longer Retry-After is the caller's to decide.
	maxPause = time.Minute
	// answerBegins is how long the beginning of an answer may take, and of one that waits for a run.
	answerBegins     = 2 * time.Minute
	heldAnswerBegins = 11 * time.Minute
	// maxUpload is the largest file that the service takes.
	maxUpload = 100 << 20
)

// send makes a request, and makes it again where that is safe and promises something.
func (c *Client) send(ctx context.Context, o *outgoing) (*http.Response, error) {
	idempotency := key(ctx, o.method)
	for tried := 0; ; tried++ {
		response, err := c.attempt(ctx, o, idempotency)
		if err == nil {
			return response, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		pause, again := c.pause(o, err, tried)
		if !again {
			return nil, err
		}
		if err := c.sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

func (c *Client) attempt(ctx context.Context, o *outgoing, idempotency string) (*http.Response, error) {
	ctx, end := context.WithCancelCause(ctx)
	request, err := c.request(ctx, o, idempotency)
	if err != nil {
		end(nil)
		return nil, err
	}
	limit := answerBegins
	if o.query.Get("wait") == "true" {
		limit = heldAnswerBegins
	}
	n := request.ContentLength
	if n < 0 {
		n = maxUpload
	}
	if n > 0 {
		limit += time.Duration(n/(32<<10)) * time.Second // a slow line
	}
	silent := time.AfterFunc(limit, func() { end(errSilent) })
	response, err := c.http.Do(request)
	silent.Stop()
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		end(nil)
		return nil, &lost{err}
	}
	response.Body = &closing{response.Body, func() { end(nil) }}
	if response.StatusCode < 400 {
		return response, nil
	}
	defer closeBody(response)
	return nil, readError(response)
}

// closing ends the context of an answer with its body.
type closing struct {
	io.ReadCloser
	then func()
}

func (c *closing) Close() error {
	defer c.then()
	return c.ReadCloser.Close()
}

// ErrUnreachable is what errors.Is finds in the error of a call to which no answer came.
var ErrUnreachable = errors.New("no answer came")

// lost is a request to which no answer came.
type lost struct{ error }

func (l *lost) Unwrap() []error { return []error{ErrUnreachable, l.error} }

// pause is how long to wait before a request is made again, if it is.
func (c *Client) pause(o *outgoing, err error, tried int) (time.Duration, bool) {
	var waits []time.Duration
	var least time.Duration
	switch e := err.(type) {
	case *lost:
		if c.safe(o.method) {
			waits = briefs
		}
	case *Error:
		least = e.RetryAfter
		switch {
		case e.Status == http.StatusTooManyRequests:
			waits = pauses
		case e.Status == http.StatusServiceUnavailable && e.Code != CodeEncryptionKeyMissing, e.Code == CodeIdempotencyInProgress:
			waits = briefs
		case e.Status >= 500 && e.Status != http.StatusServiceUnavailable && c.safe(o.method):
			waits = faults
		}
	}
	if o.once || tried >= min(len(waits), c.repeats) || least > maxPause {
		return 0, false
	}
	wait := max(waits[tried], least)
	return wait + rand.N(wait/10+1), true
}

// safe tells whether a request may be made again without knowing what became of the first: one that changes nothing, or
// one whose answer the service remembers, which it does for callers that it knows.
func (c *Client) safe(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPut:
		return true
	case http.MethodPost:
		return c.token != ""
	}
	return false
}
