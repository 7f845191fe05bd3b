package provider_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/nodes/provider"
	"atelier/nodes/provider/providertest"
)

func TestOpenAI(t *testing.T) {
	s := providertest.New(t)
	o, ctx := s.OpenAI(), t.Context()
	text, err := o.Text(ctx, "key-1", provider.TextRequest{Model: "small", System: "Be kind.", Prompt: "Hello", MaxTokens: 40})
	if err != nil || text.Text != "Said: Hello" || text.OutputTokens != 250 || text.FinishReason != "stop" {
		t.Fatalf("text %+v, %v", text, err)
	}
	call := s.Calls("POST", "/chat/completions")[0]
	if call.Idempotency != "key-1" || call.Body["model"] != "small" || call.Body["max_tokens"] != 40.0 || call.Body["temperature"] != nil {
		t.Errorf("sent %+v", call)
	}
	if _, err := o.Text(ctx, "key-2", provider.TextRequest{Model: "gpt-5.5", Prompt: "Hello", MaxTokens: 40}); err != nil {
		t.Fatal(err)
	}
	if call := s.Calls("POST", "/chat/completions")[1]; call.Body["max_completion_tokens"] != 40.0 || call.Body["max_tokens"] != nil {
		t.Errorf("sent %+v", call)
	}
	picture, err := o.Image(ctx, "key-3", provider.ImageRequest{Model: "gpt-image-2", Prompt: "A heron", Size: "1024x1024"})
	if err != nil || !bytes.Equal(picture.Content, providertest.Picture()) {
		t.Fatalf("image %+v, %v", picture, err)
	}
	if call := s.Calls("POST", "/images/generations")[0]; call.Body["size"] != "1024x1024" || call.Body["response_format"] != nil || call.Idempotency != "key-3" {
		t.Errorf("sent %+v", call)
	}
	sound, err := o.Speech(ctx, "key-4", provider.SpeechRequest{Model: "tts", Text: "Hello", Voice: "alloy", Format: "wav", Speed: 1.5})
	if err != nil || !bytes.Equal(sound, providertest.Sound()) {
		t.Fatalf("speech of %d bytes, %v", len(sound), err)
	}
	if call := s.Calls("POST", "/audio/speech")[0]; call.Body["voice"] != "alloy" || call.Body["speed"] != 1.5 || call.Body["response_format"] != "wav" {
		t.Errorf("sent %+v", call)
	}
	said, err := o.Transcribe(ctx, "key-5", provider.TranscriptionRequest{Model: "listen", Language: "en", Name: "sound.wav", ContentType: "audio/wav", Sound: bytes.NewReader(sound)})
	if err != nil || said != "What was said." {
		t.Fatalf("transcription %q, %v", said, err)
	}
	if call := s.Calls("POST", "/audio/transcriptions")[0]; call.Form["model"] != "listen" || call.Form["language"] != "en" || call.Form["file"] != "sound.wav of 1644 bytes" || call.Idempotency != "key-5" {
		t.Errorf("sent %+v", call)
	}
}

// TestFormsOfAText reads what services with the same API make of an answer.
func TestFormsOfAText(t *testing.T) {
	s := providertest.New(t)
	cases := map[string]struct {
		answer string
		want   provider.TextAnswer
		fails  bool
	}{
		"parts": {
			answer: `{"choices":[{"message":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"Hel"},{"type":"text","text":"lo"},{"type":"text","text":7}]}}]}`,
			want:   provider.TextAnswer{Text: "Hello"},
		},
		"nulls": {
			answer: `{"choices":[{"message":{"content":null},"finish_reason":null}],"usage":null}`,
		},
		"tokens with a point, in quotes": {
			answer: `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":12.0,"completion_tokens":"4"}}`,
			want:   provider.TextAnswer{Text: "x", FinishReason: "stop", InputTokens: 12, OutputTokens: 4},
		},
		"tokens that no request takes": {
			answer: `{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":-5,"completion_tokens":1e300}}`,
			want:   provider.TextAnswer{Text: "x", OutputTokens: 1e9},
		},
		"tokens that are none": {
			answer: `{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":"NaN","completion_tokens":[]}}`,
			want:   provider.TextAnswer{Text: "x"},
		},
		"a number":      {answer: `{"choices":[{"message":{"content":5}}]}`, fails: true},
		"parts of none": {answer: `{"choices":[{"message":{"content":["x"]}}]}`, fails: true},
		"two values":    {answer: `{"choices":[{"message":{"content":"x"}}]} {}`, fails: true},
	}
	for name, c := range cases {
		s.Answer(func(w http.ResponseWriter, _ providertest.Call) bool { status(200, c.answer)(w); return true })
		got, err := s.OpenAI().Text(t.Context(), "", provider.TextRequest{Model: "m", Prompt: "p"})
		if c.fails {
			check(t, name, err, provider.Unreadable, 200, "", 0)
		} else if err != nil || *got != c.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestRefusalsInOtherForms has services say why in other forms than those of OpenAI.
func TestRefusalsInOtherForms(t *testing.T) {
	s := providertest.New(t)
	for answer, says := range map[string]string{
		`{"error":{"message":"No such model","code":404}}`:          "No such model",
		`{"detail":"Not here"}`:                                     "Not here",
		`{"detail":[{"loc":["body"],"msg":"x"}],"error":{}}`:        "",
		`{"error":"model is required"}`:                             "model is required",
		`{"error":{"message":["a"],"code":null},"detail":"Closed"}`: "Closed",
		`[]`: "", `null`: "", ``: "",
	} {
		s.Answer(func(w http.ResponseWriter, _ providertest.Call) bool { status(400, answer)(w); return true })
		_, err := s.OpenAI().Text(t.Context(), "", provider.TextRequest{Model: "m", Prompt: "p"})
		var trouble *provider.Trouble
		if !errors.As(err, &trouble) || trouble.Kind != provider.Refused || trouble.Message != says {
			t.Errorf("%s: %+v", answer, err)
		}
	}
}

func TestReplicate(t *testing.T) {
	s := providertest.New(t)
	r, ctx := s.Replicate(), t.Context()
	made, err := r.Create(ctx, "key-1", "someone/flux", map[string]any{"prompt": "A heron"})
	if err != nil || made.ID != "p1" || made.Ended() {
		t.Fatalf("made %+v, %v", made, err)
	}
	call := s.Calls("POST", "/models/someone/flux/predictions")[0]
	if input, _ := call.Body["input"].(map[string]any); call.Idempotency != "key-1" || input["prompt"] != "A heron" {
		t.Errorf("sent %+v", call)
	}
	if _, err := r.Create(ctx, "key-2", "someone/flux:abc123", nil); err != nil {
		t.Fatal(err)
	}
	if call := s.Calls("POST", "/v1/predictions")[0]; call.Body["version"] != "abc123" {
		t.Errorf("sent %+v", call)
	}
	var found *provider.Prediction
	for range 2 {
		if found, err = r.Find(ctx, made.ID); err != nil {
			t.Fatal(err)
		}
	}
	if !found.Ended() || len(found.Results()) != 1 || !r.Own(found.Results()[0]) || r.Own("https://elsewhere.example/x") {
		t.Fatalf("found %+v", found)
	}
	if err := r.Cancel(ctx, "p2"); err != nil {
		t.Fatal(err)
	}
	if found, err := r.Find(ctx, "p2"); err != nil || found.Status != "canceled" {
		t.Fatalf("after the cancellation %+v, %v", found, err)
	}
}

// TestTrouble has every kind of bad answer end in the right class, after one
// request, without the key in its words.
func TestTrouble(t *testing.T) {
	oversized := strings.Repeat(" ", 5<<20)
	openaiError := func(status int, code, message string) string {
		return `{"error":{"code":"` + code + `","message":"` + message + `","type":"x","param":null}}`
	}
	cases := map[string]struct {
		answer func(w http.ResponseWriter)
		kind   provider.Kind
		status int
		says   string
		wait   time.Duration
	}{
		"denied":          {status(401, openaiError(401, "invalid_api_key", "Incorrect API key")), provider.Denied, 401, "", 0},
		"forbidden":       {status(403, `{"detail":"no"}`), provider.Denied, 403, "", 0},
		"busy":            {with("Retry-After", "7", status(429, openaiError(429, "rate_limit_exceeded", "Slow down"))), provider.Busy, 429, "", 7 * time.Second},
		"out of credit":   {status(429, openaiError(429, "insufficient_quota", "Pay")), provider.Denied, 429, "", 0},
		"down":            {status(503, "<html>down</html>"), provider.Busy, 503, "", 0},
		"broken":          {status(500, openaiError(500, "", "Oh no")), provider.Broken, 500, "", 0},
		"gateway":         {status(502, "<html>bad gateway</html>"), provider.Broken, 502, "", 0},
		"refused":         {status(400, openaiError(400, "content_policy", "Not "+providertest.Key+"\\nthis")), provider.Refused, 400, "Not … this", 0},
		"redirect":        {with("Location", "https://elsewhere.example/", status(307, "")), provider.Broken, 307, "", 0},
		"malformed":       {status(200, `{"choices": [`), provider.Unreadable, 200, "", 0},
		"not the form":    {status(200, `[1,2]`), provider.Unreadable, 200, "", 0},
		"empty":           {status(200, `{}`), provider.Unreadable, 200, "", 0},
		"huge":            {status(200, `{"choices":[`+oversized+`]}`), provider.Unreadable, 200, "it is too large", 0},
		"cut off":         {cut, provider.Uncertain, 200, "", 0},
		"no answer":       {hang, provider.Uncertain, 0, "", 0},
		"drip":            {drip, provider.Uncertain, 200, "", 0},
		"hung up":         {hangUp, provider.Uncertain, 0, "", 0},
		"endless headers": {with("X-Filler", strings.Repeat("x", 200<<10), status(200, "{}")), provider.Uncertain, 0, "", 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := providertest.New(t)
			s.Answer(func(w http.ResponseWriter, _ providertest.Call) bool { c.answer(w); return true })
			o, r := s.OpenAI(), s.Replicate()
			o.Timeout, r.Timeout = 20*time.Second, 20*time.Second
			if name == "no answer" || name == "drip" {
				o.Timeout, r.Timeout = 300*time.Millisecond, 300*time.Millisecond
			}
			_, err := o.Text(t.Context(), "k", provider.TextRequest{Model: "m", Prompt: "p", MaxTokens: 1})
			check(t, "openai", err, c.kind, c.status, c.says, c.wait)
			if n := len(s.Calls("POST", "")); n != 1 {
				t.Errorf("%d requests were made", n)
			}
			if name == "out of credit" || name == "refused" {
				return // words of one service alone
			}
			_, err = r.Create(t.Context(), "k", "a/b", nil)
			check(t, "replicate", err, c.kind, c.status, c.says, c.wait)
		})
	}
}

func check(t *testing.T, name string, err error, kind provider.Kind, status int, says string, wait time.Duration) {
	t.Helper()
	var trouble *provider.Trouble
	if !errors.As(err, &trouble) {
		t.Fatalf("%s: %v", name, err)
	}
	if trouble.Kind != kind || trouble.Status != status || says != "" && trouble.Message != says || trouble.Wait != wait {
		t.Errorf("%s: %+v", name, trouble)
	}
	if strings.Contains(trouble.Message+trouble.Error(), providertest.Key) {
		t.Errorf("%s: the key is in %+v", name, trouble)
	}
}

func status(code int, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = w.Write([]byte(body))
	}
}

func with(name, value string, answer func(http.ResponseWriter)) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set(name, value)
		answer(w)
	}
}

// cut promises more than it sends.
func cut(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "1000")
	_, _ = w.Write([]byte(`{"choices":`))
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

func hang(http.ResponseWriter) { time.Sleep(time.Second) }

// drip sends a byte now and then, for longer than the exchange may take.
func drip(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	for range 20 {
		_, _ = w.Write([]byte(" "))
		w.(http.Flusher).Flush()
		time.Sleep(50 * time.Millisecond)
	}
}

func hangUp(http.ResponseWriter) { panic(http.ErrAbortHandler) }

func TestNotReached(t *testing.T) {
	s := providertest.New(t)
	o, r := s.OpenAI(), s.Replicate()
	s.Close()
	_, err := o.Text(t.Context(), "k", provider.TextRequest{Model: "m", Prompt: "p", MaxTokens: 1})
	check(t, "openai", err, provider.Busy, 0, "", 0)
	_, err = r.Find(t.Context(), "p1")
	check(t, "replicate", err, provider.Busy, 0, "", 0)
}

func TestCancelled(t *testing.T) {
	s := providertest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.Answer(func(http.ResponseWriter, providertest.Call) bool { cancel(); return false })
	_, err := s.OpenAI().Text(ctx, "k", provider.TextRequest{Model: "m", Prompt: "p", MaxTokens: 1})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestEnvironmentIsIgnored sets what the libraries would read by themselves.
func TestEnvironmentIsIgnored(t *testing.T) {
	for name, value := range map[string]string{
		"OPENAI_API_KEY": "other", "OPENAI_BASE_URL": "http://127.0.0.1:1", "OPENAI_ORG_ID": "org", "OPENAI_PROJECT_ID": "p",
		"HTTP_PROXY": "http://127.0.0.1:1", "HTTPS_PROXY": "http://127.0.0.1:1", "ALL_PROXY": "http://127.0.0.1:1",
	} {
		t.Setenv(name, value)
	}
	s := providertest.New(t)
	if _, err := s.OpenAI().Text(t.Context(), "k", provider.TextRequest{Model: "m", Prompt: "p", MaxTokens: 1}); err != nil {
		t.Error(err)
	}
	if _, err := s.Replicate().Create(t.Context(), "k", "a/b", nil); err != nil {
		t.Error(err)
	}
}
