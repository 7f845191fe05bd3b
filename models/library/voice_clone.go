package library

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"atelier/models"
	"atelier/models/media"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// Cloning is what is known of how a cloned voice is made.
type Cloning struct {
	Provider   string `json:"provider"`
	Model      string `json:"model"`
	KeepSample bool   `json:"keepSample,omitempty"`
	// Consent is the provider's name for the spoken consent.
	Consent string `json:"consent,omitempty"`
}

// Bounds of the sounds that are sent for cloning: bytes, and seconds of the sample and of the
// spoken consent.
const (
	maxSoundBytes   = 10 << 20
	minSample       = 3
	maxSample       = 120
	maxSpokenPhrase = 60
)

// noCloning says what an operator has to do.
const noCloning = "No provider of this install clones voices; its operator must set OPENAI_API_KEY, " +
	"or REPLICATE_API_TOKEN with a model of type clone-voice in PROVIDER_MODELS"

var languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}$`)

// Clone begins cloning a voice of the selected space. Where the consent awaits a person
// it begins when it is given, and there is no job yet.
func (s Voices) Clone(ctx context.Context, in CloneVoiceInput) (*Begun, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	defer (&sentSounds{sample: in.Sample, recording: in.Recording}).close()
	how, err := s.library.howToClone(in)
	if err != nil {
		return nil, err
	}
	v := &Voice{Source: ClonedVoice, Status: CloningVoice, Provider: how.Provider, Settings: map[string]any{}, Cloning: how}
	if err := v.describe(in.Name, in.Description); err != nil {
		return nil, err
	}
	if !languageTag.MatchString(in.Language) {
		return nil, models.Invalid("language", "must be a tag such as en or pt-BR")
	}
	v.Language = &in.Language
	if err := s.library.Runs.AdmitRun(ctx); err != nil {
		return nil, err
	}
	sounds, err := s.library.soundsOf(ctx, in, how.Provider)
	defer sounds.close()
	if err != nil {
		return nil, err
	}
	begun := &Begun{Voice: v}
	return begun, s.library.Media.WithContent(ctx, sounds.all(), func(tx *models.Tx) error {
		viewer, err := s.library.placeVoice(tx, v, defaultPrivacy(true, in.Visibility))
		if err != nil {
			return err
		}
		if v.Consent, err = s.library.checkConsent(tx, viewer, in.Consent); err != nil {
			return err
		}
		if !v.Consent.Providers {
			return models.Invalid("consent.providers", "must be true, for %s makes the voice", how.Provider)
		}
		if v.Consent.Status == Awaiting {
			v.Status = AwaitingConsent
		}
		if err := s.library.keepSounds(tx, v, sounds); err != nil {
			return err
		}
		if err := tx.Create(v).Error; err != nil {
			return err
		}
		if err := auditVoice(tx, v, "voice.created", models.Fields{"source": {To: v.Source}}); err != nil {
			return err
		}
		if err := s.library.keepConsent(tx, v.depicting(), v.Consent); err != nil {
			return err
		}
		if v.Consent.Status != Awaiting {
			if begun.Job, err = s.library.beginCloning(tx, viewer, v); err != nil {
				return err
			}
		}
		return s.library.showVoices(tx.Context(), tx.DB, viewer, v)
	})
}

// howToClone is the provider and model that will clone.
func (s *Service) howToClone(in CloneVoiceInput) (*Cloning, error) {
	clones, _ := s.Flows.Catalogue.Find(cloneType)
	offered := clones.Models()
	if len(offered) == 0 {
		return nil, &models.Error{Code: models.CodeValidation, Field: "provider", Message: noCloning}
	}
	wished, model := textOf(in.Provider), textOf(in.Model)
	if wished != "" && !slices.ContainsFunc(offered, func(m kit.Model) bool { return m.Provider == wished }) {
		if nodes.CanDo(wished, cloneType) {
			return nil, models.Invalid("provider", "%s", clones.Missing(wished))
		}
		return nil, models.Invalid("provider", "must be one of %s", strings.Join(clones.Providers, ", "))
	}
	for _, m := range offered {
		if (wished == "" || m.Provider == wished) && (model == "" || m.ID == model) {
			return &Cloning{Provider: m.Provider, Model: m.ID, KeepSample: in.KeepSample != nil && *in.KeepSample}, nil
		}
	}
	return nil, models.Invalid("model", "is none that clones voices on this install")
}

// sentSounds are the sounds that came with a wish to clone, on this machine, and their own files
// that they were copied from.
type sentSounds struct {
	sample, recording *media.Incoming
	uploads           []*media.File
}

func (a *sentSounds) all() (found []*media.Incoming) {
	for _, in := range []*media.Incoming{a.sample, a.recording} {
		if in != nil {
			found = append(found, in)
		}
	}
	return found
}

func (a *sentSounds) close() {
	for _, in := range a.all() {
		in.Close()
	}
}

// soundsOf fetches and judges the sample and the spoken consent. A provider that wants
// the latter has the sentence in the refusal.
func (s *Service) soundsOf(ctx context.Context, in CloneVoiceInput, providerName string) (*sentSounds, error) {
	sounds, err := &sentSounds{}, error(nil)
	if sounds.sample, err = s.soundOf(ctx, sounds, "sampleUrl", "sample", in.SampleURL, in.Sample); err != nil {
		return sounds, err
	}
	if sounds.sample == nil {
		return sounds, models.Invalid("sample", "is required: a sound of %d to %d seconds", minSample, maxSample)
	}
	if length := sounds.sample.Seconds(); length < minSample || length > maxSample {
		return sounds, models.Invalid("sample", "must last from %d to %d seconds", minSample, maxSample)
	}
	phrase := nodes.ClonePhrase(providerName, in.Language)
	if phrase == "" {
		return sounds, nil
	}
	if sounds.recording, err = s.soundOf(ctx, sounds, "consentRecordingUrl", "recording", in.ConsentRecordingURL, in.Recording); err != nil {
		return sounds, err
	}
	if sounds.recording == nil {
		return sounds, models.Invalid("recording", "is required: the person whose voice it is reads aloud: %s", phrase)
	}
	if sounds.recording.Seconds() > maxSpokenPhrase {
		return sounds, models.Invalid("recording", "must last at most %d seconds", maxSpokenPhrase)
	}
	return sounds, nil
}

// soundOf is a sound that was sent, or lies at an address; nil for neither.
func (s *Service) soundOf(ctx context.Context, sounds *sentSounds, addressField, field string, address *string, sent *media.Incoming) (*media.Incoming, error) {
	if textOf(address) != "" {
		if sent != nil {
			return sent, models.Invalid(addressField, "and %s must not both be there", field)
		}
		field = addressField
		arrived, of, err := s.Media.ArriveFrom(ctx, *address)
		if err != nil {
			return nil, renamed(err, "url", addressField)
		}
		if sent = arrived; of != nil {
			sounds.uploads = append(sounds.uploads, of)
		}
	}
	switch {
	case sent == nil:
		return nil, nil
	case sent.Size() > maxSoundBytes:
		return sent, models.Err(models.CodePayloadTooLarge, "A sound may have at most 10 MiB")
	case !strings.HasPrefix(sent.ContentType(), "audio/") && sent.ContentType() != "video/webm":
		return sent, models.Invalid(field, "must be a sound")
	case sent.Seconds() <= 0:
		return sent, models.Invalid(field, "must be a sound that can be played")
	}
	return sent, nil
}

// renamed is a refusal of one field as that of another.
func renamed(err error, from, to string) error {
	if refusal, ok := models.AsError(err); ok && refusal.Field == from {
		return models.Invalid(to, "%s", strings.TrimPrefix(refusal.Message, from+" "))
	}
	return err
}

// keepSounds makes private files of the sounds; the uploads that they came from end.
func (s *Service) keepSounds(tx *models.Tx, v *Voice, sounds *sentSounds) error {
	if err := s.keepSample(tx, v, sounds); err != nil {
		return err
	}
	for _, upload := range sounds.uploads {
		if err := s.Media.EndUpload(tx, tx.Actor.UserID, upload); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) keepSample(tx *models.Tx, v *Voice, sounds *sentSounds) error {
	sample, err := s.Media.KeepPrivate(tx, v.OwnerID, v.WorkspaceID, sounds.sample)
	if err != nil {
		return err
	}
	v.SampleFileID = &sample.ID
	if sounds.recording == nil {
		return nil
	}
	recording, err := s.Media.KeepPrivate(tx, v.OwnerID, v.WorkspaceID, sounds.recording)
	if err != nil {
		return err
	}
	v.RecordingFileID = &recording.ID
	return nil
}
