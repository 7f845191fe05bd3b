package library

import (
	"encoding/json"
	"time"

	"atelier/models"
	"atelier/models/media"
	"atelier/models/space"
)

// VoiceSource is where a voice comes from.
type VoiceSource string

// The sources of voices.
const (
	FactoryVoice  VoiceSource = "factory"
	DesignedVoice VoiceSource = "designed"
	ClonedVoice   VoiceSource = "cloned"
	// OwnVoices are designed and cloned ones, in filters.
	OwnVoices VoiceSource = "own"
)

// Voice is who speaks, by a name that stays.
type Voice struct {
	ID             models.ID `gorm:"primaryKey"`
	OwnerID        models.ID
	WorkspaceID    *models.ID
	OrganizationID *models.ID
	Visibility     space.Visibility
	Name           string
	Description    string
	Source         VoiceSource
	Provider       string
	// BaseVoice is the provider's name of the voice that it is made of.
	BaseVoice string
	// Language is a BCP 47 tag; nil speaks any. Gender: female, male, neutral or nil.
	Language *string
	Gender   *string
	Settings map[string]any `gorm:"serializer:json"`
	Status   Status
	// ErrorMessage is why cloning failed.
	ErrorMessage  *string
	PreviewFileID *models.ID
	// Cloning is how a cloned one is made; nil for others.
	Cloning         *Cloning `gorm:"serializer:json"`
	SampleFileID    *models.ID
	RecordingFileID *models.ID
	Consent         *Consent        `gorm:"serializer:json;<-:create"`
	PostSource      json.RawMessage `gorm:"type:jsonb"`
	UseCount        int
	Version         int
	CreatedAt       time.Time
	UpdatedAt       time.Time

	// PreviewURL is signed when the voice is shown, and ends at URLExpiresAt.
	PreviewURL   *string    `gorm:"-"`
	URLExpiresAt *time.Time `gorm:"-"`
	// Usable, or Reason why not.
	Usable bool         `gorm:"-"`
	Reason *string      `gorm:"-"`
	Access space.Access `gorm:"-"`
	Can    ThingCan     `gorm:"-"`

	state *ConsentState // see loadVoiceConsents
}

func (Voice) TableName() string { return "voices" }

// VoiceFilter narrows a list of voices.
type VoiceFilter struct {
	Source   *VoiceSource
	Provider *string
	Language *string
	Gender   *string
	Query    *string
}

// CreateVoiceInput designs a voice out of another.
type CreateVoiceInput struct {
	Name        string
	BaseVoiceID models.ID
	Settings    map[string]any
	Description *string
	Visibility  *space.Visibility
}

// CloneVoiceInput clones a voice out of a recording, with consent.
type CloneVoiceInput struct {
	Name      string
	Language  string
	SampleURL *string
	// Sample and Recording are sounds that came with the wish itself; they are closed by Voices.Clone.
	Sample, Recording   *media.Incoming
	ConsentRecordingURL *string
	Consent             *ConsentInput
	Provider            *string
	Model               *string
	KeepSample          *bool
	Description         *string
	Visibility          *space.Visibility
}

// UpdateVoiceInput changes a voice; what is not sent stays.
type UpdateVoiceInput struct {
	Name        models.Opt[string]
	Description models.Opt[string]
	Settings    models.OptMap
	Visibility  models.Opt[space.Visibility]
	Version     *int
}
