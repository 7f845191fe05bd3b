package library

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"atelier/models"
	"atelier/models/space"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// voicesSince are the times of the voices that come with the program.
var voicesSince = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// factoryVoiceID is the same on every install.
func factoryVoiceID(v kit.SpokenVoice) models.ID {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("atelier:voice:"+v.Provider+":"+v.Name))
}

// factoryVoices are the voices of the speech program and of the providers that are
// set up, by language and name; those that speak any language come last.
func (s *Service) factoryVoices(ctx context.Context) []*Voice {
	spoken := slices.Concat(nodes.LocalVoices(ctx), s.Flows.Catalogue.ProviderVoices())
	voices := make([]*Voice, len(spoken))
	for i, v := range spoken {
		voices[i] = &Voice{
			ID: factoryVoiceID(v), Name: v.Label, Source: FactoryVoice, Provider: v.Provider, BaseVoice: v.Name, Settings: map[string]any{},
			Status: Ready, Usable: v.Missing == "", Version: 1, CreatedAt: voicesSince, UpdatedAt: voicesSince, Access: space.CanView,
			Language: textOrNil(v.Language), Gender: textOrNil(v.Gender), Reason: textOrNil(v.Missing),
		}
	}
	slices.SortFunc(voices, func(a, b *Voice) int { return strings.Compare(a.place(), b.place()) })
	return voices
}

// factoryVoice is the one with an id; nil for none.
func (s *Service) factoryVoice(ctx context.Context, id models.ID) *Voice {
	if id.Version() != 5 {
		return nil
	}
	voices := s.factoryVoices(ctx)
	if i := slices.IndexFunc(voices, func(v *Voice) bool { return v.ID == id }); i >= 0 {
		return voices[i]
	}
	return nil
}

// place is where a voice stands in lists: own and shared ones newest first, then
// those of the program.
func (v *Voice) place() string {
	if v.Source != FactoryVoice {
		newestFirst := v.ID
		for i := range newestFirst {
			newestFirst[i] = ^newestFirst[i]
		}
		return "0 " + newestFirst.String()
	}
	language := "~" // behind every tag
	if v.Language != nil {
		language = strings.ToLower(*v.Language)
	}
	return "1 " + language + "\x00" + v.Name + "\x00" + v.ID.String()
}

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// whyUnusable is why a voice cannot speak in new runs, as it continues "the
// voice"; empty when it can. Consents come from loadVoiceConsents.
func (s *Service) whyUnusable(ctx context.Context, v *Voice, now time.Time) string {
	if v.Source == FactoryVoice {
		return textOf(v.Reason)
	}
	if err := v.consentState().refusal(now); err != nil {
		return err.Error()
	}
	switch v.Status {
	case CloningVoice:
		return "is being cloned"
	case Failed:
		return "could not be cloned"
	}
	if v.Provider == localProvider {
		return s.whySilent(ctx, v)
	}
	speech, _ := s.Flows.Catalogue.Find(speechType)
	if !slices.Contains(speech.Providers, v.Provider) {
		return "needs a provider: " + speech.Missing(v.Provider)
	}
	if v.Source == ClonedVoice && !v.consentState().mayLeave() {
		return "is a person's whose consent keeps it from providers"
	}
	return ""
}

// whySilent is why the speech program does not have what the voice is made of.
func (s *Service) whySilent(ctx context.Context, v *Voice) string {
	for _, spoken := range nodes.LocalVoices(ctx) {
		if spoken.Name == v.BaseVoice {
			return spoken.Missing
		}
	}
	return "is made of a voice that this server does not have"
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
