package rest

import (
	"time"

	"atelier/models"
	"atelier/models/library"
)

// consentView is what was agreed about the person whom something depicts.
type consentView struct {
	Subject    library.Subject       `json:"subject" enum:"self,member,adult,minor"`
	Status     library.ConsentStatus `json:"status" enum:"given,awaiting,expired,withdrawn"`
	Awaits     []string              `json:"awaits" doc:"Who has not agreed yet: subject, admin."`
	UserID     *models.ID            `json:"userId"`
	Basis      *string               `json:"basis" doc:"Where the release lies; shown to admins and to who wrote it."`
	ValidUntil *timestamp            `json:"validUntil"`
	Providers  bool                  `json:"providers" doc:"Whether pictures or sounds may leave the install."`
	Statement  string                `json:"statement" doc:"The version of the text that was confirmed."`
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
}

func (b *ConsentBody) input() *library.ConsentInput {
	if b == nil {
		return nil
	}
	return &library.ConsentInput{Subject: b.Subject, Confirmed: b.Confirmed, UserID: b.UserID, Basis: b.Basis, ValidUntil: b.ValidUntil, Providers: b.Providers}
}

// GiveConsentBody answers a consent that awaits a person, or withdraws one.
type GiveConsentBody struct {
	Confirmed  bool       `json:"confirmed" doc:"false withdraws: what it is about is deleted."`
	Basis      *string    `json:"basis,omitempty"`
	ValidUntil *time.Time `json:"validUntil,omitempty"`
	Version    *int       `json:"version,omitempty" doc:"The version of what was looked at; another current one is refused as stale_version."`
	UpdatedAt  *time.Time `json:"updatedAt,omitempty" doc:"The updatedAt of what was looked at, which new pictures change too; another current one is refused as stale_version."`
}

func (b GiveConsentBody) input() library.GiveConsentInput {
	return library.GiveConsentInput{Confirmed: b.Confirmed, Basis: b.Basis, ValidUntil: b.ValidUntil, Version: b.Version, UnchangedSince: b.UpdatedAt}
}
