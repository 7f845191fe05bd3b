package event

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"atelier/models"
)

// The grace period of a rotation: the default and the longest.
const (
	defaultGrace = 24 * time.Hour
	maxGrace     = 7 * 24 * time.Hour
)

func newSigningSecret() string { return models.NewSecret("whsec_", 32) }

func (s *Service) seal(endpointID models.ID, secret string) (string, error) {
	return s.Vault.Seal("webhook:"+endpointID.String(), secret)
}

// RotateSecret makes a new secret. The one before signs too until the grace
// period (seconds; nil is a day) is over; 0 ends it at once. At most two sign. A
// session was confirmed within the hour.
func (s *Service) RotateSecret(ctx context.Context, id models.ID, graceSeconds *int) (*EndpointSecret, error) {
	actor, err := s.admitChange(ctx, changeLimit)
	if err != nil {
		return nil, err
	}
	grace := defaultGrace
	if graceSeconds != nil {
		if *graceSeconds < 0 || *graceSeconds > int(maxGrace/time.Second) {
			return nil, models.Invalid("gracePeriodSeconds", "must be between 0 and %d", int(maxGrace/time.Second))
		}
		grace = time.Duration(*graceSeconds) * time.Second
	}
	rotated := &EndpointSecret{Secret: newSigningSecret()}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		endpoint, err := lockOwnEndpoint(tx, actor, id)
		if err != nil {
			return err
		}
		if err := actor.RequireConfirmed(tx.Now); err != nil {
			return err
		}
		sealed, err := s.seal(id, rotated.Secret)
		if err != nil {
			return err
		}
		endpoint.PreviousSecret, endpoint.PreviousSecretExpiresAt = nil, nil
		if end := tx.Now.Add(grace); grace > 0 && endpoint.Secret != nil {
			endpoint.PreviousSecret, endpoint.PreviousSecretExpiresAt = endpoint.Secret, &end
		}
		endpoint.Secret, endpoint.SecretCreatedAt, endpoint.UpdatedAt = &sealed, &tx.Now, tx.Now
		return tx.Model(endpoint).Where("account_id = ?", endpoint.AccountID).
			Select("secret", "secret_created_at", "previous_secret", "previous_secret_expires_at", "updated_at").
			Updates(endpoint).Error
	})
	if err != nil {
		return nil, err
	}
	rotated.Endpoint, err = s.FindEndpoint(ctx, id)
	return rotated, err
}

// signingSecrets are the secrets that sign at now, the newest first; one whose
// grace is over never does.
func (s *Service) signingSecrets(endpoint *Endpoint, now time.Time) ([]string, error) {
	sealed := []*string{endpoint.Secret}
	if endpoint.PreviousSecretExpiresAt != nil && now.Before(*endpoint.PreviousSecretExpiresAt) {
		sealed = append(sealed, endpoint.PreviousSecret)
	}
	var secrets []string
	for _, one := range sealed {
		if one == nil {
			return nil, fmt.Errorf("endpoint %s has no signing secret", endpoint.ID)
		}
		secret, err := s.Vault.Open("webhook:"+endpoint.ID.String(), *one)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, secret)
	}
	return secrets, nil
}

// signature is the value of Service-Signature: the time in Unix seconds and
// one v1 per secret, each the HMAC-SHA256 of "<t>.<body>" (contract 2,
// "Authentication").
func signature(at time.Time, body []byte, secrets []string) string {
	t := strconv.FormatInt(at.Unix(), 10)
	parts := []string{"t=" + t}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(t + "."))
		mac.Write(body)
		parts = append(parts, "v1="+hex.EncodeToString(mac.Sum(nil)))
	}
	return strings.Join(parts, ",")
}
