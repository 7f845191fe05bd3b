package studio

import (
	"time"

	"atelier/models"
)

// ShotStatus is what became of a shot.
type ShotStatus string

// The statuses of shots.
const (
	ShotEmpty     ShotStatus = "empty"
	ShotRendering ShotStatus = "rendering"
	ShotReady     ShotStatus = "ready"
	ShotFailed    ShotStatus = "failed"
)

// Shot is one continuous take of a production.
type Shot struct {
	ID           models.ID `gorm:"primaryKey"`
	ProductionID models.ID
	// Position counts from 1.
	Position  int
	Title     string
	Action    string
	Dialogue  string
	SpeakerID *models.ID
	// SpeakerName is who says it, where that is no element: the narrator lends the voice.
	SpeakerName    string
	VoiceID        *models.ID
	CharacterIDs   models.IDs
	CreatureIDs    models.IDs
	ObjectIDs      models.IDs
	LocationID     *models.ID
	Camera         Camera `gorm:"serializer:json"`
	Duration       *float64
	Prompt         string
	NegativePrompt string
	OwnImageURL    *string
	Skip           bool
	Locked         bool
	Notes          string
	Status         ShotStatus
	ErrorMessage   *string
	ExecutionID    *models.ID
	Version        int
	CreatedAt      time.Time
	UpdatedAt      time.Time

	// Results are by stage.
	Results map[StageName]*ShotResult `gorm:"-"`
	IsStale bool                      `gorm:"-"`
	Share   *Share                    `gorm:"-"`
	// SharedURL is the page of a shot that is shared.
	SharedURL *string `gorm:"-"`
}

// ResultURL is where the last result of a stage lies; nil where there is none.
func (s *Shot) ResultURL(stage StageName) *string {
	if result := s.Results[stage]; result != nil {
		return &result.URL
	}
	return nil
}

// Camera is how a shot is looked at.
type Camera struct {
	Size     string `json:"size"`
	Angle    string `json:"angle"`
	Movement string `json:"movement"`
}

// ShotResult is the last result of a stage, and the fingerprint of what it was made of.
// Duration is in seconds.
type ShotResult struct {
	ShotID      models.ID `gorm:"primaryKey"`
	Stage       StageName `gorm:"primaryKey"`
	Fingerprint string
	URL         string
	Width       *int
	Height      *int
	Duration    *float64
	JobID       models.ID
	Credits     models.Credits
	// Things are the elements and voices that it shows or lets hear.
	Things    models.IDs
	CreatedAt time.Time
}

func (ShotResult) TableName() string { return "shot_results" }

// Share shows a shot to everyone until a time, with copies of what it was then.
type Share struct {
	ShotID      models.ID `gorm:"primaryKey"`
	Until       time.Time
	Title       string
	Dialogue    string
	ImageFileID *models.ID
	VideoFileID *models.ID
	AudioFileID *models.ID
	Width       *int
	Height      *int
	Duration    *float64
	// Things are the elements and voices in it that depict a person.
	Things    models.IDs
	UpdatedAt time.Time
}

func (Share) TableName() string { return "shot_shares" }

// PublicShot is what everyone sees of a shared shot.
type PublicShot struct {
	ID           models.ID
	Title        string
	Production   string
	Dialogue     string
	By           string
	ImageURL     *string
	VideoURL     *string
	AudioURL     *string
	URLExpiresAt time.Time
	Width        *int
	Height       *int
	// Duration is in seconds.
	Duration    *float64
	SharedUntil time.Time
	UpdatedAt   time.Time
}

// CameraInput is a camera; what is nil is the usual.
type CameraInput struct {
	Size     *string
	Angle    *string
	Movement *string
}

// CreateShotInput is a new shot of a production, the last one without a position, which
// counts from 1.
type CreateShotInput struct {
	Position       *int
	Title          *string
	Action         *string
	Dialogue       *string
	SpeakerID      *models.ID
	SpeakerName    *string
	VoiceID        *models.ID
	CharacterIDs   []models.ID
	CreatureIDs    []models.ID
	ObjectIDs      []models.ID
	LocationID     *models.ID
	Camera         *CameraInput
	Duration       *float64
	Prompt         *string
	NegativePrompt *string
	OwnImageURL    *string
	Skip           *bool
	Locked         *bool
	Notes          *string
}

// UpdateShotInput changes a shot; what is not sent stays.
type UpdateShotInput struct {
	Title          models.Opt[string]
	Action         models.Opt[string]
	Dialogue       models.Opt[string]
	SpeakerID      models.Opt[models.ID]
	SpeakerName    models.Opt[string]
	VoiceID        models.Opt[models.ID]
	CharacterIDs   models.Opt[[]models.ID]
	CreatureIDs    models.Opt[[]models.ID]
	ObjectIDs      models.Opt[[]models.ID]
	LocationID     models.Opt[models.ID]
	Camera         models.Opt[CameraInput]
	Duration       models.Opt[float64]
	Prompt         models.Opt[string]
	NegativePrompt models.Opt[string]
	OwnImageURL    models.Opt[string]
	Skip           models.Opt[bool]
	Locked         models.Opt[bool]
	Notes          models.Opt[string]
	Version        *int
}

// ShareShotInput shows a shot to everyone, or ends that. Until is 30 days from now when nil.
type ShareShotInput struct {
	Shared bool
	Until  *time.Time
}
