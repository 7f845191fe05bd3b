package rest

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"

	"atelier/inbound"
	"atelier/models"
)

// maxParts is how many parts a form with files may have.
const maxParts = 100

// formParts are the parts of a form with files, read as they arrive and within
// bounds on their number and on the texts among them.
type formParts struct {
	parts *multipart.Reader
	n     int
	texts int64 // bytes
}

// openParts begins to read a form.
func openParts(r *http.Request) (*formParts, error) {
	parts, err := r.MultipartReader()
	if errors.Is(err, http.ErrMissingBoundary) {
		return nil, models.Err(models.CodeValidation, "The form names no boundary")
	}
	if err != nil {
		return nil, models.Err(models.CodeUnsupportedMediaType, "Send multipart/form-data with the field file")
	}
	return &formParts{parts: parts}, nil
}

// next is the next part and its name; io.EOF when the form has ended well.
func (f *formParts) next() (*multipart.Part, string, error) {
	part, err := f.parts.NextPart()
	if errors.Is(err, io.EOF) {
		return nil, "", io.EOF
	}
	if err != nil {
		return nil, "", formProblem(err)
	}
	if f.n++; f.n > maxParts {
		return nil, "", models.Err(models.CodeValidation, "The form has more than %d parts", maxParts)
	}
	return part, part.FormName(), inbound.CheckText("", part.FormName())
}

// text reads a part that is a text. All texts of the form together have at most so
// many bytes.
func (f *formParts) text(name string, part io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(part, most-f.texts+1))
	if err != nil {
		return nil, formProblem(err)
	}
	if f.texts += int64(len(text)); f.texts > most {
		return nil, models.Invalid(name, "is too long")
	}
	return text, inbound.CheckText(name, string(text))
}

// arriving is the content of a part, whose troubles are those of its form.
type arriving struct{ io.Reader }

// Read reads it.
func (a arriving) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = formProblem(err)
	}
	return n, err
}

// tooLarge tells whether reading ended at the limit of the route.
func tooLarge(err error) bool {
	var refusal *inbound.Refusal
	return errors.As(err, &refusal) && refusal.Status == http.StatusRequestEntityTooLarge || models.HasCode(err, models.CodePayloadTooLarge)
}
