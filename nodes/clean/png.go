package clean

import "encoding/binary"

// pngStays are the chunks that decide how a picture looks.
var pngStays = map[string]bool{
	"IHDR": true, "PLTE": true, "IDAT": true, "IEND": true, "tRNS": true, "gAMA": true, "cHRM": true, "sRGB": true, "iCCP": true,
	"cICP": true, "mDCV": true, "cLLI": true, "sBIT": true, "bKGD": true, "pHYs": true, "hIST": true, "acTL": true, "fcTL": true, "fdAT": true,
}

// pngParts keeps the chunks that decide how a picture looks, to its end.
func pngParts(r *reader, p *Plan) error {
	if start, err := r.take(8); err != nil || string(start) != "\x89PNG\r\n\x1a\n" {
		return ErrBroken
	}
	p.keep(0, 8)
	for data := false; ; {
		from := r.at
		head, err := r.take(8)
		if err != nil || p.full() {
			return brokenUnless(data && !p.full())
		}
		length, name := int64(binary.BigEndian.Uint32(head)), string(head[4:])
		if length > 1<<31 {
			return brokenUnless(data)
		}
		var begin []byte
		if name == "fcTL" || name == "IHDR" {
			if begin, err = r.take(int(min(length, 12))); err != nil || len(begin) < 12 {
				return brokenUnless(data)
			}
		}
		err = r.skip(length + 4 - int64(len(begin)))
		switch name {
		case "IHDR":
			p.Pixels = int64(binary.BigEndian.Uint32(begin)) * int64(binary.BigEndian.Uint32(begin[4:]))
			p.Frames = 1
		case "fcTL":
			p.Frames++
			p.Pixels += int64(binary.BigEndian.Uint32(begin[4:])) * int64(binary.BigEndian.Uint32(begin[8:]))
		case "IDAT":
			data = true
		}
		if pngStays[name] {
			p.keep(from, r.at)
		}
		if err != nil || name == "IEND" {
			return brokenUnless(data)
		}
	}
}
