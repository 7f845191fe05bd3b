package library

import (
	"bytes"
	"context"
	"errors"
	"image"
	"strings"

	"atelier/models"
	"atelier/models/media"
	"atelier/nodes/kit"
)

// broughtImage is a picture that has arrived for an element: of a face, the
// square cut around it.
type broughtImage struct {
	*media.Incoming
	palette []string
	// of is the person's file that it was copied from; nil when it lay elsewhere.
	of *media.File
}

// bringAll fetches the pictures of a new element.
func (s *Service) bringAll(ctx context.Context, kind Kind, urls []string) ([]*broughtImage, error) {
	var all []*broughtImage
	for i, url := range urls {
		image, err := s.bringFrom(ctx, kind, AddImageInput{URL: url})
		var refusal *models.Error
		if errors.As(err, &refusal) && refusal.Field == "url" {
			err = models.Invalid("imageUrls", "number %d %s", i+1, strings.TrimPrefix(refusal.Message, "url "))
		}
		if err != nil {
			return all, err
		}
		all = append(all, image)
	}
	return all, nil
}

// bringFrom fetches the picture of an element at an address.
func (s *Service) bringFrom(ctx context.Context, kind Kind, in AddImageInput) (*broughtImage, error) {
	arrived, of, err := s.Media.ArriveFrom(ctx, in.URL)
	if err != nil {
		return nil, err
	}
	image, err := s.bring(ctx, kind, arrived, "url", in)
	if err == nil {
		image.of = of
	}
	return image, err
}

// bring makes what has arrived the picture of an element: images alone, else
// unsupported_media_type. field names it in refusals.
func (s *Service) bring(ctx context.Context, kind Kind, arrived *media.Incoming, field string, in AddImageInput) (*broughtImage, error) {
	if !strings.HasPrefix(arrived.ContentType(), "image/") {
		arrived.Close()
		return nil, models.Err(models.CodeUnsupportedMediaType, "Pictures of elements are images; this is %s", arrived.ContentType())
	}
	if width, height := arrived.Pixels(); width == 0 || height == 0 {
		arrived.Close()
		return nil, models.Invalid(field, "is no image that can be read")
	}
	if kind != Face {
		return withPalette(ctx, arrived)
	}
	defer arrived.Close()
	square, _, _, err := s.facePicture(ctx, arrived.File(), arrived.Size(), field, in.X, in.Y, in.Crop)
	if err != nil {
		return nil, err
	}
	cut, err := s.Media.TakeMade(ctx, bytes.NewReader(square))
	if err != nil {
		return nil, err
	}
	return withPalette(ctx, cut)
}

// withPalette is a picture that has arrived, with its colors; none of them when it cannot be decoded here.
func withPalette(ctx context.Context, arrived *media.Incoming) (*broughtImage, error) {
	var colors []string
	err := kit.ReadPicture(ctx, arrived.File(), arrived.Size(), func(img image.Image) error {
		colors = palette(img)
		return nil
	})
	if err != nil && !kit.IsFailure(err) {
		arrived.Close()
		return nil, err
	}
	return &broughtImage{Incoming: arrived, palette: colors}, nil
}

// onlyOfFaces refuses what chooses a face, of anything else.
func onlyOfFaces(kind Kind, in AddImageInput) error {
	if kind == Face {
		return nil
	}
	if in.X != nil || in.Y != nil {
		return models.Invalid("x", "is for faces")
	}
	if in.Crop != nil {
		return models.Invalid("crop", "is for faces")
	}
	return nil
}

func contents(images []*broughtImage) []*media.Incoming {
	all := make([]*media.Incoming, len(images))
	for i, image := range images {
		all[i] = image.Incoming
	}
	return all
}

func closeAll(images []*broughtImage) {
	for _, image := range images {
		image.Close()
	}
}
