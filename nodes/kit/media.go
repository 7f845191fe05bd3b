package kit

import (
	"bufio"
	"context"
	"errors"
	"image"
	"image/png"
	"io"
	"os"

	"atelier/mediatype"
	"atelier/models"
	"atelier/models/egress"
)

const (
	// MaxImageBytes and maxMediaBytes bound the files that a node reads.
	MaxImageBytes = 100 << 20
	MaxMediaBytes = 500 << 20
)

// Open opens a file and sniffs its type; kind is image, video or audio, or
// empty for any. The reader ends with an error past limit bytes.
func (in *Call) Open(ctx context.Context, url, kind string, limit int64) (io.ReadCloser, string, error) {
	body, info, err := in.OpenSized(ctx, url, kind, limit)
	return body, info.ContentType, err
}

// OpenSized is open with the size that was announced; the type is the sniffed one.
func (in *Call) OpenSized(ctx context.Context, url, kind string, limit int64) (io.ReadCloser, MediaInfo, error) {
	if url == "" {
		return nil, MediaInfo{}, Failf("There is no %s to work on", orFile(kind)).WithHint("Connect a node that yields one, or choose a file.")
	}
	body, info, err := in.Media.Open(ctx, url)
	if err != nil {
		return nil, info, NotOpened(err, kind)
	}
	buffered := bufio.NewReaderSize(&Bounded{From: body, Left: limit}, sniffLength)
	head, err := buffered.Peek(sniffLength)
	if err != nil && !errors.Is(err, io.EOF) {
		body.Close()
		return nil, info, NotOpened(err, kind)
	}
	if len(head) == 0 {
		body.Close()
		return nil, info, Failf("The file is empty").WithHint("Upload it again, or choose another file.")
	}
	sniffed := SniffType(head)
	if !info.Judged || !mediatype.SameContainer(sniffed, info.ContentType) {
		info.ContentType, info.Judged = sniffed, false
	}
	opened := struct {
		io.Reader
		io.Closer
	}{buffered, body}
	if kind != "" && !info.Judged && mediatype.ByStreams(sniffed, kind == "video") != mediatype.ByStreams(sniffed, kind != "video") {
		return in.judge(ctx, opened, info, kind)
	}
	if kind != "" && KindOf(info.ContentType) != kind {
		body.Close()
		return nil, info, notOfKind(kind, info.ContentType)
	}
	return opened, info, nil
}

// judge tells by the streams of a file whether it is of a kind: its container holds either.
func (in *Call) judge(ctx context.Context, body io.ReadCloser, info MediaInfo, kind string) (io.ReadCloser, MediaInfo, error) {
	defer body.Close()
	dir, err := os.MkdirTemp("", "atelier-media-")
	if err != nil {
		return nil, info, err
	}
	defer os.RemoveAll(dir)
	w := &Workbench{In: in, Dir: dir}
	s, err := w.Copy(body, info.ContentType)
	if err != nil {
		return nil, info, NotOpened(err, kind)
	}
	if err := s.Examine(ctx, dir); err == nil && (s.HasVideo || s.HasAudio) {
		info.ContentType = mediatype.ByStreams(info.ContentType, s.HasVideo)
	} else if ctx.Err() != nil {
		return nil, info, ctx.Err()
	}
	if KindOf(info.ContentType) != kind {
		return nil, info, notOfKind(kind, info.ContentType)
	}
	file, err := os.Open(s.Path) // which stays open when the folder goes
	return file, info, err
}

// openTroubles say why nothing came from an address, by the class of the
// error. What goes wrong before there is a connection has one sentence: see
// unreachable.
var openTroubles = map[string]string{
	egress.ClassTimeout:         "its server took too long",
	egress.ClassConnectionReset: "its server broke off before the end",
	egress.ClassTLSError:        "its server has no valid certificate",
}

// NotOpened says why a file could not be had; failures keep their words.
func NotOpened(err error, kind string) error {
	var refusal *models.Error
	var failure *Failure
	switch {
	case errors.Is(err, context.Canceled), errors.As(err, &failure):
		return err
	case errors.As(err, &refusal):
		return refused(refusal, kind)
	case errors.Is(err, egress.ErrTooLarge):
		return Failf("The %s is too large", orFile(kind)).WithHint("Use a smaller file.")
	}
	trouble := openTroubles[egress.Classify(err)]
	switch {
	case errors.Is(err, egress.ErrRedirects):
		trouble = "its address leads on to others too often"
	case trouble == "":
		trouble = "its address could not be reached, or is not public"
	}
	return Failf("The %s could not be opened: %s", orFile(kind), trouble).WithHint("Upload the file, or check that its address opens without signing in.")
}

// refused puts the refusal of an address into words: the address itself, or
// what its server answered.
func refused(refusal *models.Error, kind string) error {
	switch {
	case refusal.Code == models.CodePayloadTooLarge:
		return Failf("The %s is too large", orFile(kind)).WithHint("Use a smaller file. %s.", refusal.Message)
	case refusal.Code == models.CodeNotFound && refusal.Message == models.NotFound("File").Message:
		return Failf("The %s was not found", orFile(kind)).WithHint("It was deleted, or its address is incomplete. Upload it again.")
	case refusal.Code == models.CodeNotFound:
		return Failf("The %s could not be opened: %s", orFile(kind), refusal.Message).WithHint("Check that its address opens without signing in, or upload the file.")
	}
	return Failf("The %s could not be opened: %s", orFile(kind), its(refusal.Message)).WithHint("Upload the file, or use an https address on a public host.")
}

// Bounded ends with a Failure when more than left bytes come.
type Bounded struct {
	From io.Reader
	Left int64
}

func (b *Bounded) Read(p []byte) (int, error) {
	n, err := b.From.Read(p)
	b.Left -= int64(n)
	if b.Left < 0 {
		return 0, Failf("The file is too large").WithHint("Use a smaller file.")
	}
	return n, err
}

// SaveImage keeps a picture as PNG and describes it as an output.
func (in *Call) SaveImage(ctx context.Context, name string, img image.Image) (Output, error) {
	return in.SaveWritten(ctx, name+".png", "image/png", img.Bounds().Size(), func(w io.Writer) error {
		encoder := png.Encoder{CompressionLevel: png.BestSpeed}
		return encoder.Encode(w, img)
	})
}

// SaveWritten keeps a picture as it is written, without a copy of it in memory.
func (in *Call) SaveWritten(ctx context.Context, name, contentType string, size image.Point, write func(io.Writer) error) (Output, error) {
	from, to := io.Pipe()
	go func() { to.CloseWithError(write(to)) }()
	defer from.Close()
	return in.SaveFile(ctx, name, contentType, from, size.X, size.Y)
}

// SaveFile keeps a media file and describes it under url and imageUrl,
// videoUrl or audioUrl.
func (in *Call) SaveFile(ctx context.Context, name, contentType string, r io.Reader, width, height int) (Output, error) {
	info, err := in.Media.Save(ctx, name, contentType, r)
	if err != nil {
		return nil, err
	}
	out := Output{"url": info.URL, "contentType": contentType, "size": info.Size}
	if kind := KindOf(contentType); kind == "image" || kind == "video" || kind == "audio" {
		out[kind+"Url"] = info.URL
	}
	if width > 0 {
		out["width"], out["height"] = width, height
	}
	return out, nil
}
