package event

import (
	"context"
	"slices"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/egress"
)

// Events that an endpoint may subscribe to, and the one that tests it.
const (
	JobCompleted = "job.completed"
	JobFailed    = "job.failed"
	Ping         = "ping"
)

// MaxEndpoints is how many endpoints an account may have.
const MaxEndpoints = 10

const maxDescription = 500

// CreateEndpoint registers an address and returns its signing secret, which is
// never shown again; a session was confirmed within the hour. validation_error, url_taken, limit_reached.
func (s *Service) CreateEndpoint(ctx context.Context, in CreateEndpointInput) (*EndpointSecret, error) {
	actor, err := s.admitChange(ctx, changeLimit)
	if err != nil {
		return nil, err
	}
	endpoint := Endpoint{AccountID: actor.UserID, AppID: actor.OfApp(), IsActive: true, Events: models.Strings{JobCompleted, JobFailed}}
	if err := s.fill(&endpoint, in); err != nil {
		return nil, err
	}
	if err := actor.RequireConfirmed(s.DB.Clock.Now()); err != nil {
		return nil, err
	}
	created := &EndpointSecret{Endpoint: &endpoint, Secret: newSigningSecret()}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if err := hold(tx, actor); err != nil {
			return err
		}
		if err := roomForEndpoint(tx, actor.UserID, endpoint.URLKey); err != nil {
			return err
		}
		endpoint.ID, endpoint.CreatedAt, endpoint.UpdatedAt = tx.NewID(), tx.Now, tx.Now
		sealed, err := s.seal(endpoint.ID, created.Secret)
		if err != nil {
			return err
		}
		endpoint.Secret, endpoint.SecretCreatedAt = &sealed, &tx.Now
		return tx.Create(&endpoint).Error
	})
	if err != nil {
		return nil, err
	}
	return created, nil
}

// fill checks the input and lays it over a new endpoint.
func (s *Service) fill(endpoint *Endpoint, in CreateEndpointInput) (err error) {
	endpoint.URL = in.URL
	if endpoint.URLKey, err = s.urlKey(in.URL); err != nil {
		return err
	}
	if in.Description != nil {
		if endpoint.Description, err = models.CleanText("description", *in.Description, maxDescription); err != nil {
			return err
		}
	}
	if in.Events != nil {
		endpoint.Events, err = cleanEvents(in.Events)
	}
	return err
}

// roomForEndpoint refuses an address that the account registered already
// (url_taken) and the eleventh endpoint (limit_reached). Creations of one
// account wait for each other.
func roomForEndpoint(tx *models.Tx, accountID models.ID, urlKey string) error {
	if err := account.LockUser(tx, accountID); err != nil {
		return err
	}
	var keys []string
	if err := tx.Model(&Endpoint{}).Where("account_id = ?", accountID).Pluck("url_key", &keys).Error; err != nil {
		return err
	}
	if slices.Contains(keys, urlKey) {
		return errURLTaken
	}
	if len(keys) >= MaxEndpoints {
		return models.Err(models.CodeLimitReached, "An account may have %d webhook endpoints; delete one first", MaxEndpoints)
	}
	return nil
}

var errURLTaken = &models.Error{Code: models.CodeURLTaken, Field: "url", Message: "url is registered already"}

// cleanEvents checks a subscription and drops repeats.
func cleanEvents(events []string) (models.Strings, error) {
	if len(events) == 0 {
		return nil, models.Invalid("events", "must name at least one event")
	}
	clean := models.Strings{}
	for _, name := range events {
		if name != JobCompleted && name != JobFailed {
			return nil, models.Invalid("events", "must be out of %s and %s", JobCompleted, JobFailed)
		}
		if !slices.Contains(clean, name) {
			clean = append(clean, name)
		}
	}
	return clean, nil
}

// urlKey checks an address by the rules and gives the form in which it is
// compared. Names are judged when they are resolved, at each attempt.
func (s *Service) urlKey(url string) (key string, err error) {
	if err := egress.CheckURL(url, s.AllowCIDRs); err != nil {
		return "", err
	}
	return egress.NormalizeURL(url), nil
}
