package rest

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"time"

	"atelier/models"
	"atelier/models/flow"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
	"github.com/gorilla/mux"
)

const (
	maxUpload = 100 << 20
	// uploadTime is how long an upload may take to arrive.
	uploadTime = 15 * time.Minute
)

// mediaRoutes take files (open points, "Uploads").
func (a *API) mediaRoutes() {
	handle(a, route{
		Method: "POST", Path: "/v1/upload", Tag: "Files", Summary: "Upload a file of at most 100 MiB in the field file",
		Status: 201, Scope: models.ScopeExecute, MaxBody: maxUpload + 1<<20,
	}, a.upload)
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
	URL         string    `json:"url" doc:"Unguessable; whoever has it may download the file."`
	ContentType string    `json:"contentType" doc:"As sniffed."`
	Size        int64     `json:"size"`
	Width       *int      `json:"width,omitempty"`
	Height      *int      `json:"height,omitempty"`
	Duration    *float64  `json:"duration,omitempty" doc:"In seconds."`
}

func (a *API) upload(ctx context.Context, in *uploadInput) (*single[fileView], error) {
	_ = http.NewResponseController(in.w).SetReadDeadline(time.Now().Add(uploadTime))
	in.request.Body = http.MaxBytesReader(in.w, in.request.Body, maxUpload+1<<20)
	part, err := filePart(in.request)
	if err != nil {
		return nil, err
	}
	file, err := a.Resolver.Flows.Upload(ctx, part)
	if err != nil {
		return nil, uploadProblem(err)
	}
	return one(fileView{
		ID: file.ID, URL: a.Resolver.Flows.Media.URL(file), ContentType: file.ContentType, Size: file.Size,
		Width: file.Width, Height: file.Height, Duration: file.Duration,
	}), nil
}

// filePart finds the field file.
func filePart(r *http.Request) (*multipart.Part, error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, models.Err(models.CodeUnsupportedMediaType, "Send multipart/form-data with the field file")
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil, models.Invalid("file", "is required")
		}
		if err != nil {
			return nil, uploadProblem(err)
		}
		if part.FormName() == "file" {
			return part, nil
		}
	}
}

// uploadProblem tells what is wrong with a body that broke off.
func uploadProblem(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return models.Err(models.CodePayloadTooLarge, "A file may have at most 100 MiB")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, multipart.ErrMessageTooLarge) || errors.Is(err, io.EOF) {
		return models.Err(models.CodeValidation, "The body did not arrive whole")
	}
	return err
}

// MediaHandler serves GET /media/{file}, publicly and for good. Nothing in a
// file can act in the service's name: its type is fixed, and pages are boxed in.
func MediaHandler(media *flow.MediaStore) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, err := media.Find(r.Context(), mux.Vars(r)["file"])
		if err != nil {
			WriteProblem(w, r, err)
			return
		}
		header := w.Header()
		header.Set("Content-Type", file.ContentType)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Content-Security-Policy", "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'")
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
		header.Set("Cross-Origin-Resource-Policy", "cross-origin")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("ETag", `"`+hex.EncodeToString(file.SHA256)+`"`)
		content, err := media.Content(r.Context(), file)
		if err != nil {
			header.Del("Cache-Control")
			header.Del("ETag")
			WriteProblem(w, r, err)
			return
		}
		defer content.Close()
		http.ServeContent(w, r, "", file.CreatedAt, content)
	})
}
