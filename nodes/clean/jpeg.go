package clean

import (
	"bytes"
	"encoding/binary"
)

// jpegParts keeps the segments that a decoder needs, the color profile, and the picture to its end.
func jpegParts(r *reader, p *Plan) error {
	if start, err := r.take(2); err != nil || start[0] != 0xff || start[1] != 0xd8 {
		return ErrBroken
	}
	p.keep(0, 2)
	p.Frames = 1
	for seen := false; ; {
		from := r.at
		marker, err := nextMarker(r)
		if err != nil || p.full() {
			return brokenUnless(seen && !p.full())
		}
		switch {
		case marker == 0xd9:
			p.keep(r.at-2, r.at)
			return nil
		case marker == 0x01 || marker >= 0xd0 && marker <= 0xd7:
			p.keep(r.at-2, r.at)
			continue
		}
		head, err := r.take(2)
		if err != nil || len(head) < 2 || binary.BigEndian.Uint16(head) < 2 {
			return brokenUnless(seen)
		}
		length := int64(binary.BigEndian.Uint16(head)) - 2
		begin, err := r.take(int(min(length, 14)))
		if err == nil {
			err = r.skip(length - int64(len(begin)))
		}
		if err != nil {
			return brokenUnless(seen)
		}
		if stays(marker, begin) {
			segment := part{from: max(from, r.at-length-4), to: r.at}
			p.keep(segment.from, segment.to)
			if marker == 0xe2 {
				p.profile = append(p.profile, segment)
			}
		}
		if marker == 0xda {
			seen = true
			from := r.at
			err := entropy(r)
			p.keep(from, r.at)
			if err != nil {
				return nil // cut off
			}
		}
	}
}

func brokenUnless(ok bool) error {
	if ok {
		return nil
	}
	return ErrBroken
}

// nextMarker reads a marker; what stands before it, which decoders go over, is left out.
func nextMarker(r *reader) (b byte, err error) {
	if r.begun {
		b, r.begun = 0xff, false
		r.at++
	}
	for b != 0xff && err == nil {
		b, err = r.byte()
	}
	for b == 0xff && err == nil {
		b, err = r.byte()
	}
	return b, err
}

// stays tells whether a segment is needed to show the picture.
func stays(marker byte, begin []byte) bool {
	switch {
	case marker == 0xfe || marker >= 0xf0:
		return false // text, and unknown segments
	case marker == 0xe0:
		return bytes.HasPrefix(begin, []byte("JFIF\x00"))
	case marker == 0xe2:
		return bytes.HasPrefix(begin, []byte("ICC_PROFILE\x00"))
	case marker == 0xee:
		return bytes.HasPrefix(begin, []byte("Adobe"))
	}
	return marker < 0xe0
}

// entropy goes on to the marker that follows the data of a scan.
func entropy(r *reader) error {
	for {
		b, err := r.byte()
		if err != nil {
			return err
		}
		if b != 0xff {
			continue
		}
		next, err := r.from.Peek(1)
		if err != nil {
			return err
		}
		if next[0] != 0 && next[0] != 0xff && (next[0] < 0xd0 || next[0] > 0xd7) {
			r.begun = true
			r.at--
			return nil
		}
	}
}
