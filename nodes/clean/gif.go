package clean

import "encoding/binary"

// gifApplications are the extensions of programs that decide how a picture looks.
var gifApplications = map[string]bool{"NETSCAPE2.0": true, "ANIMEXTS1.0": true, "ICCRGBG1012": true}

// gifParts keeps pictures and what controls them, without comments, texts and the data of programs.
func gifParts(r *reader, p *Plan) error {
	head, err := r.take(13)
	if err != nil || string(head[:4]) != "GIF8" {
		return ErrBroken
	}
	if err := skipColors(r, head[10]); err != nil {
		return ErrBroken
	}
	p.keep(0, r.at)
	for {
		from := r.at
		kind, err := r.byte()
		if err != nil || p.full() {
			return brokenUnless(p.Frames > 0 && !p.full())
		}
		stays := true
		switch kind {
		case 0x3b:
			p.keep(from, r.at)
			return brokenUnless(p.Frames > 0)
		case 0x2c:
			err = gifFrame(r, p)
		case 0x21:
			stays, err = gifExtension(r)
		case 0:
			continue // some writers leave an end of blocks too many
		default:
			return brokenUnless(p.Frames > 0)
		}
		if stays {
			p.keep(from, r.at)
		}
		if err != nil {
			return brokenUnless(p.Frames > 0)
		}
	}
}

// gifFrame goes over one picture.
func gifFrame(r *reader, p *Plan) error {
	head, err := r.take(9)
	if err != nil {
		return err
	}
	p.Frames++
	p.Pixels += int64(binary.LittleEndian.Uint16(head[4:])) * int64(binary.LittleEndian.Uint16(head[6:]))
	if err := skipColors(r, head[8]); err != nil {
		return err
	}
	if _, err := r.byte(); err != nil { // of the codes
		return err
	}
	return skipBlocks(r)
}

// gifExtension goes over an extension and tells whether it stays.
func gifExtension(r *reader) (stays bool, err error) {
	label, err := r.byte()
	if err != nil {
		return false, err
	}
	stays = label == 0xf9
	if label == 0xff {
		length, err := r.byte()
		if err != nil {
			return false, err
		}
		name, err := r.take(int(length))
		if err != nil {
			return false, err
		}
		stays = gifApplications[string(name)]
		if length == 0 {
			return false, nil
		}
	}
	return stays, skipBlocks(r)
}

func skipColors(r *reader, flags byte) error {
	if flags&0x80 == 0 {
		return nil
	}
	return r.skip(3 << (flags&7 + 1))
}

func skipBlocks(r *reader) error {
	for {
		length, err := r.byte()
		if err != nil || length == 0 {
			return err
		}
		if err := r.skip(int64(length)); err != nil {
			return err
		}
	}
}
