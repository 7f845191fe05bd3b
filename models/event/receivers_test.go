package event_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"atelier/models/event"
	"atelier/webhook"
)

// What the service signs is what the vectors say that receivers accept.
func TestSignatureOfTheVectors(t *testing.T) {
	text, err := os.ReadFile("../../webhook/testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Name, Header, Body, Error string }
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	secrets := []string{"whsec_3q7mVtqKcN2Zp0dYx8Jr5uWb1LhTgF4e", "whsec_oldoldoldoldoldoldoldoldoldold00"}
	at := time.Unix(1763800000, 999_999_999)
	for name, keys := range map[string][]string{"an event": secrets[:1], "two signatures, the receiver has the new secret": secrets} {
		found := false
		for _, v := range vectors {
			if v.Name == name {
				found = true
				if got := event.Signature(at, []byte(v.Body), keys); got != v.Header {
					t.Errorf("%s: %s, want %s", name, got, v.Header)
				}
			}
		}
		if !found {
			t.Errorf("no vector %q", name)
		}
	}
}

// toStripe is a request as testdata/stripe.cjs reads it.
type toStripe struct {
	Signature string `json:"signature"`
	Body      []byte `json:"body"`
	Secret    string `json:"secret"`
	At        int64  `json:"at"`
	ID        string `json:"id"`
	Type      string `json:"type"`
}

// Stripe's library for Node takes our header, body and secret as they are: the
// format is the same, and the header's name is the program's own.
func TestStripesLibraryAcceptsEvents(t *testing.T) {
	w := newWorld(t)
	made := w.create(w.receiver.URL)
	w.publish(1)
	w.publishJob(event.JobEvent{Type: event.JobFailed, Job: json.RawMessage(
		`{"id":"x","status":"failed","n":123456789012345678901234567890,"text":"<&> \u2028 é 🙂 \/","deep":{"b":1,"a":[1e3]}}`)})
	_, err := w.TestEndpoint(w.ctx(), made.Endpoint.ID)
	w.must(err)
	w.work()
	rotated, err := w.RotateSecret(w.ctx(), made.Endpoint.ID, nil)
	w.must(err)
	w.publish(1)
	w.work()

	posts := w.receiver.got()
	if len(posts) != 4 {
		t.Fatalf("%d requests", len(posts))
	}
	var all []toStripe
	for i, p := range posts {
		keys := []string{made.Secret}
		if i == 3 { // signed with both
			keys = append(keys, rotated.Secret)
		}
		for _, secret := range keys {
			e, err := webhook.Verifier{Secrets: []string{secret}, Now: w.clock.Now}.Verify(p.header, p.body)
			w.must(err)
			all = append(all, toStripe{
				Signature: p.header.Get("Service-Signature"), Body: p.body, Secret: secret, At: w.clock.Now().Unix(), ID: e.ID, Type: e.Type,
			})
		}
	}
	text, err := json.Marshal(all)
	w.must(err)
	file := filepath.Join(t.TempDir(), "sent.json")
	w.must(os.WriteFile(file, text, 0o600))
	out, err := exec.CommandContext(t.Context(), "node", "testdata/stripe.cjs", file).CombinedOutput()
	if err != nil || string(out) != "5 accepted\n" {
		t.Errorf("%s%v (scripts/setup test installs the library)", out, err)
	}
}
