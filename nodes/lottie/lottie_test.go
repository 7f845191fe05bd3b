//go:build !race

package lottie

import (
	"bytes"
	"context"
	"errors"
	"image/color"
	"strings"
	"testing"
)

// identity is a transformation that changes nothing.
const identity = `"p":{"a":0,"k":[0,0]},"a":{"a":0,"k":[0,0]},"s":{"a":0,"k":[100,100]},"r":{"a":0,"k":0},"o":{"a":0,"k":100}`

// square is a red square of 50, half transparent, on a canvas of 100, which moves by 5 with each of ten frames.
const square = `{"v":"5.7.0","w":100,"h":100,"fr":10,"ip":0,"op":10,"layers":[{"ty":4,"ind":1,"ip":0,"op":10,"st":0,
 "ks":{"o":{"a":0,"k":100},"p":{"a":1,"k":[{"t":0,"s":[0,0,0],"i":{"x":1,"y":1},"o":{"x":0,"y":0}},{"t":10,"s":[50,0,0]}]}},
 "shapes":[{"ty":"gr","it":[{"ty":"rc","p":{"a":0,"k":[25,25]},"s":{"a":0,"k":[50,50]},"r":{"a":0,"k":0}},
 {"ty":"fl","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":50}},{"ty":"tr",` + identity + `}]}]}]}`

// drawn draws a document, and is its frames.
func drawn(t *testing.T, raw string, f Film) [][]byte {
	t.Helper()
	document, _, err := Prepare([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	f.Document = document
	var b bytes.Buffer
	if err := f.Draw(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	if b.Len() != f.Frames*f.FrameSize() {
		t.Fatalf("%d bytes of %d frames", b.Len(), f.Frames)
	}
	var frames [][]byte
	for i := range f.Frames {
		frames = append(frames, b.Bytes()[i*f.FrameSize():(i+1)*f.FrameSize()])
	}
	return frames
}

// pixel is a pixel of a frame of 100: blue, green, red, alpha.
func pixel(frame []byte, x, y int) [4]byte { return [4]byte(frame[4*(100*y+x):]) }

func TestDraw(t *testing.T) {
	half, none := [4]byte{0, 0, 255, 127}, [4]byte{}
	frames := drawn(t, square, Film{Width: 100, Height: 100, Frames: 10, Step: 1})
	for i, frame := range frames {
		for x, want := range map[int][4]byte{5*i - 3: none, 5*i + 3: half, 5*i + 47: half, 5*i + 53: none} {
			if x >= 0 && pixel(frame, x, 20) != want {
				t.Errorf("frame %d at %d: %v", i, x, pixel(frame, x, 20))
			}
		}
	}
	// Half as many frames a second, and a background.
	frames = drawn(t, square, Film{Width: 100, Height: 100, Frames: 5, Step: 2, Background: &color.NRGBA{G: 255, A: 255}})
	if got := pixel(frames[4], 41, 20); got != [4]byte{0, 128, 127, 255} {
		t.Errorf("on green: %v", got)
	}
	if got := pixel(frames[4], 37, 20); got != [4]byte{0, 255, 0, 255} {
		t.Errorf("green: %v", got)
	}
}

// TestTextIsSeen draws a text that changes in the middle: what stands there is one of both.
func TestTextIsSeen(t *testing.T) {
	text := func(letters string) string {
		return `{"v":"5.7.0","w":100,"h":100,"fr":10,"ip":0,"op":10,"layers":[{"ty":5,"ind":1,"ip":0,"op":10,"st":0,
			"ks":{"o":{"a":0,"k":100},"p":{"a":0,"k":[10,80,0]}},"t":{"d":{"k":[` + letters + `]}}}]}`
	}
	frames := drawn(t, text(`{"t":0,"s":{"t":"I","s":80,"fc":[0,0,1]}},{"t":5,"s":{"t":"\rI","s":20,"fc":[0,1,0]}}`), Film{Width: 100, Height: 100, Frames: 10, Step: 1})
	ink := func(frame []byte) (blue, green int) {
		for i := 0; i < len(frame); i += 4 {
			if frame[i+3] > 200 && frame[i] > 200 {
				blue++
			}
			if frame[i+3] > 200 && frame[i+1] > 200 {
				green++
			}
		}
		return blue, green
	}
	for i, frame := range frames {
		blue, green := ink(frame)
		if (i < 5) != (blue > 300 && green == 0) || (i >= 5) != (green > 5 && blue == 0) {
			t.Errorf("frame %d: %d blue, %d green", i, blue, green)
		}
	}
}

func TestNobodyTakesTheFrames(t *testing.T) {
	document, _, err := Prepare([]byte(square))
	if err != nil {
		t.Fatal(err)
	}
	f := Film{Document: document, Width: 1000, Height: 1000, Frames: 100_000, Step: 0.0001}
	if err := f.Draw(context.Background(), refusing{}); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Fatal(err)
	}
}

var errEnough = errors.New("enough")

type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, errEnough }
