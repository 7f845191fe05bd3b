package raster

import (
	"image"
	"math"
)

// Scale makes a picture of a size of a part of another one, smoothly (Catmull-Rom). It goes over the
// picture row by row, so that it takes little memory beside the result, whatever the sides.
func Scale(src *image.NRGBA, from image.Rectangle, width, height int) *image.NRGBA {
	dst := image.NewNRGBA(image.Rect(0, 0, width, height))
	from = from.Intersect(src.Rect)
	if dst.Rect.Empty() || from.Empty() {
		return dst
	}
	s := &scaler{src: src, from: from, dst: dst, across: weigh(width, from.Dx()), down: weigh(height, from.Dy())}
	if height < from.Dy() {
		s.shrink()
	} else {
		s.grow()
	}
	return dst
}

type scaler struct {
	src, dst     *image.NRGBA
	from         image.Rectangle
	across, down []span
}

// span is which pixels of a line make one of the result, and how much each weighs.
type span struct {
	first   int
	weights []float32
}

// weigh are the spans of a line of some pixels that becomes one of others.
func weigh(to, from int) []span {
	spans := make([]span, to)
	scale := float64(from) / float64(to)
	wide := max(scale, 1)
	for i := range spans {
		center := (float64(i)+0.5)*scale - 0.5
		first := max(0, int(math.Ceil(center-2*wide)))
		last := min(from-1, int(math.Floor(center+2*wide)))
		if first > last {
			first = min(max(0, int(math.Round(center))), from-1)
			last = first
		}
		weights, sum := make([]float32, last-first+1), 0.0
		for k := range weights {
			w := catmullRom(math.Abs(float64(first+k)-center) / wide)
			weights[k] = float32(w)
			sum += w
		}
		if sum == 0 {
			weights[len(weights)/2], sum = 1, 1
		}
		for k := range weights {
			weights[k] /= float32(sum)
		}
		spans[i] = span{first, weights}
	}
	return spans
}

func catmullRom(t float64) float64 {
	switch {
	case t < 1:
		return (1.5*t-2.5)*t*t + 1
	case t < 2:
		return ((-0.5*t+2.5)*t-4)*t + 2
	}
	return 0
}

// row scales one row of the source across; colors are multiplied by their alpha.
func (s *scaler) row(y int, stored, to []float32) {
	at := s.src.PixOffset(s.from.Min.X, s.from.Min.Y+y)
	pix := s.src.Pix[at : at+4*s.from.Dx()]
	for i := 0; i < len(pix); i += 4 {
		a := float32(pix[i+3])
		stored[i], stored[i+1], stored[i+2], stored[i+3] = float32(pix[i])*a/255, float32(pix[i+1])*a/255, float32(pix[i+2])*a/255, a
	}
	for i, span := range s.across {
		var r, g, b, a float32
		part := stored[4*span.first:]
		for k, w := range span.weights {
			p := part[4*k : 4*k+4]
			r, g, b, a = r+w*p[0], g+w*p[1], b+w*p[2], a+w*p[3]
		}
		to[4*i], to[4*i+1], to[4*i+2], to[4*i+3] = r, g, b, a
	}
}

// put writes a finished row of the result.
func (s *scaler) put(y int, sums []float32) {
	pix := s.dst.Pix[y*s.dst.Stride:][:len(sums)]
	for i := 0; i < len(sums); i += 4 {
		a := min(max(sums[i+3], 0), 255)
		if a < 0.5 {
			continue
		}
		for k := range 3 {
			pix[i+k] = uint8(min(max(sums[i+k]*255/a, 0), 255) + 0.5)
		}
		pix[i+3] = uint8(a + 0.5)
	}
}

// add adds a row with a weight.
func add(sums, row []float32, weight float32) {
	for i, v := range row {
		sums[i] += weight * v
	}
}

// shrink goes over the rows of the source, each of which counts for a few of the result.
func (s *scaler) shrink() {
	stored, row := make([]float32, 4*s.from.Dx()), make([]float32, 4*len(s.across))
	open, done := map[int][]float32{}, 0
	for y := range s.from.Dy() {
		s.row(y, stored, row)
		for i := done; i < len(s.down) && s.down[i].first <= y; i++ {
			if open[i] == nil {
				open[i] = make([]float32, len(row))
			}
			if k := y - s.down[i].first; k < len(s.down[i].weights) {
				add(open[i], row, s.down[i].weights[k])
			}
		}
		for done < len(s.down) && open[done] != nil && s.down[done].first+len(s.down[done].weights)-1 <= y {
			s.put(done, open[done])
			delete(open, done)
			done++
		}
	}
}

// grow goes over the rows of the result, for each of which a few of the source count.
func (s *scaler) grow() {
	stored, sums := make([]float32, 4*s.from.Dx()), make([]float32, 4*len(s.across))
	rows := map[int][]float32{}
	for i, span := range s.down {
		for y := range rows {
			if y < span.first {
				delete(rows, y)
			}
		}
		clear(sums)
		for k, w := range span.weights {
			y := span.first + k
			if rows[y] == nil {
				rows[y] = make([]float32, len(sums))
				s.row(y, stored, rows[y])
			}
			add(sums, rows[y], w)
		}
		s.put(i, sums)
	}
}
