package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"atelier/inbound"
	"atelier/jsontext"
	"atelier/models"
	"atelier/models/library"
	"atelier/models/media"
	"atelier/models/space"
)

// NewVoice is the wish for a voice: with baseVoiceId a designed one, else a clone.
type NewVoice struct {
	Name                string            `json:"name"`
	Description         *string           `json:"description,omitempty"`
	Visibility          *space.Visibility `json:"visibility,omitempty"`
	BaseVoiceID         *models.ID        `json:"baseVoiceId,omitempty"`
	Settings            map[string]any    `json:"settings,omitempty"`
	Language            string            `json:"language,omitempty"`
	SampleURL           *string           `json:"sampleUrl,omitempty"`
	ConsentRecordingURL *string           `json:"consentRecordingUrl,omitempty"`
	Consent             *ConsentBody      `json:"consent,omitempty"`
	Provider            *string           `json:"provider,omitempty"`
	Model               *string           `json:"model,omitempty"`
	KeepSample          *bool             `json:"keepSample,omitempty"`

	// sample and recording came with a form.
	sample, recording *media.Incoming
}

func (n *NewVoice) designed() library.CreateVoiceInput {
	return library.CreateVoiceInput{Name: n.Name, BaseVoiceID: *n.BaseVoiceID, Settings: n.Settings, Description: n.Description, Visibility: n.Visibility}
}

func (n *NewVoice) cloned() library.CloneVoiceInput {
	return library.CloneVoiceInput{
		Name: n.Name, Language: n.Language, SampleURL: n.SampleURL, ConsentRecordingURL: n.ConsentRecordingURL, Consent: n.Consent.input(),
		Provider: n.Provider, Model: n.Model, KeepSample: n.KeepSample, Description: n.Description, Visibility: n.Visibility,
		Sample: n.sample, Recording: n.recording,
	}
}

// maxVoiceFields is the size of what a wish says beside its sounds, in bytes.
const maxVoiceFields = 64 << 10

// readNewVoice reads the body, whose type was judged.
func (a *API) readNewVoice(ctx context.Context, in *newVoiceInput) (*NewVoice, error) {
	if kindOf(in.request) == multipartForm {
		return a.readVoiceForm(ctx, in.request)
	}
	text, err := inbound.ReadJSON(in.request, maxVoiceFields)
	if err != nil {
		return nil, err
	}
	return readObject[NewVoice](text, "voice")
}

// readVoiceForm reads a form: sample and recording are sounds, consent and settings are JSON, and
// everything else is text.
func (a *API) readVoiceForm(ctx context.Context, r *http.Request) (wish *NewVoice, err error) {
	parts, err := openParts(r)
	if err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	sounds := map[string]*media.Incoming{}
	defer func() {
		if err != nil {
			for _, sound := range sounds {
				sound.Close()
			}
			inbound.Drain(r)
		}
	}()
	for {
		part, name, err := parts.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, voiceFormProblem(err)
		}
		if _, again := fields[name]; again || sounds[name] != nil {
			return nil, models.Invalid(name, "must be there once")
		}
		if name == "sample" || name == "recording" {
			sounds[name], err = a.arrivedSound(ctx, name, arriving{part})
		} else {
			fields[name], err = voiceField(parts, name, part)
		}
		if err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	if wish, err = readObject[NewVoice](text, "voice"); err != nil {
		return nil, err
	}
	wish.sample, wish.recording = sounds["sample"], sounds["recording"]
	if wish.BaseVoiceID != nil && len(sounds) > 0 {
		return nil, models.Invalid("baseVoiceId", "designs a voice, which takes no sounds")
	}
	return wish, nil
}

func (a *API) arrivedSound(ctx context.Context, name string, part io.Reader) (*media.Incoming, error) {
	arrived, err := a.Resolver.Media.Arrive(ctx, part)
	if refusal, ok := models.AsError(err); ok && refusal.Field == "file" {
		return nil, models.Invalid(name, "must be a sound")
	}
	if tooLarge(err) {
		return nil, voiceFormProblem(err)
	}
	return arrived, err
}

// voiceField is a field of a form as JSON would have it.
func voiceField(parts *formParts, name string, part io.Reader) (json.RawMessage, error) {
	text, err := parts.text(name, part, maxVoiceFields)
	if err != nil {
		return nil, voiceFormProblem(err)
	}
	switch name {
	case "consent", "settings", "keepSample":
		return jsonField(name, bytes.TrimSpace(text))
	}
	return json.Marshal(string(text))
}

// jsonField is a field of a form that holds JSON.
func jsonField(name string, text []byte) (json.RawMessage, error) {
	if _, err := jsontext.Enter(text); err != nil || !json.Valid(text) {
		return nil, models.Invalid(name, "must be JSON")
	}
	return text, nil
}

func voiceFormProblem(err error) error {
	if tooLarge(err) {
		return models.Err(models.CodePayloadTooLarge, "A sound may have at most 10 MiB")
	}
	return formProblem(err)
}

// describeNewVoice writes both forms of the body into the document.
func (a *API) describeNewVoice() {
	schema := a.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[NewVoice](), true, "NewVoice")
	file := &huma.Schema{Type: huma.TypeString, Format: "binary"}
	text := &huma.Schema{Type: huma.TypeString}
	a.OpenAPI().Paths["/v1/voices"].Post.RequestBody = &huma.RequestBody{
		Required: true,
		Content: map[string]*huma.MediaType{
			applicationJSON: {Schema: schema},
			"multipart/form-data": {Schema: &huma.Schema{
				Type: huma.TypeObject, Required: []string{"name", "language", "sample", "consent"},
				Properties: map[string]*huma.Schema{
					"name": text, "language": text, "sample": file, "recording": file, "provider": text, "model": text, "description": text,
					"visibility": text, "consent": {Type: huma.TypeString, Description: "As JSON."}, "keepSample": {Type: huma.TypeBoolean},
				},
			}},
		},
	}
}
