package face

import (
	"image"
	"math/bits"

	"golang.org/x/image/draw"
)

const (
	// sharpSide is the longest side in pixels at which sharpness is measured.
	sharpSide = 512
	// Blurred is below which sharpness a picture is blurred.
	Blurred = 40.0
	// Alike is up to how many different bits two hashes are of one picture.
	Alike = 6
)

// Sharpness is the variance of the Laplacian of a picture in grey: low where nothing
// has an edge.
func Sharpness(img image.Image) float64 {
	gray := shrink(img, sharpSide)
	width, height := gray.Rect.Dx(), gray.Rect.Dy()
	var sum, squares, n float64
	for y := 1; y < height-1; y++ {
		for x := 1; x < width-1; x++ {
			at := y*gray.Stride + x
			v := float64(gray.Pix[at-1]) + float64(gray.Pix[at+1]) + float64(gray.Pix[at-gray.Stride]) + float64(gray.Pix[at+gray.Stride]) - 4*float64(gray.Pix[at])
			sum, squares, n = sum+v, squares+v*v, n+1
		}
	}
	if n == 0 {
		return 0
	}
	mean := sum / n
	return squares/n - mean*mean
}

// Hash is the difference hash of a picture: whether it grows darker from one to the
// next of 8 by 8 places. Scaled and recompressed pictures have nearly the same.
func Hash(img image.Image) uint64 {
	small := image.NewGray(image.Rect(0, 0, 9, 8))
	draw.CatmullRom.Scale(small, small.Rect, shrink(img, 256), shrunk(img, 256), draw.Src, nil)
	var hash uint64
	for y := range 8 {
		for x := range 8 {
			hash <<= 1
			if small.Pix[y*small.Stride+x] > small.Pix[y*small.Stride+x+1] {
				hash |= 1
			}
		}
	}
	return hash
}

func shrunk(img image.Image, side int) image.Rectangle {
	width, height := fitted(img.Bounds().Dx(), img.Bounds().Dy(), side)
	return image.Rect(0, 0, width, height)
}

// Apart is in how many bits two hashes differ, 0 to 64.
func Apart(a, b uint64) int { return bits.OnesCount64(a ^ b) }
