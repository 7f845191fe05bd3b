package run

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// requestType is the node type whose headers are sealed.
const requestType = "http-request"

// asked is an https server that nodes ask, and the last key that reached it.
type asked struct {
	*httptest.Server
	key string
}

// plainKey is the key of the tests, of which no table has the secret part.
const (
	plainKey  = "Bearer " + secretKey
	secretKey = "a-key-that-no-one-sees"
)

// newSealing is a world whose engine keeps keys, and a server for its nodes.
func newSealing(t *testing.T) (*world, *asked) {
	t.Helper()
	w, a := newWorld(t, org.Team), &asked{}
	a.Server = httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { a.key = r.Header.Get("Authorization") }))
	t.Cleanup(a.Close)
	vault, err := models.NewVault(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	w.Flows.Vault, w.HTTP = vault, a.Client()
	return w, a
}

func request(address, key string) *nodegraph.Node {
	return &nodegraph.Node{ID: "ask", Type: requestType, Data: map[string]any{
		"url": address, "headers": map[string]any{"Authorization": key, "Accept": "text/plain"},
	}}
}

// graphOf is an update to another graph.
func graphOf(all []*nodegraph.Node, edges ...*nodegraph.Edge) flow.UpdateWorkflowInput {
	return flow.UpdateWorkflowInput{Nodes: models.Some(all), Edges: models.Some(append([]*nodegraph.Edge{}, edges...))}
}

// newKeys is a world whose nodes may send to a server that tells the last key it got.
func newKeys(t *testing.T) (*world, *asked) {
	t.Helper()
	w, a := newSealing(t)
	a.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		a.key = r.Header.Get("X-Key")
		if r.URL.Path == "/away" {
			http.Redirect(rw, r, "/landed", http.StatusTemporaryRedirect)
			return
		}
		_, _ = rw.Write([]byte("you sent " + a.key))
	})
	w.Events.AllowCIDRs = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	return w, a
}

// keeps makes a credential; locked is empty for a plain one.
func (w *world) keeps(user models.ID, locked string, subpaths bool) *flow.Credential {
	w.t.Helper()
	in := flow.CreateCredentialInput{Name: "Their service", HeaderName: "X-Key", Key: plainKey, Kind: flow.PlainCredential}
	if locked != "" {
		in.Kind, in.LockedURL, in.AllowSubpaths = flow.LockedCredential, &locked, &subpaths
	}
	c, err := w.Flows.Credentials().Create(w.As(user), in)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func sending(id, address string, credential models.ID) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: "webhook-output", Data: map[string]any{"url": address, "credentialId": credential.String(), "label": "Send " + id, "result": "x"}}
}
