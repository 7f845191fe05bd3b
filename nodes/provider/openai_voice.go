package provider

import (
	"context"
	"net/http"
	"net/url"
)

// VoiceConsent keeps the recording in which a person agrees that their voice is cloned, and returns
// its id. language is a BCP 47 tag.
func (o *OpenAI) VoiceConsent(ctx context.Context, key, name, language string, recording File) (string, error) {
	return o.keep(ctx, "/audio/voice_consents", key,
		part{name: "name", value: name}, part{name: "language", value: language}, part{name: "recording", file: &recording})
}

// Voice clones a voice of a sample under a consent, and returns its id.
func (o *OpenAI) Voice(ctx context.Context, key, name, consent string, sample File) (string, error) {
	return o.keep(ctx, "/audio/voices", key,
		part{name: "name", value: name}, part{name: "consent", value: consent}, part{name: "audio_sample", file: &sample})
}

// keep makes something that stays with the service, and returns its id, which may become part of a path.
func (o *OpenAI) keep(ctx context.Context, path, key string, parts ...part) (string, error) {
	ask, err := request{method: http.MethodPost, path: path, key: key}.form(parts...)
	if err != nil {
		return "", err
	}
	var made struct{ ID string }
	if err := o.send(ctx, ask, &made); err != nil {
		return "", err
	}
	if !predictionID.MatchString(made.ID) {
		return "", &Trouble{Kind: Unreadable, Status: http.StatusOK}
	}
	return made.ID, nil
}

// DeleteVoice deletes a cloned voice; one that is not there is a Trouble of status 404.
func (o *OpenAI) DeleteVoice(ctx context.Context, id string) error {
	return o.send(ctx, request{method: http.MethodDelete, path: "/audio/voices/" + url.PathEscape(id)}, nil)
}

// DeleteVoiceConsent deletes the recording of a consent in the same way.
func (o *OpenAI) DeleteVoiceConsent(ctx context.Context, id string) error {
	return o.send(ctx, request{method: http.MethodDelete, path: "/audio/voice_consents/" + url.PathEscape(id)}, nil)
}
