package kit

import (
	"context"
	"errors"
	"image"
	"image/draw"
	"io"
	"math"
	"os"

	"atelier/mediatype"
	"atelier/models"
	"atelier/nodes/raster"
)

// ReadPicture decodes a picture, upright, and has fn look at it. The size is read first, and the caller waits
// for one of a few places before anything else of it is in memory; fn is within that place. Its refusals are
// sentences for people, beyond a few pictures of one account rate_limit_exceeded.
func ReadPicture(ctx context.Context, file *os.File, size int64, fn func(image.Image) error) error {
	if size > raster.MaxBytes {
		return pictureFailure(raster.ErrTooManyBytes, "")
	}
	kind, err := sniffFile(file)
	if err != nil {
		return err
	}
	if mediatype.Kind(kind) != "image" {
		return notOfKind("image", kind)
	}
	if _, err := raster.Look(file, size); err != nil {
		return pictureFailure(err, kind)
	}
	release, err := decoding.take(ctx, originOf(ctx))
	if err != nil {
		return err
	}
	defer release()
	img, err := raster.Decode(ctx, file, size)
	if err != nil {
		return pictureFailure(err, kind)
	}
	return fn(img)
}

// ReadPictureFrom is ReadPicture for what does not lie on this machine.
func ReadPictureFrom(ctx context.Context, r io.Reader, fn func(image.Image) error) error {
	dir, err := os.MkdirTemp("", "atelier-media-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file, size, err := spoolPicture(dir, r)
	if err != nil {
		return err
	}
	defer file.Close()
	return ReadPicture(ctx, file, size, fn)
}

// sniffFile is the type of a file by its content.
func sniffFile(file *os.File) (string, error) {
	head := make([]byte, mediatype.SniffLength)
	n, err := file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return mediatype.Sniff(head[:n]), nil
}

// IsFailure tells whether an error is a sentence for people, and not a fault of ours.
func IsFailure(err error) bool {
	var failure *Failure
	return errors.As(err, &failure)
}

// pictureFailure is why a picture was not decoded, for people; other errors stay as they are.
func pictureFailure(err error, kind string) error {
	var large *raster.TooLarge
	switch {
	case errors.As(err, &large):
		return Failf("The image %s", large).WithHint("Use a smaller image.")
	case errors.Is(err, raster.ErrTooManyBytes):
		return Failf("The file of the image is too large: at most %d MiB work", raster.MaxBytes>>20).WithHint("Use a smaller image, or save it as JPEG.")
	case errors.Is(err, raster.ErrTooHeavy):
		return Failf("The image takes too much time or memory to read").WithHint("Save it again as PNG or as a plain JPEG, or make it smaller.")
	case errors.Is(err, raster.ErrUnreadable):
		return Failf("The image cannot be read (%s)", kind).WithHint("It may be damaged or cut off. %s", KindFormats["image"])
	}
	return err
}

// ReadImage decodes a picture of any of the formats that are taken, the first one of an animation, upright and from
// (0, 0). The size is read before the pixels, so that a small file cannot claim a huge picture.
func (in *Call) ReadImage(ctx context.Context, url string) (*image.NRGBA, error) {
	body, kind, err := in.Open(ctx, url, "image", MaxMediaBytes)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return in.DecodeImage(ctx, body, kind)
}

// DecodeImage decodes an image of a sniffed type. Large ones are worked on by few calls at once: a caller that takes
// one keeps its turn to the end of the call.
func (in *Call) DecodeImage(ctx context.Context, body io.Reader, kind string) (*image.NRGBA, error) {
	dir, err := os.MkdirTemp("", "atelier-media-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file, size, err := spoolPicture(dir, body)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if converts(kind) {
		still, err := toStill(ctx, dir, file, kind)
		if err != nil {
			return nil, stillFailure(err, kind)
		}
		defer still.Close()
		file, kind = still, mediatype.PNG
		if size, err = sizeOf(file); err != nil {
			return nil, err
		}
	}
	head, err := raster.Look(file, size)
	if err != nil {
		return nil, pictureFailure(err, kind)
	}
	if err := in.makeRoom(ctx, head.Width*head.Height); err != nil {
		return nil, err
	}
	release, err := decoding.take(ctx, originOf(ctx))
	if err != nil {
		return nil, err
	}
	defer release()
	img, err := raster.Decode(ctx, file, size)
	return img, pictureFailure(err, kind)
}

// spoolPicture writes the file of a picture to a folder.
func spoolPicture(dir string, body io.Reader) (*os.File, int64, error) {
	file, err := os.CreateTemp(dir, "picture-*")
	if err != nil {
		return nil, 0, err
	}
	size, err := io.Copy(file, io.LimitReader(body, raster.MaxBytes+1))
	if err == nil && size > raster.MaxBytes {
		err = pictureFailure(raster.ErrTooManyBytes, "")
	}
	if err != nil {
		file.Close()
		return nil, 0, NotOpened(err, "image")
	}
	return file, size, nil
}

func sizeOf(file *os.File) (int64, error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// What a call may hold without waiting for others, in pixels, and how many calls at once hold more.
const (
	smallPicture = 8 << 20
	maxLarge     = 2
)

// large are the turns of calls that hold large pictures.
var large = make(chan struct{}, maxLarge)

// makeRoom waits, before a large picture comes into memory, for a turn that lasts to the end of the call.
func (in *Call) makeRoom(ctx context.Context, pixels int) error {
	if in.room == nil || in.room.taken {
		return nil
	}
	if in.room.pixels += pixels; in.room.pixels <= smallPicture {
		return nil
	}
	select {
	case large <- struct{}{}:
		in.room.taken = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// room is what a call holds of pictures.
type room struct {
	pixels int
	taken  bool
}

func (r *room) leave() {
	if r.taken {
		<-large
	}
}

// CheckPixels refuses a picture that would not fit into memory.
func CheckPixels(width, height int) error {
	return pictureFailure(raster.CheckSize(width, height), "")
}

// invalidPicture is a refusal of a file that a person sends.
func invalidPicture(field string, err error) error {
	var large *raster.TooLarge
	switch {
	case errors.As(err, &large):
		return models.Invalid(field, "%s", large)
	case errors.Is(err, raster.ErrTooManyBytes):
		return models.Err(models.CodePayloadTooLarge, "A picture may have at most %d MiB", raster.MaxBytes>>20)
	case errors.Is(err, raster.ErrUnreadable):
		return models.Invalid(field, "is no image that can be read: it may be damaged or cut off")
	case errors.Is(err, raster.ErrTooHeavy):
		return models.Invalid(field, "takes too much time or memory to read: save it again as PNG or as a plain JPEG, or make it smaller")
	}
	return err
}

// FitImage scales src into a picture of the size, by the meaning of fit.
func FitImage(src image.Image, width, height int, fit string) *image.NRGBA {
	b := src.Bounds()
	from, to := b, image.Rect(0, 0, width, height)
	size := to
	wider := b.Dx()*height > width*b.Dy() // src is wider than the target
	switch fit {
	case "cover":
		from = Centered(b, Scaled(b.Dy(), width, height), b.Dy())
		if !wider {
			from = Centered(b, b.Dx(), Scaled(b.Dx(), height, width))
		}
	case "contain", "inside":
		w, h := width, min(height, Scaled(b.Dy(), width, b.Dx()))
		if !wider {
			w, h = min(width, Scaled(b.Dx(), height, b.Dy())), height
		}
		to = Centered(size, w, h)
		if fit == "inside" {
			to = image.Rect(0, 0, w, h)
			size = to
		}
	}
	part := raster.Scale(AsNRGBA(src), from.Sub(b.Min), to.Dx(), to.Dy())
	if to == size {
		return part
	}
	dst := image.NewNRGBA(size)
	draw.Draw(dst, to, part, image.Point{}, draw.Src)
	return dst
}

// AsNRGBA is a picture that starts at (0, 0): the same where it is one already, else a copy.
func AsNRGBA(src image.Image) *image.NRGBA {
	b := src.Bounds()
	if same, ok := src.(*image.NRGBA); ok && b.Min == (image.Point{}) {
		return same
	}
	dst := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(dst, dst.Bounds(), src, b.Min, draw.Src)
	return dst
}

// Scaled is side·to/from, at least one pixel.
func Scaled(side, to, from int) int {
	return max(1, int(math.Round(float64(side)*float64(to)/float64(from))))
}

// Centered is a rectangle of the size in the middle of another, not larger than it.
func Centered(outer image.Rectangle, width, height int) image.Rectangle {
	width, height = min(width, outer.Dx()), min(height, outer.Dy())
	at := outer.Min.Add(image.Pt((outer.Dx()-width)/2, (outer.Dy()-height)/2))
	return image.Rectangle{Min: at, Max: at.Add(image.Pt(width, height))}
}
