package ui

import (
	"strconv"
	"strings"

	"rsc.io/qr"
)

// quiet is the empty border, in modules, that readers need.
const quiet = 4

// qrPath encodes text and returns the drawing as one path, and the side length in modules with its border.
// Both are empty when text is too long for a QR code.
func qrPath(text string) (path string, side int) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", 0
	}
	var b strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			n := 0
			for x+n < code.Size && code.Black(x+n, y) {
				n++
			}
			if n > 0 {
				b.WriteString("M" + strconv.Itoa(x+quiet) + " " + strconv.Itoa(y+quiet) + "h" + strconv.Itoa(n) + "v1h-" + strconv.Itoa(n) + "z")
				x += n
			}
		}
	}
	return b.String(), code.Size + 2*quiet
}

func viewBox(side int) string {
	return "0 0 " + strconv.Itoa(side) + " " + strconv.Itoa(side)
}
