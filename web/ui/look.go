package ui

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Look is what operators set of how pages look, and of what stands at their end.
type Look struct {
	// Logo is the path of a picture in place of the program's own mark; empty without one.
	Logo string
	// Accent is a color such as #2f4bd8; empty for the program's own.
	Accent string
	// Contact is whom people ask: an address of mail, or of a page.
	Contact              string
	HasTerms, HasPrivacy bool
}

type lookKey struct{}

// WithLook has the pages of a request look so.
func WithLook(ctx context.Context, l Look) context.Context {
	return context.WithValue(ctx, lookKey{}, l)
}

// LookFrom is how the pages of a request look.
func LookFrom(ctx context.Context) Look {
	l, _ := ctx.Value(lookKey{}).(Look)
	return l
}

// AccentPath is the address of the style sheet that sets the color of its parameter.
const AccentPath = "/install/accent.css"

// accentHref is the style sheet of the color; empty for the program's own.
func (l Look) accentHref() string {
	if l.Accent == "" {
		return ""
	}
	return AccentPath + "?color=" + strings.TrimPrefix(l.Accent, "#")
}

// ContactHref leads to a contact: a mail to an address, or a page; empty for any other text.
func ContactHref(contact string) string {
	switch {
	case strings.HasPrefix(contact, "https://") || strings.HasPrefix(contact, "http://"):
		return contact
	case strings.Count(contact, "@") == 1 && !strings.ContainsAny(contact, " ,;<>?&"):
		return "mailto:" + contact
	}
	return ""
}

// AccentCSS sets a color, made darker for the light theme and lighter for the dark one as far as it takes to be read.
func AccentCSS(accent string) (string, bool) {
	c, ok := parseColor(accent)
	if !ok {
		return "", false
	}
	l, d := accentOf(c, false), accentOf(c, true)
	pair := func(name string, a, b rgb) string { return fmt.Sprintf("--%s: light-dark(%s, %s);", name, a, b) }
	return ":root {" + pair("accent", l.accent, d.accent) + pair("accent-hover", l.hover, d.hover) + pair("accent-ink", l.ink, d.ink) +
		pair("accent-soft", l.soft, d.soft) + "}\n", true
}

// rgb is a color in three parts from 0 to 1.
type rgb [3]float64

func parseColor(s string) (c rgb, ok bool) {
	s = strings.TrimPrefix(s, "#")
	if len(s) != 6 {
		return c, false
	}
	for i := range c {
		part, err := strconv.ParseUint(s[2*i:2*i+2], 16, 8)
		if err != nil {
			return c, false
		}
		c[i] = float64(part) / 255
	}
	return c, true
}

func (c rgb) String() string {
	return fmt.Sprintf("#%02x%02x%02x", int(math.Round(c[0]*255)), int(math.Round(c[1]*255)), int(math.Round(c[2]*255)))
}

// mixed is the color with a share of another.
func (c rgb) mixed(with rgb, share float64) (out rgb) {
	for i := range c {
		out[i] = c[i]*(1-share) + with[i]*share
	}
	return out
}

// contrast is that of WCAG 2.2.
func contrast(a, b rgb) float64 {
	light := func(c rgb) float64 {
		var lin [3]float64
		for i, v := range c {
			if lin[i] = v / 12.92; v > 0.04045 {
				lin[i] = math.Pow((v+0.055)/1.055, 2.4)
			}
		}
		return 0.2126*lin[0] + 0.7152*lin[1] + 0.0722*lin[2]
	}
	x, y := light(a), light(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// accents are the tokens that a color sets in one theme.
type accents struct{ accent, hover, ink, soft rgb }

// accentOf are the tokens of a theme: the color as it is, or as far towards black or white as its words need to be read
// on every ground of the theme.
func accentOf(c rgb, dark bool) accents {
	white, black := rgb{1, 1, 1}, rgb{}
	toward, ground, share := black, rgb{0.93, 0.92, 0.9}, 0.1
	ink := white
	if dark {
		toward, ground, share = white, rgb{0.115, 0.125, 0.155}, 0.16
		ink = rgb{0.067, 0.075, 0.11}
	}
	var a accents
	for step := 0.0; step <= 1; step += 0.02 {
		a.accent = c.mixed(toward, step)
		a.soft = white.mixed(a.accent, share)
		if dark {
			a.soft = rgb{0.08, 0.082, 0.1}.mixed(a.accent, share)
		}
		a.hover, a.ink = a.accent.mixed(toward, 0.18), ink
		if contrast(a.accent, ground) >= 4.6 && contrast(a.accent, a.soft) >= 4.6 && contrast(a.ink, a.accent) >= 4.6 {
			break
		}
	}
	return a
}
