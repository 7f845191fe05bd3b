//go:build !race

package nodes

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/phrase"
)

func TestPromptHelperNode(t *testing.T) {
	out := must(t, newShelf(), "prompt-helper", map[string]any{
		"idea": "A fox in the snow", "answers": map[string]any{"style": "ink drawing", "avoid": []any{"text", "people"}, "light": ""}, "maxQuestions": 2,
	})
	if out["text"] != "A fox in the snow, ink drawing" || out["negativePrompt"] != "text, people" || out["complete"] != false {
		t.Errorf("%v", out)
	}
	questions := out["questions"].([]any)
	if len(questions) != 2 || questions[0].(map[string]any)["part"] != "action" {
		t.Errorf("%v", questions)
	}
}

func TestPromptHelperKnowsElements(t *testing.T) {
	n, _ := install.Find("prompt-helper")
	refs := &kit.Refs{Elements: []kit.ElementRef{{Kind: "character", Handle: "anna", Words: "a girl in red"}, {Kind: "location", Handle: "park", Words: "a park"}}}
	do := func(target string) kit.Output {
		out, err := n.Do(context.Background(), &kit.Call{Input: map[string]any{"idea": "@anna runs", "target": target, "locationId": "01900000-0000-7000-8000-000000000001"}, Refs: refs, Now: noon})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	out := do("generate-image")
	if out["text"] != "@anna runs" || out["settings"].(map[string]any)["locationId"] == nil {
		t.Errorf("%v", out)
	}
	written, _ := json.Marshal(out["parts"])
	if !strings.Contains(string(written), `"from":"element","label":"Subject","part":"subject","value":"a girl in red"`) || !strings.Contains(string(written), `"a park"`) {
		t.Errorf("%s", written)
	}
	if out := do("generate-text"); out["text"] != "a girl in red runs, a park" || out["settings"].(map[string]any)["prompt"] != out["text"] {
		t.Errorf("%v", out)
	}
}

func TestPromptHelperRefuses(t *testing.T) {
	n, _ := install.Find("prompt-helper")
	for part, input := range map[string]map[string]any{
		"idea must not be empty": {"idea": " "}, "idea must be at most": {"idea": strings.Repeat("x", MaxIdea+1)}, "target": {"idea": "a", "target": "motion"},
		"answers.wheels": {"idea": "a", "answers": map[string]any{"wheels": "4"}}, "answers.style": {"idea": "a", "answers": map[string]any{"style": 4}},
		"answers.mood": {"idea": "a", "answers": map[string]any{"mood": strings.Repeat("x", MaxAnswer+1)}}, "known.wheels": {"idea": "a", "known": map[string]any{"wheels": "4"}},
		"idea is required": {},
	} {
		if err := n.Validate("", input); !models.HasCode(err, models.CodeValidation) || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", part, err)
		}
	}
}

func TestPromptHelpOfAModelIsChecked(t *testing.T) {
	idea := phrase.Idea{Text: "A fox", Target: "generate-image", MaxQuestions: 2, Answers: map[string][]string{"style": {"ink"}}}
	good := map[string]any{
		"prompt": "A fox, ink", "negativePrompt": "", "complete": false, "warnings": []any{}, "notUnderstood": []any{},
		"parts":     []any{map[string]any{"part": "style", "label": "Style", "value": "ink", "from": "answer"}},
		"questions": []any{map[string]any{"part": "light", "question": "Which light?", "options": []any{"day"}, "multiple": false}},
	}
	read := func(change func(map[string]any)) (phrase.Help, string) {
		answer := map[string]any{}
		for name, value := range good {
			answer[name] = value
		}
		change(answer)
		written, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		return readHelp(idea, string(written))
	}
	help, why := read(func(map[string]any) {})
	if why != "" || !reflect.DeepEqual(help.Settings, map[string]any{"prompt": "A fox, ink"}) {
		t.Errorf("%+v, %s", help, why)
	}
	for part, change := range map[string]func(map[string]any){
		"words of the idea": func(a map[string]any) { a["prompt"] = "The fox" },
		"too long":          func(a map[string]any) { a["prompt"] = "A fox" + strings.Repeat("x", maxHelp) },
		"part that":         func(a map[string]any) { a["parts"] = []any{map[string]any{"part": "wheels", "from": "idea"}} },
		"settled": func(a map[string]any) {
			a["questions"] = []any{map[string]any{"part": "style", "question": "?", "options": []any{}}}
		},
		"no JSON": func(a map[string]any) { a["parts"] = "none" },
		"asks 3": func(a map[string]any) {
			q := map[string]any{"part": "light"}
			a["questions"] = []any{q, q, q}
		},
		"lists": func(a map[string]any) { a["warnings"] = anyTexts(make([]string, maxHelpItems+1)) },
		"texts": func(a map[string]any) { a["warnings"] = []any{strings.Repeat("x", maxHelpItem+1)} },
	} {
		if _, why := read(change); !strings.Contains(why, part) {
			t.Errorf("%s: %q", part, why)
		}
	}
}
