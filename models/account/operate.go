package account

import (
	"context"
	"strings"
	"time"

	"atelier/models"
)

// What operators do to people, as Act.Action.
const (
	ActBanned        = "user.banned"
	ActUnbanned      = "user.unbanned"
	ActDeleted       = "user.deleted"
	ActResetLink     = "user.reset_link_made"
	ActSessionsEnded = "user.sessions_ended"
	// ActSecondFactorReset is a second factor that was taken off.
	ActSecondFactorReset = "user.second_factor_reset"
)

// Act is something that an operator did to a person. Names stay as they were.
type Act struct {
	ID         models.ID `gorm:"primaryKey"`
	ActorID    models.ID
	ActorName  string
	Action     string
	TargetID   models.ID
	TargetName string
	Reason     string
	CreatedAt  time.Time
}

func (Act) TableName() string { return "operator_acts" }

// maxActs is how many are shown of a person.
const maxActs = 50

// ListActs is what operators did to a person, newest first, at most 50 (platform operator).
func (s People) ListActs(ctx context.Context, userID models.ID) (acts []*Act, err error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	err = s.account.DB.Read(ctx).Where("target_id = ?", userID).Order("id DESC").Limit(maxActs).Find(&acts).Error
	return acts, err
}

// Ban closes an account (platform operator): its sessions, tokens and links
// end at once, and signing in is forbidden. What it made stays. Repeating is
// nothing; the account that pays is payer_account_protected, an operator's
// insufficient_role.
func (s People) Ban(ctx context.Context, id models.ID, reason string) (*User, error) {
	reason, err := models.CleanText("reason", strings.TrimSpace(reason), 500)
	if err != nil {
		return nil, err
	}
	return s.account.operateOn(ctx, id, func(tx *models.Tx, user *User) error {
		if user.BannedAt != nil {
			return nil
		}
		user.BannedAt = &tx.Now
		if err := s.account.shutOut(tx, user.ID); err != nil {
			return err
		}
		return setBanned(tx, user, ActBanned, reason)
	})
}

// Unban opens a closed account again (platform operator). Sessions and
// tokens that ended stay ended.
func (s People) Unban(ctx context.Context, id models.ID) (*User, error) {
	return s.account.operateOn(ctx, id, func(tx *models.Tx, user *User) error {
		if user.BannedAt == nil {
			return nil
		}
		user.BannedAt = nil
		tx.Notify(models.RightsTopic(user.ID))
		return setBanned(tx, user, ActUnbanned, "")
	})
}

func setBanned(tx *models.Tx, user *User, action, reason string) error {
	err := tx.Model(&User{}).Where("id = ?", user.ID).Updates(map[string]any{"banned_at": user.BannedAt, "updated_at": tx.Now}).Error
	if err != nil {
		return err
	}
	return act(tx, action, user, reason)
}

// Delete deletes an account as its person could (platform operator), and
// frees its address. owner_cannot_leave, payer_account_protected.
func (s People) Delete(ctx context.Context, id models.ID) (*User, error) {
	return s.account.operateOn(ctx, id, func(tx *models.Tx, user *User) error {
		if err := s.account.deleteUser(tx, user); err != nil {
			return err
		}
		return act(tx, ActDeleted, user, "")
	})
}

// EndSessions signs a person out everywhere (platform operator). Tokens stay.
func (s People) EndSessions(ctx context.Context, id models.ID) (*User, error) {
	return s.account.operateOn(ctx, id, func(tx *models.Tx, user *User) error {
		if err := endSessions(tx, user.ID, nil); err != nil {
			return err
		}
		return act(tx, ActSessionsEnded, user, "")
	})
}

// handedLifetime is how long a link that an operator hands over works: until the person is seen.
const handedLifetime = 24 * time.Hour

// ResetLink is a link to choose a password, shown once.
type ResetLink struct {
	URL       string
	ExpiresAt time.Time
}

// CreateResetLink makes a link by which a person chooses a new password, once,
// within a day (platform operator): for those whom no mail reaches. Links made
// before stop working. It proves no address. A closed account and one that
// signs in through a provider are a validation_error.
func (s People) CreateResetLink(ctx context.Context, id models.ID) (*ResetLink, error) {
	link := &ResetLink{}
	_, err := s.account.operateOn(ctx, id, func(tx *models.Tx, user *User) error {
		if user.BannedAt != nil {
			return models.Err(models.CodeValidation, "The account is closed. Open it again first.")
		}
		if !user.HasPassword() {
			return models.Err(models.CodeValidation, "%s signs in through a provider, and has no password to choose", user.DisplayName)
		}
		if err := useResetTokens(tx, user.ID); err != nil {
			return err
		}
		token := models.NewSecret("", 32)
		link.URL, link.ExpiresAt = s.account.PublicURL+"/reset-password?token="+token, tx.Now.Add(handedLifetime)
		err := tx.Create(&EmailToken{
			TokenHash: models.HashSecret(token), UserID: user.ID, Purpose: purposeHanded, CreatedAt: tx.Now, ExpiresAt: link.ExpiresAt,
		}).Error
		if err != nil {
			return err
		}
		return act(tx, ActResetLink, user, "")
	})
	if err != nil {
		return nil, err
	}
	return link, nil
}

// operateOn holds the account of another person for an operator's act. Operators
// do not act on each other: who is one, the configuration says. Their session was
// confirmed within the hour: reauthentication_required.
func (s *Service) operateOn(ctx context.Context, id models.ID, do func(*models.Tx, *User) error) (user *User, err error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if user, err = lockUser(tx, id); err != nil {
			return err
		}
		switch {
		case s.isPayer(user):
			return errPayer
		case s.IsOperator(user):
			return models.InsufficientRole("This is an operator's account: take its address out of the list of operators in the configuration first")
		}
		if err := tx.Actor.RequireConfirmed(tx.Now); err != nil {
			return err
		}
		return do(tx, user)
	})
	return user, err
}

func act(tx *models.Tx, action string, user *User, reason string) error {
	return tx.Create(&Act{
		ID: tx.NewID(), ActorID: tx.Actor.UserID, ActorName: tx.Actor.DisplayName, Action: action,
		TargetID: user.ID, TargetName: user.DisplayName, Reason: reason, CreatedAt: tx.Now,
	}).Error
}

// PersonState narrows a list of people.
type PersonState string

const (
	PeopleOpen   PersonState = "open"
	PeopleBanned PersonState = "banned"
)

// List is every account of the install, newest first, by a part of the
// name or of the address (platform operator).
func (s People) List(ctx context.Context, search *string, state *PersonState, page models.Page) (*models.Connection[*User], error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	query, name := s.account.DB.Read(ctx).Where("deleted_at IS NULL"), "operator-people:"
	if state != nil {
		name += string(*state)
		query = query.Where(map[bool]string{true: "banned_at IS NOT NULL", false: "banned_at IS NULL"}[*state == PeopleBanned])
	}
	text, err := models.ListSearch(search)
	if err != nil {
		return nil, err
	}
	if text != "" {
		name += ":" + text
		query = query.Where(models.FoundWithAddress("search"), text)
	}
	list := models.List[*User]{Name: name, Position: func(u *User) string { return u.ID.String() }, Sorts: peopleSorts}
	return models.ListPage(s.account.DB, list, page, query, models.NewestFirst("id"))
}

// peopleSorts are what the accounts of the install can be sorted by.
var peopleSorts = models.Sorts{ID: "id", By: map[models.SortBy]models.SortColumn{
	models.SortByName:    {Column: "lower(listed.display_name)", Type: "text"},
	models.SortByCreated: {Column: "listed.created_at", Type: "timestamptz"},
}}

// Find is any account (platform operator).
func (s People) Find(ctx context.Context, id models.ID) (*User, error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	return s.account.FindUserByID(ctx, id)
}

// PeopleCounts is how many accounts there are.
type PeopleCounts struct{ All, Banned, NewThisMonth, SeenToday int }

// Count counts the accounts of the install (platform operator).
func (s People) Count(ctx context.Context) (*PeopleCounts, error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	now := s.account.DB.Clock.Now()
	c := &PeopleCounts{}
	err := s.account.DB.Read(ctx).Raw(`
		SELECT count(*) AS "all", count(*) FILTER (WHERE banned_at IS NOT NULL) AS banned,
			count(*) FILTER (WHERE created_at > ?) AS new_this_month,
			(SELECT count(DISTINCT user_id) FROM sessions WHERE revoked_at IS NULL AND seen_at > ?) AS seen_today
		FROM users WHERE deleted_at IS NULL`, now.AddDate(0, 0, -30), now.Add(-24*time.Hour)).Scan(c).Error
	return c, err
}

// LastSeen is when people were last seen, for those who are signed in somewhere
// (platform operator).
func (s People) LastSeen(ctx context.Context, ids []models.ID) (map[models.ID]time.Time, error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	var rows []struct {
		UserID models.ID
		At     time.Time
	}
	err := s.account.DB.Read(ctx).Model(&Session{}).Select("user_id, max(coalesce(seen_at, created_at)) AS at").
		Where("user_id IN ? AND revoked_at IS NULL", ids).Group("user_id").Find(&rows).Error
	seen := make(map[models.ID]time.Time, len(rows))
	for _, row := range rows {
		seen[row.UserID] = row.At
	}
	return seen, err
}
