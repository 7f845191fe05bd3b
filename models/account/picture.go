package account

import (
	"context"
	"strings"
	"time"

	"atelier/models"

	"gorm.io/gorm/clause"
)

// MaxPicture is how large a kept picture is; it is made small before.
const MaxPicture = 128 << 10

// PicturePath is the beginning of the address of every kept picture.
const PicturePath = "/pictures/"

// picturesOfAccount is how often a person may change their picture.
var picturesOfAccount = models.Limit{Name: "picture.account", Max: 30, Per: time.Hour}

// Picture is the picture that a person uploaded, a small JPEG.
type Picture struct {
	UserID models.ID `gorm:"primaryKey"`
	// Key is the unguessable part of its address, new with every picture.
	Key       string
	Content   []byte
	CreatedAt time.Time
}

func (Picture) TableName() string { return "user_pictures" }

// MayChangePicture counts a picture that is about to be sent: rate_limit_exceeded.
// Session only.
func (s *Service) MayChangePicture(ctx context.Context) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	return s.DB.CountCall(ctx, picturesOfAccount, actor.UserID.String())
}

// SetPicture keeps the caller's picture, a JPEG that this program made, and
// leads their avatarUrl to it. The one before is gone at once. Session only.
func (s *Service) SetPicture(ctx context.Context, jpeg []byte) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	if len(jpeg) == 0 || len(jpeg) > MaxPicture {
		return models.Invalid("picture", "cannot be made small enough; choose another one")
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		if _, err := lockUser(tx, actor.UserID); err != nil {
			return err
		}
		picture := Picture{UserID: actor.UserID, Key: models.NewSecret("", 24), Content: jpeg, CreatedAt: tx.Now}
		if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&picture).Error; err != nil {
			return err
		}
		return tx.Model(&User{}).Where("id = ?", actor.UserID).
			Updates(map[string]any{"avatar_url": s.PublicURL + PicturePath + picture.Key + ".jpg", "updated_at": tx.Now}).Error
	})
}

// FindPicture is the picture whose key an address ends in, for those who are
// signed in. Its address is shown wherever the person is, and nowhere else.
func (s *Service) FindPicture(ctx context.Context, name string) (*Picture, error) {
	if err := models.ActorFrom(ctx).RequireUser(models.Unscoped); err != nil {
		return nil, err
	}
	key, _, _ := strings.Cut(name, ".")
	return models.First[Picture](s.DB.Read(ctx).Where("key = ?", key), models.NotFound("Picture"))
}

func dropPicture(tx *models.Tx, userID models.ID) error {
	return tx.Where("user_id = ?", userID).Delete(&Picture{}).Error
}
