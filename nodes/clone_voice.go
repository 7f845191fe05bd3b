package nodes

import (
	"context"
	"errors"
	"os"
	"strings"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/provider"
)

// cloneVoiceNode makes a voice of the sample in its Refs, at a provider. It runs for the
// library alone.
var cloneVoiceNode = &kit.Node{
	Type: "clone-voice", Label: "Clone a voice", Category: "audio", OutputType: "data", Internal: true,
	Description:  "Makes a voice of a recording, by a provider.",
	Capabilities: []string{"audio-to-voice"},
	InputSchema: kit.Object(
		kit.Line("name", "Name", "What the provider calls the voice.").Required(),
		kit.Line("language", "Language", "A BCP 47 tag.").Required(),
	),
	MainInput: "name", MainOutput: "voice", Pool: kit.Provider,
	Run:    runsOutside,
	Remote: map[string]kit.RemoteRun{kit.OpenAIName: cloneByOpenAI, kit.ReplicateName: cloneByReplicate},
}

// clonePhrases are what has to be read aloud for OpenAI, word for word, by language.
var clonePhrases = map[string]string{
	"en": "I am the owner of this voice and I consent to OpenAI using this voice to create a synthetic voice model.",
	"de": "Ich bin der Eigentümer dieser Stimme und bin damit einverstanden, dass OpenAI diese Stimme zur Erstellung eines synthetischen Stimmmodells verwendet.",
	"es": "Soy el propietario de esta voz y doy mi consentimiento para que OpenAI la utilice para crear un modelo de voz sintética.",
	"fr": "Je suis le propriétaire de cette voix et j'autorise OpenAI à utiliser cette voix pour créer un modèle de voix synthétique.",
}

// clonePhrase is the phrase and its language: English where a language has none.
func clonePhrase(language string) (phrase, spoken string) {
	spoken, _, _ = strings.Cut(strings.ToLower(language), "-")
	if clonePhrases[spoken] == "" {
		spoken = "en"
	}
	return clonePhrases[spoken], spoken
}

// ClonePhrase is what the person has to read aloud for a provider to clone the voice; empty
// where it asks for nothing.
func ClonePhrase(providerName, language string) string {
	if providerName != kit.OpenAIName {
		return ""
	}
	phrase, _ := clonePhrase(language)
	return phrase
}

// Lengths in seconds of what is sent of a recording.
const (
	maxClonedSeconds = 30
	maxPhraseSeconds = 60
)

// cloneByOpenAI keeps the spoken consent there, then makes the voice, each in a call of its own.
func cloneByOpenAI(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
	if in.Refs == nil || in.Refs.Voice == nil || in.Refs.Voice.Sample == "" || in.Refs.Voice.Recording == "" {
		return nil, kit.Failf("The recordings are not there any more").WithHint("Send them again.")
	}
	e := kit.ProviderTaskOf(in.State)
	if e == nil || e.ID == "" {
		return nil, keepVoiceConsent(ctx, in)
	}
	sample, err := clip(ctx, in, in.Refs.Voice.Sample, maxClonedSeconds)
	if err != nil {
		return nil, err
	}
	consent, voice := e.ID, ""
	err = in.Once(ctx, kit.OpenAIName, func(e *kit.ProviderTask) (err error) {
		voice, err = in.Providers.OpenAI.Voice(ctx, e.Key, in.Text("name"), consent, sample.file("sample.wav"))
		return err
	})
	var pause *kit.Pause
	if err != nil && !errors.As(err, &pause) {
		_ = in.Providers.OpenAI.DeleteVoiceConsent(context.WithoutCancel(ctx), consent) // it is of no use without the voice
	}
	if err != nil {
		return nil, err
	}
	return kit.Output{"provider": kit.OpenAIName, "model": model.ID, "voice": voice, "consent": consent}, nil
}

func keepVoiceConsent(ctx context.Context, in *kit.Call) error {
	recording, err := clip(ctx, in, in.Refs.Voice.Recording, maxPhraseSeconds)
	if err != nil {
		return err
	}
	_, language := clonePhrase(in.Text("language"))
	return in.Once(ctx, kit.OpenAIName, func(e *kit.ProviderTask) error {
		id, err := in.Providers.OpenAI.VoiceConsent(ctx, e.Key, in.Text("name"), language, recording.file("consent.wav"))
		if err != nil {
			return err
		}
		next := &kit.ProviderTask{Provider: kit.OpenAIName, Key: e.Key + "-voice", ID: id, Since: e.Since}
		return next.Pause(in, 0)
	})
}

// cloneByReplicate has a model make the voice; its answer names it.
func cloneByReplicate(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
	if in.Refs == nil || in.Refs.Voice == nil || in.Refs.Voice.Sample == "" {
		return nil, kit.Failf("The recording is not there any more").WithHint("Send it again.")
	}
	made, err := in.Predicted(ctx, model, func(l *kit.Loan) (map[string]any, error) {
		sample, err := clip(ctx, in, in.Refs.Voice.Sample, maxClonedSeconds)
		if err != nil {
			return nil, err
		}
		address, err := l.Lend(ctx, sample.file("sample.wav"))
		return model.Inputs(map[string]any{"audioUrl": address, "language": in.Text("language")}), err
	})
	if err != nil {
		return nil, err
	}
	voice := voiceIn(made)
	if voice == "" {
		return nil, kit.RemoteFailure(kit.ReplicateName, &provider.Trouble{Kind: provider.Unreadable})
	}
	return kit.Output{"provider": kit.ReplicateName, "model": model.ID, "voice": voice}, nil
}

// voiceIn is the name of a voice in what a model answered: a text, or a field of an object.
func voiceIn(made *provider.Prediction) string {
	if results := made.Results(); len(results) > 0 && len(results[0]) <= 200 {
		return results[0]
	}
	var object map[string]any
	if models.ReadJSON(made.Output, &object) != nil {
		return ""
	}
	for _, name := range []string{"voice_id", "voice", "id"} {
		if found, _ := object[name].(string); found != "" && len(found) <= 200 {
			return found
		}
	}
	return ""
}

// clipping is a sound as it is sent: one channel, no metadata.
type clipping []byte

func (c clipping) file(name string) provider.File {
	return provider.File{Name: name, ContentType: "audio/wav", Content: strings.NewReader(string(c))}
}

// clip reads a sound of the call's refs, up to a length in seconds.
func clip(ctx context.Context, in *kit.Call, address string, most int) (clipping, error) {
	var cut clipping
	_, err := in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		s, err := w.Fetch(ctx, address, "audio")
		if err != nil {
			return nil, err
		}
		args := append(s.Input(), "-vn", "-ac", "1", "-ar", "24000", "-c:a", "pcm_s16le", "-map_metadata", "-1", "-t", kit.Seconds(float64(most)), w.Path("clip.wav"))
		if err := w.Ffmpeg(ctx, s.Duration, args...); err != nil {
			return nil, err
		}
		cut, err = os.ReadFile(w.Path("clip.wav"))
		return nil, err
	})
	return cut, err
}

// RemoveAtProvider deletes something at a provider: a voice, a consent, a file, a trained
// version (owner/name:version, with its model when that is empty then) or a model. What is not
// there any more is deleted.
func (c *Catalogue) RemoveAtProvider(ctx context.Context, providerName, what, ref string) error {
	if c == nil || !c.providers.IsSetUp(providerName) {
		return errors.New(providerName + " is not set up on this install; its operator must set " + kit.ProviderVariables[providerName])
	}
	var err error
	switch openai, replicate := c.providers.OpenAI, c.providers.Replicate; providerName + " " + what {
	case "openai voice":
		err = openai.DeleteVoice(ctx, ref)
	case "openai consent":
		err = openai.DeleteVoiceConsent(ctx, ref)
	case "replicate file":
		err = replicate.DeleteFile(ctx, ref)
	case "replicate version":
		if err = kit.IgnoreGone(replicate.DeleteVersion(ctx, ref)); err == nil {
			model, _, _ := strings.Cut(ref, ":")
			err = kept(replicate.DeleteModel(ctx, model))
		}
	case "replicate model":
		err = replicate.DeleteModel(ctx, ref)
	}
	return kit.IgnoreGone(err)
}

// kept takes away the trouble that something still holds more, and stays.
func kept(err error) error {
	var trouble *provider.Trouble
	if errors.As(err, &trouble) && trouble.Kind == provider.Refused {
		return nil
	}
	return err
}
