package kit

import (
	"bytes"
	"context"
	"errors"
	"io"

	"atelier/models"
	"atelier/nodes/raster"
)

// measure reads the size of a picture, before anything decodes its pixels.
// Other kinds pass as they are.
func measure(r io.Reader, kind string) (width, height int, content io.Reader, err error) {
	if kind != "image" {
		return 0, 0, r, nil
	}
	data, err := io.ReadAll(&Bounded{From: r, Left: raster.MaxBytes})
	if err != nil {
		return 0, 0, nil, NotOpened(err, kind)
	}
	head, err := raster.Look(bytes.NewReader(data), int64(len(data)))
	if errors.Is(err, raster.ErrUnreadable) {
		return 0, 0, nil, Failf("The provider's picture cannot be read").WithHint("Nothing was charged. Run it again, or choose another model.")
	}
	return head.Width, head.Height, bytes.NewReader(data), pictureFailure(err, "")
}

// readFailure tells trouble with reading what is kept from our own.
func readFailure(err error, kind string) error {
	var failure *Failure
	var refusal *models.Error
	if err == nil || errors.As(err, &failure) || errors.Is(err, context.Canceled) {
		return err
	}
	if errors.As(err, &refusal) || errors.Is(err, io.ErrUnexpectedEOF) {
		return Failf("The %s of the provider could not be fetched whole", kind)
	}
	return err
}
