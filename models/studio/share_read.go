package studio

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
)

// publicLimit is how often one address may look at shots that are shared.
var publicLimit = models.Limit{Name: "shots.public", Max: 60, Per: time.Minute}

// FindPublicShot is what everyone sees of a shot that is shared, and nothing else. Never shared,
// no longer shared, deleted and unknown are the same not_found. An address may ask 60 times a
// minute: rate_limit_exceeded.
func (s *Service) FindPublicShot(ctx context.Context, id models.ID) (*PublicShot, error) {
	if network := models.ActorFrom(ctx).Network(); network != "" {
		if err := s.DB.CountCall(ctx, publicLimit, network); err != nil {
			return nil, err
		}
	}
	shown, err := models.First[sharedShot](s.DB.Read(ctx).Table("shot_shares").
		Select("shot_shares.*, p.name AS production, u.display_name, o.name AS organization, o.kind AS organization_kind").
		Joins("JOIN shots ON shots.id = shot_shares.shot_id").Joins("JOIN productions p ON p.id = shots.production_id").
		Joins(account.JoinUndeleted("p.owner_id")).Joins("LEFT "+org.Join("p.organization_id")).
		Where("shot_shares.shot_id = ? AND shot_shares.until > ?", id, s.DB.Clock.Now()).
		Where("p.organization_id IS NULL OR o.id IS NOT NULL"), errNoShot)
	if err != nil {
		return nil, err
	}
	return s.publicShot(ctx, shown)
}

// sharedShot is a share with who made it.
type sharedShot struct {
	Share
	Production, DisplayName        string
	Organization, OrganizationKind *string
}

func (s *Service) publicShot(ctx context.Context, shown *sharedShot) (*PublicShot, error) {
	files, err := s.Media.PrivateFiles(s.DB.Read(ctx), shown.files()...)
	if err != nil {
		return nil, err
	}
	now := s.DB.Clock.Now()
	public := &PublicShot{
		ID: shown.ShotID, Title: shown.Title, Production: shown.Production, Dialogue: shown.Dialogue, By: shown.DisplayName,
		Width: shown.Width, Height: shown.Height, Duration: shown.Duration, SharedUntil: shown.Until, UpdatedAt: shown.UpdatedAt,
	}
	if shown.OrganizationKind != nil && *shown.OrganizationKind == string(org.School) {
		public.By = *shown.Organization
	}
	for _, one := range []struct {
		id *models.ID
		to **string
	}{{shown.ImageFileID, &public.ImageURL}, {shown.VideoFileID, &public.VideoURL}, {shown.AudioFileID, &public.AudioURL}} {
		if file := fileOf(files, one.id); file != nil {
			address, until := s.Media.SignedURL(file, now)
			*one.to, public.URLExpiresAt = &address, until
		}
	}
	return public, nil
}

// sweepShares ends shares whose time is over.
func (s *Service) sweepShares(ctx context.Context) error {
	for {
		var over []models.ID
		err := s.DB.Write(ctx, func(tx *models.Tx) error {
			q := tx.Raw(`SELECT shot_id FROM shot_shares WHERE until <= ? ORDER BY until LIMIT ? FOR UPDATE SKIP LOCKED`, tx.Now, endedTogether)
			if err := q.Scan(&over).Error; err != nil || len(over) == 0 {
				return err
			}
			return s.endShares(tx, "shot_id IN ?", over)
		})
		if err != nil || len(over) < endedTogether {
			return err
		}
	}
}

// endedTogether is how many shares one transaction ends.
const endedTogether = 100
