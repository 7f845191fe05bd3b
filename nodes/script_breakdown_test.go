//go:build !race

package nodes

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/provider/providertest"
)

const smallScript = "INT. KITCHEN - DAY\n\nThe cat sleeps.\n\nANNA\nWake up!"

func TestScriptBreakdown(t *testing.T) {
	out := must(t, newShelf(), "script-breakdown", map[string]any{"script": smallScript})
	data, _ := out["data"].(map[string]any)
	shots, _ := data["shots"].([]any)
	names, _ := data["names"].([]any)
	if out["count"] != 1 || len(shots) != 1 || len(names) != 2 {
		t.Fatal(out)
	}
	shot, _ := shots[0].(map[string]any)
	if shot["action"] != "The cat sleeps." || shot["dialogue"] != "Wake up!" || shot["speaker"] != "ANNA" || shot["place"] != "KITCHEN" || shot["seconds"] != 2.0 {
		t.Error(shot)
	}
	_, err := try(t, newShelf(), "script-breakdown", map[string]any{"script": strings.Repeat(smallScript+"\n\n", 3), "maxShots": 2.0})
	wantFailure(t, err, "needs 3 shots, and 2 is the most")
	n, _ := install.Find("script-breakdown")
	if err := n.Validate("", map[string]any{"script": " "}); !models.HasCode(err, models.CodeValidation) {
		t.Error(err)
	}
}

// What a model writes must keep every word; else nothing is charged.
func TestScriptBreakdownByAModel(t *testing.T) {
	server := providertest.New(t)
	c := NewCatalogue(kit.Providers{OpenAI: server.OpenAI(), Models: []kit.Model{{Provider: "openai", NodeType: "script-breakdown-model", ID: "small", Cost: 100, PerThousandTokens: 1000}}})
	shot := func(action, dialogue string) map[string]any {
		return map[string]any{"title": "Kitchen", "action": action, "dialogue": dialogue, "speaker": "Anna", "place": "Kitchen", "time": "day"}
	}
	for name, test := range map[string]struct {
		shots []any
		why   string
	}{
		"kept":    {[]any{shot("The cat sleeps.", ""), shot("", "Wake up!")}, ""},
		"lost":    {[]any{shot("The cat sleeps.", "")}, "it does not keep every word of the script"},
		"added":   {[]any{shot("The black cat sleeps.", "Wake up!")}, "it does not keep every word of the script"},
		"many":    {[]any{shot("The", ""), shot("cat", ""), shot("sleeps.", "Wake up!")}, "it has too many shots"},
		"long":    {[]any{shot("The cat sleeps.", strings.Repeat("x", 401))}, "one of its shots is too long"},
		"no list": {nil, "it does not keep every word of the script"},
	} {
		server.Answer(func(rw http.ResponseWriter, _ providertest.Call) bool {
			written, _ := json.Marshal(map[string]any{"shots": test.shots})
			rw.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(rw).Encode(map[string]any{
				"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": string(written)}}},
				"usage":   map[string]any{"prompt_tokens": 7, "completion_tokens": 200},
			})
			return true
		})
		out, err := doUntilDone(t, c, "script-breakdown-model", map[string]any{"script": smallScript, "maxShots": 2.0}, nil)
		if test.why != "" {
			wantFailure(t, err, "The model's answer does not fit: "+test.why)
			continue
		}
		if err != nil || out["count"] != 2 || out["provider"] != "openai" || out["model"] != "small" {
			t.Errorf("%s: %v %v", name, out, err)
		}
	}
}
