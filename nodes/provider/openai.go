package provider

import (
	"context"
	"io"
	"net/http"
	"strings"
)

// OpenAI is OpenAI, or any service with the same API.
type OpenAI struct{ Service }

// TextRequest asks for a text. Zero values are left to the service.
type TextRequest struct {
	Model, System, Prompt string
	MaxTokens             int
	Temperature           *float64
	// Schema has the service answer with JSON of that schema, which is named SchemaName.
	SchemaName string
	Schema     map[string]any
}

// TextAnswer is a text and what it took.
type TextAnswer struct {
	Text, FinishReason        string
	InputTokens, OutputTokens int64
}

// Text generates a text. key is the idempotency key; for errors see Trouble.
func (o *OpenAI) Text(ctx context.Context, key string, r TextRequest) (*TextAnswer, error) {
	ask, err := request{method: http.MethodPost, path: "/chat/completions", key: key}.jsonBody(r.body())
	if err != nil {
		return nil, err
	}
	var got struct {
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct{ Content content }
		}
		Usage struct {
			Read    tokens `json:"prompt_tokens"`
			Written tokens `json:"completion_tokens"`
		}
	}
	if err := o.send(ctx, ask, &got); err != nil {
		return nil, err
	}
	if len(got.Choices) == 0 {
		return nil, &Trouble{Kind: Unreadable, Status: http.StatusOK}
	}
	first := got.Choices[0]
	return &TextAnswer{
		Text: string(first.Message.Content), FinishReason: first.FinishReason,
		InputTokens: int64(got.Usage.Read), OutputTokens: int64(got.Usage.Written),
	}, nil
}

// body is what is sent for a text.
func (r TextRequest) body() map[string]any {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	var messages []message
	if r.System != "" {
		messages = append(messages, message{"system", r.System})
	}
	body := map[string]any{"model": r.Model, "messages": append(messages, message{"user", r.Prompt})}
	if r.Temperature != nil {
		body["temperature"] = *r.Temperature
	}
	if r.MaxTokens != 0 && thinks(r.Model) {
		body["max_completion_tokens"] = r.MaxTokens
	} else if r.MaxTokens != 0 {
		body["max_tokens"] = r.MaxTokens
	}
	if r.Schema != nil {
		body["response_format"] = map[string]any{
			"type": "json_schema", "json_schema": map[string]any{"name": r.SchemaName, "strict": true, "schema": r.Schema},
		}
	}
	return body
}

// thinks tells whether a model takes its limit as max_completion_tokens;
// compatible services know max_tokens.
func thinks(model string) bool {
	return strings.HasPrefix(model, "gpt-5") || strings.HasPrefix(model, "gpt-6") || strings.HasPrefix(model, "o1") ||
		strings.HasPrefix(model, "o3") || strings.HasPrefix(model, "o4")
}

// ImageRequest asks for one picture of a size such as 1024x1024. References are
// pictures that it is to follow, at most MaxReferences.
type ImageRequest struct {
	Model, Prompt, Size string
	References          []File
}

// MaxReferences is how many pictures go along with a request.
const MaxReferences = 16

// ImageAnswer is a picture, or the address of one.
type ImageAnswer struct {
	Content            []byte
	URL, RevisedPrompt string
}

// Image generates a picture.
func (o *OpenAI) Image(ctx context.Context, key string, r ImageRequest) (*ImageAnswer, error) {
	ask, err := r.request(key)
	if err != nil {
		return nil, err
	}
	var got struct {
		Data []struct {
			Content       []byte `json:"b64_json"`
			URL           string
			RevisedPrompt string `json:"revised_prompt"`
		}
	}
	if err := o.send(ctx, ask, &got); err != nil {
		return nil, err
	}
	if len(got.Data) == 0 || len(got.Data[0].Content) == 0 && got.Data[0].URL == "" {
		return nil, &Trouble{Kind: Unreadable, Status: http.StatusOK}
	}
	first := got.Data[0]
	return &ImageAnswer{Content: first.Content, URL: first.URL, RevisedPrompt: clean(first.RevisedPrompt, o.Key)}, nil
}

// request asks for a picture: without references of words alone.
func (r ImageRequest) request(key string) (request, error) {
	if len(r.References) > 0 {
		parts := []part{{name: "model", value: r.Model}, {name: "n", value: "1"}, {name: "prompt", value: r.Prompt}, {name: "size", value: r.Size}}
		for _, picture := range r.References[:min(len(r.References), MaxReferences)] {
			parts = append(parts, part{name: "image[]", file: &picture})
		}
		return request{method: http.MethodPost, path: "/images/edits", key: key, maxBytes: maxImage}.form(parts...)
	}
	body := map[string]any{"model": r.Model, "prompt": r.Prompt, "n": 1}
	if r.Size != "" {
		body["size"] = r.Size
	}
	if !strings.HasPrefix(r.Model, "gpt-image") && !strings.HasPrefix(r.Model, "chatgpt-image") {
		body["response_format"] = "b64_json" // the others refuse the field
	}
	return request{method: http.MethodPost, path: "/images/generations", key: key, maxBytes: maxImage}.jsonBody(body)
}

// SpeechRequest asks for a spoken text.
type SpeechRequest struct {
	Model, Text, Voice, Format string
	Speed                      float64 // 1 is normal
	// Custom: the voice is the id of one that was made here.
	Custom bool
}

// Speech speaks a text, and returns the sound.
func (o *OpenAI) Speech(ctx context.Context, key string, r SpeechRequest) ([]byte, error) {
	body := map[string]any{"model": r.Model, "input": r.Text, "voice": r.Voice, "speed": r.Speed}
	if r.Custom {
		body["voice"] = map[string]any{"id": r.Voice}
	}
	if r.Format != "" {
		body["response_format"] = r.Format
	}
	ask, err := request{
		method: http.MethodPost, path: "/audio/speech", key: key, accept: "application/octet-stream", maxBytes: maxSound,
	}.jsonBody(body)
	if err != nil {
		return nil, err
	}
	sound, _, err := o.read(ctx, ask)
	return sound, err
}

// TranscriptionRequest asks for what is said in a sound.
type TranscriptionRequest struct {
	Model, Language, Prompt string
	Name, ContentType       string
	Sound                   io.Reader
}

// Transcribe writes down what is said.
func (o *OpenAI) Transcribe(ctx context.Context, key string, r TranscriptionRequest) (string, error) {
	ask, err := request{method: http.MethodPost, path: "/audio/transcriptions", key: key}.form(
		part{name: "file", file: &File{r.Name, r.ContentType, r.Sound}}, part{name: "model", value: r.Model},
		part{name: "language", value: r.Language}, part{name: "prompt", value: r.Prompt}, part{name: "response_format", value: "json"},
	)
	if err != nil {
		return "", err
	}
	var got struct{ Text *string }
	if err := o.send(ctx, ask, &got); err != nil {
		return "", err
	}
	if got.Text == nil {
		return "", &Trouble{Kind: Unreadable, Status: http.StatusOK}
	}
	return *got.Text, nil
}
