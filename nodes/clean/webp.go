package clean

import "encoding/binary"

// webpStays are the chunks that decide how a picture looks.
var webpStays = map[string]bool{"VP8 ": true, "VP8L": true, "ICCP": true, "ALPH": true, "ANIM": true, "ANMF": true}

// The flags of an extended file that say what is left out.
const webpPersonal = 0x08 | 0x04

// webpParts keeps the chunks that decide how a picture looks.
func webpParts(r *reader, p *Plan) error {
	head, err := r.take(12)
	if err != nil || string(head[:4]) != "RIFF" || string(head[8:]) != "WEBP" {
		return ErrBroken
	}
	end := int64(binary.LittleEndian.Uint32(head[4:])) + 8
	p.put(head)
	length, changed := int64(4), end != p.size
	for r.at+8 <= min(end, p.size) {
		from := r.at
		chunk, err := r.take(8)
		if err != nil || p.full() {
			return ErrBroken
		}
		name, size := string(chunk[:4]), int64(binary.LittleEndian.Uint32(chunk[4:]))
		switch {
		case name == "VP8X":
			body, err := r.take(10)
			if err != nil || size != 10 {
				return ErrBroken
			}
			changed = changed || body[0]&webpPersonal != 0
			body[0] &^= webpPersonal
			p.put(append(chunk, body...))
			p.Pixels = int64(1+int24(body[4:])) * int64(1+int24(body[7:]))
		default:
			if err := webpFrame(r, p, name, size); err != nil && !webpStays[name] {
				changed = true
				continue
			}
			if !webpStays[name] {
				changed = true
				continue
			}
			p.keep(from, r.at)
		}
		length += r.at - from
	}
	if p.Frames == 0 {
		p.Frames = 1
	}
	if !changed {
		p.parts = []part{{from: 0, to: p.size}}
		return nil
	}
	binary.LittleEndian.PutUint32(head[4:], uint32(length))
	return nil
}

// webpFrame goes over a chunk, and counts it if it is a picture of an animation.
func webpFrame(r *reader, p *Plan, name string, size int64) error {
	padded := size + size&1
	if name != "ANMF" || size < 16 {
		return r.skip(padded)
	}
	body, err := r.take(12)
	if err != nil {
		return err
	}
	p.Frames++
	p.Pixels += int64(1+int24(body[6:])) * int64(1+int24(body[9:]))
	return r.skip(padded - 12)
}

func int24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
