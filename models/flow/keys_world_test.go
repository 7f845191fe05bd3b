package flow

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// plainKey is the key of the tests, of which no table has the secret part.
const (
	plainKey  = "Bearer " + secretKey
	secretKey = "a-key-that-no-one-sees"
)

// newSealing is a world that keeps keys, and a server for its nodes.
func newSealing(t *testing.T) (*world, *httptest.Server) {
	t.Helper()
	w, a := newWorld(t, org.Team), httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(a.Close)
	vault, err := models.NewVault(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	w.Vault = vault
	return w, a
}

func request(address, key string) *nodegraph.Node {
	return &nodegraph.Node{ID: "ask", Type: requestType, Data: map[string]any{
		"url": address, "headers": map[string]any{"Authorization": key, "Accept": "text/plain"},
	}}
}

// graphOf is an update to another graph.
func graphOf(all []*nodegraph.Node, edges ...*nodegraph.Edge) UpdateWorkflowInput {
	return UpdateWorkflowInput{Nodes: models.Some(all), Edges: models.Some(append([]*nodegraph.Edge{}, edges...))}
}

// newKeys is a world whose nodes may send to a server of this machine.
func newKeys(t *testing.T) (*world, *httptest.Server) {
	t.Helper()
	w, a := newSealing(t)
	w.Events.AllowCIDRs = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	return w, a
}

// keeps makes a credential; locked is empty for a plain one.
func (w *world) keeps(user models.ID, locked string, subpaths bool) *Credential {
	w.t.Helper()
	in := CreateCredentialInput{Name: "Their service", HeaderName: "X-Key", Key: plainKey, Kind: PlainCredential}
	if locked != "" {
		in.Kind, in.LockedURL, in.AllowSubpaths = LockedCredential, &locked, &subpaths
	}
	c, err := w.Credentials().Create(w.As(user), in)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func sending(id, address string, credential models.ID) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: "webhook-output", Data: map[string]any{"url": address, "credentialId": credential.String(), "label": "Send " + id, "result": "x"}}
}
