//go:build !race

package frame

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Over plain http on a network, the page must not make browsers hide where our own form comes from.
func TestInvitationOverPlainHTTP(t *testing.T) {
	c := New(Config{PublicURL: "http://atelier.school.example"})
	for host, policy := range map[string]string{"atelier.school.example": "same-origin", "localhost:8080": "no-referrer", "127.0.0.1:8080": "no-referrer", "[::1]:8080": "no-referrer"} {
		r, w := httptest.NewRequest(http.MethodGet, "/invitations/x", nil), httptest.NewRecorder()
		r.Host = host
		setHeaders(w.Header(), "n")
		c.HideAddress(w, r)
		if got := w.Header().Get("Referrer-Policy"); got != policy {
			t.Errorf("%s: %s", host, got)
		}
	}
}
