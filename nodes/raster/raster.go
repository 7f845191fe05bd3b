// Package raster decodes the pictures that people send: PNG, JPEG, GIF, WebP, BMP and TIFF, upright.
// The size is read from the head first. What is small for certain is decoded at once; anything else in
// a child, which is the same binary, recognized by an environment variable before anything else
// starts, and which has limits on time and memory. So a picture that asks for more than it looks ends
// a child and never the service.
package raster

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"os"

	_ "image/gif" // decoders

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"
)

// The bounds of a picture, before it is decoded and when it is made.
const (
	// MaxBytes is how large the file of a picture may be.
	MaxBytes = 32 << 20
	// MaxSide is the longest side, MaxPixels the largest area.
	MaxSide   = 16_384
	MaxPixels = 64 << 20
)

// TooLarge says that a picture has more pixels than work.
type TooLarge struct{ Width, Height int }

func (e *TooLarge) Error() string {
	return fmt.Sprintf("has %d × %d pixels; at most 64 megapixels and 16,384 pixels a side work", e.Width, e.Height)
}

// ErrUnreadable says that a file is no picture, or a broken one.
var ErrUnreadable = errors.New("the picture cannot be read")

// ErrTooHeavy says that decoding a picture took more time or memory than there is for one.
var ErrTooHeavy = errors.New("the picture takes too much time or memory to read")

// ErrTooManyBytes says that the file of a picture is too large to be decoded.
var ErrTooManyBytes = fmt.Errorf("the file of a picture may have at most %d MiB", MaxBytes>>20)

// CheckSize refuses a picture that would not fit: a *TooLarge.
func CheckSize(width, height int) error {
	if width <= 0 || height <= 0 || width > MaxSide || height > MaxSide || int64(width)*int64(height) > MaxPixels {
		return &TooLarge{width, height}
	}
	return nil
}

// Head is what the beginning of a picture says.
type Head struct {
	// Format is png, jpeg, gif, webp, bmp or tiff.
	Format string
	// Width and Height of the picture as it is shown, in pixels.
	Width, Height int
	// Orientation is from 1 to 8, by Exif; 1 is upright as it is.
	Orientation int
}

// Look reads the head of a picture: ErrUnreadable, or a *TooLarge.
func Look(r io.ReaderAt, size int64) (Head, error) {
	head, err := look(r, size)
	if err != nil {
		return head, err
	}
	return head, CheckSize(head.Width, head.Height)
}

func look(r io.ReaderAt, size int64) (Head, error) {
	if canvas, ok := animatedWebP(r, size); ok {
		return Head{"webp", canvas.X, canvas.Y, 1}, nil
	}
	config, format, err := image.DecodeConfig(bufio.NewReader(io.NewSectionReader(r, 0, size)))
	if err != nil {
		return Head{}, ErrUnreadable
	}
	head := Head{format, config.Width, config.Height, orientationOf(r, size, format)}
	if head.Orientation > 4 {
		head.Width, head.Height = head.Height, head.Width
	}
	return head, nil
}

// Decode decodes a picture of which Look says that it can be, upright and from (0, 0): one byte a
// channel. It returns ErrUnreadable, a *TooLarge, ErrTooManyBytes, ErrTooHeavy or the context's error.
func Decode(ctx context.Context, file *os.File, size int64) (*image.NRGBA, error) {
	head, err := begin(file, size)
	if err != nil {
		return nil, err
	}
	if head.small(size) {
		return decodeHere(file, size, head)
	}
	img := image.NewNRGBA(image.Rect(0, 0, head.Width, head.Height))
	to := &filling{pixels: img.Pix}
	if err := inChild(ctx, file, order{Size: size}, to); err != nil {
		return nil, err
	}
	if to.n != len(img.Pix) {
		return nil, ErrUnreadable
	}
	return img, nil
}

// DecodeBytes is Decode of a picture that is in memory.
func DecodeBytes(data []byte) (*image.NRGBA, error) {
	size := int64(len(data))
	if size > MaxBytes {
		return nil, ErrTooManyBytes
	}
	r := bytes.NewReader(data)
	head, err := Look(r, size)
	if err != nil {
		return nil, err
	}
	if head.small(size) {
		return decodeHere(r, size, head)
	}
	file, err := os.CreateTemp("", "atelier-media-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if _, err := file.Write(data); err != nil {
		return nil, err
	}
	return Decode(context.Background(), file, size)
}

// Encode decodes a picture as Decode does and writes it to w upright: as PNG where that is wanted or
// where it has transparent parts, else as JPEG. It returns the media type that it wrote.
func Encode(ctx context.Context, file *os.File, size int64, lossless bool, w io.Writer) (contentType string, err error) {
	if _, err := begin(file, size); err != nil {
		return "", err
	}
	to := &writing{w: w}
	if err := inChild(ctx, file, order{Size: size, Encode: true, Lossless: lossless}, to); err != nil {
		return "", err
	}
	if to.err != nil {
		return "", to.err
	}
	if to.isPNG() {
		return "image/png", nil
	}
	return "image/jpeg", nil
}

func begin(file *os.File, size int64) (Head, error) {
	if size > MaxBytes {
		return Head{}, ErrTooManyBytes
	}
	return Look(file, size)
}

// What is decoded within the service itself: pixels, which take at most 16 bytes each, and bytes, which
// bound how often a progressive JPEG goes over them.
const (
	smallPixels = 1 << 20
	smallBytes  = 512 << 10
)

func (h Head) small(size int64) bool {
	return h.Width*h.Height <= smallPixels && size <= smallBytes
}

func decodeHere(r io.ReaderAt, size int64, head Head) (*image.NRGBA, error) {
	img, at, err := decode(r, size)
	if err != nil {
		return nil, ErrUnreadable
	}
	dst := image.NewNRGBA(image.Rect(0, 0, head.Width, head.Height))
	to := &filling{pixels: dst.Pix}
	if err := writeRows(to, img, at, head); err != nil || to.n != len(dst.Pix) {
		return nil, ErrUnreadable
	}
	return dst, nil
}

// decode decodes the first picture of a file; it lies at a point of its canvas.
func decode(r io.ReaderAt, size int64) (image.Image, image.Point, error) {
	if _, ok := animatedWebP(r, size); ok {
		return firstOfWebP(r, size)
	}
	img, _, err := image.Decode(bufio.NewReader(io.NewSectionReader(r, 0, size)))
	return img, image.Point{}, err
}

// jpegQuality is that of pictures that are written again at the door.
const jpegQuality = 93

// encode writes a picture that was decoded.
func encode(w io.Writer, img *image.NRGBA, lossless bool) error {
	if lossless || !img.Opaque() {
		encoder := png.Encoder{CompressionLevel: png.BestSpeed}
		return encoder.Encode(w, img)
	}
	ground := &image.RGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect} // the same where nothing is transparent
	return jpeg.Encode(w, ground, &jpeg.Options{Quality: jpegQuality})
}

// filling takes pixels.
type filling struct {
	pixels []byte
	n      int
}

func (f *filling) Write(p []byte) (int, error) {
	n := copy(f.pixels[f.n:], p)
	f.n += n
	if n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

// writing hands bytes on, and remembers how they begin and why it could not.
type writing struct {
	w    io.Writer
	head []byte
	err  error
}

func (t *writing) Write(p []byte) (int, error) {
	if len(t.head) < 4 {
		t.head = append(t.head, p[:min(4, len(p))]...)
	}
	n, err := t.w.Write(p)
	t.err = err
	return n, err
}

func (t *writing) isPNG() bool {
	return len(t.head) >= 4 && binary.BigEndian.Uint32(t.head) == 0x89504e47
}
