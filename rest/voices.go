package rest

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// maxVoiceBody is of a form with a sample and a spoken consent, in bytes.
const maxVoiceBody = 21 << 20

// voiceRoutes are who speaks: voices of the program, designed and cloned ones.
func (a *API) voiceRoutes() {
	const tag, all, each = libraryTag, "/v1/voices", "/v1/voices/{id}"
	const scope = models.ScopeExecute
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List own and shared voices newest first, then those of the program by language and name", Scope: scope}, a.listVoices)
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Design a voice out of another one, or clone one", Scope: scope, Status: 201, Also: 202, MaxBody: maxVoiceBody, Streams: true}, a.createVoice)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One voice", Scope: scope}, a.getVoice)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change a voice", Scope: scope}, a.updateVoice)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete a voice with its sounds, and its copy at the provider", Scope: scope}, a.deleteVoice)
	handle(a, route{Method: "POST", Path: each + "/preview", Tag: tag, Summary: "Have a voice say something, which becomes its preview", Scope: scope, Status: 202}, a.previewVoice)
	handle(a, route{Method: "POST", Path: each + "/consent", Tag: tag, Summary: "Give the consent that awaits the caller, or withdraw it, which deletes the voice", Scope: scope}, a.giveVoiceConsent)
	handle(a, route{Method: "GET", Path: each + "/export", Tag: tag, Summary: "Everything that is kept about a voice, as an archive", Scope: scope}, a.exportVoice)
	a.describeNewVoice()
}

type voiceView struct {
	ID           models.ID         `json:"id"`
	Name         string            `json:"name"`
	Description  string            `json:"description"`
	Source       string            `json:"source" enum:"factory,designed,cloned"`
	Provider     string            `json:"provider"`
	Language     *string           `json:"language" doc:"A BCP 47 tag; null speaks any."`
	Gender       *string           `json:"gender" enum:"female,male,neutral"`
	Settings     map[string]any    `json:"settings"`
	PreviewURL   *string           `json:"previewUrl" doc:"It ends at urlExpiresAt."`
	URLExpiresAt *timestamp        `json:"urlExpiresAt"`
	Status       library.Status    `json:"status" enum:"ready,cloning,awaiting_consent,failed"`
	ErrorMessage *string           `json:"errorMessage" doc:"Why cloning failed."`
	Usable       bool              `json:"usable"`
	Reason       *string           `json:"reason" doc:"Why it cannot speak."`
	Consent      *consentView      `json:"consent"`
	UseCount     int               `json:"useCount"`
	Visibility   *space.Visibility `json:"visibility" enum:"private,workspace"`
	WorkspaceID  *models.ID        `json:"workspaceId"`
	CreatedBy    *models.ID        `json:"createdBy"`
	CreatedAt    timestamp         `json:"createdAt"`
	UpdatedAt    timestamp         `json:"updatedAt"`
	Version      int               `json:"version"`
	Access       space.Access      `json:"access" enum:"view,edit,creator"`
}

func viewVoice(v *library.Voice) voiceView {
	view := voiceView{
		ID: v.ID, Name: v.Name, Description: v.Description, Source: string(v.Source), Provider: v.Provider, Language: v.Language,
		Gender: v.Gender, Settings: v.Settings, PreviewURL: v.PreviewURL, URLExpiresAt: moment(v.URLExpiresAt), Status: v.Status,
		ErrorMessage: v.ErrorMessage, Usable: v.Usable, Reason: v.Reason, Consent: viewConsent(v.Consent), UseCount: v.UseCount,
		WorkspaceID: v.WorkspaceID, CreatedAt: timestamp(v.CreatedAt), UpdatedAt: timestamp(v.UpdatedAt), Version: v.Version, Access: v.Access,
	}
	if v.Source != library.FactoryVoice {
		view.Visibility, view.CreatedBy = &v.Visibility, &v.OwnerID
	}
	return view
}

type voiceListInput struct {
	PageQuery
	Source   queryString `query:"source" enum:"factory,designed,cloned,own" doc:"Where they come from; own stands for designed and cloned."`
	Provider queryString `query:"provider" doc:"Voices of this provider."`
	Language queryString `query:"language" doc:"The beginning of a tag."`
	Gender   queryString `query:"gender" enum:"female,male,neutral" doc:"Voices of this gender."`
	Query    queryString `query:"q" doc:"What stands in the name or the description."`
}

func (a *API) listVoices(ctx context.Context, in *voiceListInput) (*many[voiceView], error) {
	filter := &library.VoiceFilter{
		Source: (*library.VoiceSource)(in.Source.Value), Provider: in.Provider.Value, Language: in.Language.Value,
		Gender: in.Gender.Value, Query: in.Query.Value,
	}
	voices, err := a.query().Voices(ctx, in.first(), in.after(), filter)
	if err != nil {
		return nil, err
	}
	return page(voices, viewVoice), nil
}

func (a *API) getVoice(ctx context.Context, in *IDPath) (*single[voiceView], error) {
	v, err := a.query().Voice(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return one(viewVoice(v)), nil
}

type updateVoiceInput struct {
	IDPath
	Body struct {
		Name        models.Opt[string]           `json:"name,omitzero"`
		Description models.Opt[string]           `json:"description,omitzero"`
		Settings    models.OptMap                `json:"settings,omitzero"`
		Visibility  models.Opt[space.Visibility] `json:"visibility,omitzero"`
		Version     *int                         `json:"version,omitempty" doc:"Of the voice that the change is meant for."`
	}
}

func (a *API) updateVoice(ctx context.Context, in *updateVoiceInput) (*single[voiceView], error) {
	v, err := a.mutation().UpdateVoice(ctx, in.ID, library.UpdateVoiceInput{
		Name: in.Body.Name, Description: in.Body.Description, Settings: in.Body.Settings, Visibility: in.Body.Visibility, Version: in.Body.Version,
	})
	if err != nil {
		return nil, err
	}
	return one(viewVoice(v)), nil
}

func (a *API) deleteVoice(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeleteVoice(ctx, in.ID)
	return succeeded(err)
}

// voiceJobView is work on a voice that has begun.
type voiceJobView struct {
	JobID   models.ID `json:"jobId"`
	VoiceID models.ID `json:"voiceId"`
}

type previewVoiceInput struct {
	IDPath
	Body struct {
		Text *string `json:"text,omitempty" doc:"At most 500 characters; a sentence in the voice's language when absent."`
	} `required:"false"`
}

func (a *API) previewVoice(ctx context.Context, in *previewVoiceInput) (*plain[voiceJobView], error) {
	begun, err := a.mutation().PreviewVoice(ctx, in.ID, in.Body.Text)
	if err != nil {
		return nil, err
	}
	return &plain[voiceJobView]{Body: voiceJobView{JobID: begun.Job.ID, VoiceID: begun.Voice.ID}}, nil
}

// newVoiceInput reads the body by itself: JSON, or a form with sounds.
type newVoiceInput struct {
	w       http.ResponseWriter
	request *http.Request
}

// Resolve keeps the request for reading its body.
func (in *newVoiceInput) Resolve(ctx huma.Context) []error {
	in.request, in.w = humamux.Unwrap(ctx)
	return nil
}

// newVoiceView is the designed voice, or the work that clones one.
type newVoiceView struct {
	Data    *voiceView `json:"data,omitempty" doc:"A designed voice."`
	JobID   *models.ID `json:"jobId,omitempty" doc:"Of cloning; absent while a consent is awaited, after which it begins."`
	VoiceID *models.ID `json:"voiceId,omitempty" doc:"Of a voice that is to be cloned."`
}

func (a *API) createVoice(ctx context.Context, in *newVoiceInput) (*plain[newVoiceView], error) {
	wish, err := a.readNewVoice(ctx, in)
	if err != nil {
		return nil, err
	}
	if wish.BaseVoiceID != nil {
		v, err := a.mutation().CreateVoice(ctx, wish.designed())
		if err != nil {
			return nil, err
		}
		view := viewVoice(v)
		return &plain[newVoiceView]{Status: http.StatusCreated, Body: newVoiceView{Data: &view}}, nil
	}
	begun, err := a.mutation().CloneVoice(ctx, wish.cloned())
	if err != nil {
		return nil, err
	}
	view := newVoiceView{VoiceID: &begun.Voice.ID}
	if begun.Job != nil {
		view.JobID = &begun.Job.ID
	}
	return &plain[newVoiceView]{Status: http.StatusAccepted, Body: view}, nil
}

type voiceConsentInput struct {
	IDPath
	Body GiveConsentBody
}

// voiceConsentView is the voice whose consent was given, or that it was withdrawn.
type voiceConsentView struct {
	Data    *voiceView `json:"data,omitempty" doc:"The voice, once the consent was given."`
	Success bool       `json:"success,omitempty" doc:"The consent was withdrawn, and the voice is deleted."`
}

func (a *API) giveVoiceConsent(ctx context.Context, in *voiceConsentInput) (*plain[voiceConsentView], error) {
	v, err := a.mutation().GiveVoiceConsent(ctx, in.ID, in.Body.input())
	if err != nil {
		return nil, err
	}
	if v == nil {
		return &plain[voiceConsentView]{Body: voiceConsentView{Success: true}}, nil
	}
	view := viewVoice(v)
	return &plain[voiceConsentView]{Body: voiceConsentView{Data: &view}}, nil
}

func (a *API) exportVoice(ctx context.Context, in *IDPath) (*archived, error) {
	x, err := a.Resolver.Library.Voices().Export(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return archive(x.Name(), x.Write), nil
}
