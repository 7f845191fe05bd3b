package rest

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"

	"atelier/models"
)

// formFile is the field file of a form, read as it arrives. It ends with a
// refusal when the form does not end well, or holds another file.
type formFile struct {
	parts *multipart.Reader
	part  *multipart.Part
}

// openForm finds the field file.
func openForm(r *http.Request) (*formFile, error) {
	parts, err := r.MultipartReader()
	if errors.Is(err, http.ErrMissingBoundary) {
		return nil, models.Err(models.CodeValidation, "The form names no boundary")
	}
	if err != nil {
		return nil, models.Err(models.CodeUnsupportedMediaType, "Send multipart/form-data with the field file")
	}
	form := &formFile{parts: parts}
	for {
		if form.part, err = parts.NextPart(); errors.Is(err, io.EOF) {
			return nil, models.Invalid("file", "is required")
		}
		if err != nil {
			return nil, formProblem(err)
		}
		if form.part.FormName() == "file" {
			return form, nil
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
		part, err := f.parts.NextPart()
		if errors.Is(err, io.EOF) {
			return io.EOF
		}
		if err != nil {
			return formProblem(err)
		}
		if part.FormName() == "file" {
			return models.Invalid("file", "must be there once; send each file by itself")
		}
	}
}

// formProblem tells what is wrong with a form that broke off.
func formProblem(err error) error {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return models.Err(models.CodePayloadTooLarge, "A file may have at most 100 MiB")
	case errors.Is(err, context.Canceled):
		return err
	case TooSlow(err):
		return SlowBody()
	}
	return models.Err(models.CodeValidation, "The form did not arrive whole, or is malformed")
}
