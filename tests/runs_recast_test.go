//go:build !race

package tests

import (
	"fmt"
	"strings"
	"testing"

	"atelier/nodes/provider/providertest"
)

// TestRecastAndScenesAtProvidersWithKill has people replaced and models made at providers: by consent alone, once each,
// and with nothing left there, though the plug is pulled in between.
func TestRecastAndScenesAtProvidersWithKill(t *testing.T) {
	t.Parallel()
	server := providertest.New(t)
	server.Polls = -1
	p := startOn(t, "", t.TempDir(), []string{"serve"},
		"OPENAI_BASE_URL="+server.URL+"/v1", "OPENAI_API_KEY="+providertest.Key, "REPLICATE_BASE_URL="+server.URL+"/v1", "REPLICATE_API_TOKEN="+providertest.Key,
		`PROVIDER_MODELS=[{"provider":"replicate","type":"recast","model":"a/animate","credits":9,"fields":{"imageUrl":"scene","characterImage":"who"}},`+
			`{"provider":"replicate","type":"3d-scene","model":"a/3d-sculptor","credits":7},{"provider":"openai","type":"3d-scene","model":"writer","credits":0.5,"creditsPer1000Tokens":2}]`)
	_, ada := newcomer(t, p, "Ada")
	picture := ada.uploadPicture()
	character := func(name string, more object) string {
		body := object{"name": name, "imageUrls": []string{ada.uploadPicture()}}
		for k, v := range more {
			body[k] = v
		}
		return ada.post("/v1/characters", body).want(201).text("data.id")
	}
	drawn := character("Mia", nil)
	stays := character("Ada herself", object{"depictsPerson": true, "consent": object{"subject": "self", "confirmed": true, "providers": false}})

	refused := ada.post("/v1/recast", object{"imageUrl": picture, "characterId": stays, "mode": "replace"})
	refused.wantError(400, "validation_error")
	if refused.text("error.field") != "characterId" {
		t.Errorf("the refusal: %s", refused.Body)
	}
	unseen := ada.post("/v1/characters", object{"name": "Ada unseen", "depictsPerson": true, "consent": object{"subject": "self", "confirmed": true, "providers": false}}).want(201).text("data.id")
	ada.post("/v1/recast", object{"imageUrl": picture, "characterId": unseen, "mode": "replace"}).wantError(400, "validation_error")
	ada.post("/v1/recast", object{"imageUrl": picture, "characterId": stays}).wantError(400, "validation_error")
	ada.post("/v1/recast", object{"imageUrl": picture, "characterId": stays, "mode": "cover"}).want(202)

	recast := ada.post("/v1/recast", object{"imageUrl": picture, "characterId": drawn}).want(202).text("jobId")
	model := ada.post("/v1/3d-scene/generate", object{"imageUrl": picture, "provider": "replicate"}).want(202).text("jobId")
	eventually(t, func() error {
		if a, b := len(server.Calls("GET", "/predictions/p1")), len(server.Calls("GET", "/predictions/p2")); a*b == 0 {
			return fmt.Errorf("asked %d and %d times", a, b)
		}
		return nil
	})
	p.kill()
	p.start()
	server.End("succeeded")
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
	done := job(recast, "completed")
	done.is(map[string]any{"data.output_data.mode": "replace", "data.output_data.provider": "replicate", "data.output_data.model": "a/animate", "data.credits_charged": 9.0})
	made := job(model, "completed")
	made.is(map[string]any{"data.output_data.provider": "replicate", "data.output_data.triangles": 1.0, "data.credits_charged": 7.0})
	if n := len(server.Calls("POST", "/predictions")); n != 2 {
		t.Errorf("%d predictions were made", n)
	}
	if n := server.KeptAll("file_"); n != 0 {
		t.Errorf("%d files are left at the provider", n)
	}
	for _, c := range server.Calls("POST", "/predictions") {
		if sent := fmt.Sprint(c.Body); strings.Contains(sent, p.URL) {
			t.Errorf("an address of the install was sent: %s", sent)
		}
	}

	spoken := ada.post("/v1/3d-scene/generate", object{"prompt": "a house", "provider": "openai"}).want(202).text("jobId")
	failed := job(spoken, "failed") // the fake says "Said: a house", which is no scene
	failed.is(map[string]any{"data.credits_charged": 0.0})
	if !strings.Contains(failed.text("data.error_message"), "no scene") || !strings.Contains(failed.text("data.error_hint"), "maxTokens") {
		t.Errorf("the scene: %s", failed.Body)
	}
}
