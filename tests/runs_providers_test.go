//go:build !race

package tests

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"atelier/nodes/provider/providertest"
)

// TestWithoutProviderKeys has nothing offered that no provider is set up for,
// and refusals that say what to set.
func TestWithoutProviderKeys(t *testing.T) {
	t.Parallel()
	p := startService(t)
	visitor := client{t: t, URL: p.URL}
	ada := (&story{t: t, visitor: visitor}).signUp("Ada")
	if body := string(visitor.get("/v1/models").want(200).Body); strings.Contains(body, "openai") || !strings.Contains(body, `"generate-image"`) {
		t.Errorf("models: %s", body)
	}
	for _, kind := range []string{"generate-text", "generate-video", "transcribe-audio"} {
		visitor.get("/v1/nodes/"+kind).wantError(404, "not_found")
		ada.post("/v1/"+kind, object{"prompt": "x"}).wantError(404, "not_found")
		refused := ada.post("/v1/workflows", object{"name": "W", "nodes": []object{{"id": "a", "type": kind, "data": object{}}}, "edges": []object{}})
		refused.wantError(400, "validation_error")
		if !strings.Contains(refused.text("error.message"), "_API_") {
			t.Errorf("%s: %s", kind, refused.Body)
		}
	}
	for name, variable := range map[string]string{"openai": "OPENAI_API_KEY", "replicate": "REPLICATE_API_TOKEN"} {
		refused := ada.post("/v1/generate-image", object{"prompt": "x", "provider": name})
		refused.wantError(400, "validation_error")
		if !strings.Contains(refused.text("error.message"), variable) {
			t.Errorf("%s: %s", name, refused.Body)
		}
	}
}

// TestProvidersWithKill runs nodes at providers and pulls the plug behind a
// stored id, and in the middle of a call.
func TestProvidersWithKill(t *testing.T) {
	t.Parallel()
	server := providertest.New(t)
	server.Polls = -1
	p := startOn(t, "", t.TempDir(), []string{"serve"},
		"OPENAI_BASE_URL="+server.URL+"/v1", "OPENAI_API_KEY="+providertest.Key,
		"REPLICATE_BASE_URL="+server.URL+"/v1", "REPLICATE_API_TOKEN="+providertest.Key,
		`PROVIDER_MODELS=[{"provider":"openai","type":"generate-text","model":"small","credits":0.5,"creditsPer1000Tokens":2}]`)
	visitor := client{t: t, URL: p.URL}
	ada := (&story{t: t, visitor: visitor}).signUp("Ada")
	listed := string(visitor.get("/v1/models").want(200).Body)
	for _, want := range []string{`"small"`, `"black-forest-labs/flux-schnell"`, `"estimatedCredits":2.5`} {
		if !strings.Contains(strings.ReplaceAll(listed, " ", ""), want) {
			t.Errorf("models lack %s: %s", want, listed)
		}
	}
	job := func(id, status string) *reply {
		var r *reply
		eventually(t, func() error {
			if r = ada.get("/v1/jobs/" + id).want(200); r.text("data.status") != status {
				return fmt.Errorf("not %s: %s", status, r.Body)
			}
			return nil
		})
		return r
	}
	asked := func(method, end string, n int) {
		eventually(t, func() error {
			if got := len(server.Calls(method, end)); got < n {
				return fmt.Errorf("%d requests of %s", got, end)
			}
			return nil
		})
	}

	text := ada.post("/v1/generate-text", object{"prompt": "Hello", "provider": "openai"}).want(202).text("jobId")
	if done := job(text, "completed"); done.text("data.output_data.text") != "Said: Hello" || done.number("data.credits_charged") != 1 {
		t.Errorf("the text: %s", done.Body)
	}

	picture := ada.post("/v1/generate-image", object{"prompt": "A heron", "provider": "replicate"}).want(202).text("jobId")
	asked("GET", "/predictions/p1", 1)
	release := make(chan struct{})
	server.Answer(func(_ http.ResponseWriter, c providertest.Call) bool {
		if strings.HasSuffix(c.Path, "/chat/completions") {
			<-release
		}
		return false
	})
	lost := ada.post("/v1/generate-text", object{"prompt": "Lost"}).want(202).text("jobId")
	asked("POST", "/chat/completions", 2)
	p.kill()
	close(release)
	server.Answer(nil)
	p.start()
	server.End("succeeded")
	if done := job(picture, "completed"); done.number("data.credits_charged") != 1 || done.text("data.output_data.imageUrl") == "" {
		t.Errorf("the picture: %s", done.Body)
	}
	if failed := job(lost, "failed"); !strings.Contains(failed.text("data.error_message"), "uncertain") || failed.text("data.error_hint") == "" || failed.number("data.credits_charged") != 0 {
		t.Errorf("the lost text: %s", failed.Body)
	}
	if a, b := len(server.Calls("POST", "/predictions")), len(server.Calls("POST", "/chat/completions")); a != 1 || b != 2 {
		t.Errorf("%d predictions and %d texts were asked for", a, b)
	}
	if balance := ada.get("/v1/credits/balance").want(200); balance.number("data.balance") != 98 || balance.number("data.reserved") != 0 {
		t.Errorf("the balance: %s", balance.Body)
	}

	denied := ada.post("/v1/generate-image", object{"prompt": "x", "provider": "openai", "model": "small"})
	denied.wantError(400, "validation_error")
	if strings.Contains(p.log.String(), providertest.Key) {
		t.Error("the log holds the key")
	}
}
