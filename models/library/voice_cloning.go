package library

import (
	"context"

	"atelier/models"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// VoiceCloning tells whether voices can be cloned here, and by whom.
type VoiceCloning struct {
	Offered   bool
	Providers []string
	// Missing is what the operator would have to set; nil when offered.
	Missing *string
}

// Cloning tells whether voices can be cloned on this install.
func (s Voices) Cloning(ctx context.Context) (*VoiceCloning, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	clones, _ := s.library.Flows.Catalogue.Find(cloneType)
	if len(clones.Models()) == 0 {
		return &VoiceCloning{Providers: []string{}, Missing: textOrNil(noCloning)}, nil
	}
	return &VoiceCloning{Offered: true, Providers: clones.Providers}, nil
}

// ClonePhrase is what has to be read aloud for a provider, without one for the first that
// clones here, in a language; nil where none is wanted.
func (s Voices) ClonePhrase(ctx context.Context, provider, language *string) (*string, error) {
	name := textOf(provider)
	clones, _ := s.library.Flows.Catalogue.Find(cloneType)
	if name == "" && len(clones.Providers) > 0 {
		name = clones.Providers[0]
	}
	return textOrNil(nodes.ClonePhrase(name, textOf(language))), nil
}

// beginCloning begins the job that makes a voice of its sample; the voice's space pays.
func (s *Service) beginCloning(tx *models.Tx, home *space.Viewer, v *Voice) (*run.Job, error) {
	ref := v.ref()
	ref.Sample = keptAddress(*v.SampleFileID)
	if v.RecordingFileID != nil {
		ref.Recording = keptAddress(*v.RecordingFileID)
	}
	run, err := s.Runs.Nodes().Begin(tx, run.NodeBegin{
		Type: cloneType, Home: home, Purpose: run.ForCloning, Refs: &kit.Refs{Voice: ref},
		Settings: map[string]any{"name": v.ID.String(), "language": textOf(v.Language), "provider": v.Cloning.Provider, "model": v.Cloning.Model},
	})
	if err != nil {
		return nil, err
	}
	return run.Job, keepVoiceJob(tx, run.Job, "clone", v.ID)
}

// keptAddress is how a job opens a private file.
func keptAddress(id models.ID) string { return "kept:" + id.String() }

// voiceConsented goes on with a voice whose consent has changed; its row is locked. Once it is
// given, the cloning that waited for it begins, and the voice's space pays. Where that is refused,
// such as for want of credits, the voice has failed, and the consent is given all the same.
func (s *Service) voiceConsented(tx *models.Tx, home *space.Viewer, v *Voice) error {
	before := v.Status
	if v.Status = statusUnder(v.Consent, v.Status); before == v.Status {
		return nil
	}
	waits := before == AwaitingConsent && v.Cloning != nil && v.BaseVoice == "" && v.SampleFileID != nil
	if waits {
		v.Status = CloningVoice
		err := s.DB.Write(tx.Context(), func(tx *models.Tx) error {
			_, err := s.beginCloning(tx, home, v)
			return err
		})
		refusal, refused := models.AsError(err)
		if err != nil && !refused {
			return err
		}
		if refused {
			v.Status, v.ErrorMessage = Failed, &refusal.Message
		}
	}
	return tx.Model(v).Select("status", "error_message").Updates(v).Error
}

// cloneEnded keeps what a provider made of a sample, which goes then. What was made for a voice
// that is gone meanwhile is deleted there.
func (s *Service) cloneEnded(tx *models.Tx, _ *run.Execution, job *run.Job) error {
	made, err := clonedOf(job)
	if err != nil {
		return err
	}
	v, err := voiceOfJob(tx, job)
	if err != nil {
		return err
	}
	if v == nil {
		return removeClone(tx, made)
	}
	if made == nil {
		v.Status, v.ErrorMessage = Failed, job.ErrorMessage
		if job.Status == run.JobCancelled {
			v.ErrorMessage = textOrNil("it was cancelled")
		}
	} else {
		v.Status, v.ErrorMessage, v.BaseVoice = Ready, nil, made.Voice
		v.Cloning.Consent = made.Consent
	}
	v.UpdatedAt = tx.Now
	var files []models.ID
	if made == nil || !v.Cloning.KeepSample {
		for _, id := range []**models.ID{&v.SampleFileID, &v.RecordingFileID} {
			if *id != nil {
				files = append(files, **id)
				*id = nil
			}
		}
	}
	err = tx.Model(v).Select("status", "error_message", "base_voice", "cloning", "sample_file_id", "recording_file_id", "updated_at").Updates(v).Error
	if err != nil {
		return err
	}
	if err := s.Media.RemovePrivate(tx, files...); err != nil || made == nil {
		return err
	}
	return auditVoice(tx, v, "voice.cloned", models.Fields{"provider": {To: v.Provider}})
}

// clonedVoice is what a provider made.
type clonedVoice struct{ Provider, Voice, Consent string }

// clonedOf is what a completed job made; nil for any other.
func clonedOf(job *run.Job) (*clonedVoice, error) {
	if job.Status != run.JobCompleted {
		return nil, nil
	}
	text := func(name string) string { s, _ := job.OutputData[name].(string); return s }
	return &clonedVoice{text("provider"), text("voice"), text("consent")}, nil
}

// removeClone has a clone, and the spoken consent beside it, deleted at the provider.
func removeClone(tx *models.Tx, made *clonedVoice) error {
	if made == nil {
		return nil
	}
	if err := removeAtProvider(tx, made.Provider, removesVoice, made.Voice); err != nil || made.Consent == "" {
		return err
	}
	return removeAtProvider(tx, made.Provider, removesConsent, made.Consent)
}
