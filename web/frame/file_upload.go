package frame

import (
	"context"
	"io"
	"net/http"
	"strings"

	"atelier/web/query"

	"github.com/gorilla/mux"
)

// maxUpload bounds a form with files: one file of 100 MiB (open points, "Uploads") and the fields around it.
const maxUpload = 100<<20 + maxForm

// Uploader keeps a file for the caller and returns its public address.
type Uploader func(ctx context.Context, file io.Reader) (address string, err error)

// Upload registers a form that may carry files. It is read by its action, by readUpload.
func (on Routes) Upload(path string, h Action) {
	on.router.Handle(path, on.console.serveUpload(h)).Methods(http.MethodPost).
		MatcherFunc(func(r *http.Request, _ *mux.RouteMatch) bool { return isForm(r) })
}

// serveUpload reads a form with files, whose limit is larger than that of other forms, and hands it on. Large files
// wait on disk; they are removed when the answer has left. Visitors' forms keep the usual limit.
func (c *Console) serveUpload(h Action) http.Handler {
	next := c.Serve(h)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.Config.Upload != nil && c.cross.Check(r) == nil && strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") && c.SignedIn(r) {
			r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
			if r.ParseMultipartForm(maxForm) == nil {
				defer func() { _ = r.MultipartForm.RemoveAll() }()
			}
		}
		next.ServeHTTP(w, r)
	})
}

// SignedIn tells whether the request has a session.
func (c *Console) SignedIn(r *http.Request) bool {
	_, err := query.Frame(r.Context(), c.Client)
	return err == nil
}
