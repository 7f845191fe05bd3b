package library

import (
	"encoding/json"
	"time"

	"atelier/models"
	"atelier/models/media"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// Kind is what an element is.
type Kind string

// The kinds of elements.
const (
	Character Kind = "character"
	Object    Kind = "object"
	Creature  Kind = "creature"
	Location  Kind = "location"
	Face      Kind = "face"
)

// Status is where an element or a voice stands.
type Status string

// The statuses of elements and voices.
const (
	Ready           Status = "ready"
	Generating      Status = "generating"
	CloningVoice    Status = "cloning"
	AwaitingConsent Status = "awaiting_consent"
	// Failed: the first generation failed, and there is no picture.
	Failed Status = "failed"
)

// Element is a thing that must look the same in every picture: words, pictures,
// a drawing or a trained model, under one handle.
type Element struct {
	ID   models.ID `gorm:"primaryKey"`
	Kind Kind
	Placed
	Name string
	// Handle is unique among the elements of the space; @handle names it in prompts.
	Handle         string
	Description    string
	Prompt         string
	NegativePrompt string
	Attributes     Attributes `gorm:"serializer:json"`
	Tags           models.Strings
	// Seed decides the drawing; it never changes.
	Seed int
	// Palette are the colors of its pictures as #rrggbb, the most frequent first.
	Palette       models.Strings
	Status        Status
	VoiceID       *models.ID
	FaceID        *models.ID
	DepictsPerson bool
	// Consent is written by itself alone (keepConsent); saving a row leaves it as it is.
	Consent  *Consent  `gorm:"serializer:json;<-:create"`
	Training *Training `gorm:"serializer:json;<-:create"`
	// Source says whose it was, of a copy.
	Source    json.RawMessage `gorm:"type:jsonb"`
	UseCount  int
	Version   int
	CreatedAt time.Time
	UpdatedAt time.Time

	// Primary is its first picture and ImageCount how many there are, read along with the row.
	Primary    *Image `gorm:"-"`
	ImageCount int    `gorm:"->"`
	// Images are all of its pictures, of an element that is read by itself.
	Images []*Image `gorm:"-"`
	// Access is the caller's, worked out when the row is read for a caller.
	Access space.Access `gorm:"-"`
	Can    ElementCan   `gorm:"-"`

	state *ConsentState // see loadConsents
}

func (Element) TableName() string { return "elements" }

// ElementCan is what a caller may do with an element, by the functions that refuse.
type ElementCan struct {
	Edit, Delete, Share, Train, Export, Post, SeeFace, GiveConsent bool
}

// Attributes are what an element looks like, by the names that the painter and
// the composer of prompts understand, and any others.
type Attributes map[string]string

// ImageRole is what a picture of an element shows.
type ImageRole string

// The roles of pictures.
const (
	Reference  ImageRole = "reference"
	Portrait   ImageRole = "portrait"
	Front      ImageRole = "front"
	Side       ImageRole = "side"
	Back       ImageRole = "back"
	Sheet      ImageRole = "sheet"
	Expression ImageRole = "expression"
	Variation  ImageRole = "variation"
)

// Image is a picture of an element: a private file in a role.
type Image struct {
	ID        models.ID `gorm:"primaryKey"`
	ElementID models.ID
	FileID    models.ID
	Role      ImageRole
	Caption   string
	IsPrimary bool
	// Palette are its colors as #rrggbb, the most frequent first.
	Palette models.Strings
	// JobID made it; nil for one that a person brought.
	JobID     *models.ID
	CreatedAt time.Time
	// AwaitsConsent: it came after an admin had agreed to others of the person, and is used once
	// one agrees to it too.
	AwaitsConsent bool

	// Of its file, read along with the row. URL is signed when the picture is shown,
	// and ends at URLExpiresAt.
	File         *media.File `gorm:"-"`
	URL          string      `gorm:"-"`
	URLExpiresAt time.Time   `gorm:"-"`
}

func (Image) TableName() string { return "element_images" }

// Training is the last training of an element.
type Training struct {
	Status       string         `json:"status"` // queued, running, succeeded, failed or cancelled
	JobID        models.ID      `json:"jobId"`
	Provider     string         `json:"provider"`
	Model        *string        `json:"model"`
	TriggerWord  *string        `json:"triggerWord"`
	TrainedAt    *time.Time     `json:"trainedAt"`
	Report       TrainingReport `json:"report"`
	ErrorMessage *string        `json:"errorMessage"`
	// Trained is what the last success made at a provider; it serves until the next.
	Trained *kit.TrainedRef `json:"trained,omitempty"`
	// DeleteAfter are the pictures that go when the training succeeds.
	DeleteAfter []models.ID `json:"deleteAfter,omitempty"`
}

// TrainingReport says which pictures a training used and which not.
type TrainingReport struct {
	Used    int            `json:"used"`
	Skipped []SkippedImage `json:"skipped"`
	Advice  []string       `json:"advice"`
}

// SkippedImage is a picture that a training cannot use.
type SkippedImage struct {
	ImageID models.ID  `json:"imageId"`
	Reason  SkipReason `json:"reason"`
}

// SkipReason is why a picture is of no use for a training: a code for programs, a sentence for people.
type SkipReason struct {
	Code    string `json:"code" enum:"too_small,blurred,duplicate,no_face,several_faces,unreadable"`
	Message string `json:"message"`
}

// UnmarshalJSON reads what was kept before reasons had a code, too: the sentence alone.
func (r *SkipReason) UnmarshalJSON(text []byte) error {
	var sentence string
	if json.Unmarshal(text, &sentence) == nil {
		*r = SkipReason{Message: sentence}
		for _, known := range skipReasons {
			if known.Message == sentence {
				*r = known
			}
		}
		return nil
	}
	type plain SkipReason
	return json.Unmarshal(text, (*plain)(r))
}

// CheckedSet is what a training would find (POST …/train?check=true).
type CheckedSet struct {
	Usable  int
	Skipped []SkippedImage
	Advice  []string
	Credits models.Credits
}

// Use is one execution that used an element.
type Use struct {
	ElementID   models.ID `gorm:"primaryKey"`
	ExecutionID models.ID `gorm:"primaryKey"`
	JobID       *models.ID
	UserID      models.ID
	WorkflowID  *models.ID
	// How is trained, pictures, drawn or words; nil until the job has ended.
	How       *string
	CreatedAt time.Time
}

func (Use) TableName() string { return "element_uses" }

// ElementFilter narrows a list of elements.
type ElementFilter struct {
	Query     *string
	Tag       *string
	ProjectID *models.ID
	Status    *Status
	Mine      *bool
}

// CreateElementInput is a new element of the selected space.
type CreateElementInput struct {
	Kind           Kind
	Name           string
	Handle         *string
	Description    *string
	Prompt         *string
	NegativePrompt *string
	Attributes     map[string]any
	Tags           []string
	Seed           *int
	ImageUrls      []string
	VoiceID        *models.ID
	FaceID         *models.ID
	DepictsPerson  *bool
	Consent        *ConsentInput
	Visibility     *space.Visibility
	ProjectID      *models.ID
}

// UpdateElementInput changes an element; what is not sent stays.
type UpdateElementInput struct {
	Name           models.Opt[string]
	Handle         models.Opt[string]
	Description    models.Opt[string]
	Prompt         models.Opt[string]
	NegativePrompt models.Opt[string]
	Attributes     models.OptMap
	Tags           models.Opt[[]string]
	VoiceID        models.Opt[models.ID]
	FaceID         models.Opt[models.ID]
	DepictsPerson  models.Opt[bool]
	Consent        *ConsentInput
	Visibility     models.Opt[space.Visibility]
	ProjectID      models.Opt[models.ID]
	Version        *int
}

// AddImageInput brings a picture that lies at an address. X and Y, or Crop,
// choose a face of several (parts of the picture from 0 to 1).
type AddImageInput struct {
	URL        string
	Role       *ImageRole
	Caption    *string
	X, Y       *float64
	Crop       *Crop
	KeepUpload *bool
}

// Crop is a part of a picture, in parts of its width and height from 0 to 1.
type Crop struct{ X, Y, Width, Height float64 }

// UpdateImageInput changes a picture's words or makes it the primary one.
type UpdateImageInput struct {
	Role      models.Opt[ImageRole]
	Caption   models.Opt[string]
	IsPrimary *bool
}

// GenerateElementInput asks for pictures of an element; without an id of a new one.
type GenerateElementInput struct {
	Kind        Kind
	ID          *models.ID
	Description string
	Name        *string
	Attributes  map[string]any
	PresetID    *models.ID
	FaceID      *models.ID
	Views       []string
	Background  *string
	Seed        *int
	Provider    *string
	Model       *string
	Tags        []string
	Visibility  *space.Visibility
	ProjectID   *models.ID
	// HoldForReview keeps the result back until a person approves it.
	HoldForReview bool
}

// TrainElementInput asks for a training of an element's pictures.
type TrainElementInput struct {
	Provider          *string
	Model             *string
	ImageIds          []models.ID
	TriggerWord       *string
	Steps             *int
	DeleteImagesAfter *bool
}

// Begun is work on a thing of the library that has begun.
type Begun struct {
	Job     *run.Job
	Element *Element
	Voice   *Voice
}

// Erased is what a deletion with results took away at once, and what it still will.
type Erased struct{ Erased, Remaining int }
