package library

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"math"
	"os"

	"atelier/models"
	"atelier/nodes/face"
	"atelier/nodes/kit"
)

// faceErrors are the refusals of a picture that does not show the one face.
var faceErrors = []error{face.ErrNone, face.ErrSeveral, face.ErrPoint, face.ErrCrop, face.ErrSmall}

// facePicture is what is kept of a picture of a face: the square around it as PNG,
// at most 1,024 pixels a side, and nothing else of the file. A point or a crop
// chooses; field names the picture in refusals. It works for long: outside of
// transactions.
func (s *Service) facePicture(ctx context.Context, file *os.File, size int64, field string, x, y *float64, crop *Crop) (kept []byte, width, height int, err error) {
	at, err := facePoint(x, y)
	if err != nil {
		return nil, 0, 0, err
	}
	var cut *image.RGBA
	err = kit.ReadPicture(ctx, file, size, func(img image.Image) (err error) {
		if crop != nil {
			cut, err = face.CutPart(img, face.Box{X: crop.X, Y: crop.Y, Width: crop.Width, Height: crop.Height})
			return err
		}
		box, err := face.One(img, at)
		if err != nil {
			return err
		}
		cut, err = face.Cut(img, box)
		return err
	})
	if err != nil {
		return nil, 0, 0, faceRefusal(field, err)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, cut); err != nil {
		return nil, 0, 0, err
	}
	return b.Bytes(), cut.Rect.Dx(), cut.Rect.Dy(), nil
}

func facePoint(x, y *float64) (*face.Point, error) {
	if x == nil && y == nil {
		return nil, nil
	}
	for _, c := range []struct {
		name  string
		value *float64
	}{{"x", x}, {"y", y}} {
		if c.value == nil || math.IsNaN(*c.value) || *c.value < 0 || *c.value > 1 {
			return nil, models.Invalid(c.name, "must be from 0 to 1, and come with the other of x and y")
		}
	}
	return &face.Point{X: *x, Y: *y}, nil
}

// faceRefusal names the field of a picture that does not serve.
func faceRefusal(field string, err error) error {
	for _, known := range faceErrors {
		if errors.Is(err, known) {
			return models.Invalid(field, "%s", known.Error())
		}
	}
	if kit.IsFailure(err) {
		return models.Invalid(field, "cannot be read: %s", err.Error())
	}
	return err
}
