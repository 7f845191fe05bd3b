package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"

	"atelier/inbound"
	"atelier/models"
)

// body is the body of a repeatable request, to be read more than once.
type body struct {
	text []byte
	form bool // see inMemory
	file *os.File
	size int64
	// boundary of a form with files; it differs from one sending to the next.
	boundary string
}

// takeBody reads the whole body within the route's limit.
func (a *API) takeBody(r *http.Request, of route) (*body, error) {
	most := limitOf(of.MaxBody)
	if arrived, ok := r.Body.(inMemory); ok {
		return &body{text: arrived.text, form: arrived.form, size: int64(len(arrived.text))}, nil
	}
	if !of.Streams {
		text, err := inbound.Read(r, most)
		return &body{text: text, size: int64(len(text))}, err
	}
	b := &body{}
	if kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && kind == multipartForm {
		b.boundary = parameters["boundary"]
	}
	inbound.Limit(r, most)
	var err error
	b.file, b.size, err = a.Resolver.Media.SpoolBody(r.Context(), r.Body)
	return b, err
}

// SlowBody says that a body took too long; its status is 408.
func SlowBody() *models.Error {
	refusal := models.Err(models.CodeValidation, "The body did not arrive in time")
	refusal.Status = http.StatusRequestTimeout
	return refusal
}

// TooSlow tells whether reading failed because the client sent too slowly.
func TooSlow(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// again reads the body from its beginning.
func (b *body) again() io.ReadCloser {
	if b.file != nil {
		return io.NopCloser(io.NewSectionReader(b.file, 0, b.size))
	}
	return newInMemory(b.text, b.form)
}

// identity is the same for every sending of the same body: a short one as it
// is, a long one by its hash, a form by the names and contents of its parts.
func (b *body) identity() string {
	if b.file == nil {
		return string(b.text)
	}
	if b.boundary != "" {
		if sum, err := formSum(b.again(), b.boundary); err == nil {
			return sum
		}
	}
	hash := sha256.New()
	_, _ = io.Copy(hash, b.again())
	return hex.EncodeToString(hash.Sum(nil))
}

// formSum hashes what a form holds.
func formSum(r io.Reader, boundary string) (string, error) {
	parts, whole := multipart.NewReader(r, boundary), sha256.New()
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return "form " + hex.EncodeToString(whole.Sum(nil)), nil
		}
		if err != nil {
			return "", err
		}
		content := sha256.New()
		if _, err := io.Copy(content, part); err != nil {
			return "", err
		}
		fmt.Fprintf(whole, "%q %q %x\n", part.FormName(), part.FileName(), content.Sum(nil))
	}
}

// Close removes what lies on the disk.
func (b *body) Close() error {
	if b.file == nil {
		return nil
	}
	defer os.Remove(b.file.Name())
	return b.file.Close()
}
