// Package clean takes out of pictures what they tell of the people who took them: where and when, with
// what, and words (Exif, XMP, IPTC, comments and texts, and whatever follows the end of the picture).
// Pixels, color profiles and animations stay as they are, byte by byte.
package clean

import (
	"bufio"
	"errors"
	"io"
)

// ErrBroken says that a file is not built as its format asks for.
var ErrBroken = errors.New("the picture is damaged or cut off")

// Found is what a picture holds.
type Found struct {
	// Frames is how many pictures it has, Pixels how many pixels all of them have.
	Frames int
	Pixels int64
}

// Plan is which parts of a file stay.
type Plan struct {
	Found
	parts []part
	size  int64
	// profile are the segments of a color profile.
	profile []part
}

// part is a piece of the file, or bytes that stand instead of some.
type part struct {
	from, to int64
	bytes    []byte
}

// formats are those that are cleaned, by their media types.
var formats = map[string]func(*reader, *Plan) error{
	"image/jpeg": jpegParts, "image/png": pngParts, "image/gif": gifParts, "image/webp": webpParts,
}

// Look finds which parts of a picture of a media type stay. A picture that is cut off stays as far as
// it goes; ErrBroken for what is no picture.
func Look(r io.ReaderAt, size int64, contentType string) (*Plan, error) {
	plan := &Plan{size: size}
	parts := formats[contentType]
	if parts == nil {
		plan.keep(0, size)
		return plan, nil
	}
	err := parts(&reader{from: bufio.NewReaderSize(io.NewSectionReader(r, 0, size), 64<<10)}, plan)
	return plan, err
}

// Changes tells whether anything has to go.
func (p *Plan) Changes() bool {
	return len(p.parts) != 1 || p.parts[0].bytes != nil || p.parts[0].from != 0 || p.parts[0].to != p.size
}

// Write writes what stays.
func (p *Plan) Write(w io.Writer, r io.ReaderAt) error {
	for _, one := range p.parts {
		var err error
		if one.bytes != nil {
			_, err = w.Write(one.bytes)
		} else {
			_, err = io.Copy(w, io.NewSectionReader(r, one.from, one.to-one.from))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maxParts bounds how many pieces a picture is taken apart into.
const maxParts = 20_000

func (p *Plan) keep(from, to int64) {
	if from >= to {
		return
	}
	if n := len(p.parts); n > 0 && p.parts[n-1].bytes == nil && p.parts[n-1].to == from {
		p.parts[n-1].to = to
		return
	}
	p.parts = append(p.parts, part{from: from, to: to})
}

func (p *Plan) put(b []byte) { p.parts = append(p.parts, part{bytes: b}) }

// full tells whether there are too many pieces.
func (p *Plan) full() bool { return len(p.parts) > maxParts }

// reader reads on, and knows where it is.
type reader struct {
	from *bufio.Reader
	at   int64
	// begun tells that the first byte of a marker was read, which stands at at.
	begun bool
}

// take reads n bytes.
func (r *reader) take(n int) ([]byte, error) {
	b := make([]byte, n)
	got, err := io.ReadFull(r.from, b)
	r.at += int64(got)
	return b[:got], err
}

// byte reads one.
func (r *reader) byte() (byte, error) {
	b, err := r.from.ReadByte()
	if err == nil {
		r.at++
	}
	return b, err
}

// skip goes on by n bytes, or to the end.
func (r *reader) skip(n int64) error {
	for n > 0 {
		step, err := r.from.Discard(int(min(n, 1<<30)))
		r.at += int64(step)
		n -= int64(step)
		if err != nil {
			return err
		}
	}
	return nil
}

// maxProfile is how large a color profile may be that goes along with a picture that is written again.
const maxProfile = 4 << 20

// Profile are the segments of a JPEG with its color profile, where that is one of red, green and blue; nil: none.
func (p *Plan) Profile(r io.ReaderAt) ([]byte, error) {
	var all []byte
	for _, one := range p.profile {
		b := make([]byte, one.to-one.from)
		if _, err := r.ReadAt(b, one.from); err != nil {
			return nil, err
		}
		if all = append(all, b...); len(all) > maxProfile {
			return nil, nil
		}
	}
	// A marker, a length, the name, two numbers; then the profile, which names its colors at 16.
	if at := 4 + 14 + 16; len(all) < at+4 || string(all[at:at+4]) != "RGB " {
		return nil, nil
	}
	return all, nil
}

// Insert is a plan that puts segments behind the beginning of a JPEG.
func Insert(size int64, segments []byte) *Plan {
	p := &Plan{size: size}
	p.keep(0, 2)
	p.put(segments)
	p.keep(2, size)
	return p
}
