package kit

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"os"

	"atelier/mediatype"
	"atelier/models"
	"atelier/nodes/raster"
)

// What a person may send as their picture, and what is made of it.
const (
	// MaxPortraitBytes is a photo as telephones take them.
	MaxPortraitBytes = 12 << 20
	portraitSide     = 256
	portraitQuality  = 86
	// maxPortraitPixels is less than nodes may work on.
	maxPortraitPixels = 32_000_000
)

// Portrait makes a small square JPEG of a picture of any format that is taken: the middle of it,
// upright. Nothing of the file itself is kept, neither where the photo was taken.
func Portrait(ctx context.Context, r io.Reader) ([]byte, error) {
	return readSmall(ctx, r, func(img *image.NRGBA, b *bytes.Buffer) error {
		square := FitImage(img, portraitSide, portraitSide, "cover")
		ground := image.NewRGBA(square.Bounds()) // JPEG knows no transparency
		draw.Draw(ground, ground.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
		draw.Draw(ground, ground.Bounds(), square, square.Bounds().Min, draw.Over)
		return jpeg.Encode(b, ground, &jpeg.Options{Quality: portraitQuality})
	})
}

// The bounds of a logo, in pixels.
const maxLogoWidth, maxLogoHeight = 320, 96

// Logo makes a small PNG of a picture of any format that is taken, as a whole. Nothing of the file itself is kept.
func Logo(ctx context.Context, r io.Reader) ([]byte, error) {
	return readSmall(ctx, r, func(img *image.NRGBA, b *bytes.Buffer) error {
		size := img.Bounds().Size()
		scale := min(1, float64(maxLogoWidth)/float64(size.X), float64(maxLogoHeight)/float64(size.Y))
		width, height := max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale))
		return png.Encode(b, raster.Scale(img, img.Bounds(), width, height))
	})
}

// readSmall reads a picture within the bounds of portraits, and has it drawn.
func readSmall(ctx context.Context, r io.Reader, draw func(*image.NRGBA, *bytes.Buffer) error) ([]byte, error) {
	dir, err := os.MkdirTemp("", "atelier-media-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file, err := os.CreateTemp(dir, "portrait-*")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size, err := io.Copy(file, io.LimitReader(r, MaxPortraitBytes+1))
	if err != nil {
		return nil, err
	}
	if size > MaxPortraitBytes {
		return nil, models.Err(models.CodePayloadTooLarge, "A picture may have at most %d MiB", MaxPortraitBytes>>20)
	}
	if file, size, err = portraitStill(ctx, dir, file, size); err != nil {
		return nil, err
	}
	defer file.Close()
	head, err := raster.Look(file, size)
	if err == nil && head.Width*head.Height > maxPortraitPixels {
		return nil, models.Invalid("picture", "has too many pixels: at most %d megapixels work", maxPortraitPixels/1_000_000)
	}
	if err != nil {
		return nil, invalidPicture("picture", err)
	}
	release, err := decoding.take(ctx, originOf(ctx))
	if err != nil {
		return nil, err
	}
	defer release()
	img, err := raster.Decode(ctx, file, size)
	if err != nil {
		return nil, invalidPicture("picture", err)
	}
	var b bytes.Buffer
	err = draw(img, &b)
	return b.Bytes(), err
}

// portraitStill refuses what is no picture, and decodes what a program outside has to.
func portraitStill(ctx context.Context, dir string, file *os.File, size int64) (*os.File, int64, error) {
	kind, err := sniffFile(file)
	if err != nil {
		return nil, 0, err
	}
	if !mediatype.Taken(kind) || mediatype.Kind(kind) != "image" {
		return nil, 0, models.Invalid("picture", "must be an image: %s", KindFormats["image"])
	}
	if !converts(kind) {
		return file, size, nil
	}
	still, err := toStill(ctx, dir, file, kind)
	if err != nil {
		return nil, 0, models.Invalid("picture", "cannot be read: choose a PNG, JPEG, GIF or WebP")
	}
	size, err = sizeOf(still)
	return still, size, err
}
