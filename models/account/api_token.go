package account

import (
	"context"
	"time"

	"atelier/models"

	"gorm.io/gorm/clause"
)

// APIToken is a personal token; the token itself is kept as a hash.
type APIToken struct {
	ID          models.ID `gorm:"primaryKey"`
	UserID      models.ID
	Name        string
	Prefix      string
	TokenHash   []byte
	RateLimit   int
	WorkspaceID *models.ID
	// WorkflowIDs restricts the token; empty means every workflow.
	WorkflowIDs models.IDs `gorm:"column:workflow_ids"`
	CreatedAt   time.Time
	// ExpiresAt is when the token stops working by itself; nil lasts until it is revoked.
	ExpiresAt  *time.Time
	LastUsedAt *time.Time
	// LastUsedIP is from where; empty while it was not used.
	LastUsedIP string `gorm:"column:last_used_ip"`
	RevokedAt  *time.Time
}

func (APIToken) TableName() string { return "api_tokens" }

// CreatedAPIToken is a new token with its secret, shown once.
type CreatedAPIToken struct {
	APIToken *APIToken
	Token    string
}

// MaxTokens is how many personal tokens an account may hold.
const MaxTokens = 10

// DefaultTokenRate is a token's calls a minute on the run and list routes.
const DefaultTokenRate = 30

// List is the caller's tokens, newest first. Session only.
func (s APITokens) List(ctx context.Context) ([]*APIToken, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	tokens := []*APIToken{}
	err := s.account.DB.Read(ctx).Where("user_id = ? AND revoked_at IS NULL", actor.UserID).Order("id DESC").Limit(MaxTokens).Find(&tokens).Error
	return tokens, err
}

// Create makes a token, shown once. Session only, confirmed within the
// hour; the eleventh is limit_reached.
func (s APITokens) Create(ctx context.Context, in CreateAPITokenInput) (*CreatedAPIToken, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	name, err := models.CleanName("name", in.Name)
	if err != nil {
		return nil, err
	}
	rate := DefaultTokenRate
	if in.RateLimit != nil {
		rate = *in.RateLimit
	}
	if err := checkTokenRate(rate); err != nil {
		return nil, err
	}
	if err := checkWorkflowCount(in.WorkflowIds); err != nil {
		return nil, err
	}
	if err := checkExpiry(in.ExpiresAt, s.account.DB.Clock.Now()); err != nil {
		return nil, err
	}
	if err := actor.RequireConfirmed(s.account.DB.Clock.Now()); err != nil {
		return nil, err
	}
	secret := models.NewSecret(TokenPrefix, 32)
	token := &APIToken{
		UserID: actor.UserID, Name: name, Prefix: secret[:len(TokenPrefix)+6], TokenHash: models.HashSecret(secret),
		RateLimit: rate, WorkspaceID: in.WorkspaceID, WorkflowIDs: in.WorkflowIds, ExpiresAt: in.ExpiresAt,
	}
	err = s.account.DB.Write(ctx, func(tx *models.Tx) error {
		if err := s.account.checkBinding(tx, in.WorkspaceID); err != nil {
			return err
		}
		if err := s.account.checkCoverage(tx, in.WorkflowIds); err != nil {
			return err
		}
		// The account's row is the lock under which its tokens are counted.
		if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Select("id").Take(&User{}, "id = ?", actor.UserID).Error; err != nil {
			return err
		}
		// A password that was reset meanwhile took the tokens with it.
		if err := s.account.StillValid(tx.Context()); err != nil {
			return err
		}
		var count int64
		if err := tx.Model(&APIToken{}).Where("user_id = ? AND revoked_at IS NULL", actor.UserID).Count(&count).Error; err != nil {
			return err
		}
		if count >= MaxTokens {
			return models.Err(models.CodeLimitReached, "An account holds at most %d tokens. Revoke one first.", MaxTokens)
		}
		token.ID, token.CreatedAt = tx.NewID(), tx.Now
		return tx.Create(token).Error
	})
	if err != nil {
		return nil, err
	}
	return &CreatedAPIToken{APIToken: token, Token: secret}, nil
}

// Update renames, limits or binds a token. Session only; what the token may reach
// only one that was confirmed within the hour changes: reauthentication_required.
func (s APITokens) Update(ctx context.Context, id models.ID, in UpdateAPITokenInput) (*APIToken, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	changes, err := tokenChanges(in)
	if err != nil {
		return nil, err
	}
	err = s.account.DB.Write(ctx, func(tx *models.Tx) error {
		if _, err := s.account.findAPIToken(tx, actor.UserID, id); err != nil {
			return err
		}
		if workspace, sent := in.WorkspaceID.ValueOK(); sent {
			if err := s.account.checkBinding(tx, workspace); err != nil {
				return err
			}
			changes["workspace_id"] = workspace
		}
		if ids, restricts := changes["workflow_ids"].(models.IDs); restricts {
			if err := s.account.checkCoverage(tx, ids); err != nil {
				return err
			}
		}
		if len(changes) == 0 {
			return nil
		}
		_, binds := changes["workspace_id"]
		if _, restricts := changes["workflow_ids"]; binds || restricts {
			if err := actor.RequireConfirmed(tx.Now); err != nil {
				return err
			}
		}
		return tx.Model(&APIToken{}).Where("id = ? AND user_id = ?", id, actor.UserID).Updates(changes).Error
	})
	if err != nil {
		return nil, err
	}
	return models.First[APIToken](s.account.DB.Read(ctx).Where("id = ? AND user_id = ?", id, actor.UserID), models.NotFound("Token"))
}

// Delete revokes a token; it stops working at once. Session only.
func (s APITokens) Delete(ctx context.Context, id models.ID) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	return s.account.DB.Write(ctx, func(tx *models.Tx) error {
		if _, err := s.account.findAPIToken(tx, actor.UserID, id); err != nil {
			return err
		}
		if err := forgetCalls(tx, actor.UserID, &id); err != nil {
			return err
		}
		tx.Notify(models.RightsTopic(actor.UserID))
		return tx.Model(&APIToken{}).Where("id = ? AND user_id = ?", id, actor.UserID).
			Updates(map[string]any{"revoked_at": tx.Now, "last_used_ip": ""}).Error
	})
}

func (s *Service) findAPIToken(tx *models.Tx, userID, id models.ID) (*APIToken, error) {
	return models.First[APIToken](tx.Where("id = ? AND user_id = ? AND revoked_at IS NULL", id, userID).
		Clauses(clause.Locking{Strength: "UPDATE"}), models.NotFound("Token"))
}

// checkBinding checks that the caller could select the workspace; unbinding is always allowed.
func (s *Service) checkBinding(tx *models.Tx, workspace *models.ID) error {
	if workspace == nil || s.bindingCheck == nil {
		return nil
	}
	return s.bindingCheck(tx, *workspace)
}

// checkCoverage checks that the caller may see the workflows that a token is restricted to.
func (s *Service) checkCoverage(tx *models.Tx, workflows []models.ID) error {
	if len(workflows) == 0 || s.coverageCheck == nil {
		return nil
	}
	return s.coverageCheck(tx, workflows)
}

// tokenChanges are the columns that an update names.
func tokenChanges(in UpdateAPITokenInput) (map[string]any, error) {
	changes := map[string]any{}
	if name, sent, err := models.Required("name", in.Name); err != nil {
		return nil, err
	} else if sent {
		if changes["name"], err = models.CleanName("name", name); err != nil {
			return nil, err
		}
	}
	if rate, sent, err := models.Required("rateLimit", in.RateLimit); err != nil {
		return nil, err
	} else if sent {
		if err := checkTokenRate(rate); err != nil {
			return nil, err
		}
		changes["rate_limit"] = rate
	}
	if workflows, sent := in.WorkflowIds.ValueOK(); sent {
		ids := models.IDs{}
		if workflows != nil {
			ids = *workflows
		}
		if err := checkWorkflowCount(ids); err != nil {
			return nil, err
		}
		changes["workflow_ids"] = ids
	}
	return changes, nil
}

// maxTokenWorkflows bounds the workflows that a token is restricted to.
const maxTokenWorkflows = 100

func checkWorkflowCount(ids []models.ID) error {
	if len(ids) > maxTokenWorkflows {
		return models.Invalid("workflowIds", "must be at most %d", maxTokenWorkflows)
	}
	return nil
}

// maxExpiry is how far ahead a token may be set to expire; what should last longer has no expiry.
const maxExpiry = 10 * 366 * 24 * time.Hour

func checkExpiry(at *time.Time, now time.Time) error {
	if at != nil && (!at.After(now) || at.Sub(now) > maxExpiry) {
		return models.Invalid("expiresAt", "must be in the future, and at most ten years ahead")
	}
	return nil
}

func checkTokenRate(n int) error {
	if n < 1 || n > 120 {
		return models.Invalid("rateLimit", "must be between 1 and 120")
	}
	return nil
}
