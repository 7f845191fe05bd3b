package event

import (
	"context"

	"atelier/models"
	"atelier/models/lane"
)

// UpdateEndpoint changes what was sent. A changed address serves the next
// attempt, and needs a session that was confirmed within the hour:
// reauthentication_required. validation_error, not_found, forbidden, url_taken, and on
// enabling url_invalid or secret_required.
func (s *Service) UpdateEndpoint(ctx context.Context, id models.ID, in UpdateEndpointInput) (*Endpoint, error) {
	actor, err := s.admitChange(ctx, changeLimit)
	if err != nil {
		return nil, err
	}
	change, err := s.cleanUpdate(in)
	if err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		endpoint, err := lockOwnEndpoint(tx, actor, id)
		if err != nil {
			return err
		}
		return s.update(tx, endpoint, change)
	})
	if err != nil {
		return nil, err
	}
	return s.FindEndpoint(ctx, id)
}

// endpointChange is a checked update; nil fields stay as they are.
type endpointChange struct {
	url, urlKey *string
	description *string
	events      models.Strings
	active      *bool
}

func (s *Service) cleanUpdate(in UpdateEndpointInput) (c endpointChange, err error) {
	if url, sent, err := models.Required("url", in.URL); err != nil {
		return c, err
	} else if sent {
		key, err := s.urlKey(url)
		if err != nil {
			return c, err
		}
		c.url, c.urlKey = &url, &key
	}
	if text, sent, err := models.Required("description", in.Description); err != nil {
		return c, err
	} else if sent {
		if text, err = models.CleanText("description", text, maxDescription); err != nil {
			return c, err
		}
		c.description = &text
	}
	if events, sent, err := models.Required("events", in.Events); err != nil {
		return c, err
	} else if sent {
		if c.events, err = cleanEvents(events); err != nil {
			return c, err
		}
	}
	if active, sent, err := models.Required("isActive", in.IsActive); err != nil {
		return c, err
	} else if sent {
		c.active = &active
	}
	return c, nil
}

func (s *Service) update(tx *models.Tx, endpoint *Endpoint, c endpointChange) error {
	values := map[string]any{"updated_at": tx.Now}
	moved := c.url != nil && *c.url != endpoint.URL
	if moved {
		if err := tx.Actor.RequireConfirmed(tx.Now); err != nil {
			return err
		}
		if err := freeURL(tx, endpoint, *c.urlKey); err != nil {
			return err
		}
		endpoint.URL, endpoint.URLKey = *c.url, *c.urlKey
		values["url"], values["url_key"] = endpoint.URL, endpoint.URLKey
	}
	if c.description != nil {
		values["description"] = *c.description
	}
	if c.events != nil {
		values["events"] = c.events
	}
	enabled := c.active != nil && *c.active && !endpoint.IsActive
	disabled := c.active != nil && !*c.active && endpoint.IsActive
	if enabled {
		if err := s.ready(endpoint); err != nil {
			return err
		}
		values["is_active"], values["disabled_reason"], values["disabled_at"] = true, nil, nil
		values["consecutive_failures"] = 0
	}
	if disabled {
		values["is_active"], values["disabled_reason"], values["disabled_at"] = false, nil, tx.Now
	}
	if err := tx.Model(&Endpoint{}).Where("id = ? AND account_id = ?", endpoint.ID, endpoint.AccountID).UpdateColumns(values).Error; err != nil {
		return err
	}
	if disabled {
		return failWaiting(tx, endpoint.ID, errorEndpointDisabled)
	}
	if enabled || moved {
		return lane.SetHealth(tx, Lane, endpoint.ID, lane.Health{})
	}
	return nil
}

// freeURL refuses an address that another endpoint of the account has.
func freeURL(tx *models.Tx, endpoint *Endpoint, key string) error {
	var others int64
	err := tx.Model(&Endpoint{}).Where("account_id = ? AND url_key = ? AND id <> ?", endpoint.AccountID, key, endpoint.ID).Count(&others).Error
	if err == nil && others > 0 {
		return errURLTaken
	}
	return err
}

// ready refuses an endpoint that cannot be sent to: url_invalid when its
// address no longer passes, secret_required when it has no secret.
func (s *Service) ready(endpoint *Endpoint) error {
	if _, err := s.urlKey(endpoint.URL); err != nil {
		return models.Err(models.CodeURLInvalid, "The address no longer passes the rules; change url first")
	}
	if endpoint.Secret == nil {
		return models.Err(models.CodeSecretRequired, "The endpoint has no signing secret; rotate the secret first")
	}
	return nil
}
