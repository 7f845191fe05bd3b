package paint

import "math"

// rgb is a colour with channels from 0 to 1 as a screen wants them (sRGB).
type rgb struct{ r, g, b float64 }

func hex(v uint32) rgb {
	return rgb{float64(v>>16&255) / 255, float64(v>>8&255) / 255, float64(v&255) / 255}
}

func (a rgb) scale(f float64) rgb { return rgb{a.r * f, a.g * f, a.b * f} }

// over lays b with the given share over a, as paint.
func (a rgb) over(b rgb, share float64) rgb {
	return rgb{a.r + (b.r-a.r)*share, a.g + (b.g-a.g)*share, a.b + (b.b-a.b)*share}
}

// screen adds light the way two projectors do: it never burns out.
func (a rgb) screen(b rgb, share float64) rgb {
	f := func(x, y float64) float64 { return 1 - (1-x)*(1-y*share) }
	return rgb{f(a.r, b.r), f(a.g, b.g), f(a.b, b.b)}
}

// lab is a colour in OKLab, where the middle of two colours looks like it.
type lab struct{ l, a, b float64 }

func (c rgb) lab() lab {
	r, g, b := linear(c.r), linear(c.g), linear(c.b)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return lab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

func (c lab) rgb() rgb {
	l := c.l + 0.3963377774*c.a + 0.2158037573*c.b
	m := c.l - 0.1055613458*c.a - 0.0638541728*c.b
	s := c.l - 0.0894841775*c.a - 1.2914855480*c.b
	l, m, s = l*l*l, m*m*m, s*s*s
	return rgb{
		gamma(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		gamma(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		gamma(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s),
	}
}

func (c lab) mix(d lab, t float64) lab {
	return lab{c.l + (d.l-c.l)*t, c.a + (d.a-c.a)*t, c.b + (d.b-c.b)*t}
}

// lch is a colour by lightness (0 to 1), chroma (0 to about 0.3) and hue in degrees.
func lch(l, chroma, hue float64) rgb {
	sin, cos := math.Sincos(hue * math.Pi / 180)
	return lab{l, chroma * cos, chroma * sin}.rgb()
}

func linear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func gamma(v float64) float64 {
	if v <= 0.0031308 {
		return clamp(v * 12.92)
	}
	return clamp(1.055*math.Pow(v, 1/2.4) - 0.055)
}

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
