package face

import (
	"image"
	"image/color"
	"image/draw"

	xdraw "golang.org/x/image/draw"
)

// Cover lays a head over a face, larger by scale. What lies below is gone: the whole ellipse is opaque.
func Cover(dst draw.Image, b Box, head image.Image, scale float64) {
	bounds := dst.Bounds()
	w, h := float64(bounds.Dx())*b.Width*scale, float64(bounds.Dy())*b.Height*scale*1.1
	x, y := float64(bounds.Min.X)+float64(bounds.Dx())*(b.X+b.Width/2), float64(bounds.Min.Y)+float64(bounds.Dy())*(b.Y+b.Height/2)
	at := image.Rect(int(x-w/2), int(y-h/2), int(x+w/2+1), int(y+h/2+1))
	size := image.Rect(0, 0, at.Dx(), at.Dy())
	if size.Dx() > 2*bounds.Dx() || size.Dy() > 2*bounds.Dy() {
		return // no face is that large
	}
	patch := image.NewRGBA(size)
	draw.Draw(patch, size, image.NewUniform(color.NRGBA{0xd8, 0xd8, 0xd8, 0xff}), image.Point{}, draw.Src)
	xdraw.ApproxBiLinear.Scale(patch, size, head, head.Bounds(), xdraw.Over, nil)
	draw.DrawMask(dst, at, patch, image.Point{}, ellipse(size), image.Point{}, draw.Over)
}

// ellipse is opaque within the box that it fills.
type ellipse image.Rectangle

func (e ellipse) ColorModel() color.Model { return color.AlphaModel }
func (e ellipse) Bounds() image.Rectangle { return image.Rectangle(e) }
func (e ellipse) At(x, y int) color.Color {
	rx, ry := float64(e.Max.X)/2, float64(e.Max.Y)/2
	dx, dy := (float64(x)+0.5-rx)/rx, (float64(y)+0.5-ry)/ry
	if dx*dx+dy*dy <= 1 {
		return color.Opaque
	}
	return color.Transparent
}

// HeadOfPortrait returns the part of a drawn portrait in which the head is.
func HeadOfPortrait(img image.Image) image.Image {
	b := img.Bounds()
	side := min(b.Dx(), b.Dy()) * 72 / 100
	left, top := b.Min.X+(b.Dx()-side)/2, b.Min.Y+b.Dy()*6/100
	dst := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.Draw(dst, dst.Rect, img, image.Pt(left, top), draw.Src)
	return dst
}
