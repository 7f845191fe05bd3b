package nodes

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"io"

	_ "golang.org/x/image/bmp"  // decoders
	_ "golang.org/x/image/webp" // of what
	_ "image/gif"               // nodes
	_ "image/jpeg"              // accept

	"atelier/models"
	"atelier/models/egress"
)

const (
	// maxPixels bounds every image, before it is decoded and when it is made.
	maxPixels = 64 << 20
	// maxImageBytes and maxMediaBytes bound the files that a node reads.
	maxImageBytes = 100 << 20
	maxMediaBytes = 500 << 20
)

// open opens a file and sniffs its type; kind is image, video or audio, or
// empty for any. The reader ends with an error past limit bytes.
func (in *Call) open(ctx context.Context, url, kind string, limit int64) (io.ReadCloser, string, error) {
	body, info, err := in.openSized(ctx, url, kind, limit)
	return body, info.ContentType, err
}

// openSized is open with the size that was announced; the type is the sniffed one.
func (in *Call) openSized(ctx context.Context, url, kind string, limit int64) (io.ReadCloser, MediaInfo, error) {
	if url == "" {
		return nil, MediaInfo{}, failf("There is no %s to work on", orFile(kind)).hint("Connect a node that yields one, or choose a file.")
	}
	body, info, err := in.Media.Open(ctx, url)
	if err != nil {
		return nil, info, notOpened(err, kind)
	}
	buffered := bufio.NewReaderSize(&bounded{from: body, left: limit}, sniffLength)
	head, err := buffered.Peek(sniffLength)
	if err != nil && !errors.Is(err, io.EOF) {
		body.Close()
		return nil, info, notOpened(err, kind)
	}
	if len(head) == 0 {
		body.Close()
		return nil, info, failf("The file is empty").hint("Upload it again, or choose another file.")
	}
	info.ContentType = SniffType(head)
	if kind != "" && kindOf(info.ContentType) != kind {
		body.Close()
		return nil, info, notOfKind(kind, info.ContentType)
	}
	return struct {
		io.Reader
		io.Closer
	}{buffered, body}, info, nil
}

// openTroubles say why nothing came from an address, by the class of the
// error. What goes wrong before there is a connection has one sentence: see
// unreachable.
var openTroubles = map[string]string{
	egress.ClassTimeout:         "its server took too long",
	egress.ClassConnectionReset: "its server broke off before the end",
	egress.ClassTLSError:        "its server has no valid certificate",
}

// notOpened says why a file could not be had; failures keep their words.
func notOpened(err error, kind string) error {
	var refusal *models.Error
	var failure *Failure
	switch {
	case errors.Is(err, context.Canceled), errors.As(err, &failure):
		return err
	case errors.As(err, &refusal):
		return refused(refusal, kind)
	case errors.Is(err, egress.ErrTooLarge):
		return failf("The %s is too large", orFile(kind)).hint("Use a smaller file.")
	}
	trouble := openTroubles[egress.Classify(err)]
	switch {
	case errors.Is(err, egress.ErrRedirects):
		trouble = "its address leads on to others too often"
	case trouble == "":
		trouble = "its address could not be reached, or is not public"
	}
	return failf("The %s could not be opened: %s", orFile(kind), trouble).hint("Upload the file, or check that its address opens without signing in.")
}

// refused puts the refusal of an address into words: the address itself, or
// what its server answered.
func refused(refusal *models.Error, kind string) error {
	switch {
	case refusal.Code == models.CodePayloadTooLarge:
		return failf("The %s is too large", orFile(kind)).hint("Use a smaller file. %s.", refusal.Message)
	case refusal.Code == models.CodeNotFound && refusal.Message == models.NotFound("File").Message:
		return failf("The %s was not found", orFile(kind)).hint("It was deleted, or its address is incomplete. Upload it again.")
	case refusal.Code == models.CodeNotFound:
		return failf("The %s could not be opened: %s", orFile(kind), refusal.Message).hint("Check that its address opens without signing in, or upload the file.")
	}
	return failf("The %s could not be opened: %s", orFile(kind), its(refusal.Message)).hint("Upload the file, or use an https address on a public host.")
}

// bounded ends with a Failure when more than left bytes come.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return 0, failf("The file is too large").hint("Use a smaller file.")
	}
	return n, err
}

// readImage decodes a PNG, JPEG, GIF (its first picture), WebP or BMP. The size is
// read before the pixels, so that a small file cannot claim a huge picture.
func (in *Call) readImage(ctx context.Context, url string) (image.Image, error) {
	body, kind, err := in.open(ctx, url, "image", maxImageBytes)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return decodeImage(body, kind)
}

// decodeImage decodes an image of a sniffed type.
func decodeImage(body io.Reader, kind string) (image.Image, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, notOpened(err, "image")
	}
	broken := failf("The image cannot be read (%s)", kind).hint("It may be damaged or cut off. %s", kindFormats["image"])
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, broken
	}
	if err := checkPixels(config.Width, config.Height); err != nil {
		return nil, err
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, broken
	}
	if kind == "image/jpeg" {
		img = upright(img, exifOrientation(data))
	}
	return img, nil
}

// checkPixels refuses a picture that would not fit into memory.
func checkPixels(width, height int) error {
	if width <= 0 || height <= 0 || int64(width)*int64(height) > maxPixels {
		return failf("The image has %d × %d pixels; at most 64 megapixels work", width, height).hint("Use a smaller image.")
	}
	return nil
}

// saveImage keeps a picture as PNG and describes it as an output.
func (in *Call) saveImage(ctx context.Context, name string, img image.Image) (Output, error) {
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	var b bytes.Buffer
	if err := encoder.Encode(&b, img); err != nil {
		return nil, err
	}
	return in.saveFile(ctx, name+".png", "image/png", &b, img.Bounds().Dx(), img.Bounds().Dy())
}

// saveFile keeps a media file and describes it under url and imageUrl,
// videoUrl or audioUrl.
func (in *Call) saveFile(ctx context.Context, name, contentType string, r io.Reader, width, height int) (Output, error) {
	info, err := in.Media.Save(ctx, name, contentType, r)
	if err != nil {
		return nil, err
	}
	out := Output{"url": info.URL, "contentType": contentType, "size": info.Size}
	if kind := kindOf(contentType); kind == "image" || kind == "video" || kind == "audio" {
		out[kind+"Url"] = info.URL
	}
	if width > 0 {
		out["width"], out["height"] = width, height
	}
	return out, nil
}
