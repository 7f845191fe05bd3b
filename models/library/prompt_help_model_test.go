//go:build !race

package library

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/run"
	"atelier/nodes/kit"
	"atelier/nodes/provider/providertest"
)

// works runs due jobs until the help has come.
func (w *wordsWorld) works(help func() (*PromptHelp, error)) (*PromptHelp, error) {
	w.t.Helper()
	type answer struct {
		help *PromptHelp
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		got, err := help()
		done <- answer{got, err}
	}()
	for {
		select {
		case got := <-done:
			return got.help, got.err
		default:
		}
		for _, pool := range run.Pools {
			leases, err := lane.Claim(context.Background(), w.DB, pool.Kind, "test", 1)
			if err != nil {
				w.t.Fatal(err)
			}
			for _, lease := range leases {
				if err := w.Runs.RunJob(context.Background(), lease); err != nil {
					w.t.Fatal(err)
				}
			}
		}
	}
}

func TestPromptHelpByAProvider(t *testing.T) {
	server := providertest.New(t)
	w := newWordsWorld(t, kit.Providers{OpenAI: server.OpenAI(), Models: []kit.Model{
		{Provider: "openai", NodeType: "prompt-helper-model", ID: "small", Cost: 100, PerThousandTokens: 1000},
	}})
	w.exec(`UPDATE wallets SET balance = 10000 WHERE user_id = ?`, w.ann)
	answer := map[string]any{
		"prompt": "A fox, in the ink style", "negativePrompt": "text", "complete": false, "warnings": []any{"careful"}, "notUnderstood": []any{},
		"parts":     []any{map[string]any{"part": "subject", "label": "Subject", "value": "fox", "from": "idea"}},
		"questions": []any{map[string]any{"part": "light", "question": "Which light?", "options": []any{"day", "night"}, "multiple": false}},
	}
	server.Answer(func(rw http.ResponseWriter, call providertest.Call) bool {
		written, _ := json.Marshal(answer)
		rw.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(rw).Encode(map[string]any{
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": string(written)}}},
			"usage":   map[string]any{"prompt_tokens": 7, "completion_tokens": 200},
		})
		return true
	})
	provider, model := "openai", "other"
	in := PromptHelpInput{Idea: "A fox", Provider: &provider, Answers: map[string]any{"style": "ink"}}
	help, err := w.works(func() (*PromptHelp, error) { return w.HelpWithPrompt(w.as(w.ann), in) })
	if err != nil {
		t.Fatal(err)
	}
	if help.Status != "completed" || help.Prompt != "A fox, in the ink style" || help.Provider != "openai" || help.Model == nil || *help.Model != "small" ||
		len(help.Questions) != 1 || help.Settings["prompt"] != help.Prompt || help.Settings["negativePrompt"] != "text" || help.Warnings[0] != "careful" {
		t.Errorf("%s", wordsText(help))
	}
	calls := server.Calls("POST", "/chat/completions")
	format, _ := calls[0].Body["response_format"].(map[string]any)
	if len(calls) != 1 || format["type"] != "json_schema" || !strings.Contains(wordsText(calls[0].Body["messages"]), `A fox`) {
		t.Errorf("%s", wordsText(calls))
	}
	charged := func() int {
		return w.count(`SELECT coalesce(sum(credits_charged), 0) FROM jobs WHERE account_id = ?`, w.ann)
	}
	if charged() != 300 {
		t.Errorf("charged %d", charged())
	}
	answer["prompt"] = "Something else"
	help, err = w.works(func() (*PromptHelp, error) { return w.HelpWithPrompt(w.as(w.ann), in) })
	if err != nil || help.Status != "failed" || help.ErrorMessage == nil || !strings.Contains(*help.ErrorMessage, "does not fit") || charged() != 300 {
		t.Errorf("%s, %v", wordsText(help), err)
	}
	in.Model = &model
	_, err = w.HelpWithPrompt(w.as(w.ann), in)
	w.refused(err, models.CodeValidation, "model must be one of small")
}
