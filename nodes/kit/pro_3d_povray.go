package kit

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

// Povray traces one picture. The program reads a text that was written here from numbers, and
// may touch no file beyond the workbench.
func (w *Workbench) Povray(ctx context.Context, m *scene.Model, p scene.Picture) (image.Image, error) {
	settings := filepath.Join(w.Dir, ".povray", "3.7")
	if err := os.MkdirAll(settings, 0o700); err != nil {
		return nil, err
	}
	bounds := "[File I/O Security]\nrestricted\n[Shellout Security]\nforbidden\n[Permitted Paths]\nread+write = \"" + w.Dir + "\"\n"
	if err := os.WriteFile(filepath.Join(settings, "povray.conf"), []byte(bounds), 0o600); err != nil {
		return nil, err
	}
	text, err := os.OpenFile(w.Path("scene.pov"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
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
	_, err = program.Command{Name: "povray", Package: "povray", Dir: w.Dir, Time: povrayTime, Args: args}.Run(ctx)
	var missing *program.Missing
	switch {
	case errors.As(err, &missing):
		return nil, Failf("povray is not installed on this server").WithHint("Install the Debian package povray: apt-get install povray; or use quality draft")
	case errors.Is(err, program.ErrTooLong):
		return nil, Failf("The render takes too long").WithHint("Nothing was charged. Use quality draft, fewer pictures or a simpler model.")
	case err != nil:
		return nil, ProgramFailure(ctx, err, "model")
	}
	file, err := os.Open(w.Path("traced.png"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return png.Decode(file)
}

// TooLong tells the end of the time from other ends.
func TooLong(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Failf("The turntable takes too long").WithHint("Nothing was charged. Use quality draft, fewer pictures or a simpler model.")
	}
	return err
}
