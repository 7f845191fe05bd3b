package server

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// How slowly a client may send a body and read an answer. Only the time that is
// spent waiting for the client counts. A body is judged by the last half minute, so
// that a large file on a slow line arrives, and a client that stops sending is gone soon,
// however much came before; an answer by what has passed so far.
const (
	// bodyGrace is what any body may take, bodyRate the bytes a second that more
	// time needs, bodySaved the time that fast sending saves up at most, bodyTime the
	// end of it. 100 MiB need 60 KiB/s.
	bodyGrace = 10 * time.Second
	bodyRate  = 16 << 10
	bodySaved = 30 * time.Second
	bodyTime  = 30 * time.Minute
	// answerGrace and answerRate are the same for the reading of answers.
	answerGrace = 30 * time.Second
	answerRate  = 16 << 10
)

// pacedBody is a body with a deadline that moves with what arrives.
type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	left    time.Duration // that may be waited from now on
	spent   time.Duration
}

// paceBody sets the deadlines of a request's body. A request without one has
// none, for its connection is watched as long as it is answered.
func paceBody(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	if r.Body == nil || r.Body == http.NoBody {
		_ = control.SetReadDeadline(time.Time{})
		return
	}
	r.Body = &pacedBody{ReadCloser: r.Body, control: control, left: bodyGrace}
}

// Read waits no longer than what arrived recently allows.
func (b *pacedBody) Read(p []byte) (int, error) {
	began := time.Now()
	_ = b.control.SetReadDeadline(began.Add(min(b.left, bodyTime-b.spent)))
	n, err := b.ReadCloser.Read(p)
	b.passed(n, time.Since(began))
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// passed counts n bytes that were waited for.
func (b *pacedBody) passed(n int, waited time.Duration) {
	b.spent += waited
	b.left = min(b.left-waited+time.Duration(n)*time.Second/bodyRate, bodySaved)
}

// pacedAnswer moves the deadline of an answer with what the client took.
type pacedAnswer struct {
	control *http.ResponseController
	written int64
	spent   time.Duration
}

// during bounds one write of n bytes, or a flush.
func (a *pacedAnswer) during(n int, write func()) {
	began := time.Now()
	a.written += int64(n)
	_ = a.control.SetWriteDeadline(began.Add(answerGrace + time.Duration(a.written)*time.Second/answerRate - a.spent))
	write()
	a.spent += time.Since(began)
}
