package provider

import (
	"context"
	"io"

	"github.com/openai/openai-go/v3"
)

// File is a file that goes to a service.
type File struct {
	Name, ContentType string
	Content           io.Reader
}

func (f File) openai() io.Reader { return openai.File(f.Content, f.Name, f.ContentType) }

// VoiceConsent keeps the recording in which a person agrees that their voice is cloned, and returns
// its id. language is a BCP 47 tag.
func (o *OpenAI) VoiceConsent(ctx context.Context, key, name, language string, recording File) (string, error) {
	e := o.exchange(maxJSON)
	service := openai.NewAudioVoiceConsentService(o.options(e, key)...)
	got, err := service.New(ctx, openai.AudioVoiceConsentNewParams{Name: name, Language: language, Recording: recording.openai()})
	if err != nil {
		return "", o.failed(ctx, e, err)
	}
	return o.id(ctx, e, got.ID)
}

// Voice clones a voice of a sample under a consent, and returns its id.
func (o *OpenAI) Voice(ctx context.Context, key, name, consent string, sample File) (string, error) {
	e := o.exchange(maxJSON)
	service := openai.NewAudioVoiceService(o.options(e, key)...)
	got, err := service.New(ctx, openai.AudioVoiceNewParams{
		OfAudioSample: &openai.AudioVoiceNewParamsBodyAudioSample{Name: name, Consent: consent, AudioSample: sample.openai()},
	})
	if err != nil {
		return "", o.failed(ctx, e, err)
	}
	return o.id(ctx, e, got.ID)
}

// id is an id that may become part of a path.
func (o *OpenAI) id(ctx context.Context, e *exchange, id string) (string, error) {
	if !predictionID.MatchString(id) {
		return "", e.trouble(ctx, o.Service, "", "")
	}
	return id, nil
}

// DeleteVoice deletes a cloned voice; one that is not there is a Trouble of status 404.
func (o *OpenAI) DeleteVoice(ctx context.Context, id string) error {
	e := o.exchange(maxJSON)
	service := openai.NewAudioVoiceService(o.options(e, "")...)
	if _, err := service.Delete(ctx, id); err != nil {
		return o.failed(ctx, e, err)
	}
	return nil
}

// DeleteVoiceConsent deletes the recording of a consent in the same way.
func (o *OpenAI) DeleteVoiceConsent(ctx context.Context, id string) error {
	e := o.exchange(maxJSON)
	service := openai.NewAudioVoiceConsentService(o.options(e, "")...)
	if _, err := service.Delete(ctx, id); err != nil {
		return o.failed(ctx, e, err)
	}
	return nil
}
