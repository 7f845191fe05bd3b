package nodes

import (
	"bytes"
	"errors"
	"image"
	"io"
)

// MaxPictureBytes is how large a picture may be that ReadPicture reads.
const MaxPictureBytes = maxImageBytes

// pictures bounds how many are read at once outside of nodes: each may need 256 MiB.
var pictures = make(chan struct{}, 2)

// ReadPicture decodes a PNG, JPEG, GIF, WebP or BMP of at most 64 megapixels, upright,
// and has fn look at it; few are looked at at once. Its refusals are sentences for people.
func ReadPicture(r io.Reader, fn func(image.Image) error) error {
	data, err := io.ReadAll(io.LimitReader(r, MaxPictureBytes+1))
	if err != nil {
		return err
	}
	if len(data) > MaxPictureBytes {
		return failf("The file is too large")
	}
	kind := SniffType(data[:min(len(data), sniffLength)])
	if kindOf(kind) != "image" {
		return notOfKind("image", kind)
	}
	pictures <- struct{}{}
	defer func() { <-pictures }()
	img, err := decodeImage(bytes.NewReader(data), kind)
	if err != nil {
		return err
	}
	return fn(img)
}

// IsFailure tells whether an error is a sentence for people, and not a fault of ours.
func IsFailure(err error) bool {
	var failure *Failure
	return errors.As(err, &failure)
}
