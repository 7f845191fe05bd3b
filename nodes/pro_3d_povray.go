package nodes

import (
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"atelier/nodes/program"
	"atelier/nodes/scene"
)

const povrayTime = 5 * time.Minute

// povray traces one picture. The program reads a text that was written here from numbers, and
// may touch no file beyond the workbench.
func (w *workbench) povray(ctx context.Context, m *scene.Model, p scene.Picture) (image.Image, error) {
	settings := filepath.Join(w.dir, ".povray", "3.7")
	if err := os.MkdirAll(settings, 0o700); err != nil {
		return nil, err
	}
	bounds := "[File I/O Security]\nrestricted\n[Shellout Security]\nforbidden\n[Permitted Paths]\nread+write = \"" + w.dir + "\"\n"
	if err := os.WriteFile(filepath.Join(settings, "povray.conf"), []byte(bounds), 0o600); err != nil {
		return nil, err
	}
	text, err := os.OpenFile(w.path("scene.pov"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(m.POV(text, p), text.Close()); err != nil {
		return nil, err
	}
	args := []string{"+Iscene.pov", "+Otraced.png", "+W" + strconv.Itoa(p.Width), "+H" + strconv.Itoa(p.Height), "+A0.25", "+AM2", "+R2", "+FN8", "-D", "-V", "-GA", "+WT2"}
	if p.Background == nil {
		args = append(args, "+UA")
	}
	_, err = program.Command{Name: "povray", Package: "povray", Dir: w.dir, Time: povrayTime, Args: args}.Run(ctx)
	var missing *program.Missing
	switch {
	case errors.As(err, &missing):
		return nil, failf("povray is not installed on this server").hint("Install the Debian package povray: apt-get install povray; or use quality draft")
	case errors.Is(err, program.ErrTooLong):
		return nil, failf("The render takes too long").hint("Nothing was charged. Use quality draft, fewer pictures or a simpler model.")
	case err != nil:
		return nil, programFailure(err, "model")
	}
	file, err := os.Open(w.path("traced.png"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return png.Decode(file)
}

// tooLong tells the end of the time from other ends.
func tooLong(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return failf("The turntable takes too long").hint("Nothing was charged. Use quality draft, fewer pictures or a simpler model.")
	}
	return err
}
