package library

import (
	"context"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/media"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// The node type that speaks, the type that clones, and the provider that is this server.
const (
	speechType    = "text-to-speech"
	cloneType     = "clone-voice"
	localProvider = "local"
)

// maxVoices is how many voices of its own a space may have.
const maxVoices = 100

var errNoVoice = models.NotFound("Voice")

// List are the personal and shared voices of the selected space, newest first,
// then those of the program by language and name.
func (s Voices) List(ctx context.Context, filter *VoiceFilter, page models.Page) (*models.Connection[*Voice], error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	if filter == nil {
		filter = &VoiceFilter{}
	}
	wanted, err := filter.read()
	if err != nil {
		return nil, err
	}
	viewer, err := s.library.Spaces.Selected(ctx)
	if err != nil {
		return nil, err
	}
	var own []*Voice
	q := s.library.voicesIn(ctx, s.library.DB.Read(ctx).Model(&Voice{}), viewer)
	if err := q.Select(voiceColumns).Order("id DESC").Find(&own).Error; err != nil { // maxVoices of a space
		return nil, err
	}
	listed := []*Voice{}
	for _, v := range slices.Concat(own, s.library.factoryVoices(ctx)) {
		if wanted(v) {
			listed = append(listed, v)
		}
	}
	list := models.List[*Voice]{Name: "voices:" + viewer.Key() + filter.key(), Position: (*Voice).place}
	c, err := models.PageOfAll(s.library.DB, list, page, listed)
	if err != nil {
		return nil, err
	}
	return c, s.library.showVoices(ctx, s.library.DB.Read(ctx), viewer, c.Nodes...)
}

// key is the filter in the names of lists.
func (f *VoiceFilter) key() string {
	key := ""
	for _, part := range []*string{(*string)(f.Source), f.Provider, f.Language, f.Gender, f.Query} {
		key += "\x00"
		if part != nil {
			key += "=" + *part
		}
	}
	return key
}

// read is what the filter lets through; an unknown value is a validation_error.
func (f *VoiceFilter) read() (func(*Voice) bool, error) {
	if f.Source != nil && !slices.Contains([]VoiceSource{FactoryVoice, DesignedVoice, ClonedVoice, OwnVoices}, *f.Source) {
		return nil, models.Invalid("source", "must be factory, designed, cloned, or own for the last two")
	}
	if f.Provider != nil && !slices.Contains(voiceProviders, *f.Provider) {
		return nil, models.Invalid("provider", "must be one of %s", strings.Join(voiceProviders, ", "))
	}
	if f.Gender != nil && !slices.Contains([]string{"female", "male", "neutral"}, *f.Gender) {
		return nil, models.Invalid("gender", "must be female, male or neutral")
	}
	language := strings.ToLower(textOf(f.Language))
	if len(language) > maxTag {
		return nil, models.Invalid("language", "must be at most %d characters", maxTag)
	}
	typed, err := models.CleanSearch("q", textOf(f.Query))
	if err != nil {
		return nil, err
	}
	typed = strings.ToLower(typed)
	return func(v *Voice) bool {
		return f.fromSource(v) && (f.Provider == nil || v.Provider == *f.Provider) &&
			(f.Gender == nil || textOf(v.Gender) == *f.Gender) && strings.HasPrefix(strings.ToLower(textOf(v.Language)), language) &&
			(typed == "" || strings.Contains(strings.ToLower(v.Name+"\n"+v.Description), typed))
	}, nil
}

// fromSource tells whether a voice comes from where the filter asks.
func (f *VoiceFilter) fromSource(v *Voice) bool {
	return f.Source == nil || v.Source == *f.Source || *f.Source == OwnVoices && v.Source != FactoryVoice
}

// voiceProviders are all that voices can have.
var voiceProviders = []string{localProvider, "openai", "replicate"}

// maxTag is how long a language's tag may be.
const maxTag = 40

// Find reads a voice that the caller can reach.
func (s Voices) Find(ctx context.Context, id models.ID) (*Voice, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	v, viewer, err := s.Reach(ctx, s.library.DB.Read(ctx), id)
	if err != nil {
		return nil, err
	}
	return v, s.library.showVoices(ctx, s.library.DB.Read(ctx), viewer, v)
}

// ByID are the voices of those ids that the caller reaches, as they read them. There are
// a few statements for each space that they lie in.
func (s Voices) ByID(ctx context.Context, ids []models.ID) (map[models.ID]*Voice, error) {
	byID := make(map[models.ID]*Voice, len(ids))
	for _, v := range s.library.factoryVoices(ctx) {
		if slices.Contains(ids, v.ID) {
			byID[v.ID] = v
		}
	}
	var own []*Voice
	if err := s.library.DB.Read(ctx).Where("id IN ?", ids).Find(&own).Error; err != nil {
		return nil, err
	}
	if err := s.library.loadVoiceConsents(ctx, own...); err != nil {
		return nil, err
	}
	bySpace := map[models.ID][]*Voice{}
	for _, v := range own {
		home := v.OwnerID
		if v.WorkspaceID != nil {
			home = *v.WorkspaceID
		}
		bySpace[home] = append(bySpace[home], v)
	}
	for _, there := range bySpace {
		viewer, err := s.library.Spaces.Of(ctx, there[0].Owned())
		if models.HasCode(err, models.CodeNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		seen := slices.DeleteFunc(there, func(v *Voice) bool { return viewer.AccessTo(v.Owned(), v.grantOf(viewer.UserID)) == "" })
		if err := s.library.showVoices(ctx, s.library.DB.Read(ctx), viewer, seen...); err != nil {
			return nil, err
		}
		for _, v := range seen {
			byID[v.ID] = v
		}
	}
	return byID, nil
}

// voiceColumns are the row with the uses that CountUses has not added yet.
const voiceColumns = "voices.*, voices.use_count + " +
	"(SELECT count(*) FROM element_uses u WHERE u.element_id = voices.id AND NOT u.counted) AS use_count"

// Reach reads a voice with the caller's reach in its space, Access filled; one
// beyond reach is not_found. A voice of the program has no space: nil.
func (s Voices) Reach(ctx context.Context, q *gorm.DB, id models.ID) (*Voice, *space.Viewer, error) {
	if v := s.library.factoryVoice(ctx, id); v != nil {
		return v, nil, nil
	}
	v, err := models.First[Voice](q.Select(voiceColumns).Where("id = ?", id), errNoVoice)
	if err != nil {
		return nil, nil, err
	}
	if err := s.library.loadVoiceConsents(ctx, v); err != nil {
		return nil, nil, err
	}
	userID := models.ActorFrom(ctx).UserID
	viewer, err := s.library.Spaces.Of(ctx, v.Owned())
	if err != nil && v.consentState().Consent.depicts(userID) {
		viewer, err = space.Personal(userID, false), nil // the person who is heard sees it wherever it is
	}
	if models.HasCode(err, models.CodeNotFound) {
		return nil, nil, errNoVoice
	}
	if err != nil {
		return nil, nil, err
	}
	if v.Access = viewer.AccessTo(v.Owned(), v.grantOf(userID)); v.Access == "" {
		return nil, nil, errNoVoice
	}
	return v, viewer, nil
}

// Owned is what decides who reaches the voice.
func (v *Voice) Owned() space.Owned {
	return space.Owned{OwnerID: v.OwnerID, WorkspaceID: v.WorkspaceID, OrganizationID: v.OrganizationID, Visibility: v.Visibility}
}

// grantOf is what the person who is heard may always do: look at it.
func (v *Voice) grantOf(userID models.ID) space.Access {
	if v.consentState().Consent.depicts(userID) {
		return space.CanView
	}
	return ""
}

// showVoices fills what a caller reads of voices of one space beside their rows, in two
// statements for any number.
func (s *Service) showVoices(ctx context.Context, q *gorm.DB, viewer *space.Viewer, voices ...*Voice) error {
	var own []*Voice
	var files []models.ID
	for _, v := range voices {
		if v.Source == FactoryVoice {
			continue
		}
		own = append(own, v)
		if v.PreviewFileID != nil {
			files = append(files, *v.PreviewFileID)
		}
	}
	if len(own) == 0 {
		return nil
	}
	if err := s.loadVoiceConsents(ctx, own...); err != nil {
		return err
	}
	previews, err := s.previewsOf(q, files)
	if err != nil {
		return err
	}
	now := s.DB.Clock.Now()
	for _, v := range own {
		v.show(viewer, now)
		reason := s.whyUnusable(ctx, v, now)
		v.Usable, v.Reason = reason == "", textOrNil(reason)
		if v.PreviewFileID != nil && previews[*v.PreviewFileID] != nil {
			address, until := s.Media.SignedURL(previews[*v.PreviewFileID], now)
			v.PreviewURL, v.URLExpiresAt = &address, &until
		}
		v.Consent = v.consentState().Consent.shownTo(viewer, now)
	}
	return nil
}

func (s *Service) previewsOf(q *gorm.DB, ids []models.ID) (map[models.ID]*media.File, error) {
	if s.Media == nil {
		return nil, nil
	}
	return s.Media.PrivateFiles(q, ids...)
}

// show fills what the caller may do, by the functions that refuse.
func (v *Voice) show(viewer *space.Viewer, now time.Time) {
	v.Access = viewer.AccessTo(v.Owned(), v.grantOf(viewer.UserID))
	edits := viewer.MayEditAs(v.Access, "voice") == nil
	manages := viewer.MayManageAs(v.Access, "voice") == nil
	v.Can = ThingCan{
		Edit: edits, Delete: manages, Share: manages && v.WorkspaceID != nil, Post: manages && v.CheckPostable() == nil,
		Export:      v.Access != space.CanView || v.consentState().Consent.depicts(viewer.UserID),
		GiveConsent: v.consentState().Consent.mayAnswer(viewer),
	}
	state := v.consentState().Consent
	if v.Status == Ready && state != nil && state.Status == Awaiting {
		v.Status = AwaitingConsent
	}
	if v.Status == AwaitingConsent && state != nil && state.Status == Given {
		v.Status = Ready
	}
}

// Variants are the ways in which the voices of this server can speak.
func (s Voices) Variants(ctx context.Context) ([]string, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	return kit.LocalVariants(ctx), nil
}
