package paint

import "github.com/lucasb-eyer/go-colorful"

// rgb is a color with channels from 0 to 1 as a screen wants them (sRGB).
type rgb colorful.Color

func hex(v uint32) rgb {
	return rgb{float64(v>>16&255) / 255, float64(v>>8&255) / 255, float64(v&255) / 255}
}

func (a rgb) scale(f float64) rgb { return rgb{a.R * f, a.G * f, a.B * f} }

// over lays b with the given share over a, as paint.
func (a rgb) over(b rgb, share float64) rgb {
	return rgb{a.R + (b.R-a.R)*share, a.G + (b.G-a.G)*share, a.B + (b.B-a.B)*share}
}

// screen adds light the way two projectors do: it never burns out.
func (a rgb) screen(b rgb, share float64) rgb {
	f := func(x, y float64) float64 { return 1 - (1-x)*(1-y*share) }
	return rgb{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B)}
}

// mix returns the color between two that looks like it.
func (a rgb) mix(b rgb, t float64) rgb {
	return rgb(colorful.Color(a).BlendOkLab(colorful.Color(b), t).Clamped())
}

// lightness is from 0 to 1, as the eye sees it.
func (a rgb) lightness() float64 {
	l, _, _ := colorful.Color(a).OkLab()
	return l
}

// chromaHue returns the chroma (0 to about 0.3) and the hue in degrees.
func (a rgb) chromaHue() (chroma, hue float64) {
	_, chroma, hue = colorful.Color(a).OkLch()
	return chroma, hue
}

// lch returns the color of a lightness (0 to 1), chroma (0 to about 0.3) and hue in degrees.
func lch(l, chroma, hue float64) rgb { return rgb(colorful.OkLch(l, chroma, hue).Clamped()) }

func clamp(v float64) float64 {
	if v > 1 {
		return 1
	}
	if v > 0 {
		return v
	}
	return 0
}

// smooth rises from 0 at a to 1 at b, gently at both ends.
func smooth(a, b, v float64) float64 {
	t := clamp((v - a) / (b - a))
	return t * t * (3 - 2*t)
}
