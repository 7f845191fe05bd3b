package library

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"
	"strings"

	"atelier/models"
	"atelier/models/flow"
	"atelier/nodes"
)

// broughtImage is a picture that has arrived for an element: of a face, the
// square cut around it.
type broughtImage struct {
	*flow.Incoming
	palette []string
	// of is the own file that it was copied from; nil when it lay elsewhere.
	of *flow.MediaFile
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
	arrived, of, err := s.Flows.ArriveFrom(ctx, in.URL)
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
func (s *Service) bring(ctx context.Context, kind Kind, arrived *flow.Incoming, field string, in AddImageInput) (*broughtImage, error) {
	if !strings.HasPrefix(arrived.ContentType(), "image/") {
		arrived.Close()
		return nil, models.Err(models.CodeUnsupportedMediaType, "Pictures of elements are images; this is %s", arrived.ContentType())
	}
	if width, height := arrived.Pixels(); width == 0 || height == 0 {
		arrived.Close()
		return nil, models.Invalid(field, "is no image that can be read")
	}
	if kind != Face {
		return &broughtImage{Incoming: arrived, palette: paletteOf(arrived.Content())}, nil
	}
	defer arrived.Close()
	content, err := io.ReadAll(arrived.Content())
	if err != nil {
		return nil, err
	}
	square, _, _, err := s.facePicture(content, field, in.X, in.Y, in.Crop)
	if err != nil {
		return nil, err
	}
	cut, err := s.Flows.Media.Arrive(ctx, bytes.NewReader(square))
	if err != nil {
		return nil, err
	}
	return &broughtImage{Incoming: cut, palette: paletteOf(cut.Content())}, nil
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

// paletteOf are the colours of a picture; none when it cannot be decoded here.
func paletteOf(content io.Reader) (colours []string) {
	_ = nodes.ReadPicture(content, func(img image.Image) error {
		colours = palette(img)
		return nil
	})
	return colours
}

func contents(images []*broughtImage) []*flow.Incoming {
	all := make([]*flow.Incoming, len(images))
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
