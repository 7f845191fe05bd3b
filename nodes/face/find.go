// Package face finds where faces are in pictures, never whose they are: it
// measures nothing that would tell one person from another. It also cuts faces out,
// and says what a set of pictures is good for: how sharp, how alike, which colors.
package face

import (
	_ "embed"
	"errors"
	"image"
	"image/color"
	"math"
	"sort"
	"sync"

	pigo "github.com/esimov/pigo/core"
	"golang.org/x/image/draw"
)

// facefinder are the finder's decision trees, a file of the module pigo; see LICENSE-pigo.
//
//go:embed facefinder
var facefinder []byte

// Box is where a face is, in parts of the picture from 0 to 1. Score is how sure
// the finder is, from 5 on.
type Box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Score  float64 `json:"score"`
}

const (
	// findSide is the longest side in pixels of what is searched: larger pictures are scaled down to it.
	findSide = 640
	// minFace is the smallest face that is found, in pixels of what is searched.
	minFace = 24
	// minScore tells faces from patterns.
	minScore = 5.0
	// maxFaces bounds what is told of one picture.
	maxFaces = 100
	// overlap is from which share two findings are one face.
	overlap = 0.2
)

var finder = sync.OnceValue(func() *pigo.Pigo {
	unpacked, err := pigo.NewPigo().Unpack(facefinder)
	if err != nil {
		panic("face: " + err.Error())
	}
	return unpacked
})

// Find tells where faces are, largest first, at most 100. minSize is the smallest
// height that counts, as part of the picture's shorter side; 0 is the finder's own.
func Find(img image.Image, minSize float64) []Box {
	gray := shrink(img, findSide)
	width, height := gray.Rect.Dx(), gray.Rect.Dy()
	shorter := min(width, height)
	least := max(minFace, int(math.Ceil(minSize*float64(shorter))))
	if shorter < minFace || least > shorter {
		return nil
	}
	found := finder().RunCascade(pigo.CascadeParams{
		MinSize: least, MaxSize: shorter, ShiftFactor: 0.1, ScaleFactor: 1.1,
		ImageParams: pigo.ImageParams{Pixels: gray.Pix, Rows: height, Cols: width, Dim: gray.Stride},
	}, 0)
	var boxes []Box
	for _, d := range finder().ClusterDetections(found, overlap) {
		if float64(d.Q) < minScore {
			continue
		}
		half := float64(d.Scale) / 2
		boxes = append(boxes, Box{
			X: part(float64(d.Col)-half, width), Y: part(float64(d.Row)-half, height),
			Width: part(float64(d.Scale), width), Height: part(float64(d.Scale), height),
			Score: math.Round(float64(d.Q)*10) / 10,
		})
	}
	sort.SliceStable(boxes, func(i, j int) bool { return boxes[i].Height > boxes[j].Height })
	return apart(boxes)
}

// apart leaves out findings within a larger one, which pictures of one face bring.
func apart(boxes []Box) []Box {
	var kept []Box
	for _, b := range boxes {
		inside := false
		for _, k := range kept {
			inside = inside || k.holds(b.X+b.Width/2, b.Y+b.Height/2) && b.Score < k.Score*2
		}
		if !inside && len(kept) < maxFaces {
			kept = append(kept, b)
		}
	}
	return kept
}

// holds tells whether a point of the picture lies in the box.
func (b Box) holds(x, y float64) bool {
	return x >= b.X && x <= b.X+b.Width && y >= b.Y && y <= b.Y+b.Height
}

// part is a length as part of a side, from 0 to 1, to four places.
func part(length float64, side int) float64 {
	return math.Round(max(0, min(1, length/float64(side)))*10_000) / 10_000
}

// shrink is a picture in grey on white, its longest side at most so many pixels.
func shrink(img image.Image, side int) *image.Gray {
	b := img.Bounds()
	width, height := fitted(b.Dx(), b.Dy(), side)
	small := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(small, small.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(small, small.Rect, img, b, draw.Over, nil)
	gray := image.NewGray(small.Rect)
	draw.Draw(gray, gray.Rect, small, image.Point{}, draw.Src)
	return gray
}

// fitted are the sides of a picture whose longest is at most so many pixels.
func fitted(width, height, side int) (int, int) {
	longest := max(width, height)
	if longest <= side {
		return width, height
	}
	return max(1, width*side/longest), max(1, height*side/longest)
}

// Why a picture does not show the one face that is asked for.
var (
	ErrNone    = errors.New("shows no face that the finder sees: say where it is with crop")
	ErrSeveral = errors.New("shows several faces: say which with x and y, or with crop")
	ErrPoint   = errors.New("shows no face at this point")
	ErrCrop    = errors.New("does not reach as far as the crop")
	ErrSmall   = errors.New("shows too little of the face")
)

// Point is a place in a picture, in parts of its sides from 0 to 1.
type Point struct{ X, Y float64 }

// One is where the one face of a picture is: the only one, or the one at a point.
func One(img image.Image, at *Point) (Box, error) {
	boxes := Find(img, 0)
	switch {
	case len(boxes) == 0:
		return Box{}, ErrNone
	case at == nil && len(boxes) > 1:
		return Box{}, ErrSeveral
	case at == nil:
		return boxes[0], nil
	}
	for i := len(boxes) - 1; i >= 0; i-- { // the smallest that holds it
		if boxes[i].holds(at.X, at.Y) {
			return boxes[i], nil
		}
	}
	return Box{}, ErrPoint
}
