package lottie

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"atelier/nodes/program"
)

// init makes any binary that holds this package its own child, the service as
// much as a test, and costs one look at the environment otherwise.
func init() {
	if os.Getenv(childVariable) == "" {
		return
	}
	err := draw(os.Stdin, os.Stdout)
	if err == nil {
		os.Exit(0)
	}
	end(err)
}

// end leaves the child with the words for an error.
func end(err error) {
	var missing *program.Missing
	for word, known := range lastWords {
		if errors.Is(err, known) || word == "missing" && errors.As(err, &missing) {
			os.Stderr.WriteString(word + "\n")
		}
	}
	os.Exit(3)
}

// animation is a document that the library has read.
type animation interface {
	// frames is how many there are.
	frames() int
	// draw draws a frame into pixels: blue, green, red, alpha, which is multiplied
	// into the others.
	draw(frame int, pixels []byte, width, height int)
}

// draw is the work of the child.
func draw(in io.Reader, out io.Writer) error {
	from := bufio.NewReader(in)
	head, err := from.ReadBytes('\n')
	if err != nil {
		return err
	}
	var o order
	if err := json.Unmarshal(head, &o); err != nil {
		return err
	}
	document := make([]byte, o.Bytes+1) // the library wants a zero at its end
	if _, err := io.ReadFull(from, document[:o.Bytes]); err != nil {
		return err
	}
	late := time.AfterFunc(frameTime, func() { end(ErrTooSlow) })
	a, err := open(o.Library, document)
	if err != nil {
		return err
	}
	pixels, last := make([]byte, 4*o.Width*o.Height), -1
	for i := range o.Frames {
		late.Reset(frameTime)
		if at := min(int(float64(i)*o.Step+1e-6), a.frames()-1); at != last {
			clear(pixels)
			a.draw(at, pixels, o.Width, o.Height)
			finish(pixels, o.Background)
			last = at
		}
		late.Stop() // the one who takes the frame has time
		if _, err := out.Write(pixels); err != nil {
			return err
		}
	}
	return nil
}
