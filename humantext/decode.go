package humantext

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Encoding is how the bytes of a text stand for characters.
type Encoding string

const (
	UTF8        Encoding = "UTF-8"
	UTF16       Encoding = "UTF-16"
	Windows1252 Encoding = "Windows-1252" // assumed: nothing in the bytes says so
)

// Refusal says in a sentence why a file is not read, and what to do about it.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// The ways in which no text is a text.
const (
	errBinary  = Refusal("This file is no text. Save it as CSV, Excel workbook (.xlsx) or plain text, and choose that.")
	errOddWide = Refusal("This file begins as UTF-16 and ends within a character: it is damaged. Save it again and choose that.")
)

// Decode is the text of bytes: a byte-order mark decides; else it is UTF-8 where all of it is, else Windows-1252,
// which is assumed. What is no text in any of them is a Refusal that names it.
func Decode(data []byte) (string, Encoding, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		if data = data[3:]; !utf8.Valid(data) {
			return strings.ToValidUTF8(string(data), "\ufffd"), UTF8, nil
		}
		return string(data), UTF8, nil
	case bytes.HasPrefix(data, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(data, []byte{0, 0, 0xfe, 0xff}):
		return "", "", Refusal("This file is UTF-32. Save it as UTF-8 and choose that.")
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return decodeWide(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return decodeWide(data[2:], binary.BigEndian)
	}
	if kind := KnownBinary(data); kind != "" {
		return "", "", Refusal("This file is " + kind + ", and no text. Save it as CSV, Excel workbook (.xlsx) or plain text, and choose that.")
	}
	if bytes.IndexByte(data, 0) >= 0 {
		if order := wideWithoutMark(data); order != nil {
			return decodeWide(data, order)
		}
		return "", "", errBinary
	}
	if utf8.Valid(data) {
		return string(data), UTF8, nil
	}
	if tooManyControls(data) {
		return "", "", errBinary
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		return "", "", errBinary
	}
	return string(text), Windows1252, nil
}

// decodeWide reads UTF-16; a lone surrogate becomes U+FFFD.
func decodeWide(data []byte, order binary.ByteOrder) (string, Encoding, error) {
	if len(data)%2 != 0 {
		return "", "", errOddWide
	}
	var text strings.Builder
	text.Grow(len(data) / 2)
	for i := 0; i < len(data); i += 2 {
		r := rune(order.Uint16(data[i:]))
		if r == 0 {
			return "", "", errBinary
		}
		if utf16.IsSurrogate(r) {
			low := rune(0)
			if i+3 < len(data) {
				low = rune(order.Uint16(data[i+2:]))
			}
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				i += 2
			}
		}
		text.WriteRune(r)
	}
	return text.String(), UTF16, nil
}

// wideWithoutMark guesses the order of UTF-16 without a byte-order mark, which some programs save: most of its
// characters are Latin, so every other byte is 0.
func wideWithoutMark(data []byte) binary.ByteOrder {
	if len(data)%2 != 0 || len(data) < 4 {
		return nil
	}
	var zeros [2]int
	for i, b := range data {
		if b == 0 {
			zeros[i%2]++
		}
	}
	switch half := len(data) / 2; {
	case zeros[0] == 0 && zeros[1] > half*2/3:
		return binary.LittleEndian
	case zeros[1] == 0 && zeros[0] > half*2/3:
		return binary.BigEndian
	}
	return nil
}

// tooManyControls tells bytes that no text of Windows-1252 holds: more than one in 64 is a control character.
func tooManyControls(data []byte) bool {
	n := 0
	for _, b := range data {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != '\v' && b != 0x1b {
			n++
		}
	}
	return n > len(data)/64
}

// binaries are the beginnings of files that people choose where a text is asked for.
var binaries = []struct{ begin, kind string }{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or a locked Office file (.xls, .doc, or one with a password)"},
	{"%PDF-", "a PDF"}, {"{\\rtf", "a rich text (.rtf)"}, {"\x1f\x8b", "a compressed file (gzip)"}, {"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"},
	{"Rar!\x1a\x07", "a RAR archive"}, {"BZh", "a compressed file (bzip2)"}, {"\xfd7zXZ\x00", "a compressed file (xz)"},
	{"\x89PNG\r\n\x1a\n", "a picture (PNG)"}, {"\xff\xd8\xff", "a picture (JPEG)"}, {"GIF8", "a picture (GIF)"}, {"SQLite format 3\x00", "a database"},
	{"\x28\xb5\x2f\xfd", "a compressed file (Zstandard)"}, {"bplist00", "a property list"},
}

// KnownBinary says what a file is that is known to be no text, as "a PDF"; "" for every other one.
func KnownBinary(data []byte) string {
	for _, b := range binaries {
		if strings.HasPrefix(string(data[:min(len(data), 16)]), b.begin) {
			return b.kind
		}
	}
	if isZip(data) {
		return zipKind(data)
	}
	if len(data) > 12 && string(data[4:8]) == "ftyp" {
		return "a picture, a sound or a film"
	}
	return ""
}
