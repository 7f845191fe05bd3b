// Package lottie draws vector animations (Lottie), frame by frame, with the
// library rlottie of the Debian package librlottie0-1. The library is C++ and
// reads what users wrote, so it is never loaded into the service: it lives in a
// child, which is the same binary, recognized by an environment variable before
// anything else starts. The child has limits on time and memory, no network where
// the kernel allows it, and nothing but the document, which Prepare has stripped
// of all that leads to files. It calls the library without cgo, through purego.
//
// Prepare also puts into the document what the library knows nothing of: values
// of slots, and texts, which become outlines of letters.
package lottie

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image/color"
	"io"
	"os"
	"time"

	"atelier/nodes/program"
)

// The bounds of a child.
const (
	childVariable = "ATELIER_LOTTIE"
	frameTime     = 10 * time.Second // for reading the document, and for each frame
	processorTime = 3 * time.Minute
	wallTime      = 8 * time.Minute // the one who takes the frames may be slow
	memoryLimit   = 768 << 20
	// MaxDocument is the largest document that is drawn, in bytes, with its texts as outlines.
	MaxDocument = 12 << 20
)

// MaxSide is the longest side of a frame, in pixels.
const MaxSide = 1920

// Package is the Debian package of the library.
const Package = "librlottie0-1"

// Library holds the names under which the library is looked for.
var Library = []string{"librlottie.so.0-1", "librlottie.so.0"}

// Film is what is drawn of a document that Prepare has prepared.
type Film struct {
	Document []byte
	// Width and Height of every frame, in pixels.
	Width, Height int
	Frames        int
	// Step is how many frames of the document one frame of the film takes.
	Step float64
	// Background lies behind the animation, opaque; without one, frames keep
	// their transparency.
	Background *color.NRGBA
}

// FrameSize is how many bytes a frame has: four a pixel, blue, green, red and
// alpha, which is not multiplied into the others.
func (f Film) FrameSize() int { return 4 * f.Width * f.Height }

// ErrUnreadable says that the library takes the document for no animation, or
// does not survive it.
var ErrUnreadable = errors.New("the animation cannot be drawn")

// ErrTooSlow says that a frame took too long.
var ErrTooSlow = errors.New("the animation takes too long to draw")

// The last words of a child, by what they say.
var lastWords = map[string]error{
	"missing": &program.Missing{Name: "rlottie", Package: Package}, "unreadable": ErrUnreadable, "slow": ErrTooSlow,
}

// order is what the child reads before the document.
type order struct {
	Library                      []string
	Width, Height, Frames, Bytes int
	Step                         float64
	Background                   *color.NRGBA
}

// Draw writes the frames, one after the other. It returns a *program.Missing
// where the library is not installed, ErrUnreadable, ErrTooSlow, the context's
// error, or that with which w takes no more.
func (f Film) Draw(ctx context.Context, w io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if len(f.Document) > MaxDocument || f.Width < 1 || f.Height < 1 || f.Width > MaxSide || f.Height > MaxSide {
		return ErrUnreadable
	}
	head, err := json.Marshal(order{Library, f.Width, f.Height, f.Frames, len(f.Document), f.Step, f.Background})
	if err != nil {
		return err
	}
	to := &taker{w: w}
	_, err = program.Command{
		Name: self, Dir: os.TempDir(), Time: wallTime, Processor: processorTime, Memory: memoryLimit,
		Env: []string{childVariable + "=1", "GOTRACEBACK=none"}, Into: to,
		Stdin: io.MultiReader(bytes.NewReader(append(head, '\n')), bytes.NewReader(f.Document)),
	}.Run(ctx)
	var failed *program.Failed
	switch {
	case to.refused != nil:
		return to.refused
	case errors.Is(err, program.ErrTooLong):
		return ErrTooSlow
	case errors.As(err, &failed):
		if known := lastWords[failed.Complaint]; known != nil {
			return known
		}
		return ErrUnreadable
	}
	return err
}

// taker hands frames on, and remembers why it could not.
type taker struct {
	w       io.Writer
	refused error
}

func (t *taker) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	t.refused = err
	return n, err
}
