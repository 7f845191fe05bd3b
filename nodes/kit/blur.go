package kit

import (
	"image"
	"image/draw"
	"math"
)

// BlurRadius is up to 4 % of the shorter side.
func BlurRadius(img *image.NRGBA, amount float64) int {
	side := min(img.Bounds().Dx(), img.Bounds().Dy())
	return max(1, int(math.Abs(amount)*float64(side)*0.04))
}

// Blurred is three running means in each direction, which looks like a Gauss.
// It works on premultiplied colors, so that transparent pixels lend none.
func Blurred(src *image.NRGBA, radius int) *image.NRGBA {
	b := src.Bounds()
	img := image.NewRGBA(b)
	draw.Draw(img, b, src, b.Min, draw.Src)
	line := make([]uint8, 4*max(b.Dx(), b.Dy()))
	for range 3 {
		for y := range b.Dy() {
			mean(img.Pix[y*img.Stride:], 4, b.Dx(), radius, line)
		}
		for x := range b.Dx() {
			mean(img.Pix[x*4:], img.Stride, b.Dy(), radius, line)
		}
	}
	dst := image.NewNRGBA(b)
	draw.Draw(dst, b, img, b.Min, draw.Src)
	return dst
}

// mean replaces each of n pixels that lie step bytes apart by the mean of its
// neighbours; the ends count on beyond the edge.
func mean(pix []uint8, step, n, radius int, line []uint8) {
	var sum [4]int
	for i := range n {
		copy(line[i*4:i*4+4], pix[i*step:])
	}
	at := func(i int) []uint8 { i = max(0, min(n-1, i)); return line[i*4 : i*4+4] }
	for i := -radius; i <= radius; i++ {
		for k, v := range at(i) {
			sum[k] += int(v)
		}
	}
	size := 2*radius + 1
	for i := range n {
		in, out := at(i+radius+1), at(i-radius)
		for k := range 4 {
			pix[i*step+k] = uint8((sum[k] + radius) / size)
			sum[k] += int(in[k]) - int(out[k])
		}
	}
}

// Sharpen adds what a slight blur takes away (an unsharp mask).
func Sharpen(img *image.NRGBA, amount float64) {
	soft := Blurred(img, 1)
	for i, v := range img.Pix {
		if i%4 != 3 {
			d := float64(v) - float64(soft.Pix[i])
			img.Pix[i] = ByteOf((float64(v) + 2.4*amount*d) / 255)
		}
	}
}

func ByteOf(v float64) uint8 { return uint8(math.Max(0, math.Min(1, v))*255 + 0.5) }
