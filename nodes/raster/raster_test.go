//go:build !race

package raster

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func stored(t *testing.T, data []byte) (*os.File, int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "picture")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file, int64(len(data))
}

func asPNG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A picture is the same whether it is decoded here or in a child.
func TestDecodedInAChildAsHere(t *testing.T) {
	img := image.NewNRGBA64(image.Rect(0, 0, 60, 40))
	for i := range img.Pix {
		img.Pix[i] = byte(i * 7)
	}
	file, size := stored(t, asPNG(t, img))
	here, err := Decode(context.Background(), file, size)
	if err != nil {
		t.Fatal(err)
	}
	apart := &filling{pixels: make([]byte, len(here.Pix))}
	if err := inChild(context.Background(), file, order{Size: size}, apart); err != nil || !bytes.Equal(apart.pixels, here.Pix) {
		t.Errorf("the child made other pixels, %v", err)
	}
	var b bytes.Buffer
	if kind, err := Encode(context.Background(), file, size, false, &b); err != nil || kind != "image/png" {
		t.Errorf("with transparent parts it became %s, %v", kind, err)
	}
}

func TestSidesAndBytes(t *testing.T) {
	for _, size := range []image.Point{{16_385, 1}, {1, 16_385}, {9000, 9000}} {
		if err := CheckSize(size.X, size.Y); err == nil {
			t.Errorf("%v passed", size)
		}
	}
	if err := CheckSize(16_384, 4_096); err != nil {
		t.Error(err)
	}
	file, size := stored(t, asPNG(t, image.NewGray(image.Rect(0, 0, 20_000, 1))))
	var large *TooLarge
	if _, err := Decode(context.Background(), file, size); !errors.As(err, &large) {
		t.Errorf("a thin picture: %v", err)
	}
	if _, err := Decode(context.Background(), file, MaxBytes+1); !errors.Is(err, ErrTooManyBytes) {
		t.Errorf("a large file: %v", err)
	}
	file, size = stored(t, []byte("\x89PNG\r\n\x1a\nnothing"))
	if _, err := Decode(context.Background(), file, size); !errors.Is(err, ErrUnreadable) {
		t.Errorf("a broken file: %v", err)
	}
}

func TestAChildThatIsKilledIsToldOf(t *testing.T) {
	file, size := stored(t, asPNG(t, image.NewGray(image.Rect(0, 0, 10, 10))))
	if err := inChild(context.Background(), file, order{Size: size - 20}, io.Discard); !errors.Is(err, ErrUnreadable) {
		t.Errorf("cut off: %v", err)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if err := inChild(gone, file, order{Size: size}, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who has gone: %v", err)
	}
}

func TestScale(t *testing.T) {
	half := image.NewNRGBA(image.Rect(0, 0, 100, 50))
	for y := range 50 {
		for x := range 100 {
			c := color.NRGBA{255, 0, 0, 255}
			if x >= 50 {
				c = color.NRGBA{0, 0, 255, 255}
			}
			half.SetNRGBA(x, y, c)
		}
	}
	for _, to := range []image.Point{{10, 5}, {300, 200}, {10, 200}, {300, 5}, {1, 1}, {100, 50}} {
		got := Scale(half, half.Rect, to.X, to.Y)
		if got.Rect.Size() != to {
			t.Fatalf("it is of %v", got.Rect)
		}
		if to.X == 1 {
			continue
		}
		left, right := got.NRGBAAt(0, to.Y/2), got.NRGBAAt(to.X-1, to.Y/2)
		if left.R < 250 || left.A != 255 || right.B < 250 || right.R > 5 {
			t.Errorf("to %v: %v and %v", to, left, right)
		}
	}
	if got := Scale(half, image.Rect(50, 0, 100, 50), 7, 9); got.NRGBAAt(0, 0) != (color.NRGBA{0, 0, 255, 255}) {
		t.Errorf("a part: %v", got.NRGBAAt(0, 0))
	}
	// The longest sides take no memory by the side.
	thin := Scale(image.NewNRGBA(image.Rect(0, 0, 2, MaxSide)), image.Rect(0, 0, 2, MaxSide), MaxSide, 2)
	if thin.Rect.Dx() != MaxSide {
		t.Error(thin.Rect)
	}
}

func TestTurned(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	img.SetNRGBA(0, 0, color.NRGBA{9, 9, 9, 255})
	for orientation, corner := range map[int]image.Point{1: {0, 0}, 2: {2, 0}, 3: {2, 1}, 4: {0, 1}, 5: {0, 0}, 6: {1, 0}, 7: {1, 2}, 8: {0, 2}} {
		if got := Turned(img, orientation); got.NRGBAAt(corner.X, corner.Y).A != 255 {
			t.Errorf("by %d the corner is not at %v", orientation, corner)
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	if got := orientationOf(bytes.NewReader(b.Bytes()), int64(b.Len()), "jpeg"); got != 1 {
		t.Errorf("without Exif it is %d", got)
	}
}
