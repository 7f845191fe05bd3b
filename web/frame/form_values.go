package frame

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
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

// ChosenFile is the text of an uploaded file; readForm has bounded its size.
func ChosenFile(r *http.Request, name string) string {
	file, _, err := r.FormFile(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxForm))
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(string(text), "\ufffd")
}

// WholeOrNil reads a whole number; nil for an empty field.
func WholeOrNil(r *http.Request, name string) (*int, error) {
	s := Text(r, name)
	if s == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return nil, Invalid(name, "Write a whole number from 1 on, or leave it empty.")
	}
	return &n, nil
}

// Lines are the lines of a text that are not empty.
func Lines(text string) []string {
	out := []string{}
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
