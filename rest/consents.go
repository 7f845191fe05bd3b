package rest

import (
	"context"
	"net/http"
	"time"

	"atelier/models"
	"atelier/models/library"
)

// consentKinds are the kinds of elements by the word of their paths; those that can be
// trained have a name for their id in answers.
var consentKinds = []struct {
	path    string
	kind    library.Kind
	trained bool
}{
	{"characters", library.Character, true}, {"objects", library.Object, true}, {"creatures", library.Creature, true},
	{"locations", library.Location, false}, {"faces", library.Face, false},
}

// consentRoutes are the consents of people who are depicted, and the training of elements.
func (a *API) consentRoutes() {
	for _, k := range consentKinds {
		each := "/v1/" + k.path + "/{id}"
		handle(a, route{
			Method: "POST", Path: each + "/consent", Tag: libraryTag, Scope: models.ScopeExecute,
			Summary: "Give the consent that awaits the caller, or withdraw it, which deletes the " + string(k.kind),
		}, a.giveConsent(k.kind))
		if k.trained {
			handle(a, route{
				Method: "POST", Path: each + "/train", Tag: libraryTag, Scope: models.ScopeExecute, Status: http.StatusAccepted, Also: http.StatusOK,
				Summary: "Train a " + string(k.kind) + " on its pictures; with check=true look at them alone",
			}, a.trainElement(k.kind))
		}
	}
}

type giveConsentInput struct {
	IDPath
	Body GiveConsentBody
}

// consentAnswer is the consent that was given, or that it was withdrawn.
type consentAnswer struct {
	Data    *consentView `json:"data,omitempty"`
	Success bool         `json:"success,omitempty" doc:"It was withdrawn, and what it was about is deleted."`
}

func answerConsent(c *library.Consent, err error) (*plain[consentAnswer], error) {
	if err != nil {
		return nil, err
	}
	return &plain[consentAnswer]{Body: consentAnswer{Data: viewConsent(c), Success: c == nil}}, nil
}

// ofKind refuses an element of another kind than the path says: not_found.
func (a *API) ofKind(ctx context.Context, id models.ID, kind library.Kind) error {
	e, err := a.query().Element(ctx, id)
	if err == nil && e.Kind != kind {
		err = models.NotFound("Element")
	}
	return err
}

func (a *API) giveConsent(kind library.Kind) func(context.Context, *giveConsentInput) (*plain[consentAnswer], error) {
	return func(ctx context.Context, in *giveConsentInput) (*plain[consentAnswer], error) {
		if err := a.ofKind(ctx, in.ID, kind); err != nil {
			return nil, err
		}
		e, err := a.mutation().GiveConsent(ctx, in.ID, in.Body.input())
		if err != nil || e == nil {
			return answerConsent(nil, err)
		}
		return answerConsent(e.Consent, nil)
	}
}

type trainInput struct {
	IDPath
	Check queryBool `query:"check" doc:"true reports what a training would find and cost, and trains nothing."`
	Body  struct {
		Provider          *string     `json:"provider,omitempty" doc:"local learns colours alone."`
		Model             *string     `json:"model,omitempty"`
		ImageIDs          []models.ID `json:"imageIds,omitempty" doc:"All pictures when absent; at most 30."`
		TriggerWord       *string     `json:"triggerWord,omitempty"`
		Steps             *int        `json:"steps,omitempty"`
		DeleteImagesAfter *bool       `json:"deleteImagesAfter,omitempty" doc:"Deletes the pictures that were used, except the primary one; the default is true for a minor."`
	}
}

// trainAnswer is a training that began, or what one would find.
type trainAnswer struct {
	JobID       *models.ID     `json:"jobId,omitempty"`
	CharacterID *models.ID     `json:"characterId,omitempty"`
	ObjectID    *models.ID     `json:"objectId,omitempty"`
	CreatureID  *models.ID     `json:"creatureId,omitempty"`
	Data        *trainingCheck `json:"data,omitempty"`
}

type trainingCheck struct {
	Usable  int            `json:"usable"`
	Skipped []skippedView  `json:"skipped"`
	Advice  []string       `json:"advice"`
	Credits models.Credits `json:"credits"`
}

type skippedView struct {
	ImageID models.ID          `json:"imageId"`
	Reason  library.SkipReason `json:"reason"`
}

func viewSkipped(s library.SkippedImage) skippedView { return skippedView(s) }

func (a *API) trainElement(kind library.Kind) func(context.Context, *trainInput) (*plain[trainAnswer], error) {
	return func(ctx context.Context, in *trainInput) (*plain[trainAnswer], error) {
		if err := a.ofKind(ctx, in.ID, kind); err != nil {
			return nil, err
		}
		asked := library.TrainElementInput{
			Provider: in.Body.Provider, Model: in.Body.Model, ImageIds: in.Body.ImageIDs, TriggerWord: in.Body.TriggerWord,
			Steps: in.Body.Steps, DeleteImagesAfter: in.Body.DeleteImagesAfter,
		}
		if in.Check.Value != nil && *in.Check.Value {
			found, err := a.query().TrainingCheck(ctx, in.ID, asked)
			if err != nil {
				return nil, err
			}
			return &plain[trainAnswer]{Status: http.StatusOK, Body: trainAnswer{Data: &trainingCheck{
				Usable: found.Usable, Skipped: mapAll(found.Skipped, viewSkipped), Advice: found.Advice, Credits: found.Credits,
			}}}, nil
		}
		begun, err := a.mutation().TrainElement(ctx, in.ID, asked)
		if err != nil {
			return nil, err
		}
		answer := trainAnswer{JobID: &begun.Job.ID}
		*map[library.Kind]**models.ID{
			library.Character: &answer.CharacterID, library.Object: &answer.ObjectID, library.Creature: &answer.CreatureID,
		}[kind] = &in.ID
		return &plain[trainAnswer]{Status: http.StatusAccepted, Body: answer}, nil
	}
}

// consentView is what was agreed about the person whom something depicts.
type consentView struct {
	Subject    library.Subject       `json:"subject" enum:"self,member,adult,minor"`
	Status     library.ConsentStatus `json:"status" enum:"given,awaiting,expired,withdrawn"`
	Awaits     []string              `json:"awaits" doc:"Who has not agreed yet: subject, admin."`
	UserID     *models.ID            `json:"userId"`
	Basis      *string               `json:"basis" doc:"Where the release lies; shown to admins and to who wrote it."`
	ValidUntil *timestamp            `json:"validUntil"`
	Providers  bool                  `json:"providers" doc:"Whether pictures or sounds may leave the install."`
	Statement  string                `json:"statement" doc:"The version of the text that was confirmed, such as 2026-1 (English) or 2026-1-de."`
	GivenBy    models.ID             `json:"givenBy"`
	GivenAt    timestamp             `json:"givenAt"`
}

func viewConsent(c *library.Consent) *consentView {
	if c == nil {
		return nil
	}
	return &consentView{
		Subject: c.Subject, Status: c.Status, Awaits: append([]string{}, c.Awaits...), UserID: c.UserID, Basis: c.Basis,
		ValidUntil: moment(c.ValidUntil), Providers: c.Providers, Statement: c.Statement, GivenBy: c.GivenBy, GivenAt: timestamp(c.GivenAt),
	}
}

// ConsentBody is what a person says about who is depicted.
type ConsentBody struct {
	Subject    library.Subject `json:"subject"`
	Confirmed  *bool           `json:"confirmed,omitempty"`
	UserID     *models.ID      `json:"userId,omitempty"`
	Basis      *string         `json:"basis,omitempty"`
	ValidUntil *time.Time      `json:"validUntil,omitempty"`
	Providers  *bool           `json:"providers,omitempty"`
	Statement  *string         `json:"statement,omitempty" doc:"The version of the text that was shown, such as 2026-1-de; the English one where it is left out."`
}

func (b *ConsentBody) input() *library.ConsentInput {
	if b == nil {
		return nil
	}
	return &library.ConsentInput{Subject: b.Subject, Confirmed: b.Confirmed, UserID: b.UserID, Basis: b.Basis, ValidUntil: b.ValidUntil, Providers: b.Providers, Statement: b.Statement}
}

// GiveConsentBody answers a consent that awaits a person, or withdraws one.
type GiveConsentBody struct {
	Confirmed  bool       `json:"confirmed" doc:"false withdraws: what it is about is deleted."`
	Basis      *string    `json:"basis,omitempty"`
	ValidUntil *time.Time `json:"validUntil,omitempty"`
	Statement  *string    `json:"statement,omitempty" doc:"The version of the text that was shown, such as 2026-1-de; the English one where it is left out."`
	Version    *int       `json:"version,omitempty" doc:"The version of what was looked at; another current one is refused as stale_version."`
	UpdatedAt  *time.Time `json:"updatedAt,omitempty" doc:"The updatedAt of what was looked at, which new pictures change too; another current one is refused as stale_version."`
}

func (b GiveConsentBody) input() library.GiveConsentInput {
	return library.GiveConsentInput{Confirmed: b.Confirmed, Basis: b.Basis, ValidUntil: b.ValidUntil, Statement: b.Statement, Version: b.Version, UnchangedSince: b.UpdatedAt}
}
