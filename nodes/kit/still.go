package kit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"atelier/mediatype"
	"atelier/models"
	"atelier/nodes/program"
	"atelier/nodes/raster"
)

// The bounds of a program that decodes HEIC or AVIF, and the package that holds it.
const (
	heifTime    = time.Minute
	heifMemory  = 1280 << 20
	heifPackage = "libheif-examples"
	// maxHEIFImages is how many pictures such a file may hold: all of them are written.
	maxHEIFImages = 16
	heifQuality   = 93
)

// converts tells whether a program outside has to decode a type.
func converts(contentType string) bool {
	return contentType == mediatype.HEIC || contentType == mediatype.AVIF
}

// errNoProgram says that nothing here decodes a type.
var errNoProgram = errors.New("no program for this format is installed")

// stillFailure is why a picture of a foreign format cannot be used, for people.
func stillFailure(err error, kind string) error {
	if errors.Is(err, errNoProgram) {
		t, _ := mediatype.Find(kind)
		return Failf("This service cannot read %s", t.Label).WithHint("Save the picture as JPEG or PNG. The operator of the service can install the Debian package %s.", heifPackage)
	}
	return pictureFailure(err, kind)
}

// notTaken refuses at the door a picture that this install cannot turn into one that it can use.
func notTaken(err error, kind string) error {
	if errors.Is(err, errNoProgram) {
		t, _ := mediatype.Find(kind)
		return models.Err(models.CodeUnsupportedMediaType,
			"This install does not read %s: send the picture as JPEG or PNG (on an iPhone: Settings, Camera, Formats, Most Compatible)", t.Label)
	}
	return invalidPicture("file", err)
}

// toStill decodes a HEIC or AVIF, the primary or the first picture of it, into a JPEG, or a PNG where it has
// transparent parts, in a child with limits. It is upright.
func toStill(ctx context.Context, dir string, file *os.File, kind string) (*os.File, error) {
	release, err := decoding.take(ctx, originOf(ctx))
	if err != nil {
		return nil, err
	}
	defer release()
	out, err := heifStill(ctx, dir, file)
	if err == nil {
		return os.Open(out)
	}
	if kind == mediatype.AVIF && !errors.Is(err, context.Canceled) {
		if out, again := ffmpegStill(ctx, dir, file); again == nil {
			return os.Open(out)
		}
	}
	var missing *program.Missing
	var failed *program.Failed
	switch {
	case errors.As(err, &missing):
		return nil, errNoProgram
	case errors.As(err, &failed):
		return nil, raster.ErrUnreadable
	case errors.Is(err, program.ErrTooLong):
		return nil, raster.ErrTooHeavy
	}
	return nil, err
}

// heifLine is what heif-info says of a picture of a file.
var heifLine = regexp.MustCompile(`^image: (\d+)x(\d+) \(id=\d+\)(, primary)?`)

// heifStill decodes with the programs of libheif.
func heifStill(ctx context.Context, dir string, file *os.File) (string, error) {
	primary, count, alpha, err := heifInfo(ctx, dir, file)
	if err != nil {
		return "", err
	}
	ending := ".jpg"
	if alpha {
		ending = ".png"
	}
	err = runHEIF(ctx, dir, "heif-convert", []string{"-q", strconv.Itoa(heifQuality), file.Name(), filepath.Join(dir, "still"+ending)}, nil)
	if err != nil {
		return "", err
	}
	out := "still" + ending
	if count > 1 {
		out = fmt.Sprintf("still-%d%s", primary, ending)
	}
	return filepath.Join(dir, out), nil
}

// heifInfo is which picture of a file is the primary one, counted from 1, how many there are, and whether it has transparent parts.
func heifInfo(ctx context.Context, dir string, file *os.File) (primary, count int, alpha bool, err error) {
	primary = 1
	var large error
	err = runHEIF(ctx, dir, "heif-info", []string{file.Name()}, func(line string) {
		if found := heifLine.FindStringSubmatch(line); found != nil {
			count++
			width, _ := strconv.Atoi(found[1])
			height, _ := strconv.Atoi(found[2])
			if err := raster.CheckSize(width, height); err != nil {
				large = err
			}
			if found[3] != "" {
				primary = count
			}
			return
		}
		if count == primary && strings.HasPrefix(strings.TrimSpace(line), "alpha channel: yes") {
			alpha = true
		}
	})
	switch {
	case err != nil:
		return 0, 0, false, err
	case large != nil:
		return 0, 0, false, large
	case count == 0 || count > maxHEIFImages:
		return 0, 0, false, raster.ErrUnreadable
	}
	return primary, count, alpha, nil
}

// heifNames are the names of a program by version.
var heifNames = map[string][]string{"heif-convert": {"heif-convert", "heif-dec"}, "heif-info": {"heif-info"}}

func runHEIF(ctx context.Context, dir, name string, args []string, line func(string)) (err error) {
	for _, known := range heifNames[name] {
		_, err = program.Command{
			Name: known, Package: heifPackage, Args: args, Dir: dir, Time: heifTime, Memory: heifMemory, Line: line,
		}.Run(ctx)
		var missing *program.Missing
		if !errors.As(err, &missing) {
			return err
		}
	}
	return err
}

// ffmpegStill decodes the first picture with ffmpeg, which reads AVIF.
func ffmpegStill(ctx context.Context, dir string, file *os.File) (string, error) {
	s := Source{Path: file.Name(), Demuxer: "mov"}
	if err := s.Examine(ctx, dir); err != nil {
		return "", err
	}
	if err := raster.CheckSize(s.Width, s.Height); err != nil {
		return "", err
	}
	out := filepath.Join(dir, "still.png")
	_, err := program.Command{
		Name: "ffmpeg", Package: ffmpegPackage, Dir: dir, Time: heifTime, Memory: heifMemory,
		Args: append([]string{"-nostdin", "-v", "error", "-y"}, append(s.Input(), "-frames:v", "1", "-map_metadata", "-1", out)...),
	}.Run(ctx)
	return out, err
}

// rewritten is a new file beside the others, with what fn writes into it.
func rewritten(dir string, fn func(io.Writer) error) (*os.File, error) {
	file, err := os.CreateTemp(dir, "rewritten-*")
	if err != nil {
		return nil, err
	}
	if err := fn(file); err != nil {
		file.Close()
		os.Remove(file.Name())
		return nil, err
	}
	return file, nil
}
