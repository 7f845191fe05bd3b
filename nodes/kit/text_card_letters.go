package kit

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"

	"atelier/models"
)

// cardFont is the font of cards, for what it can show; its two weights show the same.
var cardFont = func() *sfnt.Font {
	font, err := opentype.Parse(gobold.TTF)
	if err != nil {
		panic(err) // the font is part of the program
	}
	return font
}()

// shows tells whether cards have a picture of a character.
func shows(r rune) bool {
	if unicode.IsSpace(r) {
		return true
	}
	glyph, err := cardFont.GlyphIndex(&sfnt.Buffer{}, r)
	return err == nil && glyph != 0
}

// CardText is a text as a card shows it, without the characters that have no
// picture, such as emoji; those are listed once each.
func CardText(text string) (shown string, missing []string) {
	shown = strings.Map(func(r rune) rune {
		if shows(r) {
			return r
		}
		if unicode.IsGraphic(r) && !unicode.Is(unicode.Variation_Selector, r) && !slices.Contains(missing, string(r)) {
			missing = append(missing, string(r))
		}
		return -1
	}, norm.NFC.String(text))
	return strings.TrimSpace(shown), missing
}

// CheckCard refuses a text whose letters a card cannot show: without them it
// would say something else, or nothing.
func CheckCard(prefix string, input map[string]any) error {
	for _, name := range []string{"text", "caption"} {
		text, _ := input[name].(string)
		shown, missing := CardText(text)
		letters := OnlyLetters(missing)
		switch {
		case len(letters) > 0:
			return models.Invalid(prefix+name, "has letters that a card cannot show: %s. Latin, Greek and Cyrillic letters work", strings.Join(letters[:min(len(letters), 10)], " "))
		case shown == "" && name == "text":
			return models.Invalid(prefix+name, "has nothing that a card can show")
		}
	}
	return nil
}

// OnlyLetters are the letters and digits among characters that cannot be shown.
func OnlyLetters(missing []string) []string {
	return slices.DeleteFunc(missing, func(s string) bool {
		r := []rune(s)[0]
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
}
