// Package facetest makes pictures in which the finder sees faces: of no one, for the
// pattern was grown from noise until the finder took it for a face.
package facetest

import (
	"bytes"
	_ "embed"
	"image"
	"image/color"
	"image/png"

	"golang.org/x/image/draw"
)

//go:embed nobody.png
var nobody []byte

// Draw makes a picture of a size in pixels with a face in the middle of each of some
// squares, which it fills by about a half. What is below a square is blue.
func Draw(width, height int, squares ...image.Rectangle) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{200, 205, 210, 255}), image.Point{}, draw.Src)
	grey, err := png.Decode(bytes.NewReader(nobody))
	if err != nil {
		panic(err)
	}
	for _, square := range squares {
		below := image.Rect(square.Min.X, square.Max.Y, square.Max.X, square.Max.Y+square.Dy())
		draw.Draw(img, below, image.NewUniform(color.RGBA{30, 70, 200, 255}), image.Point{}, draw.Src)
		scaled := image.NewGray(square)
		draw.ApproxBiLinear.Scale(scaled, square, grey, grey.Bounds(), draw.Src, nil)
		for y := square.Min.Y; y < square.Max.Y; y++ {
			for x := square.Min.X; x < square.Max.X; x++ {
				v := float64(scaled.GrayAt(x, y).Y)
				img.SetRGBA(x, y, color.RGBA{uint8(v), uint8(v * 0.8), uint8(v * 0.65), 255})
			}
		}
	}
	return img
}

// PNG is Draw as a file.
func PNG(width, height int, squares ...image.Rectangle) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, Draw(width, height, squares...)); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// One is a picture of 400 by 500 pixels with one face.
func One() []byte { return PNG(400, 500, image.Rect(50, 50, 350, 350)) }

// Two is a picture of 800 by 400 pixels with two faces, the middle of the left one at
// a quarter of the width and half of the height.
func Two() []byte {
	return PNG(800, 400, image.Rect(50, 50, 350, 350), image.Rect(450, 50, 750, 350))
}
