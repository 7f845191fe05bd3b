package rest

import (
	"context"
	"errors"
	"io"
	"net/http"

	"atelier/inbound"
	"atelier/models"
)

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
