package raster

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"image"
	"io"
	"os"
	"time"

	"atelier/nodes/program"
)

// The bounds of a child.
const (
	childVariable = "ATELIER_RASTER"
	processorTime = 30 * time.Second
	wallTime      = 90 * time.Second // on a machine that has much else to do
	// memoryLimit lets a progressive JPEG or a PNG of 16 bits of the largest area pass.
	memoryLimit = 1280 << 20
)

// order is what the child does; the file is its standard input.
type order struct {
	Size             int64
	Encode, Lossless bool
}

// init makes any binary that holds this package its own child, the service as
// much as a test, and costs one look at the environment otherwise.
func init() {
	text := os.Getenv(childVariable)
	if text == "" {
		return
	}
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		os.Exit(4)
	}
	if err := o.do(os.Stdin, os.Stdout); err != nil {
		os.Stderr.WriteString(lastWord + "\n")
		os.Exit(3)
	}
	os.Exit(0)
}

// lastWord is what a child says that could not read its picture.
const lastWord = "unreadable"

// do is the work of the child.
func (o order) do(in io.ReaderAt, out io.Writer) error {
	head, err := Look(in, o.Size)
	if err != nil {
		return err
	}
	if o.Encode {
		img, err := decodeHere(in, o.Size, head)
		if err != nil {
			return err
		}
		return encode(out, img, o.Lossless)
	}
	img, at, err := decode(in, o.Size)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(out, 1<<20)
	if err := writeRows(buffered, img, at, head); err != nil {
		return err
	}
	return buffered.Flush()
}

// inChild has a child do the order with a file and takes what it writes.
func inChild(ctx context.Context, file *os.File, o order, into io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	what, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = program.Command{
		Name: self, Dir: os.TempDir(), Time: wallTime, Processor: processorTime, Memory: memoryLimit,
		Env:   []string{childVariable + "=" + string(what), "GOGC=off", "GOMEMLIMIT=1GiB", "GOMAXPROCS=2", "GOTRACEBACK=none"},
		Stdin: file, Into: into,
	}.Run(ctx)
	var failed *program.Failed
	switch {
	case errors.Is(err, program.ErrTooLong):
		return ErrTooHeavy
	case errors.As(err, &failed) && failed.Complaint == lastWord:
		return ErrUnreadable
	case errors.As(err, &failed):
		return ErrTooHeavy
	}
	return err
}

// writeRows writes a picture that lies at a point of its canvas row by row: red, green, blue and alpha,
// which is not multiplied into the others. It turns it the way the head says.
func writeRows(w io.Writer, img image.Image, at image.Point, head Head) error {
	width, height := head.Width, head.Height
	if head.Orientation > 4 {
		width, height = height, width // as stored
	}
	b := img.Bounds()
	stored := reader(img)
	row := make([]byte, 4*head.Width)
	if head.Orientation < 2 {
		for y := range height {
			clear(row)
			if within := b.Min.Y + y - at.Y; y >= at.Y && within < b.Max.Y {
				from, to := max(0, at.X), min(width, at.X+b.Dx())
				if from < to {
					stored(row[4*from:4*to], b.Min.X+from-at.X, within)
				}
			}
			if _, err := w.Write(row); err != nil {
				return err
			}
		}
		return nil
	}
	for y := range head.Height {
		for x := range head.Width {
			sx, sy := source(head.Orientation, x, y, width, height)
			stored(row[4*x:4*x+4], b.Min.X+sx, b.Min.Y+sy)
		}
		if _, err := w.Write(row); err != nil {
			return err
		}
	}
	return nil
}
