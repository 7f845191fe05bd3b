package lottie

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	imagefont "golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The bounds of all texts of a document.
const (
	maxLetters = 2_000
	maxPoints  = 60_000 // of their outlines
)

// letters draws those of a document: with outlines that the document brings
// along, else in one of the fonts of this program.
type letters struct {
	fonts           map[string]*font
	own             map[string]map[string]any // by family, style and letter
	buffer          sfnt.Buffer
	count, points   int
	absent, instead map[string]bool // letters without a picture, and fonts that others stand for
}

// font is one of a document.
type font struct {
	family, style string
	ascent        float64 // as a share of the size
	file          *sfnt.Font
	known         map[rune]letter
}

// letter is an outline at size 1; y goes down.
type letter struct {
	contours []contour
	advance  float64
}

// files are the fonts of this program.
var files = map[string][]byte{"": goregular.TTF, "bold": gobold.TTF, "italic": goitalic.TTF, "bold italic": gobolditalic.TTF, "mono": gomono.TTF}

func (l *letters) tooMany() bool { return l.count > maxLetters || l.points > maxPoints }

// read takes the fonts of a document and the letters that it brings along.
func (l *letters) read(root map[string]any) {
	l.fonts, l.own, l.absent, l.instead = map[string]*font{}, map[string]map[string]any{}, map[string]bool{}, map[string]bool{}
	for _, item := range list(object(root["fonts"])["list"]) {
		fields := object(item)
		name, _ := fields["fName"].(string)
		f := &font{ascent: bounded(number(fields["ascent"]), 1_000) / 100, known: map[rune]letter{}}
		f.family, _ = fields["fFamily"].(string)
		f.style, _ = fields["fStyle"].(string)
		l.fonts[name] = f
	}
	for _, item := range list(root["chars"]) {
		fields := object(item)
		l.own[fmt.Sprint(fields["fFamily"], "\n", fields["style"], "\n", fields["ch"])] = fields
	}
}

// font is that of a name, with the file that stands for it.
func (l *letters) font(name any) *font {
	called, _ := name.(string)
	f := l.fonts[called]
	if f == nil {
		f = &font{family: called, known: map[rune]letter{}}
		l.fonts[called] = f
	}
	if f.file != nil {
		return f
	}
	look, words := "", strings.ToLower(called+" "+f.family+" "+f.style)
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(s string) bool { return strings.Contains(words, s) })
	}
	if has("bold", "black", "heavy") {
		look = "bold"
	}
	if has("italic", "oblique") {
		look = strings.TrimSpace(look + " italic")
	}
	if look == "" && has("mono", "courier") {
		look = "mono"
	}
	file, err := sfnt.Parse(files[look])
	if err != nil {
		panic(err) // the font is part of the program
	}
	f.file = file
	return f
}

// letter is the outline of a letter.
func (l *letters) letter(f *font, r rune) letter {
	if known, ok := f.known[r]; ok {
		return known
	}
	made, ok := l.brought(f, r)
	if !ok {
		made, ok = l.drawn(f, r)
	}
	if !ok && unicode.IsGraphic(r) && !unicode.Is(unicode.Variation_Selector, r) {
		l.absent[string(r)] = true
	}
	f.known[r] = made
	return made
}

// brought is a letter whose outline the document holds, for a size of 100.
func (l *letters) brought(f *font, r rune) (letter, bool) {
	fields := l.own[fmt.Sprint(f.family, "\n", f.style, "\n", string(r))]
	if fields == nil {
		return letter{}, false
	}
	return letter{ownContours(object(fields["data"])["shapes"], nil), bounded(number(fields["w"]), maxFar) / 100}, true
}

// em is the size at which letters of a font are read, so that nothing is rounded.
func (f *font) em() fixed.Int26_6 { return fixed.I(int(f.file.UnitsPerEm())) }

// drawn is a letter of a font of this program.
func (l *letters) drawn(f *font, r rune) (letter, bool) {
	glyph, err := f.file.GlyphIndex(&l.buffer, r)
	if err != nil || glyph == 0 {
		return letter{}, false
	}
	segments, err := f.file.LoadGlyph(&l.buffer, glyph, f.em(), nil)
	if err != nil {
		return letter{}, false
	}
	made := letter{contours: traced(segments, float64(f.em()))}
	advance, err := f.file.GlyphAdvance(&l.buffer, glyph, f.em(), imagefont.HintingNone)
	if err != nil {
		return letter{}, false
	}
	made.advance = float64(advance) / float64(f.em())
	if f.family != "" && !strings.HasPrefix(f.family, "Go") {
		l.instead[f.family] = true
	}
	return made, true
}

// kern is by how much two letters of a font of this program are set closer.
func (l *letters) kern(f *font, before, after rune) float64 {
	first, err := f.file.GlyphIndex(&l.buffer, before)
	if err != nil {
		return 0
	}
	second, err := f.file.GlyphIndex(&l.buffer, after)
	if err != nil {
		return 0
	}
	by, err := f.file.Kern(&l.buffer, first, second, f.em(), imagefont.HintingNone)
	if err != nil {
		return 0
	}
	return float64(by) / float64(f.em())
}

// warnings say which letters and fonts are missing, a few by name.
func (l *letters) warnings() []string {
	var all []string
	few := func(names map[string]bool) string {
		sorted := slices.Sorted(maps.Keys(names))
		return strings.Join(sorted[:min(len(sorted), 10)], ", ")
	}
	if len(l.instead) > 0 {
		all = append(all, "Texts in "+few(l.instead)+" are drawn in the font Go: of other fonts, only letters that the animation brings along are known.")
	}
	if len(l.absent) > 0 {
		all = append(all, "Letters that no font here has were left out: "+few(l.absent)+". Latin, Greek and Cyrillic letters work.")
	}
	return all
}
