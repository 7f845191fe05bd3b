package raster

import (
	"bytes"
	"encoding/binary"
	"image"
	"io"

	"golang.org/x/image/webp"
)

// animatedWebP is the canvas of an animated WebP; ok is false for any other file.
func animatedWebP(r io.ReaderAt, size int64) (canvas image.Point, ok bool) {
	head := make([]byte, 30)
	if n, _ := r.ReadAt(head, 0); int64(n) > size || n < len(head) {
		return image.Point{}, false
	}
	if string(head[:4]) != "RIFF" || string(head[8:16]) != "WEBPVP8X" || head[20]&2 == 0 {
		return image.Point{}, false
	}
	return image.Pt(1+int24(head[24:]), 1+int24(head[27:])), true
}

func int24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// firstOfWebP is the first picture of an animation, at its point of the canvas: the decoder knows
// pictures that stand still, of which this makes one.
func firstOfWebP(r io.ReaderAt, size int64) (image.Image, image.Point, error) {
	for at := int64(12); at+8 <= size; {
		name, length, err := chunk(r, at)
		if err != nil {
			return nil, image.Point{}, err
		}
		if name != "ANMF" {
			at += 8 + length + length&1
			continue
		}
		if length < 24 || length > MaxBytes || at+8+length > size {
			break
		}
		frame := make([]byte, length)
		if _, err := r.ReadAt(frame, at+8); err != nil {
			return nil, image.Point{}, err
		}
		img, err := webp.Decode(bytes.NewReader(still(frame)))
		return img, image.Pt(2*int24(frame), 2*int24(frame[3:])), err
	}
	return nil, image.Point{}, ErrUnreadable
}

// chunk is the name and the length of a chunk.
func chunk(r io.ReaderAt, at int64) (name string, length int64, err error) {
	head := make([]byte, 8)
	if _, err := r.ReadAt(head, at); err != nil {
		return "", 0, err
	}
	return string(head[:4]), int64(binary.LittleEndian.Uint32(head[4:])), nil
}

// still is a file of one picture of an animation.
func still(frame []byte) []byte {
	var extended []byte
	if string(frame[16:20]) == "ALPH" {
		extended = append([]byte("VP8X\x0a\x00\x00\x00\x10\x00\x00\x00"), frame[6:12]...)
	}
	file := append([]byte("RIFF\x00\x00\x00\x00WEBP"), extended...)
	file = append(file, frame[16:]...)
	binary.LittleEndian.PutUint32(file[4:], uint32(len(file)-8))
	return file
}
