//go:build !race

package nodes

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/provider/providertest"
)

// install is the catalogue of the tests.
var install *Catalogue

// offered sets up both providers for the length of a test.
func offered(t *testing.T) *providertest.Server {
	t.Helper()
	s := providertest.New(t)
	install = NewCatalogue(kit.Providers{OpenAI: s.OpenAI(), Replicate: s.Replicate(), Models: []kit.Model{
		{Provider: "openai", NodeType: "generate-text", ID: "small", Cost: 100, PerThousandTokens: 2000},
		{Provider: "openai", NodeType: "generate-text", ID: "large", Cost: 1000},
		{Provider: "openai", NodeType: "generate-image", ID: "gpt-image-2", Cost: 4000},
		{Provider: "openai", NodeType: "text-to-speech", ID: "tts", Cost: 1500},
		{Provider: "openai", NodeType: "transcribe-audio", ID: "listen", Cost: 1500},
		{Provider: "replicate", NodeType: "generate-image", ID: "a/flux", Cost: 2500, Input: map[string]any{"steps": 4}},
		{Provider: "replicate", NodeType: "generate-video", ID: "a/video", Cost: 9000},
	}})
	t.Cleanup(func() { install = nil })
	return s
}

func TestWithoutProviders(t *testing.T) {
	for _, n := range install.All() {
		if n.Type == "generate-text" || n.Type == "generate-video" || n.Type == "transcribe-audio" {
			t.Errorf("%s is offered", n.Type)
		}
	}
	for kind, want := range map[string]string{"generate-image": "OPENAI_API_KEY", "text-to-speech": "OPENAI_API_KEY"} {
		n, _ := install.Find(kind)
		if strings.Join(n.Providers, " ") != "local" {
			t.Errorf("%s has %v", kind, n.Providers)
		}
		settings := map[string]any{"prompt": "x", "text": "x", "provider": "openai", "model": "any"}
		for _, err := range []error{n.Validate("", settings), n.ValidateData("data.", settings)} {
			refusal, _ := err.(*models.Error)
			if refusal == nil || !strings.HasSuffix(refusal.Field, "provider") || !strings.Contains(refusal.Message, want) {
				t.Errorf("%s: %v", kind, err)
			}
		}
		if err := n.Validate("", map[string]any{"prompt": "x", "text": "x", "model": "my own word"}); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	n, _ := install.Find("generate-video")
	if err := n.Validate("", map[string]any{"prompt": "x"}); err == nil || !strings.Contains(err.Error(), "REPLICATE_API_TOKEN") {
		t.Errorf("generate-video: %v", err)
	}
}

func TestOffer(t *testing.T) {
	before, _ := json.Marshal(generateImageNode.Descriptor())
	t.Run("offered", func(t *testing.T) {
		offered(t)
		n, _ := install.Find("generate-text")
		image, _ := install.Find("generate-image")
		if strings.Join(n.Providers, " ") != "openai" || n.Cost != 2100 || !n.Offered() {
			t.Errorf("generate-text costs %s by %v", n.Cost, n.Providers)
		}
		for _, c := range []struct {
			input map[string]any
			want  models.Credits
		}{
			{nil, 2100}, {map[string]any{"maxTokens": 1}, 102}, {map[string]any{"maxTokens": 99999.0}, 32_100},
			{map[string]any{"model": "large"}, 1000},
		} {
			if got := n.Price(c.input); got != c.want {
				t.Errorf("%v costs %d, want %d", c.input, got, c.want)
			}
		}
		if got := image.Price(map[string]any{"prompt": "x"}); got != 2000 {
			t.Errorf("the local painter costs %d", got)
		}
		if got := image.PoolFor(map[string]any{"provider": "replicate"}); got != kit.Provider {
			t.Errorf("waits in %s", got)
		}
		wantField(t, image.Validate("", map[string]any{"prompt": "x", "provider": "openai", "model": "a/flux"}), "model")
		wantField(t, image.Validate("", map[string]any{"prompt": "x", "provider": "replicate", "model": "a/flux"}), "")
		wantField(t, n.Validate("", map[string]any{"prompt": "x", "model": "nothing"}), "model")
		for _, n := range install.known() {
			checkDefaults(t, n)
			checkDescriptor(t, n)
		}
	})
	if after, _ := json.Marshal(generateImageNode.Descriptor()); string(after) != string(before) {
		t.Errorf("the descriptor was %s and is %s", before, after)
	}
}

// TestInstallsOfferForThemselves makes the catalogues of two installs, of which
// one has a provider.
func TestInstallsOfferForThemselves(t *testing.T) {
	server := providertest.New(t)
	with := NewCatalogue(kit.Providers{OpenAI: server.OpenAI(), Models: []kit.Model{{Provider: "openai", NodeType: "generate-text", ID: "small", Cost: 100}}})
	without := NewCatalogue(kit.Providers{})
	for name, c := range map[string]struct {
		kinds   *Catalogue
		offered bool
		price   models.Credits
	}{
		"with a provider": {with, true, 100}, "without": {without, false, generateTextNode.Cost}, "of no install": {nil, false, generateTextNode.Cost},
	} {
		n, _ := c.kinds.Find("generate-text")
		if price, _ := c.kinds.PriceOf("generate-text"); n.Offered() != c.offered || price != c.price {
			t.Errorf("%s: offered %t for %s", name, n.Offered(), price)
		}
		if _, known := c.kinds.PriceOf("small"); known != c.offered {
			t.Errorf("%s: knows the model: %t", name, known)
		}
	}
}

// ask runs a node as the engine does: it is taken up again after each pause.
func ask(t *testing.T, s *shelf, kind string, input map[string]any) (out kit.Output, pauses int, err error) {
	t.Helper()
	n, _ := install.Find(kind)
	call := &kit.Call{Input: input, Media: s, Now: noon, Attempt: 1, Keep: func(context.Context, json.RawMessage) error { return nil }}
	for {
		out, err = n.Do(t.Context(), call)
		var pause *kit.Pause
		if !errors.As(err, &pause) {
			return out, pauses, err
		}
		pauses++
		call.Now, call.State = pause.Until, pause.State
	}
}

func TestRemoteNodes(t *testing.T) {
	server, s := offered(t), newShelf()
	sound := s.put("a.wav", providertest.Sound())
	for _, c := range []struct {
		kind  string
		input map[string]any
		key   string
		model string
	}{
		{"generate-text", map[string]any{"prompt": "Hello"}, "text", "small"},
		{"generate-text", map[string]any{"prompt": "Hello", "model": "large", "temperature": 0.5}, "text", "large"},
		{"generate-image", map[string]any{"prompt": "A heron", "provider": "openai", "aspectRatio": "16:9"}, "imageUrl", "gpt-image-2"},
		{"generate-image", map[string]any{"prompt": "A heron", "provider": "replicate", "seed": 7}, "imageUrl", "a/flux"},
		{"generate-video", map[string]any{"prompt": "A heron flies", "duration": 5}, "videoUrl", "a/video"},
		{"text-to-speech", map[string]any{"text": "Hello", "provider": "openai"}, "audioUrl", "tts"},
		{"transcribe-audio", map[string]any{"audioUrl": sound}, "text", "listen"},
	} {
		out, _, err := ask(t, s, c.kind, c.input)
		if err != nil || out["model"] != c.model || out[c.key] == "" || out[c.key] == nil {
			t.Errorf("%s: %v, %v", c.kind, out, err)
		}
	}
	wide := server.Calls("POST", "/images/generations")[0]
	if wide.Body["size"] != "1536x1024" || len(wide.Idempotency) < 20 {
		t.Errorf("asked for %+v", wide)
	}
	flux := server.Calls("POST", "/models/a/flux/predictions")[0].Body["input"].(map[string]any)
	if flux["steps"] != 4.0 || flux["seed"] != 7.0 || flux["aspect_ratio"] != "1:1" {
		t.Errorf("asked for %+v", flux)
	}
}

func TestSpentTokens(t *testing.T) {
	offered(t)
	var spent models.Credits
	n, _ := install.Find("generate-text")
	_, err := n.Do(t.Context(), &kit.Call{Input: map[string]any{"prompt": "x"}, Now: noon, Attempt: 1, Spent: func(c models.Credits) { spent = c }})
	if err != nil || spent != 100+250*2 {
		t.Errorf("spent %d, %v", spent, err)
	}
}

// TestRemoteRetries counts requests: only what a provider did not take on is sent again.
func TestRemoteRetries(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		sent   int
		says   string
	}{
		"busy":    {429, kit.MaxRefusals + 1, "busy"},
		"down":    {503, kit.MaxRefusals + 1, "busy"},
		"broken":  {500, 1, "failed (status 500)"},
		"denied":  {401, 1, "refused this install's key"},
		"refused": {422, 1, "refused the request"},
	} {
		t.Run(name, func(t *testing.T) {
			server := offered(t)
			server.Answer(func(w http.ResponseWriter, _ providertest.Call) bool { w.WriteHeader(c.status); return true })
			for _, kind := range []string{"generate-text", "generate-video"} {
				_, _, err := ask(t, newShelf(), kind, map[string]any{"prompt": "x"})
				wantFailure(t, err, c.says)
			}
			calls := append(server.Calls("POST", "/chat/completions"), server.Calls("POST", "/predictions")...)
			if len(calls) != 2*c.sent {
				t.Errorf("%d requests, want %d", len(calls), 2*c.sent)
			}
			for i, call := range calls {
				if call.Idempotency != calls[i/c.sent*c.sent].Idempotency {
					t.Error("a repeat has another idempotency key")
				}
			}
		})
	}
	t.Run("busy once", func(t *testing.T) {
		server := offered(t)
		server.Answer(func(w http.ResponseWriter, _ providertest.Call) bool {
			if len(server.Calls("POST", "")) > 1 {
				return false
			}
			w.Header().Set("Retry-After", "9")
			w.WriteHeader(429)
			return true
		})
		out, pauses, err := ask(t, newShelf(), "generate-text", map[string]any{"prompt": "x"})
		if err != nil || out["text"] != "Said: x" || pauses != 1 {
			t.Errorf("%v, %v after %d pauses", out, err, pauses)
		}
	})
}

func TestPrediction(t *testing.T) {
	t.Run("failed", func(t *testing.T) {
		server := offered(t)
		server.Polls = -1
		n, _ := install.Find("generate-video")
		_, err := n.Do(t.Context(), &kit.Call{Input: map[string]any{"prompt": "x"}, Now: noon, Attempt: 1})
		var pause *kit.Pause
		if !errors.As(err, &pause) || !kit.HasProviderTask(pause.State) {
			t.Fatal(err)
		}
		server.End("failed")
		_, err = n.Do(t.Context(), &kit.Call{Input: map[string]any{"prompt": "x"}, Now: noon, Attempt: 1, State: pause.State})
		wantFailure(t, err, "out of memory")
	})
	t.Run("asks through trouble, until the deadline", func(t *testing.T) {
		server := offered(t)
		server.Polls = -1
		server.Answer(func(w http.ResponseWriter, c providertest.Call) bool {
			if c.Method != "GET" || len(server.Calls("GET", ""))%2 == 0 {
				return false
			}
			w.WriteHeader(500)
			return true
		})
		_, pauses, err := ask(t, newShelf(), "generate-video", map[string]any{"prompt": "x"})
		wantFailure(t, err, "did not finish within 30 minutes")
		var failure *kit.Failure
		if errors.As(err, &failure); !kit.HasProviderTask(failure.Late) || pauses < 100 || pauses > 400 {
			t.Errorf("late is %s after %d pauses", failure.Late, pauses)
		}
		if n := len(server.Calls("POST", "/predictions")); n != 1 {
			t.Errorf("%d predictions were made", n)
		}
	})
	t.Run("result elsewhere", func(t *testing.T) {
		server := offered(t)
		for name, output := range map[string]string{
			"inline":   `"data:image/png;base64,iVBORw0KGgo="`,
			"text":     `"no address"`,
			"nothing":  `null`,
			"object":   `{"a":1}`,
			"internal": `"http://169.254.169.254/latest/meta-data"`,
			"no image": `["` + server.URL + `/files/x.mp4"]`,
		} {
			server.Answer(func(w http.ResponseWriter, c providertest.Call) bool {
				if c.Method == "POST" {
					return false
				}
				_, _ = w.Write([]byte(`{"id":"p1","status":"succeeded","output":` + output + `}`))
				return true
			})
			_, _, err := ask(t, newShelf(), "generate-image", map[string]any{"prompt": "x", "provider": "replicate"})
			var failure *kit.Failure
			if !errors.As(err, &failure) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestUncertain(t *testing.T) {
	server := offered(t)
	for _, kind := range []string{"generate-text", "generate-video"} {
		n, _ := install.Find(kind)
		state := (&kit.ProviderTask{Provider: "x", Key: "k", Sent: true, Since: noon}).State()
		_, err := n.Do(t.Context(), &kit.Call{Input: map[string]any{"prompt": "x"}, Now: noon.Add(time.Minute), Attempt: 2, State: state})
		wantFailure(t, err, "uncertain")
	}
	if n := len(server.Calls("POST", "")); n != 0 {
		t.Errorf("%d requests were made", n)
	}
}
