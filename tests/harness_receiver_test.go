package tests

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"atelier/webhook"
)

// receiver is a person's https server that takes events.
type receiver struct {
	*httptest.Server
	// roots is the file that makes the program trust the server.
	roots string

	mu     sync.Mutex
	events []received
	fail   int // how many requests are still to be answered 503
}

type received struct {
	header http.Header
	body   []byte
}

// newReceiver starts a TLS server on loopback that refuses the first fail requests.
func newReceiver(t testing.TB, fail int) *receiver {
	t.Helper()
	r := &receiver{fail: fail}
	r.Server = httptest.NewTLSServer(http.HandlerFunc(r.serve))
	t.Cleanup(r.Close)
	r.roots = filepath.Join(t.TempDir(), "roots.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.Certificate().Raw})
	if err := os.WriteFile(r.roots, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *receiver) serve(w http.ResponseWriter, request *http.Request) {
	body := readAll(request.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, received{request.Header.Clone(), body})
	if r.fail > 0 {
		r.fail--
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// all is what arrived so far.
func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.events...)
}

// verified tells whether it is an event that is signed with the secret, by the
// library for receivers.
func (e received) verified(secret string) bool {
	_, err := webhook.Verify(e.header, e.body, secret)
	return err == nil
}
