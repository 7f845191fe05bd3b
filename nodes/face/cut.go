package face

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"
)

const (
	// MaxSide is the side in pixels of the largest square that is cut out.
	MaxSide = 1024
	// minSide is the smallest one that is worth keeping.
	minSide = 32
	// around is how much is kept around the box of a face, hair and chin too.
	around = 1.7
)

// Cut is the square around a face, at most 1,024 pixels a side, as pixels and nothing else.
func Cut(img image.Image, b Box) (*image.RGBA, error) {
	width, height := size(img)
	side := max(b.Width*width, b.Height*height) * around
	return square(img, (b.X+b.Width/2)*width, (b.Y+b.Height*0.47)*height, side)
}

// CutPart is the square around a part of a picture that a person chose: ErrCrop
// when it does not lie within the picture.
func CutPart(img image.Image, b Box) (*image.RGBA, error) {
	for _, v := range []float64{b.X, b.Y, b.Width, b.Height} {
		if math.IsNaN(v) || v < 0 || v > 1 {
			return nil, ErrCrop
		}
	}
	const rounding = 1e-6
	if b.Width <= 0 || b.Height <= 0 || b.X+b.Width > 1+rounding || b.Y+b.Height > 1+rounding {
		return nil, ErrCrop
	}
	width, height := size(img)
	return square(img, (b.X+b.Width/2)*width, (b.Y+b.Height/2)*height, max(b.Width*width, b.Height*height))
}

func size(img image.Image) (width, height float64) {
	return float64(img.Bounds().Dx()), float64(img.Bounds().Dy())
}

// square cuts a square of a side in pixels around a place, moved and made smaller
// as far as the picture asks for it.
func square(img image.Image, x, y, side float64) (*image.RGBA, error) {
	width, height := size(img)
	side = math.Floor(min(side, width, height))
	if side < minSide {
		return nil, ErrSmall
	}
	left := max(0, min(width-side, x-side/2))
	top := max(0, min(height-side, y-side/2))
	from := image.Rect(int(left), int(top), int(left)+int(side), int(top)+int(side)).Add(img.Bounds().Min)
	out := min(int(side), MaxSide)
	dst := image.NewRGBA(image.Rect(0, 0, out, out))
	draw.Draw(dst, dst.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(dst, dst.Rect, img, from, draw.Over, nil)
	return dst, nil
}
