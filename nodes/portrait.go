package nodes

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"

	"atelier/models"
)

// What a person may send as their picture, and what is made of it.
const (
	// MaxPortraitBytes is a photo as telephones take them.
	MaxPortraitBytes = 12 << 20
	portraitSide     = 256
	portraitQuality  = 86
	// maxPortraitPixels is less than nodes may work on: nobody waits for it in a queue.
	maxPortraitPixels = 32_000_000
)

// portraits bounds how many are decoded at once: each may need 128 MiB.
var portraits = make(chan struct{}, 2)

// Portrait makes a small square JPEG of a PNG, JPEG, GIF or WebP: the middle of it,
// upright. Nothing of the file itself is kept, neither where the photo was taken.
func Portrait(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxPortraitBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxPortraitBytes {
		return nil, models.Err(models.CodePayloadTooLarge, "A picture may have at most %d MiB", MaxPortraitBytes>>20)
	}
	kind := SniffType(data[:min(len(data), sniffLength)])
	if kindOf(kind) != "image" {
		return nil, models.Invalid("picture", "must be a PNG, JPEG, GIF or WebP")
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, models.Invalid("picture", "cannot be read: choose a PNG, JPEG, GIF or WebP")
	}
	if config.Width <= 0 || config.Height <= 0 || int64(config.Width)*int64(config.Height) > maxPortraitPixels {
		return nil, models.Invalid("picture", "has too many pixels: at most %d megapixels work", maxPortraitPixels/1_000_000)
	}
	portraits <- struct{}{}
	defer func() { <-portraits }()
	img, err := decodeImage(bytes.NewReader(data), kind)
	if err != nil {
		return nil, models.Invalid("picture", "cannot be read: it may be damaged or cut off")
	}
	square := fitImage(img, portraitSide, portraitSide, "cover")
	ground := image.NewRGBA(square.Bounds()) // JPEG knows no transparency
	draw.Draw(ground, ground.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(ground, ground.Bounds(), square, square.Bounds().Min, draw.Over)
	var b bytes.Buffer
	err = jpeg.Encode(&b, ground, &jpeg.Options{Quality: portraitQuality})
	return b.Bytes(), err
}
