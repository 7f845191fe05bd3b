package rest

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"

	"atelier/inbound"
	"atelier/models"
	"atelier/models/install"
	"atelier/models/media"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
	"github.com/gorilla/mux"
)

const (
	maxUpload = 100 << 20
	// formBytes is how much longer than its file a form may be.
	formBytes = 4 << 10
)

// mediaRoutes take files (open points, "Uploads").
func (a *API) mediaRoutes() {
	handle(a, route{
		Method: "POST", Path: "/v1/upload", Tag: "Files", Summary: "Upload a file of at most 100 MiB in the field file",
		Status: 201, Scope: models.ScopeExecute, Covered: true, MaxBody: maxUpload + 1<<20, Streams: true,
	}, a.upload)
	handle(a, route{
		Method: "POST", Path: "/v1/save-to-storage", Tag: "Files", Summary: "Keep a copy of a file that lies at an address",
		Status: 201, Scope: models.ScopeExecute, Covered: true,
	}, a.saveToStorage)
	file := &huma.Schema{Type: huma.TypeString, Format: "binary"}
	a.OpenAPI().Paths["/v1/upload"].Post.RequestBody = &huma.RequestBody{
		Required: true,
		Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"file"}, Properties: map[string]*huma.Schema{"file": file},
		}}},
	}
}

// uploadInput reads the body as it arrives, without keeping it.
type uploadInput struct {
	w       http.ResponseWriter
	request *http.Request
}

// Resolve keeps the request for reading its parts.
func (in *uploadInput) Resolve(ctx huma.Context) []error {
	in.request, in.w = humamux.Unwrap(ctx)
	return nil
}

type fileView struct {
	ID          models.ID `json:"id"`
	URL         string    `json:"url" doc:"Unguessable; anyone who has it may download the file."`
	ContentType string    `json:"contentType" doc:"As sniffed."`
	Size        int64     `json:"size"`
	Width       *int      `json:"width,omitempty"`
	Height      *int      `json:"height,omitempty"`
	Duration    *float64  `json:"duration,omitempty" doc:"In seconds."`
}

func (a *API) upload(ctx context.Context, in *uploadInput) (*single[fileView], error) {
	return a.keepFile(ctx, func() (*media.Incoming, error) {
		if err := a.Resolver.Media.CheckRoomForFile(ctx, in.request.ContentLength-formBytes); err != nil {
			inbound.Drain(in.request)
			return nil, err
		}
		form, err := openForm(in.request)
		if err != nil {
			return nil, err
		}
		incoming, err := a.Resolver.Media.ReceiveFile(ctx, form)
		if err != nil {
			inbound.Drain(in.request)
		}
		return incoming, err
	})
}

type saveInput struct {
	Body struct {
		URL string `json:"url" maxLength:"4000" doc:"A public https address, or that of a file of this install, such as the imageUrl of a job."`
	}
}

func (a *API) saveToStorage(ctx context.Context, in *saveInput) (*single[fileView], error) {
	return a.keepFile(ctx, func() (*media.Incoming, error) { return a.Resolver.Media.FetchFile(ctx, in.Body.URL) })
}

// keepFile gives a file an address once it has arrived.
func (a *API) keepFile(ctx context.Context, arrive func() (*media.Incoming, error)) (*single[fileView], error) {
	incoming, err := arrive()
	if err != nil {
		return nil, err
	}
	defer incoming.Close()
	file, err := a.Resolver.Media.KeepFile(ctx, incoming)
	if err != nil {
		return nil, err
	}
	return one(fileView{
		ID: file.ID, URL: a.Resolver.Media.URL(file), ContentType: file.ContentType, Size: file.Size,
		Width: file.Width, Height: file.Height, Duration: file.Duration,
	}), nil
}

// MediaHandler serves GET /media/{file}, publicly and for good; a private file
// to the one who has its signed address, until that ends. Nothing in a file can act
// in the service's name: its type is fixed, and pages are boxed in.
func MediaHandler(media *media.Store) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, err := media.FindServed(r.Context(), mux.Vars(r)["file"], r.URL.Query())
		if err != nil {
			WriteProblem(w, r, err)
			return
		}
		content, err := media.Content(r.Context(), file)
		if err != nil {
			WriteProblem(w, r, err)
			return
		}
		defer content.Close()
		present(w.Header(), file)
		http.ServeContent(w, r, "", file.CreatedAt, content)
	})
}

// PrivateFileCaching is how long a browser keeps a private file, whose address ends soon.
const PrivateFileCaching = "private, max-age=600"

// present sets the headers of a file.
func present(header http.Header, file *media.File) {
	contentType, disposition := presentation(file)
	header.Set("Content-Type", contentType)
	header.Set("Content-Disposition", disposition)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("ETag", `"`+hex.EncodeToString(file.SHA256)+`"`)
	if file.Private {
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Cache-Control", PrivateFileCaching)
		return
	}
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Access-Control-Allow-Origin", "*") // for scripts that draw, cut or play it on their own page
}

// presentation says how a browser shows a file: pictures, videos and sounds in
// their place, everything else as a download.
func presentation(file *media.File) (contentType, disposition string) {
	switch kind, _, _ := strings.Cut(file.ContentType, "/"); kind {
	case "image", "video", "audio":
		return file.ContentType, "inline"
	case "text":
		return file.ContentType + "; charset=utf-8", "attachment"
	}
	return file.ContentType, "attachment"
}

// formFile is the field file of a form, read as it arrives. It ends with a
// refusal when the form does not end well, or holds another file.
type formFile struct {
	parts *formParts
	part  io.Reader
}

// openForm finds the field file.
func openForm(r *http.Request) (*formFile, error) {
	parts, err := openParts(r)
	if err != nil {
		return nil, err
	}
	for {
		part, name, err := parts.next()
		if errors.Is(err, io.EOF) {
			return nil, models.Invalid("file", "is required")
		}
		if err != nil {
			return nil, err
		}
		if name == "file" {
			return &formFile{parts, part}, nil
		}
	}
}

// Read reads the file, and at its end what follows.
func (f *formFile) Read(p []byte) (int, error) {
	n, err := f.part.Read(p)
	if errors.Is(err, io.EOF) {
		return n, f.end()
	}
	if err != nil {
		err = formProblem(err)
	}
	return n, err
}

// end is io.EOF when the form ends well.
func (f *formFile) end() error {
	for {
		_, name, err := f.parts.next()
		if err != nil {
			return err
		}
		if name == "file" {
			return models.Invalid("file", "must be there once; send each file by itself")
		}
	}
}

// formProblem tells what is wrong with a form that broke off.
func formProblem(err error) error {
	var refusal *inbound.Refusal
	var known *models.Error
	switch {
	case tooLarge(err):
		return models.Err(models.CodePayloadTooLarge, "A file may have at most 100 MiB")
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &refusal):
		return refusal
	case errors.As(err, &known):
		return known
	case TooSlow(err):
		return SlowBody()
	}
	return models.Err(models.CodeValidation, "The form did not arrive whole, or is malformed")
}

// LogoHandler serves GET /install/logo/{file}, which is public: its address changes with it.
func LogoHandler(settings *install.Service) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		logo, err := settings.FindLogo(r.Context(), mux.Vars(r)["file"])
		if err != nil {
			WriteProblem(w, r, err)
			return
		}
		header := w.Header()
		header.Set("Content-Type", "image/png")
		header.Set("Cache-Control", "public, max-age=86400, immutable")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		_, _ = w.Write(logo)
	})
}
