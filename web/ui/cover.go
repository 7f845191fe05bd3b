package ui

import (
	"hash/fnv"
	"path"
	"strconv"
	"strings"
)

// drawing is which of the drawn covers stands for something without a picture, always the same for the same seed.
type drawing struct{ tint, shape int }

func drawingOf(seed string) drawing {
	h := fnv.New32a()
	_, _ = h.Write([]byte(seed))
	n := h.Sum32()
	return drawing{tint: int(n%5) + 1, shape: int(n / 5 % 4)}
}

func (d drawing) class() string { return "cover-" + strconv.Itoa(d.tint) }

// coverShapes are drawn on 320 by 180; the first is the paler one.
var coverShapes = [4][2]string{
	{"M0 118C60 76 128 92 182 116S282 138 320 96V180H0Z", "M0 150C48 122 108 138 158 152S262 172 320 138V180H0Z"},
	{"M40 90a62 62 0 1 0 124 0a62 62 0 1 0-124 0Z", "M140 90a62 62 0 1 0 124 0a62 62 0 1 0-124 0Z"},
	{"M320 0A180 180 0 0 1 140 180H320Z", "M320 70A110 110 0 0 1 210 180H320Z"},
	{"M64 42h88a10 10 0 0 1 10 10v76a10 10 0 0 1-10 10H64a10 10 0 0 1-10-10V52a10 10 0 0 1 10-10Z",
		"M186 70h70a10 10 0 0 1 10 10v60a10 10 0 0 1-10 10h-70a10 10 0 0 1-10-10V80a10 10 0 0 1 10-10Z"},
}

// IsPicture tells whether the address of a kept file is that of a picture that browsers show.
func IsPicture(address string) bool {
	address, _, _ = strings.Cut(address, "?")
	switch strings.ToLower(path.Ext(address)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif":
		return true
	}
	return false
}
