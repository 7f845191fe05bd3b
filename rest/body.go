package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"

	"atelier/models"
)

// mostInMemory is the longest body that is kept in memory; longer ones lie in
// a temporary file.
const mostInMemory = 5 << 20

// body is the body of a repeatable request, to be read more than once.
type body struct {
	text []byte
	file *os.File
	size int64
	// boundary of a form with files; it differs from one sending to the next.
	boundary string
}

// takeBody reads the whole body within the route's limit.
func takeBody(r *http.Request, most int64) (*body, error) {
	most = limitOf(most)
	b := &body{}
	if kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && kind == "multipart/form-data" {
		b.boundary = parameters["boundary"]
	}
	if err := b.fill(io.LimitReader(r.Body, most+1), most); err != nil {
		b.Close()
		return nil, err
	}
	if b.size > most {
		b.Close()
		return nil, models.Err(models.CodePayloadTooLarge, "The body is too large for this route")
	}
	return b, nil
}

func (b *body) fill(from io.Reader, most int64) error {
	if most <= mostInMemory {
		text, err := io.ReadAll(from)
		if err != nil {
			return brokenBody(err)
		}
		b.text, b.size = text, int64(len(text))
		return nil
	}
	file, err := os.CreateTemp("", "atelier-body-*")
	if err != nil {
		return err
	}
	b.file = file
	if b.size, err = io.Copy(file, from); err != nil {
		return brokenBody(err)
	}
	return nil
}

// SlowBody says that a body took too long; its status is 408.
func SlowBody() *models.Error {
	refusal := models.Err(models.CodeValidation, "The body did not arrive in time")
	refusal.Status = http.StatusRequestTimeout
	return refusal
}

// TooSlow tells whether reading failed because the client sent too slowly.
func TooSlow(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

func brokenBody(err error) error {
	if TooSlow(err) {
		return SlowBody()
	}
	return models.Err(models.CodeValidation, "The body did not arrive whole")
}

// again reads the body from its beginning.
func (b *body) again() io.ReadCloser {
	if b.file != nil {
		return io.NopCloser(io.NewSectionReader(b.file, 0, b.size))
	}
	return io.NopCloser(bytes.NewReader(b.text))
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
