package library

import (
	"context"
	"strings"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/media"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// maxPreviewText is how long a preview may be, in characters.
const maxPreviewText = 500

// previewSentences are what voices say of themselves, by language.
var previewSentences = map[string]string{
	"en": "Hello, this is my voice. I am looking forward to telling you a story.",
	"de": "Hallo, das ist meine Stimme. Ich freue mich darauf, eine Geschichte zu erzählen.",
	"fr": "Bonjour, voici ma voix. Je me réjouis de vous raconter une histoire.",
	"es": "Hola, esta es mi voz. Tengo muchas ganas de contarte una historia.",
	"it": "Ciao, questa è la mia voce. Non vedo l'ora di raccontarti una storia.",
	"pt": "Olá, esta é a minha voz. Estou ansioso por te contar uma história.",
	"nl": "Hallo, dit is mijn stem. Ik vertel je graag een verhaal.",
	"pl": "Cześć, to jest mój głos. Chętnie opowiem ci historię.",
	"sv": "Hej, det här är min röst. Jag berättar gärna en historia.",
	"da": "Hej, det er min stemme. Jeg fortæller gerne en historie.",
	"nb": "Hei, dette er stemmen min. Jeg forteller gjerne en historie.",
	"fi": "Hei, tämä on minun ääneni. Kerron mielelläni tarinan.",
	"cs": "Ahoj, tohle je můj hlas. Rád vám povím příběh.",
	"uk": "Привіт, це мій голос. Я залюбки розповім вам історію.",
	"ru": "Привет, это мой голос. Я с удовольствием расскажу вам историю.",
	"tr": "Merhaba, bu benim sesim. Size bir hikâye anlatmayı çok isterim.",
	"la": "Salve, haec est vox mea. Fabulam tibi libenter narrabo.",
}

func (v *Voice) sentence() string {
	language, _, _ := strings.Cut(textOf(v.Language), "-")
	if text, ok := previewSentences[language]; ok {
		return text
	}
	return previewSentences["en"]
}

// Preview begins a job of the type text-to-speech, at its price, which the space of the
// voice pays. The sound becomes the voice's preview; that of a voice of the program
// stays with the job.
func (s Voices) Preview(ctx context.Context, id models.ID, text *string) (*Begun, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	say := strings.TrimSpace(textOf(text))
	if _, err := models.CleanText("text", say, maxPreviewText); err != nil {
		return nil, err
	}
	if text != nil && say == "" {
		return nil, models.Invalid("text", "has nothing to say")
	}
	if err := s.library.Runs.AdmitRun(ctx); err != nil {
		return nil, err
	}
	begun := &Begun{}
	return begun, s.library.DB.Write(ctx, func(tx *models.Tx) error {
		v, home, err := s.Reach(tx.Context(), tx.DB, id)
		if err != nil {
			return err
		}
		if home != nil {
			if err := space.Hold(tx, v.Owned()); err != nil {
				return err
			}
			if err := home.MayWorkAs(v.Access, "voice"); err != nil {
				return err
			}
		}
		if reason := s.library.whyUnusable(tx.Context(), v, tx.Now); reason != "" {
			return models.Err(models.CodeValidation, "The voice %s", reason)
		}
		if say == "" {
			say = v.sentence()
		}
		ref := v.ref()
		settings, err := ref.Lay(map[string]any{"text": say, "format": "mp3"})
		if err != nil {
			return err
		}
		run, err := s.library.Runs.Nodes().Begin(tx, run.NodeBegin{
			Type: speechType, Settings: settings, Home: home, Purpose: run.ForPreview, Refs: &kit.Refs{Voice: ref},
		})
		if err != nil {
			return err
		}
		begun.Job, begun.Voice = run.Job, v
		if home == nil {
			return nil
		}
		if err := keepVoiceJob(tx, run.Job, "preview", v.ID); err != nil {
			return err
		}
		return s.library.showVoices(tx.Context(), tx.DB, home, v)
	})
}

// keepVoiceJob remembers what a job is for.
func keepVoiceJob(tx *models.Tx, job *run.Job, purpose string, voiceID models.ID) error {
	return tx.Exec(`INSERT INTO library_jobs (job_id, execution_id, purpose, voice_id, created_at) VALUES (?, ?, ?, ?, ?)`,
		job.ID, job.ExecutionID, purpose, voiceID, tx.Now).Error
}

// voiceOfJob locks the voice that a job is for; nil when it is gone.
func voiceOfJob(tx *models.Tx, job *run.Job) (*Voice, error) {
	var found []*Voice
	err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("id = (SELECT voice_id FROM library_jobs WHERE job_id = ?)", job.ID).Limit(1).Find(&found).Error
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// previewEnded keeps the sound of a preview with its voice, in the place of the one before.
func (s *Service) previewEnded(tx *models.Tx, exec *run.Execution, job *run.Job) error {
	if job.Status != run.JobCompleted {
		return nil
	}
	v, err := voiceOfJob(tx, job)
	if err != nil || v == nil {
		return err
	}
	sound, err := s.Media.SoundOf(tx, exec.ID)
	if err != nil || sound == nil {
		return err
	}
	return s.keepPreview(tx, v, sound)
}

// keepPreview makes the sound private. Where there is no room for it the job has its
// result all the same, and the voice the preview that it had.
func (s *Service) keepPreview(tx *models.Tx, v *Voice, sound *media.File) error {
	err := s.DB.Write(tx.Context(), func(tx *models.Tx) error {
		kept, err := s.Media.CopyPrivate(tx, v.OwnerID, v.WorkspaceID, sound)
		if err != nil {
			return err
		}
		old := v.PreviewFileID
		if err := tx.Exec(`UPDATE voices SET preview_file_id = ? WHERE id = ?`, kept.ID, v.ID).Error; err != nil || old == nil {
			return err
		}
		return s.Media.RemovePrivate(tx, *old)
	})
	if models.HasCode(err, models.CodeLimitReached) {
		return nil
	}
	return err
}
