package frame

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"atelier/humantext"
)

// Text is a trimmed value of a posted form.
func Text(r *http.Request, name string) string { return strings.TrimSpace(r.PostForm.Get(name)) }

// TextOrNil is nil for an empty value.
func TextOrNil(r *http.Request, name string) *string {
	if s := Text(r, name); s != "" {
		return &s
	}
	return nil
}

// Given is a value of an address or a form, nil when it is empty.
func Given(values url.Values, name string) *string {
	if s := values.Get(name); s != "" {
		return &s
	}
	return nil
}

// Pasted is a code, a name or the like as it was pasted: without what is invisible.
func Pasted(r *http.Request, name string) string { return humantext.Pasted(r.PostForm.Get(name)) }

// PastedOrNil is nil for an empty field.
func PastedOrNil(r *http.Request, name string) *string {
	if s := Pasted(r, name); s != "" {
		return &s
	}
	return nil
}

// SameName tells whether a name was typed to say that something is meant, however its letters are encoded and
// whatever is in it that cannot be seen.
func SameName(typed, name string) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(humantext.Pasted(s)), " ") }
	return plain(typed) == plain(name)
}

// PastedLink is the address of a page as it was pasted.
func PastedLink(r *http.Request, name string) string { return humantext.Link(r.PostForm.Get(name)) }

// PastedLinkOrNil is nil for an empty field.
func PastedLinkOrNil(r *http.Request, name string) *string {
	if s := PastedLink(r, name); s != "" {
		return &s
	}
	return nil
}

// PastedLinks are the addresses of pages in the lines of a field.
func PastedLinks(r *http.Request, name string) []string {
	lines := Lines(r.PostForm.Get(name))
	for i := range lines {
		lines[i] = humantext.Link(lines[i])
	}
	return lines
}

// File is what stands in a file that was chosen: a text, or the table of a workbook.
type File struct {
	Text     string
	Encoding humantext.Encoding
	Workbook *humantext.Workbook
}

// chosenBytes are the bytes of an uploaded file, none where no file was chosen; readForm has bounded their size.
func chosenBytes(r *http.Request, name string) ([]byte, error) {
	if r.MultipartForm == nil {
		return nil, nil
	}
	file, _, err := r.FormFile(name)
	if errors.Is(err, http.ErrMissingFile) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxForm))
}

// ChosenFile is the picture that a person chose in a field; the caller closes it. None, and one that did not arrive
// whole, are refused by the field's name.
func ChosenFile(r *http.Request, name string) (multipart.File, error) {
	file, _, err := r.FormFile(name)
	switch {
	case err == nil:
		return file, nil
	case errors.Is(err, http.ErrMissingFile) || errors.Is(err, http.ErrNotMultipart):
		return nil, Invalid(name, t(r.Context(), "Choose a picture first."))
	}
	return nil, Invalid(name, t(r.Context(), "The picture did not arrive whole. Send it again."))
}

// SplitWords reads words with commas between them.
func SplitWords(text string) []string {
	out := []string{}
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}

// ChosenText is the text of an uploaded file, whatever its encoding, with lines that end as those of a field do. A
// file that is no text is refused by the field's name.
func ChosenText(r *http.Request, name string) (string, error) {
	data, err := chosenBytes(r, name)
	if err != nil {
		return "", err
	}
	text, _, err := humantext.Decode(data)
	return humantext.LineBreaks(text), refusedFile(name, err)
}

// ChosenOrPasted returns the text of the file that a person chose, else what was pasted.
func ChosenOrPasted(r *http.Request, file, pasted string) (string, error) {
	chosen, err := ChosenText(r, file)
	if chosen = strings.TrimSpace(chosen); err != nil || chosen != "" {
		return chosen, err
	}
	return strings.TrimPrefix(Text(r, pasted), "\ufeff"), nil
}

// ChosenTable is the table of an uploaded file: of a workbook, or of a text. What is neither is refused by the
// field's name.
func ChosenTable(r *http.Request, name string) (file File, err error) {
	data, err := chosenBytes(r, name)
	if err != nil {
		return File{}, err
	}
	if humantext.IsWorkbook(data) {
		file.Workbook, err = humantext.ReadWorkbook(r.Context(), data)
		return file, refusedFile(name, err)
	}
	file.Text, file.Encoding, err = humantext.Decode(data)
	return file, refusedFile(name, err)
}

func refusedFile(name string, err error) error {
	var refusal humantext.Refusal
	if errors.As(err, &refusal) {
		return Invalid(name, refusal.Error())
	}
	return err
}

// WholeOrNil reads a whole number; nil for an empty field.
func WholeOrNil(r *http.Request, name string) (*int, error) {
	s := Text(r, name)
	if s == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return nil, Invalid(name, mark("Write a whole number from 1 on, or leave it empty."))
	}
	return &n, nil
}

// Lines are the lines of a text that are not empty.
func Lines(text string) []string { return humantext.Lines(text) }
