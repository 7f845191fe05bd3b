package library

import (
	"time"

	"atelier/models"
)

// Subject is whom a consent is about, and who may give it.
type Subject string

// The subjects of consents.
const (
	Self   Subject = "self"
	Member Subject = "member"
	Adult  Subject = "adult"
	Minor  Subject = "minor"
)

// ConsentStatus is where a consent stands.
type ConsentStatus string

// The statuses of consents.
const (
	Given     ConsentStatus = "given"
	Awaiting  ConsentStatus = "awaiting"
	Expired   ConsentStatus = "expired"
	Withdrawn ConsentStatus = "withdrawn"
)

// Consent is what was agreed about the person whom an element or a voice
// depicts, as its row keeps the newest of its history. Status is worked out
// when it is read: given becomes expired by itself.
type Consent struct {
	Subject Subject       `json:"subject"`
	Status  ConsentStatus `json:"status"`
	// Awaits are those who have not agreed yet: subject, admin.
	Awaits []string   `json:"awaits"`
	UserID *models.ID `json:"userId"`
	// Basis is where the release lies; shown to admins and to who wrote it, BasisBy.
	Basis      *string    `json:"basis"`
	BasisBy    *models.ID `json:"basisBy,omitempty"`
	ValidUntil *time.Time `json:"validUntil"`
	// Providers tells whether pictures or sounds may leave the install.
	Providers bool `json:"providers"`
	// Statement is the version of the text that was confirmed.
	Statement string `json:"statement"`
	// GoesOn: it was given, newer pictures wait for an admin, and what it was given for may be used meanwhile.
	GoesOn  bool      `json:"goesOn,omitempty"`
	GivenBy models.ID `json:"givenBy"`
	GivenAt time.Time `json:"givenAt"`
}

// ConsentInput is what a person says about who is depicted.
type ConsentInput struct {
	Subject    Subject
	Confirmed  *bool
	UserID     *models.ID
	Basis      *string
	ValidUntil *time.Time
	Providers  *bool
	// Statement is the version of the text that was shown; nil is the English one.
	Statement *string
}

// GiveConsentInput answers a consent that awaits a person, or withdraws one.
type GiveConsentInput struct {
	Confirmed  bool
	Basis      *string
	ValidUntil *time.Time
	// Statement is the version of the text that was shown; nil is the English one.
	Statement *string
	// Version and UnchangedSince are the version and updatedAt of the element or voice that
	// was looked at; nil takes any.
	Version        *int
	UnchangedSince *time.Time
}

// seen refuses an answer about something that changed since it was looked at: stale_version.
func (in GiveConsentInput) seen(version int, updatedAt time.Time) error {
	changed := in.UnchangedSince != nil && in.UnchangedSince.UnixMilli() != updatedAt.UnixMilli() // faces know times to the millisecond
	if changed || in.Version != nil && *in.Version != version {
		return models.Err(models.CodeStale, "What you answer for was changed meanwhile. Look at it again.")
	}
	return nil
}

// ConsentItem is an element or a voice about whose consent the caller may say something.
type ConsentItem struct {
	ID     models.ID // of the element or the voice
	Kind   string    // an element's kind, or voice
	Name   string
	MadeBy models.ID
	// ImageURL is its picture, signed; nil where it has none.
	ImageURL *string
	Consent  *Consent
	// AwaitsMe: the caller's answer is awaited. DepictsMe: it is about the caller.
	AwaitsMe, DepictsMe  bool
	CreatedAt, UpdatedAt time.Time
}
