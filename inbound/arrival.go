package inbound

import (
	"context"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Arrival is what one request holds of the process while it is answered.
type Arrival struct {
	ledger *Ledger
	key    string
	body   *Body
	header http.Header // of the answer

	mu    sync.Mutex
	held  int64
	large bool
	heavy bool
	gone  bool
	forms []*multipart.Form // whose files lie on the disk
}

type arrivalKey struct{}

// Enter lets a request of a sender in: what it sends is counted from now on, and
// unpacked as it is read. Leave it when it is answered. key names the sender: an
// account, or the network of an anonymous request.
func (l *Ledger) Enter(w http.ResponseWriter, r *http.Request, key string) (*http.Request, *Arrival) {
	a := &Arrival{ledger: l, key: key, header: w.Header()}
	l.enter(key)
	r = r.WithContext(context.WithValue(r.Context(), arrivalKey{}, a))
	if r.Body != nil && r.Body != http.NoBody {
		a.body = newBody(a, r)
		r.Body = a.body
	}
	return r, a
}

// From is the arrival of a request, nil within the program.
func From(ctx context.Context) *Arrival {
	a, _ := ctx.Value(arrivalKey{}).(*Arrival)
	return a
}

// Leave gives everything back.
func (a *Arrival) Leave() {
	a.EndHeavy()
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.gone {
		a.gone = true
		for _, form := range a.forms {
			_ = form.RemoveAll()
		}
		a.ledger.leave(a.key, a.held, a.large)
	}
}

// keep has the files of a form removed when the request ends.
func (a *Arrival) keep(form *multipart.Form) {
	if a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.forms = append(a.forms, form)
	}
}

// Release gives back what was held so far, once what arrived is no longer needed:
// before an answer that is waited for long.
func (a *Arrival) Release() {
	if a == nil {
		return
	}
	a.EndHeavy()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gone {
		return
	}
	a.ledger.giveBack(a.key, a.held, a.large)
	a.held, a.large = 0, false
}

// Hold reserves memory for n bytes, or is a refusal. It is given back by Leave.
func (a *Arrival) Hold(n int64) error {
	if a == nil || n <= 0 {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gone {
		return nil
	}
	if err := a.ledger.hold(a.key, n); err != nil {
		return err
	}
	a.held += n
	return nil
}

// Large counts the request among the large ones of its sender, once.
func (a *Arrival) Large() error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.large || a.gone {
		return nil
	}
	if err := a.ledger.takeLarge(a.key); err != nil {
		return err
	}
	a.large = true
	return nil
}

// Weigh reserves what a text of so many bytes and values takes while it is
// decoded. One with much in it waits for a place, which it keeps until the request
// ends, and for five seconds at most.
func (a *Arrival) Weigh(ctx context.Context, bytes, values int) error {
	if a == nil {
		return nil
	}
	if err := a.Hold(int64(values) * valueBytes); err != nil {
		return err
	}
	if bytes <= heavyBytes && values <= heavyValues {
		return nil
	}
	a.mu.Lock()
	has := a.heavy || a.gone
	a.mu.Unlock()
	if has {
		return nil
	}
	if err := a.ledger.takeHeavy(ctx, a.key); err != nil {
		return err
	}
	a.mu.Lock()
	a.heavy = true
	a.mu.Unlock()
	time.AfterFunc(heavyTime, a.EndHeavy)
	return nil
}

// EndHeavy gives the place for a body with much in it up.
func (a *Arrival) EndHeavy() {
	if a == nil {
		return
	}
	a.mu.Lock()
	had := a.heavy
	a.heavy = false
	a.mu.Unlock()
	if had {
		a.ledger.giveHeavy(a.key)
	}
}

// announced is how long a body says that it is, -1 when it says nothing.
func announced(r *http.Request) int64 {
	if a := From(r.Context()); a != nil && a.body != nil {
		return a.body.announced
	}
	return r.ContentLength
}

// refuseCoding says in which coding a body may come.
func (a *Arrival) refuseCoding() {
	if a != nil {
		a.header.Set("Accept-Encoding", codingGzip)
	}
}

// coding is the one content coding of a body in lower case, empty for none; false
// when there are several.
func codingOf(header http.Header) (coding string, one bool) {
	for name := range strings.SplitSeq(strings.Join(header.Values("Content-Encoding"), ","), ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" || name == "identity" {
			continue
		}
		if coding != "" {
			return "", false
		}
		coding = name
	}
	return coding, true
}
