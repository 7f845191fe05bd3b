package frame

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"atelier/inbound"
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
			done, err := c.takeFiles(&r)
			defer done()
			if err != nil {
				c.Serve(func(http.ResponseWriter, *http.Request) error { return err }).ServeHTTP(w, r)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// takeFiles reads a form with files; the room that they take is counted as they come. What else is wrong with the form
// is said when it is read again.
func (c *Console) takeFiles(r **http.Request) (done func(), err error) {
	leave := func() {}
	if c.Config.Arriving != nil {
		ctx, take, end, err := c.Config.Arriving((*r).Context())
		if err != nil {
			return leave, err
		}
		leave, *r = end, (*r).WithContext(ctx)
		(*r).Body = inbound.Counting((*r).Body, take)
	}
	form := *r
	err = inbound.Form(form, maxUpload)
	var refused *Error
	if errors.As(err, &refused) {
		return leave, refused
	}
	return func() {
		leave()
		if form.MultipartForm != nil {
			_ = form.MultipartForm.RemoveAll()
		}
	}, nil
}

// SignedIn tells whether the request has a session.
func (c *Console) SignedIn(r *http.Request) bool {
	_, err := query.Frame(r.Context(), c.Client)
	return err == nil
}
