package trigger

import (
	"context"
	"encoding/hex"
	"log/slog"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/space"
)

// triggerTokenBytes is how many random bytes a trigger's token has.
const triggerTokenBytes = 32

// mintToken gives a webhook its token, once. It is found by its hash, and sealed
// to be shown again; on an install without a key there is none yet, and the next
// save or sync with one mints it.
func (s *Service) mintToken(t *Trigger) error {
	if t.Type != WebhookTrigger || t.TokenHash != nil || s.Vault == nil {
		return nil
	}
	token := models.NewSecret("", triggerTokenBytes)
	sealed, err := s.Vault.Seal(t.purpose(), token)
	if err != nil {
		return err
	}
	t.TokenHash, t.TokenSealed = models.HashSecret(token), &sealed
	return nil
}

// purpose binds a sealed token to its trigger.
func (t *Trigger) purpose() string { return "trigger:" + t.ID.String() }

// showToken opens the token for the one who may call the trigger: the workflow's
// creator, and who made the trigger.
func (s *Service) showToken(ctx context.Context, t *Trigger, w *flow.Workflow, actor models.Actor) {
	if t.TokenSealed == nil || w.Access != space.IsCreator && t.CreatedBy != actor.UserID {
		return
	}
	token, err := s.Vault.Open(t.purpose(), *t.TokenSealed)
	if err != nil {
		slog.WarnContext(ctx, "the token of a trigger cannot be opened", "trigger", t.ID, "error", err)
		return
	}
	t.Token = &token
}

// WebhookURL is the path of a webhook, to be put behind the install's address;
// nil for the one who may not know it, and while the install has no key.
func (t *Trigger) WebhookURL() *string {
	if t.Token == nil {
		return nil
	}
	path := WebhookPath + *t.Token
	return &path
}

// CallAddress is the whole address of a webhook, as WebhookURL its path.
func (s *Service) CallAddress(t *Trigger) *string {
	path := t.WebhookURL()
	if path == nil {
		return nil
	}
	address := s.PublicURL + *path
	return &address
}

// WebhookPath begins the path of every webhook.
const WebhookPath = "/v1/webhooks/"

// hexOrNil is a hash as JSON holds it.
func hexOrNil(hash []byte) *string {
	if hash == nil {
		return nil
	}
	text := hex.EncodeToString(hash)
	return &text
}
