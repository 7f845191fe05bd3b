//go:build !race

package nodes

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"atelier/models"
	"atelier/nodes/kit"
)

func TestIsSecretHeader(t *testing.T) {
	for name, want := range map[string]bool{
		"Authorization": true, "PROXY-AUTHORIZATION": true, "Cookie": true, "X-API-Key": true, "api-key": true, "apikey": true,
		"X-Auth": true, "X-Amz-Security-Token": true, "Client-Secret": true, "X-Password": true, "X-Credentials": true,
		"X-Hub-Signature-256": true, "Session-Id": true, "x-jwt": true, "Ocp-Apim-Subscription-Key": true,
		"Accept": false, "Content-Type": false, "X-A": false, "User-Agent": false, "Accept-Language": false, "X-Request-Id": false, "": false,
	} {
		if got := kit.IsSecretHeader(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func TestHostOf(t *testing.T) {
	for address, want := range map[string]string{
		"": "", "https://A.Example/x?y": "a.example:443", "https://a.example:443": "a.example:443", "https://a.example:8443/": "a.example:8443",
		"https://[::1]/": "::1:443", "http://a.example": "a.example:", "a.example": "a.example", "https://user:p@a.example/": "a.example:443",
		" https://a.example": " https://a.example", "https:///x": "https:///x",
	} {
		if got := kit.HostOf(address); got != want {
			t.Errorf("%q: %q", address, got)
		}
	}
}

// TestIsSealed guards that a typed text that only begins like a sealed one is
// sealed like any other, and that the longest value fits once it is.
func TestIsSealed(t *testing.T) {
	vault, err := models.NewVault(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"", "x", strings.Repeat("é", kit.MaxSecretHeader/2)} {
		sealed, err := vault.Seal("p", value)
		if err != nil {
			t.Fatal(err)
		}
		if sealed = kit.SealedPrefix + sealed; !kit.IsSealed(sealed) || len(sealed) > kit.MaxHeader {
			t.Errorf("%d characters: %s", len(sealed), sealed)
		}
	}
	for _, value := range []string{"", "sealed:", "sealed:hunter2", "sealed:v1.a.b.c", "Bearer x"} {
		if kit.IsSealed(value) {
			t.Errorf("%q counts as sealed", value)
		}
	}
}

func TestSealedHeaderIsOpenedForTheRequestAlone(t *testing.T) {
	vault, _ := models.NewVault(make([]byte, 32))
	text, err := vault.Seal("p", "Bearer plain")
	if err != nil {
		t.Fatal(err)
	}
	var got http.Header
	server, client := receiver(t, 200, `{}`, func(r *http.Request, _ []byte) { got = r.Header })
	value, opens := "Bearer plain", true
	ask := func() error {
		got = nil
		call := &kit.Call{HTTP: client, Attempt: 1, Input: map[string]any{"url": server.URL, "headers": map[string]any{"Authorization": kit.SealedPrefix + text}}}
		call.OpenHeader = func(_ context.Context, sealed, host string) (string, bool, error) {
			if sealed != kit.SealedPrefix+text || "https://"+host != server.URL {
				t.Errorf("opened %s for %s", sealed, host)
			}
			return value, opens, nil
		}
		_, err := httpRequestNode.Do(context.Background(), call)
		return err
	}
	if err := ask(); err != nil || got.Get("Authorization") != "Bearer plain" {
		t.Fatalf("%v, sent %v", err, got)
	}
	value = "two\r\nlines"
	wantFailure(t, ask(), "The header Authorization must be one line")
	opens = false
	wantFailure(t, ask(), "The header Authorization was sealed for another owner or address")
	if got != nil {
		t.Errorf("sent %v", got)
	}
}
