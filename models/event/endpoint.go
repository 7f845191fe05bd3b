// Package event holds outbound job events: endpoints, signing, deliveries and
// the rules of retry and rest (contract 2).
package event

import (
	"time"

	"atelier/models"
)

// Endpoint is an https address that receives signed events.
type Endpoint struct {
	ID        models.ID `gorm:"primaryKey"`
	AccountID models.ID
	AppID     *models.ID
	URL       string
	// URLKey is the normalized address, unique in the account.
	URLKey                  string
	Description             string
	Events                  models.Strings
	IsActive                bool
	DisabledReason          *string
	DisabledAt              *time.Time
	ConsecutiveFailures     int
	Secret                  *string // sealed
	SecretCreatedAt         *time.Time
	PreviousSecret          *string // sealed
	PreviousSecretExpiresAt *time.Time
	CreatedAt               time.Time
	UpdatedAt               time.Time

	// RestUntil is set while the endpoint does not answer at all, read along from its lane.
	RestUntil *time.Time `gorm:"->"`
	// Approved tells of a connected app's endpoint whether the app may be told of
	// jobs now, read along where something is sent.
	Approved bool `gorm:"->"`
}

func (Endpoint) TableName() string { return "webhook_endpoints" }

// Delivery is one event for one endpoint; its id is the event's id.
type Delivery struct {
	ID             models.ID `gorm:"primaryKey"`
	EndpointID     models.ID
	AccountID      models.ID
	Event          string
	JobID          *models.ID
	Status         DeliveryStatus
	Attempts       int
	ResponseStatus *int
	ResponseBody   []byte
	DurationMs     *int
	Error          *string
	NextAttemptAt  *time.Time
	RequestBody    []byte
	CreatedAt      time.Time
	FinishedAt     *time.Time
}

func (Delivery) TableName() string { return "webhook_deliveries" }

// DeliveryStatus is where a delivery stands.
type DeliveryStatus string

const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed"
)

// Attempt is one try of a delivery.
type Attempt struct {
	ID             models.ID `gorm:"primaryKey"`
	DeliveryID     models.ID
	EndpointID     models.ID
	Number         int
	ResponseStatus *int
	ResponseBody   []byte
	// ResponseHeader is the answer's status line with some fields of its head.
	ResponseHeader *string
	Error          *string
	Address        *string
	DurationMs     int
	DNSMs          int `gorm:"column:dns_ms"`
	ConnectMs      int
	CreatedAt      time.Time
}

func (Attempt) TableName() string { return "webhook_attempts" }

// EndpointSecret is an endpoint with its signing secret, shown once.
type EndpointSecret struct {
	Endpoint *Endpoint
	Secret   string
}

// CreateEndpointInput registers an address.
type CreateEndpointInput struct {
	URL         string
	Description *string
	Events      []string
}

// UpdateEndpointInput changes an endpoint; null is refused for every field.
type UpdateEndpointInput struct {
	URL         models.Opt[string]
	Description models.Opt[string]
	Events      models.Opt[[]string]
	IsActive    models.Opt[bool]
}
