package inbound_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"atelier/inbound"
)

// enter sends a body to a fresh ledger, or to the one given.
func enter(t *testing.T, l *inbound.Ledger, key string, body io.Reader, headers ...string) (*http.Request, *inbound.Arrival) {
	t.Helper()
	r := httptest.NewRequest("POST", "/", struct{ io.Reader }{body})
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r, a := l.Enter(httptest.NewRecorder(), r, key)
	t.Cleanup(a.Leave)
	return r, a
}

func status(err error) int {
	var refusal *inbound.Refusal
	if errors.As(err, &refusal) {
		return refusal.Status
	}
	return 0
}

func packed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

func TestPackedBodies(t *testing.T) {
	whole := packed(`{"a":1}`)
	for name, c := range map[string]struct {
		body, coding string
		status       int
	}{
		"gzip":                  {whole, "gzip", 0},
		"in other letters":      {whole, "GZIP", 0},
		"by its older name":     {whole, "x-gzip", 0},
		"beside identity":       {whole, "identity, gzip", 0},
		"identity":              {`{"a":1}`, "identity", 0},
		"two members":           {packed(`{"a"`) + packed(`:1}`), "gzip", 0},
		"another":               {`{"a":1}`, "br", 415},
		"twice":                 {packed(whole), "gzip, gzip", 415},
		"none though it says":   {`{"a":1}`, "gzip", 400},
		"cut short":             {whole[:len(whole)-6], "gzip", 400},
		"with something behind": {whole + "x", "gzip", 400},
		"a bomb":                {packed(strings.Repeat(" ", 4<<20)), "gzip", 413},
		"endlessly nothing":     {strings.Repeat(packed(""), 60_000), "gzip", 413},
	} {
		r, _ := enter(t, inbound.NewLedger(), "a", strings.NewReader(c.body), "Content-Encoding", c.coding)
		err := inbound.CheckHeaders(r)
		var text []byte
		if err == nil {
			text, err = inbound.Read(r, 1<<20)
		}
		if status(err) != c.status || c.status == 0 && string(text) != `{"a":1}` {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestBombsAreNotUnpackedIntoMemory(t *testing.T) {
	l := inbound.NewLedger()
	r, _ := enter(t, l, "a", strings.NewReader(packed(strings.Repeat(" ", 8<<20))), "Content-Encoding", "gzip")
	if _, err := inbound.Read(r, 1<<20); status(err) != 413 || l.Held() > 1<<20+1 {
		t.Errorf("%v, with %d bytes held", err, l.Held())
	}
}

func TestCharsets(t *testing.T) {
	for kind, want := range map[string]int{
		"application/json": 0, "application/json; charset=utf-8": 0, `application/json; charset="UTF-8"`: 0, "application/json;charset=Utf8": 0,
		"application/json; charset=iso-8859-1": 400, "text/plain; charset=ISO-8859-1": 400, "application/json; charset=utf-16": 415,
		"application/json; charset=windows-1252": 415, "application/x-www-form-urlencoded; charset=latin1": 400,
	} {
		r, _ := enter(t, inbound.NewLedger(), "a", strings.NewReader("{}"), "Content-Type", kind)
		if err := inbound.CheckHeaders(r); status(err) != want {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestForms(t *testing.T) {
	for body, want := range map[string]int{
		"a=1&b=%C3%BC": 0, "a=%FC": 400, "%FC=1": 400, "a=%00": 400, "a=\xfc": 400, "\xef\xbb\xbfa=1": 0, "a=%zz": 400,
		strings.Repeat("a&", inbound.MaxFields): 400, strings.Repeat("a", 1<<20): 413,
	} {
		r, _ := enter(t, inbound.NewLedger(), "a", strings.NewReader(body), "Content-Type", "application/x-www-form-urlencoded")
		if err := inbound.Form(r, 1<<19); status(err) != want {
			t.Errorf("%.40q: %v", body, err)
		}
	}
	for value, want := range map[string]int{"Jos\u00e9": 0, "Jos\xe9": 400, "a\x00": 400} {
		r, _ := enter(t, inbound.NewLedger(), "a", strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"+value+"\r\n--b--\r\n"),
			"Content-Type", "multipart/form-data; boundary=b")
		if err := inbound.Form(r, 1<<19); status(err) != want {
			t.Errorf("%q: %v", value, err)
		}
	}
}

// stuck is a body of which nothing more arrives until it is closed.
type stuck struct {
	begun io.Reader
	end   chan struct{}
}

func (s stuck) Read(p []byte) (int, error) {
	if n, err := s.begun.Read(p); err == nil {
		return n, nil
	}
	<-s.end
	return 0, io.ErrUnexpectedEOF
}

func TestWhatDoesNotArriveKeepsNobodyOut(t *testing.T) {
	l, end, done := inbound.NewLedger(), make(chan struct{}), make(chan error)
	for range 100 {
		r, _ := enter(t, l, "slow", stuck{strings.NewReader("{"), end})
		r.ContentLength = 5 << 20
		go func() {
			_, err := inbound.Read(r, 5<<20)
			done <- err
		}()
	}
	r, _ := enter(t, l, "another", strings.NewReader(`"`+strings.Repeat("x", 4<<20)+`"`))
	if _, err := inbound.ReadJSON(r, 5<<20); err != nil {
		t.Errorf("another account's body: %v", err)
	}
	close(end)
	for range 100 {
		if err := <-done; status(err) != 400 {
			t.Errorf("a body that broke off: %v", err)
		}
	}
}

func TestOneSenderHoldsAnEighthAndFourLargeBodies(t *testing.T) {
	l := inbound.NewLedger()
	var all []*inbound.Arrival
	for i := range inbound.MaxLarge + 1 {
		r, a := enter(t, l, "a", strings.NewReader(strings.Repeat(" ", 2<<20)))
		all = append(all, a)
		want := 0
		if i == inbound.MaxLarge {
			want = 429
		}
		if _, err := inbound.Read(r, 5<<20); status(err) != want {
			t.Errorf("large body %d: %v", i+1, err)
		}
	}
	for i, a := range all {
		if a.Leave(); i == 0 {
			a.Leave() // once is enough
		}
	}
	if l.Held() != 0 {
		t.Errorf("%d bytes are still held", l.Held())
	}
	_, a := enter(t, l, "a", strings.NewReader(""))
	_, b := enter(t, l, "b", strings.NewReader(""))
	if err := a.Hold(inbound.MaxHeldOfOne); err != nil {
		t.Error(err)
	}
	if err := a.Hold(1); status(err) != 429 {
		t.Errorf("beyond its share: %v", err)
	}
	if err := b.Hold(inbound.MaxHeldOfOne); err != nil {
		t.Errorf("another one: %v", err)
	}
	a.Release()
	if err := a.Hold(inbound.MaxHeldOfOne); err != nil {
		t.Errorf("once released: %v", err)
	}
}

func TestFewHeavyBodiesAreDecodedAtOnce(t *testing.T) {
	l := inbound.NewLedger()
	var of []*inbound.Arrival
	for _, key := range []string{"a", "a", "b", "b"} {
		_, a := enter(t, l, key, strings.NewReader(""))
		if err := a.Weigh(context.Background(), 1<<20, 1); err != nil {
			t.Fatal(err)
		}
		of = append(of, a)
	}
	_, light := enter(t, l, "a", strings.NewReader(""))
	if err := light.Weigh(context.Background(), 1_000, 100); err != nil {
		t.Errorf("a light one waits: %v", err)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	_, next := enter(t, l, "a", strings.NewReader(""))
	if err := next.Weigh(gone, 1<<20, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a fifth heavy one: %v", err)
	}
	of[0].Leave()
	if err := next.Weigh(context.Background(), 1<<20, 1); err != nil {
		t.Errorf("when one has left: %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for query, want := range map[string]int{"q=ü": 0, "q=%C3%BC": 0, "q=%FC": 400, "q=%00": 400, "%FC=1": 400, "": 0} {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL.RawQuery = query
		if err := inbound.CheckQuery(r.URL); status(err) != want {
			t.Errorf("%s: %v", query, err)
		}
	}
}
