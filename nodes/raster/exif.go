package raster

import (
	"encoding/binary"
	"image"
	"io"
)

// orientationOf is how a picture is turned, from 1 to 8: what its Exif block says, 1 without one.
func orientationOf(r io.ReaderAt, size int64, format string) int {
	switch format {
	case "jpeg":
		return orientationOfJPEG(r, size)
	case "png":
		return orientationOfPNG(r, size)
	case "webp":
		return orientationOfWebP(r, size)
	case "tiff":
		return orientationOfTIFF(r, 0, size)
	}
	return 1
}

// maxSegments bounds how many segments or chunks are looked at for an Exif block.
const maxSegments = 4096

func orientationOfJPEG(r io.ReaderAt, size int64) int {
	head := make([]byte, 10)
	at := int64(2)
	for range maxSegments {
		if n, _ := r.ReadAt(head, at); n < 4 || head[0] != 0xff {
			return 1
		}
		if head[1] == 0xff {
			at++
			continue
		}
		length := int64(binary.BigEndian.Uint16(head[2:]))
		if head[1] == 0xda || length < 2 {
			return 1
		}
		if head[1] == 0xe1 && string(head[4:10]) == "Exif\x00\x00" {
			return orientationOfTIFF(r, at+10, min(size, at+2+length))
		}
		at += 2 + length
	}
	return 1
}

func orientationOfPNG(r io.ReaderAt, size int64) int {
	head := make([]byte, 8)
	at := int64(8)
	for range maxSegments {
		if n, _ := r.ReadAt(head, at); n < 8 {
			return 1
		}
		length := int64(binary.BigEndian.Uint32(head))
		switch string(head[4:]) {
		case "eXIf":
			return orientationOfTIFF(r, at+8, min(size, at+8+length))
		case "IEND":
			return 1
		}
		at += 12 + length
	}
	return 1
}

func orientationOfWebP(r io.ReaderAt, size int64) int {
	at := int64(12)
	for range maxSegments {
		name, length, err := chunk(r, at)
		if err != nil {
			return 1
		}
		if name == "EXIF" {
			begin := make([]byte, 6)
			if n, _ := r.ReadAt(begin, at+8); n == 6 && string(begin) == "Exif\x00\x00" {
				return orientationOfTIFF(r, at+14, min(size, at+8+length))
			}
			return orientationOfTIFF(r, at+8, min(size, at+8+length))
		}
		at += 8 + length + length&1
	}
	return 1
}

// orientationOfTIFF looks for tag 0x0112 in the first directory of a TIFF block.
func orientationOfTIFF(r io.ReaderAt, from, to int64) int {
	head := make([]byte, 12)
	if n, _ := r.ReadAt(head[:8], from); n < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if string(head[:2]) == "II" {
		order = binary.LittleEndian
	}
	at := from + int64(order.Uint32(head[4:]))
	if n, _ := r.ReadAt(head[:2], at); n < 2 || at+2 > to {
		return 1
	}
	count := int64(order.Uint16(head))
	for i := range min(count, maxSegments) {
		entry := at + 2 + i*12
		if n, _ := r.ReadAt(head, entry); n < 12 || entry+12 > to {
			return 1
		}
		if order.Uint16(head) == 0x0112 {
			if v := int(order.Uint16(head[8:])); v >= 1 && v <= 8 {
				return v
			}
			return 1
		}
	}
	return 1
}

// Turned is a picture turned the way an orientation says.
func Turned(img *image.NRGBA, orientation int) *image.NRGBA {
	width, height := img.Rect.Dx(), img.Rect.Dy()
	head := Head{Width: width, Height: height, Orientation: orientation}
	if orientation > 4 {
		head.Width, head.Height = height, width
	}
	dst := image.NewNRGBA(image.Rect(0, 0, head.Width, head.Height))
	_ = writeRows(&filling{pixels: dst.Pix}, img, image.Point{}, head) // it takes as many as come
	return dst
}

// source is where the pixel that is shown at (x, y) is stored, of a picture that is stored with the
// width w and the height h.
func source(orientation, x, y, w, h int) (int, int) {
	switch orientation {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, h - 1 - x
	case 7:
		return w - 1 - y, h - 1 - x
	default:
		return w - 1 - y, x
	}
}
