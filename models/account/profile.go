package account

import (
	"context"
	"net/url"
	"time"
	_ "time/tzdata" // the zones, also where the system brings none

	"golang.org/x/text/language"

	"atelier/models"
)

// FindProfile is the caller's own account.
func (s *Service) FindProfile(ctx context.Context) (*User, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.Unscoped); err != nil {
		return nil, err
	}
	return s.FindUserByID(ctx, actor.UserID)
}

// UpdateProfile changes name, picture, time zone and language; null removes all but the name.
func (s *Service) UpdateProfile(ctx context.Context, in UpdateProfileInput) (*User, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(); err != nil {
		return nil, err
	}
	changes := map[string]any{}
	name, sent, err := models.Required("displayName", in.DisplayName)
	if err != nil {
		return nil, err
	}
	if sent {
		if changes["display_name"], err = models.CleanName("displayName", name); err != nil {
			return nil, err
		}
	}
	if avatar, sent := in.AvatarURL.ValueOK(); sent {
		if err := checkAvatar(avatar); err != nil {
			return nil, err
		}
		changes["avatar_url"] = avatar
	}
	if zone, sent := in.TimeZone.ValueOK(); sent {
		if err := checkTimeZone(zone); err != nil {
			return nil, err
		}
		changes["time_zone"] = zone
	}
	if tag, sent := in.Language.ValueOK(); sent {
		if err := checkLanguage(tag); err != nil {
			return nil, err
		}
		changes["language"] = tag
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if len(changes) == 0 {
			return nil
		}
		changes["updated_at"] = tx.Now
		if _, sent := changes["avatar_url"]; sent { // another picture, or none: the one that was uploaded goes
			if err := dropPicture(tx, actor.UserID); err != nil {
				return err
			}
		}
		return tx.Model(&User{}).Where("id = ?", actor.UserID).Updates(changes).Error
	})
	if err != nil {
		return nil, err
	}
	return s.FindUserByID(ctx, actor.UserID)
}

func checkAvatar(avatar *string) error {
	if avatar == nil {
		return nil
	}
	u, err := url.Parse(*avatar)
	if err != nil || len(*avatar) > 2048 || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return models.Invalid("avatarUrl", "must be an http or https address")
	}
	return nil
}

// checkTimeZone lets the names of the time zone database through; "Local" is
// the server's own, and no one's.
func checkTimeZone(zone *string) error {
	if zone == nil {
		return nil
	}
	if _, err := time.LoadLocation(*zone); err != nil || *zone == "" || *zone == "Local" || len(*zone) > 64 {
		return models.Invalid("timeZone", "must be the name of a time zone, such as Europe/Berlin")
	}
	return nil
}

// checkLanguage lets tags of languages through; one that no page is written in is no error, as those that there are differ
// between installs.
func checkLanguage(tag *string) error {
	if tag == nil {
		return nil
	}
	if _, err := language.Parse(*tag); err != nil || len(*tag) > 16 {
		return models.Invalid("language", "must be the tag of a language, such as de")
	}
	return nil
}

// RememberWorkspace keeps the last workspace that a session selected. Whether it
// may be selected is checked by the caller.
func (s *Service) RememberWorkspace(ctx context.Context, id models.ID) error {
	actor := models.ActorFrom(ctx)
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		return tx.Model(&User{}).Where("id = ?", actor.UserID).Update("last_workspace_id", id).Error
	})
}
