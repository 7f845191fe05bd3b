package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

// elementsAPI are the routes of one kind of elements.
type elementsAPI struct {
	*API
	kind library.Kind
}

// elementKinds are the kinds by what their paths call them.
var elementKinds = []struct {
	path string
	kind library.Kind
}{
	{"characters", library.Character}, {"objects", library.Object}, {"creatures", library.Creature}, {"locations", library.Location}, {"faces", library.Face},
}

// elementRoutes keep what must look the same in every picture, each kind at a
// path of its own.
func (a *API) elementRoutes() {
	for _, k := range elementKinds {
		elementsAPI{a, k.kind}.routes("/v1/"+k.path, k.path)
	}
}

func (a elementsAPI) routes(all, kinds string) {
	const scope, tag = models.ScopeExecute, libraryTag
	each := all + "/{id}"
	images, image := each+"/images", each+"/images/{imageId}"
	handle(a.API, route{Method: "GET", Path: all, Tag: tag, Summary: "List the " + kinds + " of the selected space, newest first", Scope: scope}, a.list)
	handle(a.API, route{Method: "POST", Path: all, Tag: tag, Summary: fmt.Sprintf("Make a %s in the selected space", a.kind), Scope: scope, Status: 201}, a.create)
	handle(a.API, route{Method: "GET", Path: each, Tag: tag, Summary: fmt.Sprintf("One %s with its pictures", a.kind), Scope: scope}, a.get)
	handle(a.API, route{Method: "PATCH", Path: each, Tag: tag, Summary: fmt.Sprintf("Change a %s", a.kind), Scope: scope}, a.update)
	handle(a.API, route{Method: "DELETE", Path: each, Tag: tag, Summary: fmt.Sprintf("Delete a %s with its pictures", a.kind), Scope: scope}, a.delete)
	handle(a.API, route{Method: "POST", Path: images, Tag: tag, Summary: fmt.Sprintf("Add a picture to a %s", a.kind), Scope: scope, Status: 201, MaxBody: maxUpload + 1<<20, Streams: true}, a.addImage)
	handle(a.API, route{Method: "PATCH", Path: image, Tag: tag, Summary: "Change what is said of a picture, or make it the primary one", Scope: scope}, a.updateImage)
	handle(a.API, route{Method: "DELETE", Path: image, Tag: tag, Summary: "Delete a picture", Scope: scope}, a.deleteImage)
	handle(a.API, route{Method: "POST", Path: each + "/duplicate", Tag: tag, Summary: fmt.Sprintf("Copy a %s with its pictures into the selected space", a.kind), Scope: scope, Status: 201}, a.duplicate)
	handle(a.API, route{Method: "GET", Path: each + "/uses", Tag: tag, Summary: fmt.Sprintf("List the runs that used a %s, newest first", a.kind), Scope: scope}, a.uses)
	handle(a.API, route{Method: "GET", Path: each + "/export", Tag: tag, Summary: fmt.Sprintf("Everything that is kept about a %s, as an archive", a.kind), Scope: scope}, a.export)
	describeImages(a.OpenAPI().Paths[images].Post, a.OpenAPI().Components.Schemas)
	describeArchive(a.OpenAPI().Paths[each+"/export"].Get)
}

type elementView struct {
	ID             models.ID         `json:"id"`
	Kind           library.Kind      `json:"kind" enum:"character,object,creature,location,face"`
	Name           string            `json:"name"`
	Handle         string            `json:"handle" doc:"@handle names it in prompts; unique in its space."`
	Description    string            `json:"description"`
	Prompt         string            `json:"prompt" doc:"The words that stand for it in a prompt; empty: made of the description and the attributes."`
	NegativePrompt string            `json:"negativePrompt"`
	Attributes     map[string]string `json:"attributes"`
	Tags           []string          `json:"tags"`
	Seed           int               `json:"seed" doc:"Decides the drawing; it never changes."`
	Palette        []string          `json:"palette" doc:"Colours of its pictures as #rrggbb, the most frequent first."`
	ImageURL       *string           `json:"imageUrl" doc:"The primary picture; the address ends at urlExpiresAt."`
	URLExpiresAt   *timestamp        `json:"urlExpiresAt"`
	ImageCount     int               `json:"imageCount"`
	Status         library.Status    `json:"status" enum:"ready,generating,awaiting_consent,failed"`
	VoiceID        *models.ID        `json:"voiceId"`
	FaceID         *models.ID        `json:"faceId"`
	DepictsPerson  bool              `json:"depictsPerson"`
	Consent        *consentView      `json:"consent" doc:"null where no one is depicted."`
	Training       *trainingView     `json:"training" doc:"The last training."`
	Source         json.RawMessage   `json:"source" doc:"What it is a copy of."`
	UseCount       int               `json:"useCount" doc:"Runs that used it."`
	Visibility     space.Visibility  `json:"visibility" enum:"private,workspace"`
	WorkspaceID    *models.ID        `json:"workspaceId"`
	ProjectID      *models.ID        `json:"projectId"`
	CreatedBy      models.ID         `json:"createdBy"`
	CreatedAt      timestamp         `json:"createdAt"`
	UpdatedAt      timestamp         `json:"updatedAt"`
	Version        int               `json:"version" doc:"Counts saves."`
	Access         space.Access      `json:"access" enum:"view,edit,creator"`
}

// ElementShown is embedded under an exported name, for the document shows no other.
type ElementShown = elementView

// elementDetail is an element that is read by itself.
type elementDetail struct {
	ElementShown
	Images []elementImageView `json:"images"`
}

type elementImageView struct {
	ID           models.ID         `json:"id"`
	URL          string            `json:"url" doc:"It ends at urlExpiresAt."`
	URLExpiresAt timestamp         `json:"urlExpiresAt"`
	Role         library.ImageRole `json:"role" enum:"reference,portrait,front,side,back,sheet,expression,variation"`
	Caption      string            `json:"caption"`
	Width        *int              `json:"width"`
	Height       *int              `json:"height"`
	ContentType  string            `json:"contentType"`
	IsPrimary    bool              `json:"isPrimary"`
	JobID        *models.ID        `json:"jobId" doc:"Of the job that made it."`
	// AwaitsConsent is whether an admin has to agree first.
	AwaitsConsent bool      `json:"awaitsConsent" doc:"It came after an admin had agreed to others of the person, and is used once one agrees to it too."`
	CreatedAt     timestamp `json:"createdAt"`
}

type trainingView struct {
	Status       string             `json:"status" enum:"queued,running,succeeded,failed,cancelled"`
	JobID        models.ID          `json:"jobId"`
	Provider     string             `json:"provider"`
	Model        *string            `json:"model"`
	TriggerWord  *string            `json:"triggerWord"`
	TrainedAt    *timestamp         `json:"trainedAt"`
	Report       trainingReportView `json:"report"`
	ErrorMessage *string            `json:"errorMessage"`
}

type trainingReportView struct {
	Used    int                    `json:"used"`
	Skipped []library.SkippedImage `json:"skipped"`
	Advice  []string               `json:"advice"`
}

func viewTraining(t *library.Training) *trainingView {
	if t == nil {
		return nil
	}
	report := trainingReportView{
		Used: t.Report.Used, Skipped: append([]library.SkippedImage{}, t.Report.Skipped...), Advice: append([]string{}, t.Report.Advice...),
	}
	return &trainingView{
		Status: t.Status, JobID: t.JobID, Provider: t.Provider, Model: t.Model, TriggerWord: t.TriggerWord, TrainedAt: moment(t.TrainedAt),
		Report: report, ErrorMessage: t.ErrorMessage,
	}
}

func viewElement(e *library.Element) elementView {
	attributes := map[string]string{}
	for name, value := range e.Attributes {
		attributes[name] = value
	}
	return elementView{
		ID: e.ID, Kind: e.Kind, Name: e.Name, Handle: e.Handle, Description: e.Description, Prompt: e.Prompt, NegativePrompt: e.NegativePrompt,
		Attributes: attributes, Tags: append([]string{}, e.Tags...), Seed: e.Seed, Palette: append([]string{}, e.Palette...),
		ImageURL: e.PrimaryURL(), URLExpiresAt: moment(e.PrimaryExpiry()), ImageCount: e.ImageCount, Status: e.Status, VoiceID: e.VoiceID,
		FaceID: e.FaceID, DepictsPerson: e.DepictsPerson, Consent: viewConsent(e.Consent), Training: viewTraining(e.Training), Source: e.Source,
		UseCount: e.UseCount, Visibility: e.Visibility, WorkspaceID: e.WorkspaceID, ProjectID: e.ProjectID, CreatedBy: e.OwnerID,
		CreatedAt: timestamp(e.CreatedAt), UpdatedAt: timestamp(e.UpdatedAt), Version: e.Version, Access: e.Access,
	}
}

func viewElementImage(image *library.Image) elementImageView {
	return elementImageView{
		ID: image.ID, URL: image.URL, URLExpiresAt: timestamp(image.URLExpiresAt), Role: image.Role, Caption: image.Caption,
		Width: image.File.Width, Height: image.File.Height, ContentType: image.File.ContentType, IsPrimary: image.IsPrimary,
		JobID: image.JobID, AwaitsConsent: image.AwaitsConsent, CreatedAt: timestamp(image.CreatedAt),
	}
}

// elementBack answers with one element.
func elementBack(e *library.Element, err error) (*single[elementDetail], error) {
	if err != nil {
		return nil, err
	}
	return one(elementDetail{ElementShown: viewElement(e), Images: mapAll(e.Images, viewElementImage)}), nil
}

type elementListInput struct {
	FieldsQuery
	Limit     queryInt                   `query:"limit" minimum:"1" maximum:"500" doc:"Rows of a page; 100 when absent."`
	Cursor    queryString                `query:"cursor" doc:"nextCursor of the page before."`
	Query     queryString                `query:"q" doc:"What stands in the name, the handle, the description or the tags."`
	Tag       queryString                `query:"tag" doc:"Those with this tag."`
	ProjectID models.ID                  `query:"projectId" doc:"Those of one project."`
	Status    queryParam[library.Status] `query:"status" doc:"ready, generating, awaiting_consent or failed."`
	Mine      queryBool                  `query:"mine" doc:"Those that the caller made."`
}

func (a elementsAPI) list(ctx context.Context, in *elementListInput) (*many[elementView], error) {
	filter := &library.ElementFilter{Query: in.Query.Value, Tag: in.Tag.Value, Status: in.Status.Value, Mine: in.Mine.Value}
	if in.ProjectID != (models.ID{}) {
		filter.ProjectID = &in.ProjectID
	}
	elements, err := a.query().Elements(ctx, a.kind, in.Limit.Value, in.Cursor.Value, filter)
	if err != nil {
		return nil, err
	}
	return page(elements, viewElement), nil
}

type createElementInput struct {
	Body struct {
		Name           string            `json:"name" doc:"1 to 100 characters."`
		Handle         *string           `json:"handle,omitempty" doc:"2 to 30 of a-z, 0-9 and _; made of the name when absent."`
		Description    *string           `json:"description,omitempty" doc:"At most 4,000 characters."`
		Prompt         *string           `json:"prompt,omitempty" doc:"At most 2,000 characters."`
		NegativePrompt *string           `json:"negativePrompt,omitempty" doc:"At most 2,000 characters."`
		Attributes     map[string]any    `json:"attributes,omitempty" doc:"Up to 20 texts by name."`
		Tags           []string          `json:"tags,omitempty" doc:"Up to 10 of 1 to 30 characters."`
		Seed           *int              `json:"seed,omitempty" doc:"0 to 2147483647; by chance when absent."`
		ImageURLs      []string          `json:"imageUrls,omitempty" doc:"Up to 10 pictures to copy: files of this install or public https."`
		VoiceID        *models.ID        `json:"voiceId,omitempty" doc:"Of characters."`
		FaceID         *models.ID        `json:"faceId,omitempty" doc:"Of characters."`
		DepictsPerson  *bool             `json:"depictsPerson,omitempty"`
		Consent        *ConsentBody      `json:"consent,omitempty" doc:"Required for what depicts a person, except for a character with a face, which is under that one's."`
		Visibility     *space.Visibility `json:"visibility,omitempty" doc:"private or workspace; the default is the workspace's setting, private for what depicts a person."`
		ProjectID      *models.ID        `json:"projectId,omitempty"`
	}
}

func (a elementsAPI) create(ctx context.Context, in *createElementInput) (*single[elementDetail], error) {
	b := in.Body
	return elementBack(a.mutation().CreateElement(ctx, library.CreateElementInput{
		Kind: a.kind, Name: b.Name, Handle: b.Handle, Description: b.Description, Prompt: b.Prompt, NegativePrompt: b.NegativePrompt,
		Attributes: b.Attributes, Tags: b.Tags, Seed: b.Seed, ImageUrls: b.ImageURLs, VoiceID: b.VoiceID, FaceID: b.FaceID,
		DepictsPerson: b.DepictsPerson, Consent: b.Consent.input(), Visibility: b.Visibility, ProjectID: b.ProjectID,
	}))
}

// find reads an element of the kind; one of another kind is not there.
func (a elementsAPI) find(ctx context.Context, id models.ID) (*library.Element, error) {
	e, err := a.query().Element(ctx, id)
	if err == nil && e.Kind != a.kind {
		return nil, models.NotFound("Element")
	}
	return e, err
}

func (a elementsAPI) get(ctx context.Context, in *IDPath) (*single[elementDetail], error) {
	return elementBack(a.find(ctx, in.ID))
}

type updateElementInput struct {
	IDPath
	Body struct {
		Name           models.Opt[string]    `json:"name,omitzero"`
		Handle         models.Opt[string]    `json:"handle,omitzero"`
		Description    models.Opt[string]    `json:"description,omitzero"`
		Prompt         models.Opt[string]    `json:"prompt,omitzero"`
		NegativePrompt models.Opt[string]    `json:"negativePrompt,omitzero"`
		Attributes     models.OptMap         `json:"attributes,omitzero" doc:"In place of the old ones."`
		Tags           models.Opt[[]string]  `json:"tags,omitzero" doc:"In place of the old ones."`
		VoiceID        models.Opt[models.ID] `json:"voiceId,omitzero" nullable:"true"`
		FaceID         models.Opt[models.ID] `json:"faceId,omitzero" nullable:"true"`
		DepictsPerson  models.Opt[bool]      `json:"depictsPerson,omitzero"`
		Consent        *ConsentBody          `json:"consent,omitempty"`
		Visibility     models.Opt[string]    `json:"visibility,omitzero" doc:"private or workspace."`
		ProjectID      models.Opt[models.ID] `json:"projectId,omitzero" nullable:"true"`
		Version        *int                  `json:"version,omitempty" doc:"The version that the change was made on; another current one is refused as stale_version."`
	}
}

func (a elementsAPI) update(ctx context.Context, in *updateElementInput) (*single[elementDetail], error) {
	if _, err := a.find(ctx, in.ID); err != nil {
		return nil, err
	}
	b := in.Body
	change := library.UpdateElementInput{
		Name: b.Name, Handle: b.Handle, Description: b.Description, Prompt: b.Prompt, NegativePrompt: b.NegativePrompt, Attributes: b.Attributes,
		Tags: b.Tags, VoiceID: b.VoiceID, FaceID: b.FaceID, DepictsPerson: b.DepictsPerson, Consent: b.Consent.input(), ProjectID: b.ProjectID, Version: b.Version,
	}
	if v, sent := b.Visibility.ValueOK(); sent {
		change.Visibility = models.Null[space.Visibility]()
		if v != nil {
			change.Visibility = models.Some(space.Visibility(*v))
		}
	}
	return elementBack(a.mutation().UpdateElement(ctx, in.ID, change))
}

type deleteElementInput struct {
	IDPath
	Results queryBool `query:"results" doc:"Erases the results of the caller's own finished runs that used it, too; for the person who is depicted, those of everyone."`
}

// erasedView is the answer to a deletion.
type erasedView struct {
	Success   bool `json:"success"`
	Erased    *int `json:"erased,omitempty" doc:"Runs whose results were erased at once."`
	Remaining *int `json:"remaining,omitempty" doc:"Runs whose results will be erased soon."`
}

func (a elementsAPI) delete(ctx context.Context, in *deleteElementInput) (*plain[erasedView], error) {
	if _, err := a.find(ctx, in.ID); err != nil {
		return nil, err
	}
	gone, err := a.mutation().DeleteElement(ctx, in.ID, in.Results.Value)
	if err != nil {
		return nil, err
	}
	view := erasedView{Success: true}
	if in.Results.Value != nil && *in.Results.Value {
		view.Erased, view.Remaining = &gone.Erased, &gone.Remaining
	}
	return &plain[erasedView]{Body: view}, nil
}

func (a elementsAPI) duplicate(ctx context.Context, in *IDPath) (*single[elementDetail], error) {
	if _, err := a.find(ctx, in.ID); err != nil {
		return nil, err
	}
	return elementBack(a.mutation().DuplicateElement(ctx, in.ID))
}

type elementUsesInput struct {
	IDPath
	PageQuery
}

type elementUseView struct {
	ExecutionID  models.ID  `json:"executionId"`
	JobID        *models.ID `json:"jobId"`
	WorkflowID   *models.ID `json:"workflowId"`
	ProductionID *models.ID `json:"productionId"`
	UserID       models.ID  `json:"userId"`
	How          *string    `json:"how" enum:"trained,pictures,drawn,words" doc:"null until the job has ended."`
	CreatedAt    timestamp  `json:"createdAt"`
}

func viewElementUse(u *library.Use) elementUseView {
	return elementUseView{
		ExecutionID: u.ExecutionID, JobID: u.JobID, WorkflowID: u.WorkflowID, UserID: u.UserID, How: u.How, CreatedAt: timestamp(u.CreatedAt),
	}
}

func (a elementsAPI) uses(ctx context.Context, in *elementUsesInput) (*many[elementUseView], error) {
	if _, err := a.find(ctx, in.ID); err != nil {
		return nil, err
	}
	uses, err := a.query().ElementUses(ctx, in.ID, in.first(), in.after())
	if err != nil {
		return nil, err
	}
	return page(uses, viewElementUse), nil
}

// archived is an answer that is a file, written as it is made.
type archived struct {
	ContentType string `header:"Content-Type" hidden:"true"` // the document has it as the content's type
	Disposition string `header:"Content-Disposition"`
	Caching     string `header:"Cache-Control"`
	Body        func(huma.Context)
}

func (a elementsAPI) export(ctx context.Context, in *IDPath) (*archived, error) {
	x, err := a.Resolver.Library.Elements().Export(ctx, a.kind, in.ID)
	if err != nil {
		return nil, err
	}
	return archive(x.Name(), x.Write), nil
}

// archive is a zip that write makes.
func archive(name string, write func(context.Context, io.Writer) error) *archived {
	return fileOf(zipType, name, write)
}

// fileOf is a file that write makes. What breaks off is not ended, so that no one
// takes it for whole.
func fileOf(kind, name string, write func(context.Context, io.Writer) error) *archived {
	reply := &archived{ContentType: kind, Disposition: `attachment; filename="` + name + `"`, Caching: "private, no-store"}
	reply.Body = func(out huma.Context) {
		_, w := humamux.Unwrap(out)
		out.SetStatus(http.StatusOK)
		if err := write(out.Context(), w); err != nil {
			panic(http.ErrAbortHandler)
		}
	}
	return reply
}

const zipType = "application/zip"

// describeArchive writes into the document that an answer is an archive.
func describeArchive(op *huma.Operation) {
	op.Responses["200"] = &huma.Response{
		Description: "element.json with all fields, the pictures, and uses.csv",
		Content:     map[string]*huma.MediaType{zipType: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}},
	}
}
