package provider

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
)

// OpenAI is OpenAI, or any service with the same API.
type OpenAI struct{ Service }

// options are those of one request. The services are made one by one, because
// the library's whole client reads settings from the environment.
func (o *OpenAI) options(e *exchange, key string) []option.RequestOption {
	options := []option.RequestOption{
		option.WithBaseURL(o.BaseURL + "/"), option.WithAPIKey(o.Key), option.WithHTTPClient(e), option.WithMaxRetries(0),
	}
	if key != "" {
		options = append(options, option.WithHeader("Idempotency-Key", key))
	}
	return options
}

// failed says what an error of the library means.
func (o *OpenAI) failed(ctx context.Context, e *exchange, err error) error {
	var said *openai.Error
	if errors.As(err, &said) {
		return e.trouble(ctx, o.Service, said.Code, said.Message)
	}
	return e.trouble(ctx, o.Service, "", "")
}

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
	e := o.exchange(maxJSON)
	body := openai.ChatCompletionNewParams{Model: r.Model}
	if r.System != "" {
		body.Messages = append(body.Messages, openai.SystemMessage(r.System))
	}
	body.Messages = append(body.Messages, openai.UserMessage(r.Prompt))
	if r.Temperature != nil {
		body.Temperature = param.NewOpt(*r.Temperature)
	}
	limit := option.WithJSONSet("max_tokens", r.MaxTokens)
	if thinks(r.Model) {
		limit = option.WithJSONSet("max_completion_tokens", r.MaxTokens)
	}
	more := []option.RequestOption{limit}
	if r.Schema != nil {
		more = append(more, option.WithJSONSet("response_format", map[string]any{
			"type": "json_schema", "json_schema": map[string]any{"name": r.SchemaName, "strict": true, "schema": r.Schema},
		}))
	}
	service := openai.NewChatCompletionService(o.options(e, key)...)
	got, err := service.New(ctx, body, more...)
	if err != nil {
		return nil, o.failed(ctx, e, err)
	}
	if len(got.Choices) == 0 {
		return nil, e.trouble(ctx, o.Service, "", "")
	}
	first := got.Choices[0]
	return &TextAnswer{
		Text: first.Message.Content, FinishReason: first.FinishReason,
		InputTokens: got.Usage.PromptTokens, OutputTokens: got.Usage.CompletionTokens,
	}, nil
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
	e := o.exchange(maxImage)
	options := o.options(e, key)
	if len(r.References) == 0 && !strings.HasPrefix(r.Model, "gpt-image") && !strings.HasPrefix(r.Model, "chatgpt-image") {
		options = append(options, option.WithJSONSet("response_format", "b64_json")) // the others refuse the field
	}
	got, err := o.image(ctx, r, options)
	if err != nil {
		return nil, o.failed(ctx, e, err)
	}
	if len(got.Data) == 0 || got.Data[0].B64JSON == "" && got.Data[0].URL == "" {
		return nil, e.trouble(ctx, o.Service, "", "")
	}
	answer := &ImageAnswer{URL: got.Data[0].URL, RevisedPrompt: clean(got.Data[0].RevisedPrompt, o.Key)}
	if encoded := got.Data[0].B64JSON; encoded != "" {
		if answer.Content, err = base64.StdEncoding.DecodeString(encoded); err != nil {
			return nil, e.trouble(ctx, o.Service, "", "")
		}
	}
	return answer, nil
}

// image asks for a picture: without references of words alone.
func (o *OpenAI) image(ctx context.Context, r ImageRequest, options []option.RequestOption) (*openai.ImagesResponse, error) {
	service := openai.NewImageService(options...)
	if len(r.References) == 0 {
		return service.Generate(ctx, openai.ImageGenerateParams{
			Model: r.Model, Prompt: r.Prompt, N: param.NewOpt(int64(1)), Size: openai.ImageGenerateParamsSize(r.Size),
		})
	}
	pictures := make([]io.Reader, min(len(r.References), MaxReferences))
	for i := range pictures {
		pictures[i] = r.References[i].openai()
	}
	return service.Edit(ctx, openai.ImageEditParams{
		Model: r.Model, Prompt: r.Prompt, N: param.NewOpt(int64(1)), Size: openai.ImageEditParamsSize(r.Size),
		Image: openai.ImageEditParamsImageUnion{OfFileArray: pictures},
	})
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
	e := o.exchange(maxSound)
	service := openai.NewAudioSpeechService(o.options(e, key)...)
	voice := openai.AudioSpeechNewParamsVoiceUnion{OfString: param.NewOpt(r.Voice)}
	if r.Custom {
		voice = openai.AudioSpeechNewParamsVoiceUnion{OfAudioSpeechNewsVoiceID: &openai.AudioSpeechNewParamsVoiceID{ID: r.Voice}}
	}
	got, err := service.New(ctx, openai.AudioSpeechNewParams{
		Model: r.Model, Input: r.Text, Speed: param.NewOpt(r.Speed), Voice: voice,
		ResponseFormat: openai.AudioSpeechNewParamsResponseFormat(r.Format),
	})
	if err != nil {
		return nil, o.failed(ctx, e, err)
	}
	defer got.Body.Close()
	sound, err := io.ReadAll(got.Body)
	if err != nil {
		return nil, e.trouble(ctx, o.Service, "", "")
	}
	return sound, nil
}

// TranscriptionRequest asks for what is said in a sound.
type TranscriptionRequest struct {
	Model, Language, Prompt string
	Name, ContentType       string
	Sound                   io.Reader
}

// Transcribe writes down what is said.
func (o *OpenAI) Transcribe(ctx context.Context, key string, r TranscriptionRequest) (string, error) {
	e := o.exchange(maxJSON)
	body := openai.AudioTranscriptionNewParams{
		Model: r.Model, File: openai.File(r.Sound, r.Name, r.ContentType), ResponseFormat: openai.AudioResponseFormatJSON,
	}
	if r.Language != "" {
		body.Language = param.NewOpt(r.Language)
	}
	if r.Prompt != "" {
		body.Prompt = param.NewOpt(r.Prompt)
	}
	service := openai.NewAudioTranscriptionService(o.options(e, key)...)
	got, err := service.New(ctx, body)
	if err != nil {
		return "", o.failed(ctx, e, err)
	}
	if !got.JSON.Text.Valid() {
		return "", e.trouble(ctx, o.Service, "", "")
	}
	return got.Text, nil
}
