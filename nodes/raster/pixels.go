package raster

import (
	"image"
	"image/color"
)

// reader copies pixels of a picture from a point to the right: red, green, blue and alpha, which is not
// multiplied into the others.
func reader(img image.Image) func(to []byte, x, y int) {
	switch img := img.(type) {
	case *image.NRGBA:
		return func(to []byte, x, y int) { copy(to, img.Pix[img.PixOffset(x, y):]) }
	case *image.YCbCr:
		return func(to []byte, x, y int) {
			for i := 0; i < len(to); i += 4 {
				c, l := img.COffset(x, y), img.YOffset(x, y)
				to[i], to[i+1], to[i+2] = color.YCbCrToRGB(img.Y[l], img.Cb[c], img.Cr[c])
				to[i+3] = 255
				x++
			}
		}
	case *image.Gray:
		return func(to []byte, x, y int) {
			for i, v := range img.Pix[img.PixOffset(x, y):][:len(to)/4] {
				to[4*i], to[4*i+1], to[4*i+2], to[4*i+3] = v, v, v, 255
			}
		}
	case *image.Paletted:
		colors := make([]color.NRGBA, 256)
		for i, c := range img.Palette {
			colors[i] = color.NRGBAModel.Convert(c).(color.NRGBA)
		}
		return func(to []byte, x, y int) {
			for i, v := range img.Pix[img.PixOffset(x, y):][:len(to)/4] {
				c := colors[v]
				to[4*i], to[4*i+1], to[4*i+2], to[4*i+3] = c.R, c.G, c.B, c.A
			}
		}
	}
	return func(to []byte, x, y int) {
		for i := 0; i < len(to); i += 4 {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			to[i], to[i+1], to[i+2], to[i+3] = c.R, c.G, c.B, c.A
			x++
		}
	}
}
