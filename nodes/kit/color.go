package kit

import (
	"encoding/hex"
	"image/color"
	"strings"
)

// ParseColor reads #rgb, #rrggbb or #rrggbbaa, with or without the #.
func ParseColor(s string) (color.NRGBA, bool) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "#")
	if len(s) == 3 {
		s = string([]byte{s[0], s[0], s[1], s[1], s[2], s[2]})
	}
	if len(s) == 6 {
		s += "ff"
	}
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 4 {
		return color.NRGBA{}, false
	}
	return color.NRGBA{R: b[0], G: b[1], B: b[2], A: b[3]}, true
}

func IsColor(s string) bool {
	_, ok := ParseColor(s)
	return ok
}

// Color reads a field that holds a color.
func (in *Call) Color(name string) (color.NRGBA, error) {
	c, ok := ParseColor(in.Text(name))
	if !ok {
		return c, Failf("%s must be a colour such as #3366ff", name)
	}
	return c, nil
}
